"""The mathematics of noise and cells: kernels, lattice, information, reconstruction."""
