"""Tab Rows: original beside released, cell by cell."""
