"""Groups of near rows that grow until they hold enough different people, where people have several rows.

As in MDAV the row farthest from the middle gathers its nearest, then the row farthest from that one; rows with the
largest demand come first. A remainder with too few people joins the last group.
"""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools, Floats, Ints
from ppdm_desktop.engine.methods.algorithms.grouping.pca_tree import pca_tree_groups
from ppdm_desktop.engine.methods.algorithms.grouping.units import people_in_groups

_WHOLE = 12_000
"""Most rows for which each group compares all remaining rows; more rows are cut into blocks first."""
_BLOCK = 4_000
_SPARE = 4


def growing_groups(points: Floats, needs: Ints, who: Ints) -> Ints:
    """Return each row's group, every group with as many different people as each member demands.

    Parameters
    ----------
    points
        Standardised values, (rows, columns); of at least as many people as the largest need.
    needs
        How many people each row's group has to have, 1 and up.
    who
        The person of each row.
    """
    groups = np.zeros(len(points), dtype=np.int64)
    blocks = groups
    if len(points) > _WHOLE:
        blocks = progress.part(0.0, 0.2).run(pca_tree_groups, points, np.full(len(points), _BLOCK))
        blocks = _with_enough_people(points, needs, who, blocks)
    made = 0
    names = np.unique(blocks).tolist()
    whole = progress.part(0.2, 1.0) if len(names) > 1 else progress.part(0.0, 1.0)
    for turn, block in enumerate(names):
        rows = np.flatnonzero(blocks == block)
        with whole.part(turn / len(names), (turn + 1) / len(names)):
            groups[rows] = made + _Growing(points[rows], needs[rows], who[rows]).run()
            made = int(groups[rows].max()) + 1
    return groups


def _with_enough_people(points: Floats, needs: Ints, who: Ints, blocks: Ints) -> Ints:
    """Return the block of each row after blocks with too few people for a member have joined their nearest block."""
    blocks = blocks.copy()
    while True:
        names, blocks = np.unique(blocks, return_inverse=True)
        blocks = blocks.reshape(-1).astype(np.int64)
        asked = np.zeros(len(names), dtype=np.int64)
        np.maximum.at(asked, blocks, needs)
        lacking = np.flatnonzero(people_in_groups(blocks, who, len(names)) < asked)
        if not len(lacking) or len(names) == 1:
            return blocks
        sizes = np.bincount(blocks)
        centres = np.column_stack([np.bincount(blocks, coordinates) for coordinates in points.T]) / sizes[:, None]
        apart = ((centres - centres[lacking[0]]) ** 2).sum(axis=1)
        apart[lacking[0]] = np.inf
        blocks[blocks == lacking[0]] = int(apart.argmin())


class _Growing:
    """The rows without a group yet, and the groups made so far."""

    def __init__(self, points: Floats, needs: Ints, who: Ints) -> None:
        self._points, self._needs = points, needs
        self._who = np.unique(who, return_inverse=True)[1].reshape(-1).astype(np.int64)
        self._rows = np.arange(len(points))
        self._sum = points.sum(axis=0)
        # Rows that are left of each person: who has none any more is no company for the rest.
        self._left = np.bincount(self._who)
        self._group = np.full(len(points), -1, dtype=np.int64)

    def run(self) -> Ints:
        """Return each row's group."""
        total, made = len(self._rows), 0
        last: Floats | None = None
        while len(self._rows):
            if made % 64 == 0:
                progress.report(1 - len(self._rows) / total, "progress.grouping.search")
            need = int(self._needs.max())
            middle = self._sum / len(self._rows) if last is None else last
            away = self._distances(middle)
            seed = int(np.where(self._needs == need, away, -1.0).argmax())
            last = self._points[seed] if last is None else None
            chosen = self._gathered(self._distances(self._points[seed]), need)
            if not self._enough_without(chosen):
                chosen = np.ones(len(self._rows), dtype=np.bool_)
            self._take(chosen, made)
            made += 1
        return self._group

    def _distances(self, centre: Floats) -> Floats:
        """Return the squared distance of each remaining row to a centre."""
        apart = self._points - centre
        return np.asarray(np.einsum("ij,ij->i", apart, apart))

    def _gathered(self, distances: Floats, need: int) -> Bools:
        """Return which rows are the nearest that together belong to ``need`` people, bool; ties by row."""
        count, taken = len(distances), _SPARE * need
        chosen = np.zeros(count, dtype=np.bool_)
        while True:
            near = np.arange(count)
            if taken < count:
                near = np.flatnonzero(distances <= np.partition(distances, taken)[taken])
            order = near[np.argsort(distances[near], kind="stable")]
            comes = np.zeros(len(order), dtype=np.bool_)
            comes[np.unique(self._who[order], return_index=True)[1]] = True
            people = np.cumsum(comes)
            if people[-1] >= need or taken >= count:
                chosen[order[: int(np.searchsorted(people, need)) + 1]] = True
                return chosen
            taken *= _SPARE

    def _enough_without(self, chosen: Bools) -> bool:
        """Return whether the rows left by a group are none, or have enough people for their largest demand."""
        if chosen.all():
            return True
        taken = np.bincount(self._who[chosen], minlength=len(self._left))
        return int(np.count_nonzero(self._left > taken)) >= int(self._needs[~chosen].max())

    def _take(self, chosen: Bools, number: int) -> None:
        """Form a group of the chosen rows and remove them from the remaining ones."""
        left = ~chosen
        self._group[self._rows[chosen]] = number
        self._left = self._left - np.bincount(self._who[chosen], minlength=len(self._left))
        self._sum = self._sum - self._points[chosen].sum(axis=0)
        self._points, self._needs = self._points[left], self._needs[left]
        self._who, self._rows = self._who[left], self._rows[left]
