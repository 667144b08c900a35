"""Tab "Analyses": how well models trained on the release predict."""
