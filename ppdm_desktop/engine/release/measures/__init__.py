"""Measures of how useful a candidate is, what each step changed, and how identifiable people are."""
