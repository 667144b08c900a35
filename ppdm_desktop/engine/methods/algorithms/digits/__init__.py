"""Helpers for methods that change numbers: exact values, their texts, and proofs of methods that meet no level."""
