"""Page Protection levels: who asked for how much."""
