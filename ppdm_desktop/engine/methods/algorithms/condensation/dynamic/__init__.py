"""Dynamic condensation: records that join groups one by one, and continuing from saved statistics."""
