"""Shared parts of the methods that generalise values: order of values, cutting, labels of groups, and proofs."""
