"""Adding records to an earlier condensed release."""
