"""Which records are counted in which group while groups split, merge and are founded.

After a split nobody can say from the statistics which part a record is in. For the proof each
record is counted in the part on whose side it lies, as many as the part has; both parts are as
large as any of their records asks for, so any sharing out would do.
"""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.methods.algorithms.condensation.dynamic.groups import GroupStream


class Members:
    """Who is counted in which group.

    Parameters
    ----------
    points
        Shape (records, at least d): where all records lie that may become members.
    group
        Each record's group at the beginning, -1 for those that come later.
    stream
        The groups; informed of every split and merge after it was made there.
    """

    def __init__(self, points: Floats, group: Ints, stream: GroupStream) -> None:
        self._points, self._stream = points, stream
        self.rows: list[list[int]] = [np.flatnonzero(group == index).tolist() for index in range(stream.count)]
        self.family = list(range(stream.count))
        self._families = stream.count

    def split(self, old: int, new: int) -> None:
        """Share a group's records out to its parts by the side on which they lie."""
        stream, rows = self._stream, np.array(self.rows[old], dtype=np.int64)
        along = (stream.mean[new] - stream.mean[old])[: stream.width]
        order = np.argsort(self._points[:, : stream.width][rows] @ along, kind="stable")
        first = int(stream.n[old])
        self.rows[old] = rows[order[:first]].tolist()
        self.rows.append(rows[order[first:]].tolist())
        self.family.append(self.family[old])

    def found(self, rows: Ints, group: Ints) -> None:
        """Take up new groups, in the order of their numbers."""
        for index in range(int(group.max()) + 1):
            self.rows.append(rows[group == index].tolist())
            self.family.append(self._families)
            self._families += 1

    def merge(self, first: int, second: int) -> None:
        """Put another group's records into a group; the last group takes the free place."""
        self.rows[first] += self.rows[second]
        joined = self.family[second]
        self.family = [self.family[first] if family == joined else family for family in self.family]
        self.rows[second], self.family[second] = self.rows[-1], self.family[-1]
        del self.rows[-1], self.family[-1]

    def labels(self, count: int) -> tuple[Ints, Ints]:
        """Return group and family of each of so many records, -1 for those in no group."""
        group, family = np.full(count, -1, dtype=np.int64), np.full(count, -1, dtype=np.int64)
        for at, rows in enumerate(self.rows):
            group[rows], family[rows] = at, self.family[at]
        return group, family
