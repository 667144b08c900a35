"""What the methods of continuous noise share: bounds, noise, levels, proof and preview."""
