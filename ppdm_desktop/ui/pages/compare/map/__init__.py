"""Tab "Map": candidates by risk and usefulness."""
