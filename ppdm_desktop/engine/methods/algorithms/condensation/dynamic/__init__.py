"""Dynamic condensation: records that join groups one by one, and going on from saved statistics."""
