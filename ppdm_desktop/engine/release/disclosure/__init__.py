"""What a release discloses, measured on what is written: beliefs, people picked out, columns that work like names."""
