"""How many processors a search for neighbours uses."""

from __future__ import annotations

import os


def search_workers() -> int:
    """Return the threads of one search: all processors but one, which is left to a window and other programs."""
    return max(1, (os.cpu_count() or 1) - 1)
