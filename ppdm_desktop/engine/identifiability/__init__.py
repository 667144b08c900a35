"""Who can be identified: equivalence classes, identifiable records, risk."""
