"""The centre of each group, mean or median, computed exactly and rounded to the column's grid."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ppdm_desktop.engine.arrays import Ints

_SAFE = 2**60


def compute_centres(values: Ints, group: Ints, step: int, how: str) -> Ints:
    """Return the centre of each record's group, rounded half up to the grid.

    The median of an even number of values is half-way between the two middle ones. Half up means towards the larger
    number: -2.5 becomes -2. The result has the shape and the units of ``values``.

    Parameters
    ----------
    values
        Values in units of the column's last digit.
    group
        Index of each value's group, from 0 on; no group is empty.
    step
        Step of the grid, in the same units.
    how
        ``mean`` or ``median``.
    """
    order = np.lexsort((values, group))
    ordered, sizes = values[order], np.bincount(group)
    starts = np.cumsum(sizes) - sizes
    if how == "median":
        low, high = ordered[starts + (sizes - 1) // 2], ordered[starts + sizes // 2]
        middle = low + (high - low) // 2
        # Twice the middle, so that a half is not lost.
        twice = 2 * middle + (high - low) % 2
        medians = (twice + step) // (2 * step) * step
        return np.asarray(medians[group])
    sums = group_sums(ordered, starts)
    medians = (2 * sums + sizes * step) // (2 * sizes * step) * step
    return np.asarray(medians.astype(np.int64)[group])


def group_sums(ordered: Ints, starts: Ints) -> npt.NDArray[Any]:
    """Return the exact sum of each run of numbers, shape (runs,); Python integers if 64 bits could overflow.

    ``ordered`` are whole numbers and ``starts`` is the index at which each run begins.
    """
    if not len(ordered):
        return np.zeros(0, dtype=np.int64)
    longest = int(np.diff(np.append(starts, len(ordered))).max())
    if int(np.abs(ordered).max()) * longest * 4 < _SAFE:
        return np.asarray(np.add.reduceat(ordered, starts))
    return np.asarray(np.add.reduceat(ordered.astype(object), starts))
