"""A sweep: one recipe run with several values of one parameter, each with several keys."""
