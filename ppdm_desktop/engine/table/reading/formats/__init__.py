"""The formats that are read, one file each, and nothing else."""
