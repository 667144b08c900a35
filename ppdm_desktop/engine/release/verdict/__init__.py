"""Making the verdict: what a table discloses about people, and whether it may be released."""
