"""Planning versions of a file: what can be released, found by counting and not by trial."""
