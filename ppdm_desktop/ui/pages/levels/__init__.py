"""Page "Protection levels": which people need how much protection."""
