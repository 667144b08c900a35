"""The map of candidates: risk against usefulness."""
