"""Numbers that are rounded, or coded at their ends."""
