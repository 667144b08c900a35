"""A range tried out: one recipe, one parameter of one step over some values, each with several keys."""
