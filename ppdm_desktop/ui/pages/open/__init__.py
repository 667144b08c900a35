"""Page "Open": how the file is read."""
