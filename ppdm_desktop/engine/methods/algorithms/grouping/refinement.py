"""Improves groups: records move or change places between neighbouring groups.

For two groups a and b with centres c_a, c_b and a record at x, moving it from a to b changes the squares within by
n_b/(n_b+1) |x-c_b|^2 - n_a/(n_a-1) |x-c_a|^2; exchanging two records x of a and y of b changes them by 2
(c_b-c_a).(y-x) - |y-x|^2 (1/n_a+1/n_b). A step is taken only where it lowers the squares and leaves everybody a group
as large as demanded.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.methods.algorithms.grouping.near_points import TREE_COLUMNS, NearPoints
from ppdm_desktop.engine.methods.algorithms.grouping.pair_steps import Groups, best_steps
from ppdm_desktop.engine.methods.algorithms.grouping.pca_tree import cut_groups
from ppdm_desktop.engine.methods.algorithms.grouping.processors import search_workers
from ppdm_desktop.engine.methods.algorithms.grouping.quality import packed, within_ssq
from ppdm_desktop.engine.table.exact_numbers import distinct_values
from ppdm_desktop.engine.tie_breaking import on_grid

NEIGHBOURS = 10
"""Number of nearest centres among which a group looks for a partner."""
_NEARLY = 0.5
"""Neighbouring centres may be farther than the nearest ones by this share; found in half the time."""
_MEASURED = range(2_000, 100_000)
"""Numbers of groups for which all distances are measured if there are many columns; otherwise a tree is used."""
ROUNDS = 40
_WORTH = 1e-4
"""A round that gains less than this share of the squares is the last of its pass."""
_PASS_WORTH = 2e-3
"""A pass that gains less than this share of the squares is the last one."""


def refine(points: Floats, needs: Ints, group: Ints, passes: int = 3, *, rounds: int = ROUNDS) -> Ints:
    """Return groups with a smaller sum of squares, every one at least as large as each member demands.

    Each pass first cuts groups that are large enough to be two, then finds the neighbours of
    every group by its centre and lets neighbours exchange records until little is gained.

    Parameters
    ----------
    points
        Standardised values, (records, columns).
    needs
        How large a group each record asks for, 1 and up.
    group
        Groups that meet the needs, 0 and up.
    passes
        How often at most neighbours are looked for.
    rounds
        Exchanges of a pass at most; the first ones gain most.
    """
    best, least = packed(group), within_ssq(points, group)
    for turn in range(passes):
        with progress.part(turn / passes, (turn + 1) / passes):
            candidate = packed(_one_pass(points, needs, best, rounds))
            squares = within_ssq(points, candidate)
            if not squares < least:
                break
            worth = least - squares > _PASS_WORTH * least
            best, least = candidate, squares
            if not worth:
                break
    return best


def _one_pass(points: Floats, needs: Ints, group: Ints, rounds: int) -> Ints:
    """Return the groups after cutting large ones and rounds of exchanges between neighbours."""
    cut = progress.part(0.0, 0.1).run(cut_groups, points, needs, group)
    if int(cut.max(initial=0)) < 1:
        return cut
    search = _Exchange(points, needs, cut)
    for turn in range(rounds):
        progress.report(0.2 + 0.8 * turn / rounds, "progress.grouping.search")
        if search.round() <= _WORTH * search.squares:
            break
    return search.group


@dataclass(eq=False)
class _Pairs:
    """Pairs of neighbouring groups, and the best step between the two groups of each pair.

    Attributes
    ----------
    first, second
        The groups.
    gain
        By how much the step lowers the squares; 0 where there is none.
    leaves, enters
        The record that goes from the first group to the second, and the one that goes the
        other way; -1 where nobody does.
    """

    first: Ints
    second: Ints
    gain: Floats
    leaves: Ints
    enters: Ints


class _Exchange:
    """Groups and their neighbours, improved by rounds of steps between pairs that share no group."""

    def __init__(self, points: Floats, needs: Ints, group: Ints) -> None:
        self.group = group.copy()
        self.squares = within_ssq(points, group)
        self._points, self._needs = points, needs
        self._longest = max(float((points * points).sum(axis=1).max()), 1.0)
        self._groups = Groups.of(points, needs, self.group)
        first, second = _neighbours(self._groups.centres)
        progress.check()
        empty = np.full(len(first), -1, dtype=np.int64)
        self._pairs = _Pairs(first, second, np.zeros(len(first)), empty, empty.copy())
        self._renew(np.arange(len(first)))

    def round(self) -> float:
        """Take the best steps that share no group; return by how much the squares fell."""
        pairs = self._pairs
        chosen = _apart(pairs, self._longest)
        if not len(chosen):
            return 0.0
        for records, goes_to in ((pairs.leaves, pairs.second), (pairs.enters, pairs.first)):
            moved = chosen[records[chosen] >= 0]
            self.group[records[moved]] = goes_to[moved]
        gained = float(pairs.gain[chosen].sum())
        self.squares -= gained
        touched = np.zeros(len(self._groups.sizes), dtype=np.bool_)
        touched[pairs.first[chosen]] = touched[pairs.second[chosen]] = True
        self._groups = Groups.of(self._points, self._needs, self.group, self._groups, touched)
        self._renew(np.flatnonzero(touched[pairs.first] | touched[pairs.second]))
        return gained

    def _renew(self, which: Ints) -> None:
        """Compute the best step of the given pairs again."""
        pairs = self._pairs
        steps = best_steps(self._groups, pairs.first[which], pairs.second[which])
        pairs.gain[which], pairs.leaves[which], pairs.enters[which] = steps


def _neighbours(centres: Floats) -> tuple[Ints, Ints]:
    """Return each pair of groups, once, of which one has the other among its nearest."""
    count = len(centres)
    near = _near(centres, min(NEIGHBOURS + 1, count))
    first, second = np.repeat(np.arange(count), near.shape[1]), near.reshape(-1)
    low, high = np.minimum(first, second), np.maximum(first, second)
    progress.check()
    keys = distinct_values((low * count + high)[low < high])[0]
    return keys // count, keys % count


def _near(centres: Floats, wanted: int) -> Ints:
    """Return the indexes of each centre's nearest ones, itself included, shape (groups, wanted)."""
    count, columns = centres.shape
    if columns > TREE_COLUMNS and count in _MEASURED:
        return NearPoints(centres).nearest(np.arange(count), wanted)
    from scipy.spatial import cKDTree  # late: SciPy takes longer to load than most commands to run

    tree = cKDTree(centres)
    near = np.empty((count, wanted), dtype=np.int64)
    for first in range(0, count, 2_000):
        progress.check()
        near[first : first + 2_000] = tree.query(
            centres[first : first + 2_000], k=wanted, eps=_NEARLY, workers=search_workers()
        )[1].reshape(-1, wanted)
    return near


def _apart(pairs: _Pairs, scale: float) -> Ints:
    """Return the indexes of pairs with a gain of which no two share a group, largest gains first; ties by number.

    Gains are rounded by the squared length of the longest record, the scale.
    """
    worth = np.flatnonzero(pairs.gain > 0)
    worth = worth[np.argsort(-on_grid(pairs.gain[worth], scale), kind="stable")]
    taken = bytearray(int(pairs.second.max(initial=0)) + 1)
    chosen = []
    for pair, first, second in zip(
        worth.tolist(), pairs.first[worth].tolist(), pairs.second[worth].tolist(), strict=True
    ):
        if not taken[first] and not taken[second]:
            taken[first] = taken[second] = 1
            chosen.append(pair)
    return np.array(chosen, dtype=np.int64)
