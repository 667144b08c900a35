"""Measures of who can be identified in a table: equivalence classes, identifiable records and risk."""
