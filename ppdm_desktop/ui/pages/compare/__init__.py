"""Page Compare: candidates side by side."""
