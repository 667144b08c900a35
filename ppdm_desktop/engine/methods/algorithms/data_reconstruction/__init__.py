"""Parts of ``data-reconstruction``: groups of values, fitness, the search, copies of records and their check."""
