"""The mathematics of added noise: transition probabilities, lattice cells, mutual information, reconstruction."""
