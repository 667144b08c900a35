"""Making the verdict: the one object that says what a table gives away and whether it may leave."""
