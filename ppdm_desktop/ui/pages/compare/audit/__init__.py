"""Tab "Attack audit": what an intruder can find out."""
