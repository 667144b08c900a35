"""The rank of each of many values among the distinct ones, found in parts so that work can be stopped."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.progress import Progress

_AT_ONCE = 200_000
_SAMPLED = 1_000


def ranked(values: npt.NDArray[Any], progress: Progress) -> tuple[Ints, int]:
    """Return the rank of each value among the distinct values, 0 and up, and how many of these there are.

    The same as NumPy's ``unique`` with ``return_inverse``. Many values are parted first: those up to
    an edge hold lower ranks than those beyond it, and each part is ranked by itself.

    Parameters
    ----------
    values
        Numbers, shape (values,); missing ones (NaN) are one value, the highest.
    progress
        Checked between the parts.
    """
    found = np.empty(len(values), dtype=np.int64)
    count = 0
    before = np.zeros(len(values), dtype=np.bool_)
    for edge in _edges(values):
        progress.check()
        up_to = values < edge
        count += _rank_part(values, np.flatnonzero(up_to & ~before), count, found)
        before = up_to
    progress.check()
    return found, count + _rank_part(values, np.flatnonzero(~before), count, found)


def _edges(values: npt.NDArray[Any]) -> list[Any]:
    """Return rising values that part the values into about equal parts, none for a few."""
    parts = len(values) // _AT_ONCE
    if not parts:
        return []
    some = np.sort(values[:: len(values) // _SAMPLED])
    chosen = some[np.arange(1, parts + 1) * len(some) // (parts + 1)]
    return [edge for edge in dict.fromkeys(chosen.tolist()) if edge == edge]


def _rank_part(values: npt.NDArray[Any], rows: Ints, count: int, found: Ints) -> int:
    """Give a part the ranks from ``count`` on and return how many it takes."""
    distinct, place = np.unique(values[rows], return_inverse=True)
    found[rows] = place.reshape(-1) + count
    return len(distinct)
