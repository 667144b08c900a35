"""What leaving out or generalising a column would do."""
