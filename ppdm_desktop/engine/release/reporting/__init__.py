"""Building the report's model from candidate, measures, attacks and gate."""
