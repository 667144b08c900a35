"""The mathematics of added noise: transition kernels, lattice cells, mutual information, reconstruction."""
