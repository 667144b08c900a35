"""Tab "Analyses": how well models that are trained on the release predict true values."""
