"""The command line, which calls the engine and prints its figures."""
