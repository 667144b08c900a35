"""Preview of leaving out or generalising columns."""
