"""From a recipe and a table to a candidate: effective demands, steps in order, pairing of columns."""
