"""Ranking values among the distinct ones, in parts between which the work can be cancelled."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Ints

_AT_ONCE, _PACKED_AT_ONCE = 200_000, 1_000_000
"""Values ranked between two cancellation points; the second where value and row number fit into one integer."""
_SAMPLED, _MOST_PARTS = 1_000, 32
_LOOKED_UP, _SHORT = 100_000, 2_000
"""Values looked up between two cancellation points, and the length up to which a list is searched directly."""


def rank_values(values: npt.NDArray[Any]) -> tuple[Ints, int]:
    """Return the rank of each value among the distinct values, from 0, and the number of distinct values.

    The ranks are those of NumPy's ``unique`` with ``return_inverse``, but many values are ranked in parts.

    Parameters
    ----------
    values
        Numbers, shape (values,); missing ones (NaN) are one value, the highest.
    """
    packed = _fit_with_places(values)
    ranks = np.empty(len(values), dtype=np.int64)
    count = 0
    before = np.zeros(len(values), dtype=np.bool_)
    for edge in _choose_edges(values, _PACKED_AT_ONCE if packed else _AT_ONCE):
        progress.check()
        up_to = values < edge
        count += _rank_part(values, np.flatnonzero(up_to & ~before), count, ranks, packed)
        before = up_to
    progress.check()
    return ranks, count + _rank_part(values, np.flatnonzero(~before), count, ranks, packed)


def _fit_with_places(values: npt.NDArray[Any]) -> bool:
    """Return whether all values are non-negative whole numbers that fit into 62 bits together with their row number.

    False for an empty array.
    """
    if not len(values) or not np.issubdtype(values.dtype, np.integer) or int(values.min()) < 0:
        return False
    return int(values.max()).bit_length() + len(values).bit_length() <= 62


def _choose_edges(values: npt.NDArray[Any], at_once: int) -> list[Any]:
    """Return rising values, at most 32, that split the values into parts of about equal size.

    They are taken from a sample, without equal ones and NaN, so that there may be fewer. Empty for at most ``at_once``
    values.
    """
    # For each part all values are looked at once more.
    parts = min(len(values) // at_once, _MOST_PARTS) if len(values) > at_once else 0
    if not parts:
        return []
    sample = np.sort(values[:: len(values) // _SAMPLED])
    chosen = sample[np.arange(1, parts + 1) * len(sample) // (parts + 1)]
    return [edge for edge in dict.fromkeys(chosen.tolist()) if edge == edge]


def _rank_part(values: npt.NDArray[Any], rows: Ints, count: int, ranks: Ints, packed: bool) -> int:
    """Write the ranks of one part's rows into ``ranks``, from ``count`` on, and return its number of distinct values.

    ``rows`` are indices into ``values``. ``packed`` says that all values are whole numbers that fit into 62 bits
    together with their row index.
    """
    if packed and len(rows):
        # Plain numbers are sorted several times as fast as their places are; so the places travel inside them.
        bits = len(values).bit_length()
        both = np.sort((values[rows].astype(np.int64) << bits) | rows)
        rows = both & ((1 << bits) - 1)
        both >>= bits
        rank = np.cumsum(np.diff(both, prepend=both[0]) != 0)
        ranks[rows] = rank + count
        return int(rank[-1]) + 1
    distinct, rank_of_row = np.unique(values[rows], return_inverse=True)
    ranks[rows] = rank_of_row.reshape(-1) + count
    return len(distinct)


def find_sorted_positions(
    rising: npt.NDArray[Any], wanted: npt.NDArray[Any], side: Literal["left", "right"] = "left"
) -> Ints:
    """Return the positions of values in a rising list, as ``np.searchsorted`` does, but faster for many values.

    Parameters
    ----------
    rising
        The list, in rising order.
    wanted
        What is looked up, shape (values,); missing ones (NaN) stand behind all numbers.
    side
        Whether the position is before or behind equal values of the list.
    """
    positions = np.empty(len(wanted), dtype=np.int64)
    for start in range(0, len(wanted), _LOOKED_UP):
        progress.check()
        part = wanted[start : start + _LOOKED_UP]
        if len(rising) <= _SHORT:
            positions[start : start + len(part)] = np.searchsorted(rising, part, side)
            continue
        order = np.argsort(part)
        positions[start + order] = np.searchsorted(rising, part[order], side)
    return positions
