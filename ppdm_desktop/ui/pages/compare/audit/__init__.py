"""Tab Attack audit: what an intruder finds."""
