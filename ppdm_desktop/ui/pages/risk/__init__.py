"""Page "Risk": who is identifiable in the original, and by which columns."""
