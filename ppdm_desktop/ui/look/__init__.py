"""Theme, tokens and icons."""
