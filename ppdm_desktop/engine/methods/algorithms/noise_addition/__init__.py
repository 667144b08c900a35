"""Shared parts of the methods that add continuous noise: bounds, noise, privacy levels, proofs and preview."""
