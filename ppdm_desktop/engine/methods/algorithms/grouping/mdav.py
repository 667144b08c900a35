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
    """Return each record's group by MDAV, every group at least as large as each member demands.

    Of the records left, the one farthest from their mean and the one farthest from that each gather their nearest ones
    (maximum distance to average vector); the last ones, too few for two groups, are one group. Every group compares all
    remaining records: the time grows with the square of their number.

    Parameters
    ----------
    points
        Standardised values, (records, columns); at least as many records as the largest need.
    needs
        How large a group each record asks for, 1 and up.
    """
    return Gathering(points, needs).run()


class Gathering:
    """The records without a group yet, and the groups made so far."""

    def __init__(self, points: Floats, needs: Ints) -> None:
        """Start with every record left and no group made; ``needs`` is the group size that each record asks for."""
        self.points = points
        self.needs = needs
        self.rows = np.arange(len(points))
        self.sum = points.sum(axis=0)
        self._mixed = bool(len(needs)) and int(needs.min()) < int(needs.max())
        self.group = np.full(len(points), -1, dtype=np.int64)
        self.made = 0

    @property
    def need(self) -> int:
        """The group size required now: the largest demand of the records that are left."""
        return int(self.needs.max()) if self._mixed else int(self.needs[0])

    def run(self) -> Ints:
        """Return each record's group, int64 from 0, shape (records,); all records are grouped then.

        The record farthest from the mean of those left and the one farthest from that each gather their nearest ones,
        while there are enough for three groups, then the first alone; the rest is one group. With several demands the
        largest one left decides the size, and a record that asks for it starts.
        """
        total = len(self.rows)
        while len(self.rows) and len(self.rows) >= 3 * self.need:
            if self.made % 64 == 0:
                progress.report(1 - len(self.rows) / total, "progress.grouping.search")
            seed = self.farthest(self.distances(self.sum / len(self.rows)))
            centre = self.points[seed]
            from_seed = self.distances(centre)
            left = self.take(self._find_nearest_records(from_seed, self.need))
            second = self.farthest(from_seed[left])
            self.take(self._find_nearest_records(self.distances(self.points[second]), self.need))
        while len(self.rows) and len(self.rows) >= 2 * self.need:
            seed = self.farthest(self.distances(self.sum / len(self.rows)))
            self.take(self._find_nearest_records(self.distances(self.points[seed]), self.need))
        if len(self.rows):
            self.take(np.ones(len(self.rows), dtype=np.bool_))
        return self.group

    def distances(self, centre: Floats) -> Floats:
        """Return the squared distance of each remaining record to a centre, float64, shape (remaining records,)."""
        apart = self.points - centre
        return np.asarray(np.einsum("ij,ij->i", apart, apart))

    def farthest(self, distances: Floats) -> int:
        """Return the index, among the remaining records, of the farthest one with the largest demand; ties by row."""
        if self._mixed:
            distances = np.where(self.needs == self.need, distances, -1.0)
        return int(distances.argmax())

    def _find_nearest_records(self, distances: Floats, size: int) -> Bools:
        """Return which ``size`` records have the smallest distances, bool, shape (records,); of equal ones the first.

        All where there are no more than ``size``.
        """
        if size >= len(distances):
            return np.ones(len(distances), dtype=np.bool_)
        edge = np.partition(distances, size - 1)[size - 1]
        chosen: Bools = np.asarray(distances < edge)
        lacking = size - int(np.count_nonzero(chosen))
        chosen[np.flatnonzero(distances == edge)[:lacking]] = True
        return chosen

    def take(self, chosen: Bools) -> Bools:
        """Form a group of the chosen records; return which records are left.

        ``chosen``, bool, has one entry for each record without a group; these records are removed in place.
        """
        left = ~chosen
        self.group[self.rows[chosen]] = self.made
        self.made += 1
        self.sum = self.sum - self.points[chosen].sum(axis=0)
        self.points, self.needs, self.rows = self.points[left], self.needs[left], self.rows[left]
        return left
