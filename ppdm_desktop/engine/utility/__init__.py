"""How useful a release still is: figures of two tables side by side, knowing nothing of methods."""
