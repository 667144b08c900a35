"""Tab "Ranges": results of trying a range of values for one setting of a step."""
