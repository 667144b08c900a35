"""Page "Open": how the file is read, and corrections of its reading."""
