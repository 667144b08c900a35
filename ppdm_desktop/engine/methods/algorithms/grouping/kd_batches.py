"""Forms groups of near records for many starting records (seeds) at a time: like MDAV, but faster by a k-d tree.

Records that demand the largest groups come first, each with its nearest records, whatever these demand, so that nobody
is left over. A tree of the remaining records answers many seeds at once; a seed whose neighbours were taken meanwhile
waits for the next tree. With many columns, for which a tree is slow, all distances are measured. Before that, most of
the equal records are grouped: all of them have the same neighbours, so that each tree could serve one seed only.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.identifiability.classes import classes_of_codes
from ppdm_desktop.engine.methods.algorithms.grouping.mdav import mdav_groups
from ppdm_desktop.engine.methods.algorithms.grouping.near_points import TREE_COLUMNS, NearPoints, count_search_workers

BRUTE_LIMIT = 4_000
"""Largest number of remaining records for which the plain search is faster than a tree."""
_SPARE = 3
_QUERY = 1_000
_NEARLY = 0.5
"""Neighbours may be farther than the nearest by this share: in ten columns a third of the time,
and no more squares lost."""
_FEW = 20_000
"""Largest number of records for which neighbours are exact."""
_ROUGHLY = 1.0
_MEASURED = range(_FEW + 1, 200_001)
"""Numbers of records for which all distances are measured if there are many columns."""
_MANY = 200_000
"""With more records than this, neighbours are searched even less exactly."""


def kd_batch_groups(points: Floats, needs: Ints) -> Ints:
    """Return the index of each record's group; every group is at least as large as each of its members demands.

    Most equal records are grouped first. Then, the largest demand first, records far from the mean are grouped with
    their nearest free records, many at a time; with more than 20,000 records, these may be only nearly the nearest. The
    last few thousand records are grouped by MDAV, as are all records of a table that has no more than 4,000 (or six
    times the largest demand, if that is more).

    Parameters
    ----------
    points
        Standardised values, shape (records, columns); at least as many records as the largest demand.
    needs
        The group size that each record demands, from 1 on.
    """
    groups = _group_equal_records(points, needs)
    rows, made = np.flatnonzero(groups < 0), int(groups.max(initial=-1)) + 1
    order = _rank_by_distance(points)
    slack = 0.0 if len(points) <= _FEW else _NEARLY if len(points) <= _MANY else _ROUGHLY
    while len(rows):
        progress.report(1 - len(rows) / len(points), "progress.method.groups")
        need = int(needs[rows].max())
        if len(rows) <= max(BRUTE_LIMIT, 2 * _SPARE * need):
            last = progress.part(1 - len(rows) / len(points), 1.0).run(mdav_groups, points[rows], needs[rows])
            groups[rows] = last + made
            break
        strict = np.flatnonzero(needs[rows] == need)
        # Groups taken now must leave enough for the plain search at the end.
        most_groups = (len(rows) - max(BRUTE_LIMIT // 2, _SPARE * need)) // need
        seeds = strict[_choose_seeds(order[rows[strict]], min(len(rows) // (4 * need) + 1, most_groups))]
        made = _gather_groups(points[rows], rows, seeds, need, slack, groups, made)
        rows = rows[groups[rows] < 0]
    return groups


def _group_equal_records(points: Floats, needs: Ints) -> Ints:
    """Return each record's group of equal records, numbered from 0; -1 for records without a group.

    A group has as many records as the largest demand among the records equal to them. Of each set of equal records, at
    least as many as this demand are left (all if they are fewer). In all, enough records are left without a group for
    the plain search at the end; in a small table, all are. ``needs`` is the group size that each record demands.
    """
    group_of = np.full(len(points), -1, dtype=np.int64)
    free = len(points) - max(BRUTE_LIMIT, 2 * _SPARE * int(needs.max(initial=1)))
    if free <= 0:
        return group_of
    ranks = (np.unique(column, return_inverse=True)[1].reshape(-1) for column in points.T)
    equal = classes_of_codes(ranks, len(points))
    asked = np.zeros(equal.count, dtype=np.int64)
    np.maximum.at(asked, equal.ids, needs)
    # One group fewer than there could be: what is left has enough neighbours of its own.
    groups = np.maximum(equal.sizes // asked - 1, 0)
    order = np.argsort(equal.ids, kind="stable")
    rank = np.arange(len(order)) - np.repeat(np.cumsum(equal.sizes) - equal.sizes, equal.sizes)
    is_grouped = rank < np.repeat(groups * asked, equal.sizes)
    rows, asked = order[is_grouped], np.repeat(asked, groups)
    asked = asked[np.cumsum(asked) <= free]
    group_of[rows[: int(asked.sum())]] = np.repeat(np.arange(len(asked)), asked)
    return group_of


def _rank_by_distance(points: Floats) -> Ints:
    """Return each record's rank by distance from the mean, int64, 0 for the farthest record; ties by row."""
    apart = ((points - points.mean(axis=0)) ** 2).sum(axis=1) if len(points) else np.zeros(0)
    rank = np.empty(len(points), dtype=np.int64)
    rank[np.argsort(-apart, kind="stable")] = np.arange(len(points))
    return rank


