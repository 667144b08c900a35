"""Tab Side by side: two candidates."""
