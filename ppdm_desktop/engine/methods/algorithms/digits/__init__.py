"""Helpers of the methods for numbers: exact scaled values, their texts, and proofs that cover no level."""
