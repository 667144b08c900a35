"""Tab "Rows": original and release side by side, cell by cell."""
