"""Qt table models over the engine's columns."""
