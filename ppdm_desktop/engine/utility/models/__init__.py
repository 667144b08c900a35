"""Learners that predict one column from the others, and how well they do on true and on released records."""
