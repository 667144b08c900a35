"""Tracks which records are counted in which group while groups split, merge and are founded.

After a split the statistics do not say which part a record is in. For the proof each record is counted in the part on
whose side it lies, as many as the part has; both parts are as large as any of their records demands, so any division
would do.
"""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.methods.algorithms.condensation.dynamic.groups import GroupStream


class Members:
    """The records that are counted in each group.

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
        """Divide a group's records between its two parts by the side on which they lie."""
        stream, rows = self._stream, np.array(self.rows[old], dtype=np.int64)
        along = (stream.mean[new] - stream.mean[old])[: stream.width]
        order = np.argsort(self._points[:, : stream.width][rows] @ along, kind="stable")
        first = int(stream.n[old])
        self.rows[old] = rows[order[:first]].tolist()
        self.rows.append(rows[order[first:]].tolist())
        self.family.append(self.family[old])

    def found(self, rows: Ints, group: Ints) -> None:
        """Add new groups with their records, numbered after the existing ones."""
        for index in range(int(group.max()) + 1):
            self.rows.append(rows[group == index].tolist())
            self.family.append(self._families)
            self._families += 1

    def merge(self, first: int, second: int) -> None:
        """Merge the second group's records into the first group; the last group takes the free index."""
        self.rows[first] += self.rows[second]
        joined = self.family[second]
        self.family = [self.family[first] if family == joined else family for family in self.family]
        self.rows[second], self.family[second] = self.rows[-1], self.family[-1]
        del self.rows[-1], self.family[-1]

    def labels(self, count: int) -> tuple[Ints, Ints]:
        """Return the group and the family of the first ``count`` records, -1 for records in no group."""
        group, family = np.full(count, -1, dtype=np.int64), np.full(count, -1, dtype=np.int64)
        for at, rows in enumerate(self.rows):
            group[rows], family[rows] = at, self.family[at]
        return group, family
