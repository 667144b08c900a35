"""Spreadsheets: checked before parsing, read in a child process, only values cross over."""
