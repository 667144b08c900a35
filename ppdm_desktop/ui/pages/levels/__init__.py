"""Page Privacy levels: who asked for how much."""
