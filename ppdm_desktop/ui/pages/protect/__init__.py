"""Page "Protect": versions that were found, methods, the steps, and the queue of candidates."""
