"""Tab "Attack audit": what simulated attacks by an intruder find out."""
