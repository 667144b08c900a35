"""A small matrix with a number and a colour band in each cell."""
