"""Page Release: the gate, the folder, the end."""
