"""The number of threads with which one search for nearest neighbours runs."""

from __future__ import annotations

import os


def count_search_workers() -> int:
    """Return the number of threads for one search: one less than the number of processors, but at least 1."""
    return max(1, (os.cpu_count() or 1) - 1)
