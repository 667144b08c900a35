"""Shared parts of the methods of continuous noise: bounds, noise, levels, proof and preview."""
