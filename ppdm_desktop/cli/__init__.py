"""The command line: translates a person's wish into engine calls, and figures into lines."""
