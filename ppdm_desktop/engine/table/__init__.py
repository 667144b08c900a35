"""The one Table everything passes around: reading, writing, kinds, roles, levels."""
