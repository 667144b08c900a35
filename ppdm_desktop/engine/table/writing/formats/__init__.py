"""The file formats of data files that can be written, each in its own module."""
