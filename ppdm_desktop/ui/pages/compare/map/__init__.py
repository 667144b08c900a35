"""Tab "Map": candidates as points, with their risk and their usefulness as coordinates."""
