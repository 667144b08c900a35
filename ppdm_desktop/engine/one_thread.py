"""Limits the thread pools of libraries to one thread, so that sums are always added in the same order."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager
from functools import lru_cache
from typing import Any


def one_thread() -> AbstractContextManager[object]:
    """Return a context manager inside which linear algebra and scikit-learn use one thread."""
    return _find_thread_pools(len(sys.modules)).limit(limits=1)  # type: ignore[no-any-return]


@lru_cache(maxsize=1)
def _find_thread_pools(modules: int) -> Any:
    """Return threadpoolctl's controller of the thread pools of all loaded libraries.

    The last result is cached, because the search is slow.

    Parameters
    ----------
    modules
        Number of loaded modules; if it changes the search is repeated, because a new module may bring a new pool.
    """
    from threadpoolctl import ThreadpoolController  # late: only what learns asks for it

    return ThreadpoolController()
