"""Page "Protect": versions that the program found, methods, steps, and the queue of candidates."""
