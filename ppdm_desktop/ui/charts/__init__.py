"""Charts: drawn by hand, each with a sentence and a table."""
