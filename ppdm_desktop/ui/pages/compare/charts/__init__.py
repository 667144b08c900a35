"""Tab Distributions: columns and pairs before and after."""
