"""Groups of similar records and their centres: what microaggregation is made of."""
