"""Page "Compare": the finished candidates side by side."""
