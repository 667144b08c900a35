"""Page "Risk": who is identifiable, and by which columns."""
