"""Groups of near records in several columns by maximum distance to average vector (MDAV).

The record farthest from the mean takes its nearest records as a group, then the record farthest from it does
(Domingo-Ferrer and Mateo-Sanz 2002). If demands differ, the records with the largest demand come first, each with as
many neighbours as it demands, so that nobody is left over.
"""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools, Floats, Ints


def mdav_groups(points: Floats, needs: Ints) -> Ints:
    """Return the index of each record's group by MDAV; every group is at least as large as each of its members demands.

    Of the records left, the one farthest from their mean, and then the one farthest from it, are each grouped with
    their nearest records; the last records, too few for two groups, are one group. If demands differ, only a record
    with the largest demand left starts a group. The time grows with the square of the number of records.

    Parameters
    ----------
    points
        Standardised values, shape (records, columns); at least as many records as the largest demand.
    needs
        The group size that each record demands, from 1 on.
    """
    return Gathering(points, needs).run()


class Gathering:
    """The records that are in no group yet, and the groups made so far."""

    def __init__(self, points: Floats, needs: Ints) -> None:
        """Start with every record in no group; ``needs`` is the group size that each record demands."""
        self.points = points
        self.needs = needs
        self.rows = np.arange(len(points))
        self.sum = points.sum(axis=0)
        self._mixed = bool(len(needs)) and int(needs.min()) < int(needs.max())
        self.group = np.full(len(points), -1, dtype=np.int64)
        self.made = 0

    @property
    def need(self) -> int:
        """The size of the next group: the largest demand of the records that are left."""
        return int(self.needs.max()) if self._mixed else int(self.needs[0])

    def run(self) -> Ints:
        """Return the index of each record's group, int64 from 0, shape (records,).

        The record farthest from the mean of those left, and then the one farthest from it, are each grouped with their
        nearest records, as long as there are enough records for three groups; then only the first of the two; the rest
        is one group. If demands differ, the largest one left decides the size, and a record with this demand starts.
        """
        total = len(self.rows)
        while len(self.rows) and len(self.rows) >= 3 * self.need:
            if self.made % 64 == 0:
                progress.report(1 - len(self.rows) / total, "progress.method.groups")
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
        """Return the squared distance of each record that is left to a centre, float64, shape (records left,)."""
        apart = self.points - centre
        return np.asarray(np.einsum("ij,ij->i", apart, apart))

    def farthest(self, distances: Floats) -> int:
        """Return the index, among the records left, of the farthest one of those with the largest demand.

        Ties by row.
        """
        if self._mixed:
            distances = np.where(self.needs == self.need, distances, -1.0)
        return int(distances.argmax())

    def _find_nearest_records(self, distances: Floats, size: int) -> Bools:
        """Return which ``size`` records have the smallest distances, bool, shape (records left,).

        Of equal ones, the first. All are marked if there are no more than ``size``.
        """
        if size >= len(distances):
            return np.ones(len(distances), dtype=np.bool_)
        edge = np.partition(distances, size - 1)[size - 1]
        chosen: Bools = np.asarray(distances < edge)
        shortfall = size - int(np.count_nonzero(chosen))
        chosen[np.flatnonzero(distances == edge)[:shortfall]] = True
        return chosen

    def take(self, chosen: Bools) -> Bools:
        """Make a group of the chosen records, and return which of the records before are left, bool.

        ``chosen``, bool, has one entry for each record that is left; these records are removed in place.
        """
        left = ~chosen
        self.group[self.rows[chosen]] = self.made
        self.made += 1
        self.sum = self.sum - self.points[chosen].sum(axis=0)
        self.points, self.needs, self.rows = self.points[left], self.needs[left], self.rows[left]
        return left
