"""Libraries' pools of threads held to one thread, so that sums come in one order."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager
from functools import lru_cache
from typing import Any


def one_thread() -> AbstractContextManager[object]:
    """Return a context in which linear algebra and scikit-learn work on one thread."""
    return _pools(len(sys.modules)).limit(limits=1)  # type: ignore[no-any-return]


@lru_cache(maxsize=1)
def _pools(modules: int) -> Any:
    """Return the pools of all loaded libraries; to look for them reads the whole map of the process's memory.

    Parameters
    ----------
    modules
        How many modules are loaded: with one more there may be one more pool.
    """
    from threadpoolctl import ThreadpoolController  # late: only what learns asks for it

    return ThreadpoolController()
