"""The program's own files: one way in, one way to save them whole."""
