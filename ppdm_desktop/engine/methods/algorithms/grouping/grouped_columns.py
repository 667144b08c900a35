"""Columns as whole numbers that can be averaged, and the search for groups of similar records.

- One column is cut into runs of neighbouring values. With the same demand k for all records this is the exact optimum
  (Hansen and Mukherjee 2003). With different demands it is the best *contiguous* partition; a partition that is not
  contiguous can be better.
- Several columns are grouped by all their values together.
- If people have several rows, groups grow until they have enough different people. As in MDAV, the row farthest from
  the mean takes its nearest rows, then the row farthest from it does; rows with the largest demand come first, and a
  remainder with too few people joins the last group.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools, Floats, Ints
from ppdm_desktop.engine.methods.algorithms.digits.scaled import (
    replace_values,
    step_units,
    style_of,
    to_units_of_column,
)
from ppdm_desktop.engine.methods.algorithms.grouping.kd_batches import kd_batch_groups
from ppdm_desktop.engine.methods.algorithms.grouping.mdav import Gathering, mdav_groups
from ppdm_desktop.engine.methods.algorithms.grouping.pca_tree import pca_tree_groups
from ppdm_desktop.engine.methods.algorithms.grouping.refinement import refine, within_ssq
from ppdm_desktop.engine.methods.algorithms.grouping.units import count_flagged_people, count_people_in_groups
from ppdm_desktop.engine.methods.algorithms.swapping.recount import released_categories
from ppdm_desktop.engine.methods.algorithms.swapping.steps import with_categories
from ppdm_desktop.engine.result_cache import RESULTS, hash_arrays
from ppdm_desktop.engine.table.clusters import best_clusters
from ppdm_desktop.engine.table.column import Column

# --- growing ------------------------------------------------------------------------------

_WHOLE = 12_000
"""Largest number of rows for which each group is compared with all remaining rows; more are cut into blocks first."""
_BLOCK = 4_000
_SPARE = 4


def growing_groups(points: Floats, needs: Ints, who: Ints) -> Ints:
    """Return the index of each row's group, from 0 on; every group has as many different people as each member demands.

    Tables of more than 12,000 rows are first cut into blocks, which are grouped one by one. The rows of a person may
    be in different groups.

    Parameters
    ----------
    points
        Standardised values, shape (rows, columns), of at least as many people as the largest demand.
    needs
        How many people each row's group must have, from 1 on.
    who
        Index of each row's person.
    """
    groups = np.zeros(len(points), dtype=np.int64)
    blocks = groups
    if len(points) > _WHOLE:
        blocks = progress.part(0.0, 0.2).run(pca_tree_groups, points, np.full(len(points), _BLOCK))
        blocks = _join_small_blocks(points, needs, who, blocks)
    made = 0
    names = np.unique(blocks).tolist()
    whole = progress.part(0.2, 1.0) if len(names) > 1 else progress.part(0.0, 1.0)
    for turn, block in enumerate(names):
        rows = np.flatnonzero(blocks == block)
        with whole.part(turn / len(names), (turn + 1) / len(names)):
            groups[rows] = made + _Growing(points[rows], needs[rows], who[rows]).run()
            made = int(groups[rows].max()) + 1
    return groups


def _join_small_blocks(points: Floats, needs: Ints, who: Ints, blocks: Ints) -> Ints:
    """Return the block of each row after blocks with too few people for one of their members joined the nearest one.

    The nearest block is the one whose mean is nearest. Blocks are numbered from 0 again. If only one block is left, it
    stays however few people it has.
    """
    blocks = blocks.copy()
    while True:
        names, blocks = np.unique(blocks, return_inverse=True)
        blocks = blocks.reshape(-1).astype(np.int64)
        asked = np.zeros(len(names), dtype=np.int64)
        np.maximum.at(asked, blocks, needs)
        too_small = np.flatnonzero(count_people_in_groups(blocks, who, len(names)) < asked)
        if not len(too_small) or len(names) == 1:
            return blocks
        sizes = np.bincount(blocks)
        centres = np.column_stack([np.bincount(blocks, coordinates) for coordinates in points.T]) / sizes[:, None]
        apart = ((centres - centres[too_small[0]]) ** 2).sum(axis=1)
        apart[too_small[0]] = np.inf
        blocks[blocks == too_small[0]] = int(apart.argmin())


class _Growing(Gathering):
    """The rows that are in no group yet, and the groups made so far, each with enough different people."""

    def __init__(self, points: Floats, needs: Ints, who: Ints) -> None:
        """Start with every row in no group.

        ``who`` is a number for each row's person. Group sizes count people, not rows.
        """
        super().__init__(points, needs)
        self._who = np.unique(who, return_inverse=True)[1].reshape(-1).astype(np.int64)
        # Rows that are left of each person: who has none any more does not count for the rest.
        self._left = np.bincount(self._who)

    def run(self) -> Ints:
        """Return the index of each row's group, int64 from 0, shape (rows,).

        Groups are started alternately by the row farthest from the mean of those left, and by the row farthest from
        that one; only rows with the largest demand left can start a group. Each takes the nearest rows until they
        belong to as many people as this demand. If the rest would have too few people, the last group takes it.
        """
        total = len(self.rows)
        last: Floats | None = None
        while len(self.rows):
            if self.made % 64 == 0:
                progress.report(1 - len(self.rows) / total, "progress.method.groups")
            need = self.need
            seed = self.farthest(self.distances(self.sum / len(self.rows) if last is None else last))
            last = self.points[seed] if last is None else None
            chosen = self._find_nearest_people(self.distances(self.points[seed]), need)
            if not self._has_enough_without(chosen):
                chosen = np.ones(len(self.rows), dtype=np.bool_)
            self.take(chosen)
        return self.group

    def _find_nearest_people(self, distances: Floats, need: int) -> Bools:
        """Return which rows are the nearest ones that together belong to ``need`` people, bool, shape (rows left,).

        Ties by row. There must be so many people; ``distances`` has one entry for each row that is left.
        """
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

    def _has_enough_without(self, chosen: Bools) -> bool:
        """Return whether the rows left without ``chosen`` belong to enough people for the largest demand.

        True if none is left.
        """
        if chosen.all():
            return True
        taken = np.bincount(self._who[chosen], minlength=len(self._left))
        return int(np.count_nonzero(self._left > taken)) >= int(self.needs[~chosen].max())

    def take(self, chosen: Bools) -> Bools:
        """Make a group of the chosen rows, which are removed in place, and return which of the rows are left.

        ``chosen``, bool, has one entry for each row that is left.
        """
        self._left = self._left - np.bincount(self._who[chosen], minlength=len(self._left))
        self._who = self._who[~chosen]
        return super().take(chosen)


# --- grouped columns ----------------------------------------------------------------------

# --- contiguous ---------------------------------------------------------------------------

_EVERY = 2_000


def find_best_runs(values: Floats, needs: Ints) -> Ints:
    """Return the index at which each run of the best partition of sorted values begins, rising, the first 0.

    The best partition has the least sum of squares about the means of its runs, and each run is as long as each of its
    values demands: values 1, 2, 8, 9 that demand 2 give 0 and 2. A run that is twice as long as its largest demand
    could be cut in two without loss, so runs are shorter than that.

    Parameters
    ----------
    values
        Ascending, at least as many as the largest demand.
    needs
        The length of run that each value demands.
    """
    count = len(values)
    least, most = int(needs.min()), int(needs.max())
    cost = np.full(count + 1, np.inf)
    cost[0] = 0.0
    back = np.zeros(count + 1, dtype=np.int64)
    for turn, first in enumerate(range(least, count + 1, least)):
        progress.check()
        if turn % _EVERY == 0:
            progress.report(first / (count + 1), "progress.method.groups")
        ends = np.arange(first, min(first + least, count + 1))
        low = max(0, first - 2 * most + 1)
        starts = np.arange(low, int(ends[-1]) - least + 1)
        length = ends[:, None] - starts
        total = cost[starts] + compute_run_squares(values, low, ends, starts, length)
        asked = largest_need(needs, low, ends, starts) if most > least else least
        total = np.where(length >= asked, total, np.inf)
        chosen = total.argmin(axis=1)
        cost[ends] = total[np.arange(len(ends)), chosen]
        back[ends] = starts[chosen]
    return _find_run_starts(back)


def _find_run_starts(back: Ints) -> Ints:
    """Return where each run of a partition begins, rising.

    ``back[e]`` is the start of the best run that ends before index e, shape (values + 1,).
    """
    starts = []
    at = len(back) - 1
    while at > 0:
        at = int(back[at])
        starts.append(at)
    return np.array(starts[::-1], dtype=np.int64)


def compute_run_squares(values: Floats, low: int, ends: Ints, starts: Ints, length: Ints) -> Floats:
    """Return the sum of squares about the mean of every run of values, shape (ends, starts).

    Entries whose end is not after their start mean nothing.

    Parameters
    ----------
    low
        The smallest start.
    ends, starts
        Indexes into ``values`` at which runs end (exclusive) and begin, both rising.
    length
        ``ends`` less ``starts``, shape (ends, starts).
    """
    window = values[low : int(ends[-1])]
    # Centred on the spot: sums of squares of far-off values would lose their last digits.
    window = window - window[len(window) // 2]
    first = np.concatenate([[0.0], np.cumsum(window)])
    second = np.concatenate([[0.0], np.cumsum(window * window)])
    sums = first[ends - low][:, None] - first[starts - low]
    squares = second[ends - low][:, None] - second[starts - low]
    return np.asarray(np.maximum(squares - sums * sums / np.maximum(length, 1), 0.0))


def largest_need(needs: Ints, low: int, ends: Ints, starts: Ints) -> Ints:
    """Return the largest demand inside every run, shape (ends, starts); 0 where the end is not after the start.

    ``ends`` (exclusive) and ``starts`` are rising indexes into ``needs``, and ``low`` is the smallest start.
    """
    window = np.arange(low, int(ends[-1]))
    inside = np.where(window < ends[:, None], needs[low : int(ends[-1])], 0)
    from_start = np.maximum.accumulate(inside[:, ::-1], axis=1)[:, ::-1]
    return np.asarray(from_start[:, starts - low])


# --- grouped columns ----------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Ranked:
    """A column as whole numbers: numbers in units of the last digit, ordered categories as ranks.

    Attributes
    ----------
    column
        The column.
    values
        One whole number for each row; meaningless where missing.
    known
        Which rows have a value.
    step
        Step of the grid of released numbers, in the same unit.
    """

    column: Column
    values: Ints
    known: Bools
    step: int

    @classmethod
    def of(cls, column: Column, grid: Decimal | None = None) -> Ranked:
        """Return a numeric or ordinal column as whole numbers: units of the last digit, or ranks from 0.

        ``grid`` is the step of the grid of released numbers, in the column's unit; None for the column's own step. The
        values themselves are not rounded to it. An ordinal column has the step 1.
        """
        present = ~column.missing
        if column.kind == "numeric":
            style = style_of(column)
            return cls(column, column.scaled, present, step_units(replace(style, step=grid or style.step)))
        return cls(column, column.category_codes.astype(np.int64), present, 1)

    def to_integers(self, released: Column) -> Ints:
        """Return the values of a released column as whole numbers that can be compared with those of this column.

        Numbers are in units of this column's last digit, and meaningless where missing; the released column may not
        have more decimals. Ordered categories are indexes of this column's categories, -1 where missing and -2 for a
        text that it does not have.
        """
        if self.column.kind == "numeric":
            return to_units_of_column(released, self.column)
        return released_categories(self.column, released)

    def releasing(self, values: Ints) -> Column:
        """Return the column with other values, equal values with equal texts; missing cells stay missing.

        ``values`` are whole numbers in the unit of this object. Texts are made anew, because ``5`` beside ``5.0`` would
        distinguish the members of a group. InputError if a number would be read as a missing value or has too many
        digits.
        """
        if self.column.kind == "numeric":
            return replace_values(self.column, values, uniform=True)
        return with_categories(self.column, np.where(self.known, values, -1))

    @property
    def standardised(self) -> Floats:
        """The values in standard deviations from their mean, float64, shape (rows,); 0 where missing or constant.

        Missing values do not count in the mean and in the standard deviation (divided by n).
        """
        values = self.values.astype(np.float64)
        if not self.known.any():
            return np.zeros(len(values))
        centred = np.where(self.known, values - values[self.known].mean(), 0.0)
        spread = float(np.sqrt((centred[self.known] ** 2).mean()))
        return np.asarray(centred / spread if spread > 0 else centred)


def sorted_groups(ranked: Ranked, needs: Ints, who: Ints | None = None) -> Ints:
    """Return the group of each unit if neighbouring values are put together; -1 where the value is missing.

    A group has at least as many people as each of its members demands, and the sum of squares about the groups' means
    is the least possible for runs of the sorted values: 1, 2, 10, 11 that demand 2 give 0, 0, 1, 1. Equal values may
    be in different groups; they are sorted by demand, then by row. Groups are numbered from 0 in the order of the
    values. There must be a value, and as many people with a value as the largest demand.

    Parameters
    ----------
    ranked
        The column as whole numbers: numbers, or ranks of ordered categories.
    needs
        Number of people that each unit (person or row) demands in its group.
    who
        Index of each unit's person, so that several rows of a person count once; None if each unit is a person.
    """
    rows = np.flatnonzero(ranked.known)
    # Among equal values the less demanding come first, then the earlier row.
    order = rows[np.lexsort((rows, needs[rows], ranked.values[rows]))]
    values = ranked.standardised[order]
    if who is None:
        starts = find_best_runs(values, needs[order])
    else:
        starts = find_best_people_runs(values, needs[order], who[order])
    group = np.full(len(needs), -1, dtype=np.int64)
    marks = np.zeros(len(order), dtype=np.int64)
    marks[starts] = 1
    group[order] = np.cumsum(marks) - 1
    return group


def cluster_groups(ranked: Ranked, clusters: int) -> Ints:
    """Return the cluster of each value, so that the sum of squares about the clusters' means is least.

    int64, shape (rows,), numbered from 0 in the order of the values; -1 where missing. ``clusters`` is the number of
    clusters; there are fewer if there are fewer different values, because equal values share a cluster.
    """
    group = np.full(len(ranked.values), -1, dtype=np.int64)
    if ranked.known.any():
        group[ranked.known] = best_clusters(ranked.standardised[ranked.known], clusters)
    return group


def joint_groups(columns: Sequence[Ranked], needs: Ints, who: Ints | None = None) -> Ints:
    """Return groups of units that are near in all columns, numbered from 0; -1 for a unit without any value.

    Units with values in all columns form the groups. A unit that lacks some values joins the nearest group (by the
    values that it has) with as many people, counted by their complete units, as it demands; if none has so many, the
    nearest groups are merged until one has. So there must be at least as many people with complete units as the
    largest demand.

    Parameters
    ----------
    columns
        The columns as whole numbers: numbers, or ranks of ordered categories.
    needs
        Number of people that each unit (person or row) demands in its group.
    who
        Index of each unit's person, so that several rows of a person count once; None if each unit is a person.
    """
    points = np.column_stack([column.standardised for column in columns])
    present = np.column_stack([column.known for column in columns])
    complete = np.flatnonzero(present.all(axis=1))
    group = np.full(len(needs), -1, dtype=np.int64)
    if who is None:
        nearby, demands = points[complete], needs[complete]
        # Suggested versions often differ only in other columns.
        content = hash_arrays(nearby, demands)
        group[complete] = RESULTS.get(("near_groups", content), lambda: near_groups(nearby, demands))
    else:
        group[complete] = growing_groups(points[complete], needs[complete], who[complete])
    partly = np.flatnonzero(present.any(axis=1) & ~present.all(axis=1))
    if len(partly):
        _assign_incomplete(group, points, present, partly, needs, who)
    _used, packed = np.unique(group[group >= 0], return_inverse=True)
    group[group >= 0] = packed
    return group


def _assign_incomplete(
    group: Ints, points: Floats, present: Bools, partly: Ints, needs: Ints, who: Ints | None
) -> None:
    """Put units with missing values into the nearest group of complete ones that is large enough; ``group`` is changed.

    If no group is large enough, the nearest one takes in the next nearest ones until it is (or only one is left); the
    numbers of those groups are then unused. The size is the number of people with complete units in the group. Units
    with the largest demand come first, ties by row. A unit is a person or a row; a complete one has all values.
    ``partly`` are the indexes of the units that lack some values, and ``present`` says which values each unit has.
    """
    those = np.where(group >= 0, group, -1)
    complete = group >= 0
    sizes = np.bincount(group[complete])
    people = count_people_in_groups(those, who, len(sizes))
    middles = np.column_stack([np.bincount(group[complete], axis[complete]) for axis in points.T]) / sizes[:, None]
    for turn, row in enumerate(partly[np.argsort(-needs[partly], kind="stable")].tolist()):
        if turn % 64 == 0:
            progress.check()
        apart = ((middles - points[row])[:, present[row]] ** 2).sum(axis=1)
        apart[sizes == 0] = np.inf
        order = np.argsort(apart, kind="stable")
        fit = order[(people[order] >= needs[row])]
        if len(fit):
            group[row] = fit[0]
            continue
        target = int(order[0])
        for source in order[1:].tolist():
            group[group == source] = target
            those[those == source] = target
            total = sizes[target] + sizes[source]
            middles[target] = (middles[target] * sizes[target] + middles[source] * sizes[source]) / total
            sizes[target], sizes[source] = total, 0
            people[target], people[source] = count_flagged_people(those == target, who), 0
            if people[target] >= needs[row]:
                break
        group[row] = target


def groups_within(
    details: Ints,
    ranked: Sequence[Ranked],
    needs: Ints,
    who: Ints | None,
    search: Callable[[Sequence[Ranked], Ints, Ints | None], Ints],
) -> Ints:
    """Return each unit's group, formed by ``search`` among units with the same details; -1 where it gives no group.

    Groups are numbered from 0. A unit is a person or a row; a complete one has all values. If fewer people with
    complete units share some details than one of them demands, the units are grouped with others of which this is
    true, whatever their details. As long as these together are too few, the units of the most frequent other details
    join them.

    Parameters
    ----------
    details
        A number for each unit, from 0 on, equal for units with the same details.
    ranked, needs, who
        Columns, demanded group sizes and people of the units, as for ``joint_groups``.
    search
        Function from columns, demands and people of some units to the group of each, -1 without one.
    """
    complete = np.all([column.known for column in ranked], axis=0)
    pools = details.copy()
    people = count_people_in_groups(np.where(complete, details, -1), who, int(details.max(initial=0)) + 1)
    most = np.zeros(len(people), dtype=np.int64)
    np.maximum.at(most, details, needs)
    pools[(people < most)[details]] = -1
    rest = pools < 0
    while not rest.all() and count_flagged_people(rest & complete, who) < needs[rest & complete].max(initial=0):
        rest |= pools == int(np.bincount(pools[~rest]).argmax())
    pools[rest] = -1
    group, count, numbers = np.full(len(details), -1, dtype=np.int64), 0, np.unique(pools)
    for number, part in zip(numbers.tolist(), progress.parts(*[1.0] * len(numbers)), strict=True):
        units = np.flatnonzero(pools == number)
        unit_columns = [replace(column, values=column.values[units], known=column.known[units]) for column in ranked]
        unit_groups = part.run(search, unit_columns, needs[units], None if who is None else who[units])
        group[units] = np.where(unit_groups >= 0, unit_groups + count, -1)
        count += int(unit_groups.max(initial=-1)) + 1
    return group


def information_loss(columns: Sequence[Ranked], group: Ints) -> float:
    """Return the share of the variation lost by averaging within groups, in percent: SSE / SST on standardised columns.

    SSE is the sum of squares about the groups' means, SST that about the mean of all. Values 1, 2, 8 and 9 in the
    groups 1, 2 and 8, 9 give 2 %. Units of group -1 and missing values do not count; 0 if nothing varies.
    """
    lost = whole = 0.0
    for column in columns:
        used = column.known & (group >= 0)
        values, groups = column.standardised[used], group[used]
        sizes = np.maximum(np.bincount(groups), 1)
        whole += float((values**2).sum())
        lost += float(((values - (np.bincount(groups, values) / sizes)[groups]) ** 2).sum())
    return 100 * lost / whole if whole > 0 else 0.0


WHOLE_LIMIT = 12_000
"""Largest number of records for which MDAV, whose time grows with the square of their number, is tried as well."""
SEVERAL_LIMIT = 200_000
"""Largest number of records for which several searches are refined at length; with more, only one is, and briefly."""


def near_groups(points: Floats, needs: Ints) -> Ints:
    """Return the index of each record's group; every group is at least as large as each of its members demands.

    Several searches are made: nearest records are grouped (by k-d tree batches, and by MDAV if there are at most
    12,000), and all records are cut along their main directions (PCA tree). In each result, neighbouring groups
    exchange records until little is gained (see `refine`); the grouping with the least sum of squares is returned. With
    more than 200,000 records only the k-d tree batches are made, and improved in one pass. Which searches are made
    depends on the number of records only, never on the time that a search takes.

    Parameters
    ----------
    points
        Standardised values, shape (records, columns); at least as many records as the largest demand.
    needs
        The group size that each record demands, from 1 on.
    """
    count = len(points)
    if count > SEVERAL_LIMIT:
        rough_groups = progress.part(0.0, 0.4).run(kd_batch_groups, points, needs)
        return progress.part(0.4, 1.0).run(refine, points, needs, rough_groups, passes=1)
    searches = [kd_batch_groups, pca_tree_groups]
    if count <= WHOLE_LIMIT:
        searches.insert(0, mdav_groups)
    refined = []
    for turn, search in enumerate(searches):
        part = progress.part(turn / len(searches), (turn + 1) / len(searches))
        rough_groups = part.part(0.0, 0.4).run(search, points, needs)
        refined.append(part.part(0.4, 1.0).run(refine, points, needs, rough_groups))
    return min(refined, key=lambda group: within_ssq(points, group))


_CELLS = 1_000_000
"""Most runs computed together."""


def find_best_people_runs(values: Floats, needs: Ints, who: Ints) -> Ints:
    """Return the index at which each run of the best partition begins, rising from 0, with demands in people.

    The best partition has the least sum of squares about the means of its runs, with as many people in every run as
    each of its values demands. With one row for each person the result is that of ``find_best_runs``. A run whose
    halves both have enough people could be cut without loss, so only shorter runs are considered.

    Parameters
    ----------
    values
        Ascending.
    needs
        How many different people the run of each value must have; all values together have as many.
    who
        Index of each value's person.
    """
    count = len(values)
    asked = np.unique(needs)
    latest = np.array([latest_starts(who, int(need)) for need in asked])
    # The two halves of a run that starts here or before have enough people for anybody.
    too_long = np.where(latest[-1] >= 0, latest[-1][np.maximum(latest[-1], 0)], -1)
    cost = np.full(count + 1, np.inf)
    cost[0] = 0.0
    back = np.zeros(count + 1, dtype=np.int64)
    first, turn = 1, 0
    while first <= count:
        progress.check()
        if turn % _EVERY == 0:
            progress.report(first / (count + 1), "progress.method.groups")
        turn += 1
        # No run of these ends may start behind the first of them, so all their starts are settled.
        ends = np.arange(first, int(np.searchsorted(latest[0][first:], first, side="left")) + first)
        low = int(too_long[ends[0]]) + 1
        ends = ends[: max(1, _CELLS // (int(ends[-1]) - low))]
        first, last = int(ends[-1]) + 1, int(latest[0][ends[-1]])
        if last < low:
            continue
        starts = np.arange(low, last + 1)
        length = ends[:, None] - starts
        total = cost[starts] + compute_run_squares(values, low, ends, starts, length)
        need = np.searchsorted(asked, largest_need(needs, low, ends, starts))
        total = np.where(starts <= latest[np.minimum(need, len(asked) - 1), ends[:, None]], total, np.inf)
        chosen = total.argmin(axis=1)
        cost[ends] = total[np.arange(len(ends)), chosen]
        back[ends] = starts[chosen]
    return _find_run_starts(back)


def latest_starts(who: Ints, people: int) -> Ints:
    """Return, for each end of a run, the latest start with which the run has ``people`` different people; -1 if none.

    Shape (values + 1,); ends are exclusive. ``who`` is the person of each value: persons 0, 1, 1, 2 and 2 people give
    -1, -1, 0, 0, 2.
    """
    latest = np.full(len(who) + 1, -1, dtype=np.int64)
    inside = [0] * (int(who.max(initial=-1)) + 1)
    persons = who.tolist()
    different = start = 0
    for end, person in enumerate(persons, start=1):
        if end % 100_000 == 0:
            progress.check()
        different += inside[person] == 0
        inside[person] += 1
        while different > people or inside[persons[start]] > 1:
            inside[persons[start]] -= 1
            different -= inside[persons[start]] == 0
            start += 1
        if different >= people:
            latest[end] = start
    return latest
