"""Compare, tab Ranges: what a range of values of one setting came to."""
