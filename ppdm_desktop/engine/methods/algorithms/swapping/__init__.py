"""Swapping confidential values (Li & Sarkar 2004): what `bayes-swap` and `random-swap` share."""
