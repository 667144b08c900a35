"""Planning: finds versions of a file that can be released, mostly by counting classes before any method is run."""
