"""Page "Columns": the role, kind, number groups and list of broader values of each column."""
