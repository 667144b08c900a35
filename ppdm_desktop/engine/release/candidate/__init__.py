"""From a recipe and a table to a candidate release: the complete recipe, the steps in order, and pairs of columns."""
