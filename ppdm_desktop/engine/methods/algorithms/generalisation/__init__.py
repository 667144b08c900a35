"""Shared parts of the methods that generalise values: scales of columns, cutting, labels, proof."""
