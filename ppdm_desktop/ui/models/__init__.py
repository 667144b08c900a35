"""Table models over NumPy columns."""
