"""Search for the released records nearest to a known one, by Gower's distance.

J. C. Gower, Biometrics 27 (1971): each column adds between 0 and 1. A number adds the difference over the column's
range in the release, a name 0 or 1. A missing value is 0 from another missing one and 1 from any value, because
missing is information, too. Distances that differ by no more than `GRID` are equal: the sum of a thousand columns is
off by a tenth of it at most.

The nearest-record attack on records made from groups (condensation, microaggregation).

An intruder knows a person's true values and looks for the released record most like them. If that record comes from
the person's own group, the group is found; which member the person is cannot be seen, so the person is re-identified
with chance 1/size. Among equally near released records one is taken at random.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import (
    GRID,
    AnyInts,
    Floats,
    Ints,
    bound_smallest_values,
    find_nearest_pairs,
    on_grid,
    to_smallest_int_type,
)
from ppdm_desktop.engine.identifiability.classes import Classes, classes_of_codes
from ppdm_desktop.engine.identifiability.ranks import rank_values

_BLOCK = 500_000
"""Number of distances computed at a time."""
_ALL = slice(None)
_AT_ONCE = 20
"""Targets looked up in the tree between two cancellation points."""


@dataclass(frozen=True, eq=False)
class Values:
    """Records as the attack compares them: numeric columns as numbers, nominal columns as codes.

    Attributes
    ----------
    numbers
        float64, shape (records, numeric columns), NaN where missing.
    codes
        Integers, shape (records, nominal columns), -1 where missing; the true and the released records use the same
        code for the same name.
    """

    numbers: Floats
    codes: AnyInts

    def __len__(self) -> int:
        """Return the number of records."""
        return len(self.numbers)

    def take(self, rows: Ints) -> Values:
        """Return the records at these row indexes."""
        return Values(self.numbers[rows], self.codes[rows])

    @property
    def needs_blocks(self) -> bool:
        """Whether there are nominal columns or missing numbers, so that a search tree cannot be used."""
        return bool(self.codes.shape[1]) or bool(np.isnan(self.numbers).any())


@dataclass(frozen=True, eq=False)
class Nearest:
    """The nearest released rows of each target (a known person to be found in the release).

    Attributes
    ----------
    look
        int64, shape (released rows,): number of the distinct combination of values of each row, 0 and up.
    target, row
        int64, shape (pairs,): target and combination of every pair at the target's least distance, targets rising.
        Each target has at least one pair.
    """

    look: Ints
    target: Ints
    row: Ints


def find_nearest_rows(targets: Values, released: Values) -> Nearest:
    """Return the nearest released rows of each target, including all equally near ones.

    They are pairs of a target and a distinct row, which stands for all released rows that equal it. Numbers without
    gaps are searched in a k-d tree, everything else by comparing each target with each different released row. Numbers
    are divided by their range in the release.

    Parameters
    ----------
    targets, released
        Known people and released rows with the same columns; at least one released row.
    """
    looks = group_equal_records(released)
    first = looks.first
    progress.check()
    scale = range_scale(released.numbers)
    progress.check()
    scaled = targets.numbers * scale
    if targets.needs_blocks or released.needs_blocks:
        nearest = _find_nearest_in_blocks(Values(scaled, targets.codes), Different(released, first, scale))
    else:
        nearest = _find_nearest_in_tree(scaled, released.numbers[first] * scale)
    return Nearest(looks.ids, *nearest)


def group_equal_records(values: Values) -> Classes:
    """Return the classes of records with equal values in all columns; missing is equal to missing."""
    ranks = (rank_values(column)[0] for column in values.numbers.T)
    return classes_of_codes(chain(ranks, values.codes.T), len(values))


def range_scale(numbers: Floats) -> Floats:
    """Return 1 / range of each numeric column, shape (columns,); 0 for a column that is constant or has no number."""
    low = np.fmin.reduce(numbers, axis=0, initial=np.inf)
    high = np.fmax.reduce(numbers, axis=0, initial=-np.inf)
    wide = high > low
    return np.asarray(np.where(wide, 1.0 / np.where(wide, high - low, 1.0), 0.0))


@dataclass(frozen=True, eq=False)
class Different:
    """Some rows of a set of records, with numbers divided by each column's range, read in parts.

    One column or a few rows are read at a time. No scaled copy is kept, because it would be as large as the release.

    Attributes
    ----------
    values
        All records.
    rows
        Indices of the rows in question, shape (different records,).
    scale
        What numbers are multiplied by, 1 / range, shape (numeric columns,).
    """

    values: Values
    rows: Ints
    scale: Floats

    def __len__(self) -> int:
        """Return the number of rows in question, not that of all records."""
        return len(self.rows)

    def numbers(self, column: int, places: Ints | slice = _ALL) -> Floats:
        """Return the scaled numbers of one column, NaN where missing, of all rows in question or those at ``places``.

        ``places`` are positions among these rows.
        """
        return np.asarray(self.values.numbers[self.rows[places], column] * self.scale[column])

    def codes(self, column: int, places: Ints | slice = _ALL) -> AnyInts:
        """Return the codes of one nominal column, -1 where missing, of all rows in question or those at ``places``.

        ``places`` are positions among these rows.
        """
        return np.asarray(self.values.codes[self.rows[places], column])


def _find_nearest_in_tree(targets: Floats, different: Floats) -> tuple[Ints, Ints]:
    """Return target index and row index of each pair at the least L1 distance, found by a k-d tree.

    A target has several pairs where rows are equally near. Pairs are sorted by target. There must be at least one row,
    and no number may be missing.
    """
    from scipy.spatial import cKDTree  # late: only a release audited needs it

    # Cells cut in the middle build a large tree in a third of the time and are searched as fast.
    tree = cKDTree(different, balanced_tree=False, compact_nodes=False)
    owners, nearest = [], []
    for start in range(0, len(targets), _AT_ONCE):
        progress.report(start / len(targets), "doing.audit")
        block = targets[start : start + _AT_ONCE]
        apart, near = tree.query(block, k=[1, 2], p=1)  # a second one that does not exist is infinitely far
        tied = np.flatnonzero(apart[:, 1] <= apart[:, 0] + GRID)
        single = np.setdiff1d(np.arange(len(block)), tied)
        places, rows = [single], [near[single, 0]]
        for index in tied.tolist():
            same = tree.query_ball_point(block[index], apart[index, 0] + GRID, p=1, return_sorted=True)
            places.append(np.full(len(same), index))
            rows.append(np.array(same, dtype=np.int64))
        place_of = np.concatenate(places)
        order = np.argsort(place_of, kind="stable")
        owners.append(start + place_of[order])
        nearest.append(np.concatenate(rows)[order].astype(np.int64))
    return np.concatenate([np.zeros(0, np.int64), *owners]), np.concatenate([np.zeros(0, np.int64), *nearest])


def _find_nearest_in_blocks(targets: Values, different: Different) -> tuple[Ints, Ints]:
    """Return target index and row index of each pair at the least distance, found by comparing all rows.

    A target has several pairs where rows are equally near. Pairs are sorted by target.
    """
    screen = Screen(targets, different)
    owners, nearest = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for block in screen.blocks():
        progress.report(int(block[0]) / len(targets), "doing.audit")
        block_index, near, _ = screen.look(block).nearest()
        owners.append(block_index + block[0])
        nearest.append(near)
    return np.concatenate(owners), np.concatenate(nearest)


class Screen:
    """Distances of targets to many rows: first roughly to all rows, then exactly to the rows that may be nearest.

    Roughly means that numbers are compared in single precision and names as small integers, which is many times
    faster. The error is bounded, and every row within the bound is measured exactly: the nearest rows found are those
    that measuring all of them exactly would find.

    Parameters
    ----------
    targets
        Numbers already divided by their range (`range_scale`).
    different
        The distinct released rows with the same columns; at least one row.
    """

    def __init__(self, targets: Values, different: Different) -> None:
        """Prepare numbers and names for rough comparison: numbers less each column's minimum, in single precision.

        It also notes which columns lack values, and how far a rough distance may be from the exact one.
        """
        self._targets, self._different = targets, different
        self._numbers: list[tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]] = []
        self._has_gaps: list[bool] = []
        reach = 0.0
        for column, target_numbers in enumerate(targets.numbers.T):
            released_numbers = different.numbers(column)
            low = min(float(np.fmin.reduce(side, initial=np.inf)) for side in (target_numbers, released_numbers))
            high = max(float(np.fmax.reduce(side, initial=-np.inf)) for side in (target_numbers, released_numbers))
            reach += max(high - low, 0.0)
            low = low if np.isfinite(low) else 0.0
            self._numbers.append(
                ((target_numbers - low).astype(np.float32), (released_numbers - low).astype(np.float32))
            )
            self._has_gaps.append(bool(np.isnan(target_numbers).any() or np.isnan(released_numbers).any()))
        columns = targets.numbers.shape[1] + targets.codes.shape[1]
        # A number between 0 and ``reach`` is off by 2^-24 of it in single precision, and so is each sum.
        off = 2.0**-24 * (columns + 4) * (2 * reach + columns)
        self._slack = np.float32(2 * off + GRID)
        self._codes = [
            to_common_int_type(codes, different.codes(column)) for column, codes in enumerate(targets.codes.T)
        ]
        self._other: npt.DTypeLike = np.uint8 if len(self._codes) < 256 else np.uint16

    def blocks(self) -> Iterator[Ints]:
        """Yield consecutive target indexes to search together: about 500,000 distances, at least one target."""
        at_once = max(1, _BLOCK // max(len(self._different), 1))
        for start in range(0, len(self._targets), at_once):
            yield np.arange(start, min(start + at_once, len(self._targets)))

    def look(self, block: Ints) -> Look:
        """Return a repeatable search for the rows nearest to some targets with consecutive indexes."""
        return Look(self, block)

    def rough(self, block: Ints) -> npt.NDArray[np.float32]:
        """Return rough distances of some targets to every row, float32, shape (targets, rows).

        A distance is the sum of scaled absolute differences, plus 1 for each nominal column with different names. A
        value missing in one of the two records adds 1; missing in both adds 0. ``block`` holds consecutive indices of
        targets.
        """
        part = slice(int(block[0]), int(block[-1]) + 1)
        apart = np.zeros((len(block), len(self._different)), dtype=np.float32)
        # One array for every column: asking the system for memory takes longer than the arithmetic.
        step, differs = np.empty_like(apart), np.empty(apart.shape, dtype=np.bool_)
        for (target, released_numbers), has_gaps in zip(self._numbers, self._has_gaps, strict=True):
            progress.check()
            target_part = target[part, None]
            np.abs(np.subtract(target_part, released_numbers, out=step), out=step)
            if has_gaps:
                np.isnan(step, out=differs)
                step[differs] = (np.isnan(target_part) != np.isnan(released_numbers))[differs]
            apart += step
        other_names = np.zeros(apart.shape, dtype=self._other)
        for name, released_codes in self._codes:
            progress.check()
            other_names += np.not_equal(name[part, None], released_codes, out=differs).view(np.uint8)
        apart += other_names
        return apart

    def up_to(self, lowest: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Return the rough distance up to which a row may be nearest, given each target's lowest rough distance.

        That is the lowest plus the bound of the rounding error; -1 where the lowest is infinite, because all rows are
        left out.
        """
        return np.where(np.isfinite(lowest), lowest + self._slack, np.float32(-1))

    def exact(self, targets: Ints, rows: Ints) -> Floats:
        """Return the exact Gower distance of each pair of target and row, float64, shape (pairs,).

        A distance is the sum of scaled absolute differences, plus 1 for each nominal column with different names. A
        value missing in one of the two records adds 1; missing in both adds 0.
        """
        apart = np.zeros(len(targets))
        for column, target_numbers in enumerate(self._targets.numbers.T):
            released_numbers = self._different.numbers(column, rows)
            step = np.abs(target_numbers[targets] - released_numbers)
            is_missing = np.isnan(step)
            step[is_missing] = (np.isnan(target_numbers[targets]) != np.isnan(released_numbers))[is_missing]
            apart += step
        for column, name in enumerate(self._targets.codes.T):
            apart += name[targets] != self._different.codes(column, rows)
        return apart


