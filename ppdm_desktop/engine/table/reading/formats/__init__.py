"""The file formats that can be read, each in its own module."""
