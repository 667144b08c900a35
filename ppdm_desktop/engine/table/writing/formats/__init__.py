"""The formats of data files that are written, one file each, and nothing else."""
