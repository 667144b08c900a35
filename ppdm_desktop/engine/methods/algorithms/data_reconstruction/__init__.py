"""Parts of ``data-reconstruction``: masks, cells, fitness, the search, copies and their audit."""