class Look:
    """A search for the nearest rows of a block of targets, which can be repeated after rows were left out."""

    def __init__(self, screen: Screen, block: Ints) -> None:
        """Compute the rough distance of each target of the block to every row."""
        self._screen, self._block = screen, block
        self._rough = screen.rough(block)

    def leave_out(self, block_index: int, rows: Ints) -> None:
        """Exclude some rows from the search for one target, by giving them an infinite distance."""
        self._rough[block_index, rows] = np.inf

    def nearest(self) -> tuple[Ints, Ints, Floats]:
        """Return each pair of target (position in the block) and nearest row, and each target's least distance.

        Where rows are equally near, all these pairs are returned. The distances have shape (targets,) and are infinite
        where every row is left out.
        """
        edge = self._screen.up_to(self._rough.min(axis=1, keepdims=True))
        block_index, near = self._find_pairs_up_to(edge)
        apart = self._screen.exact(self._block[block_index], near)
        least = np.full(len(self._block), np.inf)
        np.minimum.at(least, block_index, apart)
        kept = apart <= least[block_index] + GRID
        return block_index[kept], near[kept], least

    def least(self, count: int) -> Ints:
        """Return the indexes of each target's ``count`` nearest rows, nearest first, shape (targets, count).

        Of equally near rows, those with the lowest index are taken. Rows that were left out count as infinitely far.
        ``count`` is at most the number of rows.
        """
        edge = self._screen.up_to(bound_smallest_values(self._rough, count))
        block_index, near = self._find_pairs_up_to(np.where(edge < 0, np.float32(np.inf), edge))
        apart = self._screen.exact(self._block[block_index], near)
        apart[np.isinf(self._rough[block_index, near])] = np.inf
        return find_nearest_pairs(block_index, near, on_grid(apart), len(self._block), count)

    def within(self, reach: float) -> tuple[Ints, Ints]:
        """Return target (position in the block) and row of all pairs whose exact distance is at most ``reach``.

        Rows that were left out are not among them. The pairs are sorted by target, then by row.
        """
        block_index, near = self._find_pairs_up_to(self._screen.up_to(np.array([[reach]], np.float32)))
        kept = self._screen.exact(self._block[block_index], near) <= reach
        return block_index[kept], near[kept]

    def _find_pairs_up_to(self, edge: npt.NDArray[np.float32]) -> tuple[Ints, Ints]:
        """Return target (position in the block) and row of all pairs whose rough distance is at most ``edge``.

        ``edge`` has shape (targets, 1), or (1, 1) for all targets.
        """
        # In a plain row of marks NumPy finds the few that are set several times as fast as in a table of them.
        block_index, near = np.divmod(np.flatnonzero(self._rough <= edge), self._rough.shape[1])
        return block_index, near


