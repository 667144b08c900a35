"""From a recipe to a verified release: pipeline, gate, export, verify."""
