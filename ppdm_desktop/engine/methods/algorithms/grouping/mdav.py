"""Groups of near records in several columns by maximum distance to average vector (MDAV), level by level.

The record farthest from the middle gathers its nearest, then the one farthest from that (Domingo-Ferrer and
Mateo-Sanz 2002). With mixed demands the records with the largest come first, each with as many neighbours as it
demands, so that nobody is left over.
"""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools, Floats, Ints


def mdav_groups(points: Floats, needs: Ints) -> Ints:
    """Return each record's group, every group at least as large as each member demands.

    Every group compares all remaining records: the time grows with the square of their number.

    Parameters
    ----------
    points
        Standardised values, (records, columns); at least as many records as the largest need.
    needs
        How large a group each record asks for, 1 and up.
    """
    return _Gathering(points, needs).run()


class _Gathering:
    """The records without a group yet, and the groups made so far."""

    def __init__(self, points: Floats, needs: Ints) -> None:
        self._points = points
        self._needs = needs
        self._rows = np.arange(len(points))
        self._sum = points.sum(axis=0)
        self._mixed = bool(len(needs)) and int(needs.min()) < int(needs.max())
        self._group = np.full(len(points), -1, dtype=np.int64)
        self.made = 0

    @property
    def _need(self) -> int:
        """Return the group size required now: the largest demand of the records that are left."""
        return int(self._needs.max()) if self._mixed else int(self._needs[0])

    def run(self) -> Ints:
        """Return each record's group."""
        total = len(self._rows)
        while len(self._rows) and len(self._rows) >= 3 * self._need:
            if self.made % 64 == 0:
                progress.report(1 - len(self._rows) / total, "progress.grouping.search")
            seed = self._farthest(self._distances(self._sum / len(self._rows)))
            centre = self._points[seed]
            from_seed = self._distances(centre)
            left = self._take(self._nearest(from_seed, self._need))
            second = self._farthest(from_seed[left])
            self._take(self._nearest(self._distances(self._points[second]), self._need))
        while len(self._rows) and len(self._rows) >= 2 * self._need:
            seed = self._farthest(self._distances(self._sum / len(self._rows)))
            self._take(self._nearest(self._distances(self._points[seed]), self._need))
        if len(self._rows):
            self._take(np.ones(len(self._rows), dtype=np.bool_))
        return self._group

    def _distances(self, centre: Floats) -> Floats:
        """Return the squared distance of each remaining record to a centre."""
        apart = self._points - centre
        return np.asarray(np.einsum("ij,ij->i", apart, apart))

    def _farthest(self, distances: Floats) -> int:
        """Return the index of the farthest record among those with the largest demand; ties by row."""
        if self._mixed:
            distances = np.where(self._needs == self._need, distances, -1.0)
        return int(distances.argmax())

    def _nearest(self, distances: Floats, size: int) -> Bools:
        """Return which ``size`` records are the nearest, bool; ties by row."""
        if size >= len(distances):
            return np.ones(len(distances), dtype=np.bool_)
        edge = np.partition(distances, size - 1)[size - 1]
        chosen: Bools = np.asarray(distances < edge)
        lacking = size - int(np.count_nonzero(chosen))
        chosen[np.flatnonzero(distances == edge)[:lacking]] = True
        return chosen

    def _take(self, chosen: Bools) -> Bools:
        """Form a group of the chosen records; return which records are left."""
        left = ~chosen
        self._group[self._rows[chosen]] = self.made
        self.made += 1
        self._sum = self._sum - self._points[chosen].sum(axis=0)
        self._points, self._needs, self._rows = self._points[left], self._needs[left], self._rows[left]
        return left
