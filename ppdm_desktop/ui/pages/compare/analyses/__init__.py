"""Tab Analyses: what models still learn."""
