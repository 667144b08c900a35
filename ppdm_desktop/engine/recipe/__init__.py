"""The recipe: one file that people can read, with every decision about a release."""
