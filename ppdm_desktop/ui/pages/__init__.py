"""Pages, one for each step."""
