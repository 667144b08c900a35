"""Page Columns: roles, kinds, bins, hierarchies."""
