"""Page "Protection levels": who needs how much protection."""
