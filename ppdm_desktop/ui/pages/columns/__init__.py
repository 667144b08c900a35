"""Page "Columns": role, kind, groups and hierarchy of each column."""