def _choose_seeds(rank: Ints, wanted: int) -> Ints:
    """Return the indexes of the ``wanted`` records with the lowest rank, lowest first; all if there are no more."""
    if wanted >= len(rank):
        return np.argsort(rank, kind="stable")
    return np.argpartition(rank, wanted - 1)[:wanted][np.argsort(np.partition(rank, wanted - 1)[:wanted])]


def _gather_groups(points: Floats, rows: Ints, seeds: Ints, need: int, slack: float, groups: Ints, made: int) -> int:
    """Group each seed with its nearest free records if there are enough, and return the new number of groups.

    A seed that is already in a group, or has too few free records among its 3 x ``need`` nearest ones, is skipped.
    ``groups`` is changed in place.

    Parameters
    ----------
    points, rows
        Values of the remaining records, and the index of each in ``groups``.
    seeds
        Indexes into ``points`` of the records with which groups start.
    need
        Number of records of a group.
    slack
        Share by which a neighbour may be farther away than the nearest ones.
    groups, made
        Group of each record of the table, and the number of groups so far.
    """
    measured = len(groups) in _MEASURED and points.shape[1] > TREE_COLUMNS
    nearest = NearPoints(points).nearest if measured else _make_tree_search(points, slack)
    progress.check()
    used = bytearray(len(points))
    members: list[int] = []
    before = made
    for first in range(0, len(seeds), _QUERY):
        progress.check()
        batch = seeds[first : first + _QUERY]
        for seed, around in zip(batch.tolist(), nearest(batch, _SPARE * need).tolist(), strict=True):
            if used[seed]:
                continue
            mine = [seed]
            for neighbour in around:
                if len(mine) == need:
                    break
                if not used[neighbour] and neighbour != seed:
                    mine.append(neighbour)
            if len(mine) == need:
                for member in mine:
                    used[member] = 1
                members += mine
                made += 1
    groups[rows[members]] = np.repeat(np.arange(before, made), need)
    return made


def _make_tree_search(points: Floats, slack: float) -> Callable[[Ints, int], Ints]:
    """Return a function from point indexes and a number n to the indexes of n near points of each, nearest first.

    They may be farther away than the nearest ones by the share ``slack``. The result has shape (indexes, n); n is at
    most the number of points. The point itself is among them, but not always first, and may be left out if more than n
    points are equal to it.
    """
    from scipy.spatial import cKDTree  # late: SciPy takes longer to load than most commands to run

    tree = cKDTree(points)
    return lambda rows, wanted: np.asarray(
        tree.query(points[rows], k=wanted, eps=slack, workers=count_search_workers())[1].reshape(len(rows), -1)
    )
