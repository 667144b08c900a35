"""Planning: versions of a file that can be released, found by counting classes before anything is run."""
