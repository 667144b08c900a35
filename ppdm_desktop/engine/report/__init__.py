"""The report: one object, and the pages rendered from it."""
