"""Numbers shown coarser: rounded, or coded at their ends."""
