"""Improves groups: records move, or change places, between neighbouring groups.

The quality of a grouping is the sum of squared distances of the records to the centre (mean) of their group; the
smaller, the better. For two groups a and b with centres c_a, c_b and a record at x, moving it from a to b changes the
sum by n_b/(n_b+1) |x-c_b|^2 - n_a/(n_a-1) |x-c_a|^2; exchanging two records x of a and y of b changes it by 2
(c_b-c_a).(y-x) - |y-x|^2 (1/n_a+1/n_b). A step is taken only if it lowers the sum and leaves everybody in a group as
large as demanded.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import GRID, Bools, Floats, Ints, find_first_largest, on_grid
from ppdm_desktop.engine.methods.algorithms.grouping.near_points import TREE_COLUMNS, NearPoints, count_search_workers
from ppdm_desktop.engine.methods.algorithms.grouping.pca_tree import cut_groups
from ppdm_desktop.engine.table.exact_numbers import distinct_values


def within_ssq(points: Floats, group: Ints) -> float:
    """Return the sum of squared distances of records to the mean of their group.

    Parameters
    ----------
    points
        Values, shape (records, columns).
    group
        Index of each record's group, from 0 on; unused numbers are allowed.
    """
    sizes = np.maximum(np.bincount(group), 1)
    total = 0.0
    for values in points.T:
        means = np.bincount(group, values) / sizes
        total += float(((values - means[group]) ** 2).sum())
    return total


def check_sizes(group: Ints, needs: Ints) -> bool:
    """Return whether every record's group has at least as many members as the record demands; True without records."""
    return bool((np.bincount(group)[group] >= needs).all()) if len(group) else True


def renumber_groups(group: Ints) -> Ints:
    """Return the groups numbered from 0 without gaps, in the order of their old numbers."""
    _, numbers = np.unique(group, return_inverse=True)
    return np.asarray(numbers.reshape(-1), dtype=np.int64)


# --- pair steps ---------------------------------------------------------------------------

_CELLS = 1_000_000
"""Number of entries in memory at once while pairs are compared."""


@dataclass(frozen=True, eq=False)
class Groups:
    """A grouping with the figures that are needed to compare the members of two groups.

    Attributes
    ----------
    needs
        Group size that each record demands.
    order, starts, sizes
        Records sorted by group, where each group begins in this order, and its number of records.
    centres
        Mean of each group.
    centred, squares
        Each record's values less the mean of its group, and their sum of squares.
    others_need
        For each record, the largest demand among the other members of its group.
    group_need
        The largest demand in each group.
    """

    needs: Ints
    order: Ints
    starts: Ints
    sizes: Ints
    centres: Floats
    centred: Floats
    squares: Floats
    others_need: Ints
    group_need: Ints

    @classmethod
    def of(
        cls, points: Floats, needs: Ints, group: Ints, before: Groups | None = None, changed: Bools | None = None
    ) -> Groups:
        """Return sizes, means, deviations and demands of groups numbered from 0, none of them empty.

        Parameters
        ----------
        points, needs, group
            Values of each record, the group size that it demands, and its group.
        before, changed
            The figures before, and which groups changed since, shape (groups,); only these are computed again. Arrays
            of ``before`` are changed in place, so it must not be used any more. If both are None, all are computed.
        """
        order = np.argsort(group, kind="stable")
        sizes = np.bincount(group)
        starts = np.cumsum(sizes) - sizes
        if before is None or changed is None:
            changed = np.ones(len(sizes), dtype=np.bool_)
            centres, centred, squares = (
                np.empty((len(sizes), points.shape[1])),
                np.empty_like(points),
                np.empty(len(points)),
            )
        else:
            centres, centred, squares = before.centres, before.centred, before.squares
        rows, group_sizes = order[np.repeat(changed, sizes)], sizes[changed]
        values, part = points[rows], np.repeat(np.arange(len(group_sizes)), group_sizes)
        # Added one after another, and so the same on every processor.
        means = np.column_stack([np.bincount(part, column) for column in values.T]) / group_sizes[:, None]
        values -= means[part]
        centres[changed] = means
        centred[rows], squares[rows] = values, np.einsum("ij,ij->i", values, values)
        asked = needs[order]
        first = np.maximum.reduceat(asked, starts)
        highest = needs == first[group]
        is_single = np.bincount(group[highest], minlength=len(sizes)) == 1
        below = np.where(highest & is_single[group], 0, needs)
        second = np.maximum.reduceat(below[order], starts)
        others_need = np.where(highest & is_single[group], second[group], first[group])
        return cls(needs, order, starts, sizes, centres, centred, squares, others_need, first)

    def members(self, groups: Ints, width: int) -> tuple[Ints, Bools]:
        """Return the records of some groups, and which entries are filled, both of shape (groups, width).

        ``width`` is at least the size of each group; entries that are not filled have any record.
        """
        offset = np.arange(width)
        filled = offset < self.sizes[groups][:, None]
        at = np.where(filled, self.starts[groups][:, None] + offset, 0)
        return self.order[at], filled


