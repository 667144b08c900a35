"""Numbers that are rounded, or top- and bottom-coded."""
