"""Limit the thread pools of libraries to one thread, so that sums are always added in one order."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager
from functools import lru_cache
from typing import Any


def one_thread() -> AbstractContextManager[object]:
    """Return a context manager; inside it linear algebra and scikit-learn use one thread."""
    return _find_thread_pools(len(sys.modules)).limit(limits=1)  # type: ignore[no-any-return]


@lru_cache(maxsize=1)
def _find_thread_pools(modules: int) -> Any:
    """Return the thread pools of all loaded libraries, cached, since the search reads the whole memory map.

    Parameters
    ----------
    modules
        How many modules are loaded: with one more there may be one more pool.
    """
    from threadpoolctl import ThreadpoolController  # late: only what learns asks for it

    return ThreadpoolController()
