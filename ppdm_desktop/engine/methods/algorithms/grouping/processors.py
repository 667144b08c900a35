"""The number of threads of a search for neighbours."""

from __future__ import annotations

import os


def count_search_workers() -> int:
    """Return the number of threads of one search: one less than the processors, and at least 1."""
    return max(1, (os.cpu_count() or 1) - 1)
