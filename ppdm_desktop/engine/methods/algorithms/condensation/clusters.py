"""Groups under construction, with their members and centres."""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.arrays import Floats, Ints

_CELLS = 4_000_000
"""Distances computed at once, about 32 MB."""


def squared_distances(points: Floats, centres: Floats) -> Floats:
    """Return the squared Euclidean distance of each point to each centre, (points, centres)."""
    from scipy.spatial.distance import cdist

    return np.asarray(cdist(points, centres, "sqeuclidean"))


def nearest(points: Floats, centres: Floats) -> tuple[Ints, Floats]:
    """Return the index of each point's nearest centre (the lowest of ties), and the squared distance to it."""
    which = np.empty(len(points), dtype=np.int64)
    least = np.empty(len(points))
    block = max(1, _CELLS // max(1, len(centres)))
    for start in range(0, len(points), block):
        part = slice(start, start + block)
        distances = squared_distances(points[part], centres)
        which[part] = distances.argmin(axis=1)
        least[part] = np.take_along_axis(distances, which[part][:, None], axis=1)[:, 0]
    return which, least


class Clusters:
    """Groups with their members and centres; a dissolved group keeps its number, without members.

    Parameters
    ----------
    points
        Standardised values of all records, (records, columns).

    Attributes
    ----------
    sizes
        Members of each group.
    centres
        Mean of each group's members, (groups, columns).
    """

    def __init__(self, points: Floats) -> None:
        self.points = points
        self._members: list[list[int]] = []
        self._sizes = np.zeros(len(points), dtype=np.int64)
        self._centres = np.zeros_like(points)

    @property
    def sizes(self) -> Ints:
        """Number of members of each group, int64, shape (groups,)."""
        return self._sizes[: len(self._members)]

    @property
    def centres(self) -> Floats:
        """Mean of each group's members, float64, shape (groups, columns)."""
        return self._centres[: len(self._members)]

    def members(self, number: int) -> Ints:
        """Return a group's records, in the order in which they joined."""
        return np.asarray(self._members[number], dtype=np.int64)

    def form(self, rows: Ints) -> int:
        """Make a group of records and return its number."""
        number = len(self._members)
        self._members.append(rows.tolist())
        self._refresh(number)
        return number

    def join(self, row: int, number: int) -> None:
        """Add a record to a group; the centre follows at once."""
        self._members[number].append(row)
        self._sizes[number] += 1
        self._centres[number] += (self.points[row] - self._centres[number]) / self._sizes[number]

    def move(self, rows: Ints, sources: Ints, targets: Ints) -> None:
        """Move records from their groups to others, all at once."""
        for row, source, target in zip(rows.tolist(), sources.tolist(), targets.tolist(), strict=True):
            self._members[source].remove(row)
            self._members[target].append(row)
        for number in np.unique(np.concatenate([sources, targets])).tolist():
            self._refresh(number)

    def dissolve(self, number: int) -> None:
        """Leave a group empty; its members were joined to others."""
        self._members[number] = []
        self._sizes[number] = 0

    def labels(self) -> Ints:
        """Return each record's group, numbered from 0 without gaps in order of formation; -1 without a group."""
        labels = np.full(len(self.points), -1, dtype=np.int64)
        filled = [members for members in self._members if members]
        for number, members in enumerate(filled):
            labels[members] = number
        return labels

    def _refresh(self, number: int) -> None:
        """Recompute size and centre from the members, so that rounding errors do not accumulate."""
        members = self._members[number]
        self._sizes[number] = len(members)
        self._centres[number] = self.points[members].mean(axis=0)
