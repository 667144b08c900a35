"""Groups of similar records and their centres, for microaggregation."""
