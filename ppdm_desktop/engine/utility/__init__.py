"""How useful a release still is, measured by comparing the tables before and after, for any method."""
