"""The records that are in no group yet, and the nearest of them to a seed."""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.arrays import Floats, Ints

_KEPT_DEAD = 0.25
"""Share of taken records above which the arrays are packed again: packing each time costs more than it saves."""


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
        self._rows = rows
        self._points = points[rows]
        self._free = np.ones(len(rows), dtype=np.bool_)
        self._left = len(rows)

    def __len__(self) -> int:
        return self._left

    @property
    def rows(self) -> Ints:
        """The records left, ascending."""
        return np.asarray(self._rows[self._free])

    def holds(self, row: int) -> bool:
        """Say whether a record is left."""
        place = int(np.searchsorted(self._rows, row))
        return place < len(self._rows) and self._rows[place] == row and bool(self._free[place])

    def take_around(self, row: int, size: int) -> Ints:
        """Take a record and its nearest, ``size`` in all; return them ascending. Ties by row."""
        seed = int(np.searchsorted(self._rows, row))
        apart = self._points - self._points[seed]
        distances = np.einsum("ij,ij->i", apart, apart)
        distances[~self._free] = np.inf
        distances[seed] = -1.0  # before its own duplicates
        edge = np.partition(distances, size - 1)[size - 1]
        chosen = distances < edge
        lacking = size - int(np.count_nonzero(chosen))
        chosen[np.flatnonzero(distances == edge)[:lacking]] = True
        taken = self._rows[chosen]
        self._free &= ~chosen
        self._left -= size
        if self._left < (1 - _KEPT_DEAD) * len(self._rows):
            self._rows, self._points = self._rows[self._free], self._points[self._free]
            self._free = np.ones(self._left, dtype=np.bool_)
        return np.asarray(taken)
