"""Page Risk: who is identifiable, and by what."""
