"""Building the report's data from candidate, measures, attacks and gate."""
