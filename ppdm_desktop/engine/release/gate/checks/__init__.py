"""The checks of the gate, one class in each file; the registry imports them all."""
