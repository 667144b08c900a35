"""Page "Compare": the finished candidates (protected versions of the file, made by different steps) side by side."""
