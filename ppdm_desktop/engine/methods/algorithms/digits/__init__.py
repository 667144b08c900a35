"""What the methods for numbers share: exact scaled values, their texts, and proofs of no level."""
