"""Swapping confidential values (Li & Sarkar 2004), as far as `bayes-swap`, `random-swap` and others share it.

The people whose value the table reveals take part: unique people, who share their quasi-identifiers with nobody, and
members of groups, that is, of people with equal quasi-identifiers who all have the same value. Phase I decides how many
records leave and come to each category; phase II decides which.
"""
