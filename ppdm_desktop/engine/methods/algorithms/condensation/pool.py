"""The records that are in no group yet, and the search for those nearest to a seed."""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.methods.algorithms.grouping.near_points import NearPoints

_KEPT_DEAD = 0.25
"""Share of taken records above which the arrays are compacted; doing it each time costs more than it saves."""


class Pool:
    """Records not yet taken.

    Parameters
    ----------
    points
        Standardised values of all records, (records, columns).
    rows
        The records of the pool, ascending.
    """

    def __init__(self, points: Floats, rows: Ints) -> None:
        self._left = len(rows)
        self._hold(points[rows], rows)

    def _hold(self, points: Floats, rows: Ints) -> None:
        """Store the remaining records, and prepare their distances."""
        self._rows, self._near = rows, NearPoints(points)
        self._gone = np.zeros(len(rows), dtype=np.bool_)

    def __len__(self) -> int:
        return self._left

    @property
    def rows(self) -> Ints:
        """The remaining records, ascending."""
        return np.asarray(self._rows[~self._gone])

    def holds(self, row: int) -> bool:
        """Return whether a record is still in the pool."""
        index = int(np.searchsorted(self._rows, row))
        return index < len(self._rows) and self._rows[index] == row and not self._gone[index]

    def take_around(self, row: int, size: int) -> Ints:
        """Remove a record and its nearest ones from the pool, ``size`` in all; return them ascending. Ties by row."""
        seed = int(np.searchsorted(self._rows, row))
        near = self._near.likely(np.array([seed]), size)[1]
        distances = self._near.apart(np.full(len(near), seed), near)
        distances[near == seed] = -1.0  # before its own duplicates
        edge = np.partition(distances, size - 1)[size - 1]
        among = distances < edge
        lacking = size - int(np.count_nonzero(among))
        among[np.flatnonzero(distances == edge)[:lacking]] = True
        chosen = near[among]
        taken = self._rows[chosen]
        self._gone[chosen] = True
        self._near.leave_out(chosen)
        self._left -= size
        if self._left < (1 - _KEPT_DEAD) * len(self._rows):
            self._hold(self._near.points[~self._gone], self._rows[~self._gone])
        return np.asarray(taken)
