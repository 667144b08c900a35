"""The table that every part of the program works on: its columns, how it is read and written, and what they mean."""