def to_common_int_type(codes: AnyInts, other_codes: AnyInts) -> tuple[AnyInts, AnyInts]:
    """Return both arrays of codes in the smallest integer type that holds both, for fast comparison."""
    small = np.result_type(to_smallest_int_type(codes), to_smallest_int_type(other_codes))
    return codes.astype(small, copy=False), other_codes.astype(small, copy=False)


def compute_gower_distances(targets: Values, different: Values) -> Floats:
    """Return the exact distance of every target to every row, float64, shape (targets, rows).

    It is the sum of absolute differences, plus 1 for each nominal column with different names. A value missing in one
    of the two records adds 1; missing in both adds 0.

    Parameters
    ----------
    targets, different
        Records with the same columns, numbers already divided by their range (`range_scale`).
    """
    apart = np.zeros((len(targets), len(different)))
    for target_numbers, released_numbers in zip(targets.numbers.T, different.numbers.T, strict=True):
        progress.check()
        step = np.abs(target_numbers[:, None] - released_numbers[None, :])
        is_missing = np.isnan(step)
        if is_missing.any():
            step[is_missing] = (np.isnan(target_numbers)[:, None] != np.isnan(released_numbers)[None, :])[is_missing]
        apart += step
    for name, released_codes in zip(targets.codes.T, different.codes.T, strict=True):
        progress.check()
        apart += name[:, None] != released_codes[None, :]
    return apart


