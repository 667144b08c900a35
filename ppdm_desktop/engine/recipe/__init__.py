"""The recipe: every decision of a release, as one file that a person can read."""