def best_steps(groups: Groups, first: Ints, second: Ints) -> tuple[Floats, Ints, Ints]:
    """Return, for each pair of groups, the gain of the best step, the leaving and the entering record.

    Shape (pairs,) each. A step moves a record from the first group to the second (it leaves), or back (it enters), or
    exchanges two; -1 stands for no record. The gain is the decrease of the sum of squares, 0 if no allowed step lowers
    it; the records then mean nothing.

    Parameters
    ----------
    groups
        The grouping.
    first, second
        The two groups of each pair.
    """
    gain = np.zeros(len(first))
    leaves, enters = (np.full(len(first), -1, dtype=np.int64) for _ in range(2))
    for chunk, width in _split_pairs(np.maximum(groups.sizes[first], groups.sizes[second]), groups.centred.shape[1]):
        progress.check()
        gain[chunk], leaves[chunk], enters[chunk] = _find_best_steps(groups, first[chunk], second[chunk], width)
    return gain, leaves, enters


def _split_pairs(widths: Ints, columns: int) -> Iterator[tuple[Ints, int]]:
    """Yield the indexes of pairs with similar group sizes, in portions that fit into memory, and each portion's width.

    ``widths`` is the size of the larger group of each pair; the width of a portion is at least that of all its pairs.
    """
    largest = int(widths.max(initial=1))
    low, high = 0, 4
    while low < largest:
        here = np.flatnonzero((widths > low) & (widths <= high))
        width = min(high, largest)
        chunk_size = max(1, _CELLS // (width * max(width, 2 * columns)))
        for first in range(0, len(here), chunk_size):
            yield here[first : first + chunk_size], width
        low, high = high, high + max(2, high // 2)


def _find_best_steps(groups: Groups, first: Ints, second: Ints, width: int) -> tuple[Floats, Ints, Ints]:
    """Return the gain, the leaving and the entering record of the best step for each pair of groups, shape (pairs,).

    A step moves a record from the first group to the second, or back, or exchanges two, and must leave both groups
    large enough; leaving and entering are seen from the first group, and -1 stands for no record. The gain is the
    decrease of the sum of squares, 0 if no step lowers it; the records then mean nothing. ``width`` is at least the
    size of the largest of these groups.
    """
    mine, in_mine = groups.members(first, width)
    theirs, in_theirs = groups.members(second, width)
    n_one, n_other = groups.sizes[first][:, None], groups.sizes[second][:, None]
    apart = groups.centres[second] - groups.centres[first]
    # Each about its own centre: differences of far-off values would lose their last digits.
    x, y = (groups.centred.take(rows, axis=0) for rows in (mine, theirs))
    x_squares, y_squares = groups.squares[mine], groups.squares[theirs]
    x_along, y_along = (np.matmul(rows, apart[:, :, None])[:, :, 0] for rows in (x, y))
    between = np.einsum("pi,pi->p", apart, apart)[:, None]
    x_far, y_far = x_squares - 2 * x_along + between, y_squares + 2 * y_along + between
    # A gain is a difference of squares: what is `GRID` of them may be rounding alone.
    scale = between + x_squares.max(axis=1, keepdims=True) + y_far.max(axis=1, keepdims=True)

    # A record leaves for the other group.
    out = _compute_move_gains(groups, mine, in_mine, n_one, n_other, x_squares, x_far, groups.group_need[second])
    back = _compute_move_gains(groups, theirs, in_theirs, n_other, n_one, y_squares, y_far, groups.group_need[first])

    # Two records change places: each must find its new group large enough.
    goes = np.where(in_mine & (groups.needs[mine] <= n_other), 0.0, -np.inf)
    comes = np.where(in_theirs & (groups.needs[theirs] <= n_one), 0.0, -np.inf)
    share = 1 / n_one + 1 / n_other
    swap = np.matmul(x, y.transpose(0, 2, 1))
    swap *= -2 * share[:, :, None]
    swap += (2 * (1 - share) * x_along + share * x_squares + goes)[:, :, None]
    swap += (-2 * (y_along + between) + share * y_far + comes)[:, None, :]
    flat = swap.reshape(len(first), -1)
    at = find_first_largest(flat, scale)
    line = np.arange(len(first))

    gains = np.stack([flat[line, at], out.max(axis=1), back.max(axis=1)])
    kind = find_first_largest(gains.T, scale)
    gain = gains[kind, line]
    gain[gain <= GRID * scale[:, 0]] = 0.0
    moves, returns = (find_first_largest(gained, scale) for gained in (out, back))
    leaves = np.where(kind == 0, mine[line, at // width], np.where(kind == 1, mine[line, moves], -1))
    enters = np.where(kind == 0, theirs[line, at % width], np.where(kind == 2, theirs[line, returns], -1))
    return gain, leaves, enters


def _compute_move_gains(
    groups: Groups, rows: Ints, filled: Bools, n_from: Ints, n_to: Ints, near: Floats, far: Floats, need: Ints
) -> Floats:
    """Return by how much moving each record to the other group lowers the sum of squares.

    Minus infinity if not allowed, and for entries that are no records. Both groups must stay large enough for all
    members, and the group that the record leaves may not become empty. The result has the shape of ``rows``.

    Parameters
    ----------
    rows, filled
        The records of one group of each pair, and which entries are records.
    n_from, n_to
        Sizes of the record's own and of the other group.
    near, far
        Squared distances of each record to the centres of its own and of the other group.
    need
        The largest demand in the other group.
    """
    asked = np.maximum(need[:, None], groups.needs[rows])
    allowed = filled & (n_from > 1) & (n_from - 1 >= groups.others_need[rows]) & (n_to + 1 >= asked)
    gain = n_from / np.maximum(n_from - 1, 1) * near - n_to / (n_to + 1) * far
    return np.where(allowed, gain, -np.inf)


# --- refinement ---------------------------------------------------------------------------

NEIGHBOURS = 10
"""Number of nearest centres among which a group looks for a partner."""
_NEARLY = 0.5
"""Neighbouring centres may be farther than the nearest ones by this share; found in half the time."""
_MEASURED = range(2_000, 100_000)
"""Numbers of groups for which all distances are measured if there are many columns; otherwise a tree is used."""
ROUNDS = 40
_WORTH = 1e-4
"""A round that lowers the sum of squares by less than this share is the last of its pass."""
_PASS_WORTH = 2e-3
"""A pass that lowers the sum of squares by less than this share is the last one."""


def refine(points: Floats, needs: Ints, group: Ints, passes: int = 3, *, rounds: int = ROUNDS) -> Ints:
    """Return groups with a smaller sum of squares, every one at least as large as each of its members demands.

    Each pass first cuts groups that are large enough to be two, then finds the neighbours of every group by its centre,
    and lets neighbouring groups exchange records, or hand over single ones, until a round lowers the sum of squares by
    at most 0.01 %. The search ends after a pass that lowers the sum of squares by at most 0.2 %. If no pass lowers it,
    the given groups are returned. Groups are numbered from 0 without gaps.

    Parameters
    ----------
    points
        Standardised values, shape (records, columns).
    needs
        The group size that each record demands, from 1 on.
    group
        Groups that meet the demands, numbered from 0.
    passes
        Largest number of passes.
    rounds
        Largest number of rounds of exchanges in a pass; the first ones gain most.
    """
    best, least = renumber_groups(group), within_ssq(points, group)
    for turn in range(passes):
        with progress.part(turn / passes, (turn + 1) / passes):
            candidate = renumber_groups(_refine_once(points, needs, best, rounds))
            squares = within_ssq(points, candidate)
            if not squares < least:
                break
            worth = least - squares > _PASS_WORTH * least
            best, least = candidate, squares
            if not worth:
                break
    return best


def _refine_once(points: Floats, needs: Ints, group: Ints, rounds: int) -> Ints:
    """Return the groups after cutting large ones, and up to ``rounds`` rounds of exchanges between neighbours.

    The rounds end early if one lowers the sum of squares by at most 0.01 %.
    """
    cut = progress.part(0.0, 0.1).run(cut_groups, points, needs, group)
    if int(cut.max(initial=0)) < 1:
        return cut
    search = _Exchange(points, needs, cut)
    for turn in range(rounds):
        progress.report(0.2 + 0.8 * turn / rounds, "progress.method.groups")
        if search.round() <= _WORTH * search.squares:
            break
    return search.group


@dataclass(eq=False)
class _Pairs:
    """Pairs of neighbouring groups, and the best step between the two groups of each pair.

    Attributes
    ----------
    first, second
        The two groups of each pair.
    gain
        By how much the step lowers the sum of squares; 0 if there is none.
    leaves, enters
        The record that moves from the first group to the second, and the one that moves the other way; -1 if none does.
        They mean nothing where the gain is 0.
    """

    first: Ints
    second: Ints
    gain: Floats
    leaves: Ints
    enters: Ints


class _Exchange:
    """Groups and their neighbours, improved by rounds of steps between pairs of groups that share no group."""

    def __init__(self, points: Floats, needs: Ints, group: Ints) -> None:
        """Start from a copy of the given groups, and find the best step for each pair of neighbouring groups."""
        self.group = group.copy()
        self.squares = within_ssq(points, group)
        self._points, self._needs = points, needs
        self._longest = max(float((points * points).sum(axis=1).max()), 1.0)
        self._groups = Groups.of(points, needs, self.group)
        first, second = _find_neighbour_pairs(self._groups.centres)
        progress.check()
        empty = np.full(len(first), -1, dtype=np.int64)
        self._pairs = _Pairs(first, second, np.zeros(len(first)), empty, empty.copy())
        self._update_best_steps(np.arange(len(first)))

    def round(self) -> float:
        """Take the best steps between pairs that share no group; return by how much the sum of squares fell.

        A step moves a record to the other group of a pair, or exchanges two; 0 is returned if no step lowers the sum.
        ``group`` is changed in place.
        """
        pairs = self._pairs
        chosen = _choose_disjoint_pairs(pairs, self._longest)
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
        self._update_best_steps(np.flatnonzero(touched[pairs.first] | touched[pairs.second]))
        return gained

    def _update_best_steps(self, which: Ints) -> None:
        """Compute and store the best steps of the pairs with these indexes again."""
        pairs = self._pairs
        steps = best_steps(self._groups, pairs.first[which], pairs.second[which])
        pairs.gain[which], pairs.leaves[which], pairs.enters[which] = steps


def _find_neighbour_pairs(centres: Floats) -> tuple[Ints, Ints]:
    """Return all pairs of groups of which one has the other among its ten nearest, every pair once, lower index first.

    Some of the ten may be only nearly the nearest. ``centres`` has shape (groups, columns).
    """
    count = len(centres)
    near = _find_nearest_centres(centres, min(NEIGHBOURS + 1, count))
    first, second = np.repeat(np.arange(count), near.shape[1]), near.reshape(-1)
    low, high = np.minimum(first, second), np.maximum(first, second)
    progress.check()
    keys = distinct_values((low * count + high)[low < high])[0]
    return keys // count, keys % count


def _find_nearest_centres(centres: Floats, wanted: int) -> Ints:
    """Return the indexes of each centre's nearest centres, itself included, nearest first; shape (groups, wanted).

    A returned centre may be up to one and a half times as far away as the one that should stand in its place. Among
    equal centres, another one may take the place of the centre itself. ``wanted`` is at most the number of groups.
    """
    count, columns = centres.shape
    if columns > TREE_COLUMNS and count in _MEASURED:
        return NearPoints(centres).nearest(np.arange(count), wanted)
    from scipy.spatial import cKDTree  # late: SciPy takes longer to load than most commands to run

    tree = cKDTree(centres)
    near = np.empty((count, wanted), dtype=np.int64)
    for first in range(0, count, 2_000):
        progress.check()
        near[first : first + 2_000] = tree.query(
            centres[first : first + 2_000], k=wanted, eps=_NEARLY, workers=count_search_workers()
        )[1].reshape(-1, wanted)
    return near


def _choose_disjoint_pairs(pairs: _Pairs, scale: float) -> Ints:
    """Return the indexes of pairs with a gain of which no two share a group, largest gains first; ties by index.

    Gains are rounded relative to ``scale``, the squared length of the longest record.
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
