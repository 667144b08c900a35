"""Reading spreadsheets: they are checked before parsing and read in a child process, which returns only values."""
