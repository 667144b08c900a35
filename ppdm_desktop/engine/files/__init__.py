"""The program's own files: opened with care, saved whole."""
