"""Preview of the risk if columns were left out or generalised."""
