"""Coverage of what runs in the window's threads: a QThread is none of Python's, and coverage follows only those."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")


def measured(work: Callable[[], Found]) -> Callable[[], Found]:
    """Return work that is followed in whichever thread it runs, as Python's own threads are just now."""
    follow = threading.gettrace()
    if follow is None:
        return work

    def followed() -> Found:
        sys.settrace(follow)
        try:
            return work()
        finally:
            sys.settrace(None)

    return followed