MOST_TARGETS, FEWEST_TARGETS = 2_000, 300
MOST_COMPARISONS = 200_000_000


@dataclass(frozen=True, eq=False)
class Linked:
    """How far the nearest-record attack succeeds on each target (an attacked person).

    Attributes
    ----------
    in_own_group
        Shape (targets,): chance that the nearest record comes from the target's own group.
    gain
        That chance times 1 / size of the group: chance that the person is re-identified.
    most
        The largest possible gain on each target, 1 / size of its group.
    """

    in_own_group: Floats
    gain: Floats
    most: Floats


def limit_attacked_people(records: Values, released: Values) -> int:
    """Return how many people to attack, at most 2,000, so that the attack does not take too long.

    It does not depend on how many people there are, so it may be more. Where every target has to be compared with every
    released row (there are names or missing numbers), it is as many as need no more than 200 million comparisons, but
    at least 300.
    """
    if not (records.needs_blocks or released.needs_blocks):
        return MOST_TARGETS
    return int(np.clip(MOST_COMPARISONS // max(len(released), 1), FEWEST_TARGETS, MOST_TARGETS))


def link_nearest_records(
    targets: Values, target_group: Ints, released: Values, released_group: Ints, sizes: Ints
) -> Linked:
    """Return for each target the chance that the nearest-record attack finds its group, and its person.

    Among equally near released rows one is drawn, copies of a row included. The chance that it comes from the target's
    group, times 1 / the size of that group, is the gain: the chance of finding the person. The largest possible gain is
    1 / the size.

    Parameters
    ----------
    targets
        True values of the attacked people.
    target_group, released_group
        Group of each target and of each released row, 0 and up.
    released
        The released rows, with the same columns.
    sizes
        int64, shape (groups,): people in each group.
    """
    near = find_nearest_rows(targets, released)
    groups = len(sizes)
    # Rows of every look, and of every look from every group.
    rows = np.bincount(near.look)
    pairs, counts = np.unique(near.look * groups + released_group, return_counts=True)
    wanted = near.row * groups + target_group[near.target]
    index = np.minimum(np.searchsorted(pairs, wanted), len(pairs) - 1)
    draw = np.where(pairs[index] == wanted, counts[index], 0)
    total = np.bincount(near.target, rows[near.row], len(targets))
    hit = np.bincount(near.target, draw, len(targets)) / total
    most = 1.0 / sizes[target_group]
    return Linked(hit, hit * most, most)
