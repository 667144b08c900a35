"""Charts, each with a sentence as its title and a table of its figures."""
