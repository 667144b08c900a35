"""Judging a file that another program made: compared with its source, measured and attacked like our releases."""
