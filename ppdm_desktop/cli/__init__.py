"""The command line: calls the engine and prints its figures."""
