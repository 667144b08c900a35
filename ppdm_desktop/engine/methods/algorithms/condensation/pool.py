"""The records that are in no group yet, and the nearest of them to a seed."""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.arrays import Floats, Ints

_KEPT_DEAD = 0.25
"""Share of taken records above which the arrays are packed again: packing each time costs more than it saves."""

_LEAST_OFF = 1e-9
"""How far off rough distances are taken to be at the least: what is left of rounding where all are small."""


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
        """Take records, all of them left, and what their distances are roughly found by."""
        self._rows, self._points = rows, points
        self._free = np.ones(len(rows), dtype=np.bool_)
        lengths = np.einsum("ij,ij->i", points, points)
        self._rough, self._lengths = points.astype(np.float32), lengths.astype(np.float32)
        # What is added of products and squares in single precision is off by 2^-24 of them each time.
        off = 2.0**-24 * (points.shape[1] + 8) * 2 * float(lengths.max(initial=0.0))
        self._off = np.float32(2.02 * off + _LEAST_OFF)

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
        # |x|² - 2 xs: the squared distance but for the seed's own length, in half the time that it takes exactly.
        rough = self._rough @ self._rough[seed]
        rough *= -2.0
        rough += self._lengths
        rough[~self._free] = np.inf
        rough[seed] = -np.inf
        near = np.flatnonzero(rough <= np.partition(rough, size - 1)[size - 1] + self._off)
        apart = self._points[near] - self._points[seed]
        distances = np.einsum("ij,ij->i", apart, apart)
        distances[near == seed] = -1.0  # before its own duplicates
        edge = np.partition(distances, size - 1)[size - 1]
        among = distances < edge
        lacking = size - int(np.count_nonzero(among))
        among[np.flatnonzero(distances == edge)[:lacking]] = True
        chosen = near[among]
        taken = self._rows[chosen]
        self._free[chosen] = False
        self._left -= size
        if self._left < (1 - _KEPT_DEAD) * len(self._rows):
            self._hold(self._points[self._free], self._rows[self._free])
        return np.asarray(taken)
