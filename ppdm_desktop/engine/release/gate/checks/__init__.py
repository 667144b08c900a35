"""The checks of the gate, one class in one file; the registry finds them here."""
