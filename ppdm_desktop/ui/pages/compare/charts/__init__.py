"""Tab "Distributions": columns and pairs of columns before and after protection."""
