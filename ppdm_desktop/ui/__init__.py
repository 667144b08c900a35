"""The window: translates wishes into engine calls and figures into pictures. Qt lives only here."""
