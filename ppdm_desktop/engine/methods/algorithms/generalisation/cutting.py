"""Cuts the records into classes along their columns, all classes of a round at once.

LeFevre, DeWitt & Ramakrishnan, "Mondrian Multidimensional K-Anonymity", ICDE 2006: a class is cut in two at the middle
of its widest column for as long as both parts stay large enough. Here a class must be as large as its most demanding
member demands. If the middle cannot be cut, the cut nearest to it that leaves large enough parts is taken. If a part is
refused for another reason (diversity), the next widest columns are tried, and then cuts away from the middle. A round
cuts every class by array operations, so that the time depends on the depth of the cuts and not on their number.

The first part measures the diversity of confidential values in a class: l-diversity and t-closeness. Machanavajjhala et
al., TKDD 2007 (distinct and entropy l-diversity); Li, Li & Venkatasubramanian, ICDE 2007 (t-closeness: earth mover's
distance, every step of an ordered column as long as every other, any two categories of an unordered one equally far).
Missing counts as a value, before all others.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools, Floats, Ints
from ppdm_desktop.engine.identifiability.classes import Classes, classes_of_codes
from ppdm_desktop.engine.identifiability.diversity import (
    ValueCounts,
    closeness_nominal,
    closeness_ordered,
    count_distinct_values,
    entropy_values,
)
from ppdm_desktop.engine.methods.algorithms.generalisation.scales import Scale
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.people import People

# --- diversity ----------------------------------------------------------------------------

DISTINCT, ENTROPY = "distinct", "entropy"
_CLOSE = 1e-9


@dataclass(frozen=True, eq=False)
class Secret:
    """The values of a confidential column.

    Attributes
    ----------
    name
        Name of the column.
    codes
        int64, shape (records,): code of each value from 0 on, in the column's order if it has one.
    shares
        float64: share of each value in the whole table.
    ordered
        Whether distances between values follow their order.
    people
        The person of each row; a value that a person has in several rows of a class counts once.
    """

    name: str
    codes: Ints
    shares: Floats
    ordered: bool
    people: People

    @classmethod
    def of(cls, column: Column, people: People) -> Secret:
        """Return a column's values as codes, with each value's share of the table; missing has a code of its own.

        If people have several rows, a value counts once in its share for each person who has it.
        """
        present, codes = np.unique(column.category_codes, return_inverse=True)
        codes = codes.reshape(-1).astype(np.int64)
        counted = codes
        if people.with_several:
            counted = np.unique(people.of_row * max(len(present), 1) + codes) % max(len(present), 1)
        shares = np.bincount(counted, minlength=len(present)) / max(len(counted), 1)
        return cls(column.name, codes, shares, column.kind in ("numeric", "ordinal", "date"), people)

    def counts(self, classes: Classes, rows: Ints) -> ValueCounts:
        """Return how often each value occurs in each class of the rows; equal values of one person count once.

        ``rows`` are row indexes, and ``classes`` has the class of each of them, in this order.
        """
        if not self.people.with_several:
            return ValueCounts.of_ranks(classes, self.codes[rows], self.shares)
        of_class, _, value = self._list_person_values(classes, rows)
        return ValueCounts.of_ranks(Classes(of_class, classes.count), value, self.shares)

    def distinct(self, counts: ValueCounts, classes: Classes, rows: Ints, least: float) -> Ints:
        """Return how many different values each class of the rows shows, int64, shape (classes,), given its ``counts``.

        If people have several rows, it is the largest number of values that so many different people hold, one each (a
        matching of people and values), so that one person's rows alone do not make a class diverse. A number is exact
        only as far as needed to say whether it reaches ``least``.
        """
        if not self.people.with_several:
            return count_distinct_values(counts)
        of_class, person, value = self._list_person_values(classes, rows)
        width, people = max(len(self.shares), 1), max(self.people.count, 1)
        there = np.unique(of_class * people + person) // people
        distinct = np.minimum(count_distinct_values(counts), np.bincount(there, minlength=classes.count)).astype(
            np.int64
        )
        if least <= 2:
            return distinct
        open_ones = (distinct >= min(least, 3)) & (distinct > 2)
        asked = np.flatnonzero(open_ones[of_class])
        if not len(asked):
            return distinct
        from scipy.sparse import csr_array  # late: SciPy takes longer to load than most commands to run
        from scipy.sparse.csgraph import maximum_bipartite_matching

        pair, kind = np.unique(of_class[asked] * width + value[asked], return_inverse=True)
        whose, person_index = np.unique(of_class[asked] * people + person[asked], return_inverse=True)
        cells = (kind.reshape(-1), person_index.reshape(-1))
        graph = csr_array((np.ones(len(asked), dtype=np.int8), cells), shape=(len(pair), len(whose)))
        matched = np.asarray(maximum_bipartite_matching(graph, perm_type="column")) >= 0
        matched_values = np.bincount(pair[matched] // width, minlength=classes.count)
        return np.where(open_ones, matched_values, distinct).astype(np.int64)

    def reachable(self, kind: str, asked: float) -> float:
        """Return the diversity of the whole table, which is the most that can be demanded of every class.

        For the kind ``distinct`` it is the number of different values, otherwise the exponential of the entropy.
        ``asked`` is the diversity up to which the result must be exact.
        """
        if kind != DISTINCT:
            shares = self.shares[self.shares > 0]
            return math.exp(float(-(shares * np.log(shares)).sum()))
        whole, rows = Classes(np.zeros_like(self.codes), 1), np.arange(len(self.codes))
        return float(self.distinct(self.counts(whole, rows), whole, rows, asked)[0])

    def _list_person_values(self, classes: Classes, rows: Ints) -> tuple[Ints, Ints, Ints]:
        """Return all triples (class, person, value) that occur in the rows, once each, as three arrays.

        They are sorted by class, then by person, then by value.
        """
        width, people = max(len(self.shares), 1), max(self.people.count, 1)
        triples = np.unique((classes.ids * people + self.people.of_row[rows]) * width + self.codes[rows])
        return triples // width // people, triples // width % people, triples % width

    def distance(self, counts: ValueCounts) -> Floats:
        """Return the earth mover's distance of each class's values from the whole table, 0 to 1, shape (classes,)."""
        return closeness_ordered(counts) if self.ordered else closeness_nominal(counts)


@dataclass(frozen=True)
class Diversity:
    """The diversity of confidential values that every class must have in each column.

    Attributes
    ----------
    l
        Smallest number of different values; 1 demands nothing.
    kind
        ``distinct`` (values are counted) or ``entropy`` (exponential of the entropy).
    t
        Largest distance from the whole table, 0 to 1; None demands nothing.
    most
        Share of a group that may not have the same value, as in (alpha, k)-anonymity (Wong, Li, Fu & Wang, KDD 2006). A
        value that such a share of all people have does not count. None demands nothing.
    """

    l: float  # noqa: E741 - the field's name for it
    kind: str
    t: float | None
    most: float | None = None

    @property
    def asks(self) -> bool:
        """Whether anything is demanded of the confidential values of a group."""
        return self.l > 1 or self.t is not None or self.most is not None

    def broken(self, secret: Secret, group: Ints, count: int) -> Bools:
        """Return which groups lack the required diversity in a column, bool, shape (count,).

        A group lacks it if it has fewer than ``l`` values (by number, or effectively by their entropy), a distance
        above ``t`` from the whole table, or a value that at least the share ``most`` has (unless this share of all
        people have it). Empty groups lack nothing.

        Parameters
        ----------
        secret
            The values of the confidential column.
        group
            Index of each record's group, below ``count``; records of group -1 are ignored.
        """
        broken = np.zeros(count, dtype=np.bool_)
        inside = np.flatnonzero(group >= 0)
        classes = Classes(group[inside], count)
        filled = classes.sizes > 0
        counts = secret.counts(classes, inside)
        if self.l > 1:
            distinct = self.kind == DISTINCT
            reached = secret.distinct(counts, classes, inside, self.l) if distinct else entropy_values(counts)
            broken |= filled & (reached < self.l - _CLOSE)
        if self.t is not None:
            broken |= filled & (secret.distance(counts) > self.t + _CLOSE)
        if self.most is not None:
            is_dominated = (counts.share >= self.most - _CLOSE) & (counts.overall[counts.value] < self.most - _CLOSE)
            broken[counts.of[is_dominated]] = True
        return broken


# --- cutting ------------------------------------------------------------------------------

Refuses = Callable[[Ints, int], Bools]
"""A function of each record's part (-1 for none) and the number of parts, which returns which parts are not allowed."""

_DOING = "progress.method.groups"
_SHARES = (0.5, 0.35, 0.65, 0.2, 0.8, 0.1, 0.9)
"""Shares of a class that a cut may leave on its lower side, in the order in which they are tried."""


@dataclass(frozen=True, eq=False)
class _Units:
    """The units that are never split: single records or people or, in strict cuts, all records with the same values.

    Attributes
    ----------
    codes
        int64, shape (columns, units): code of each unit's value.
    weights, demands
        Number of records of each unit, and the largest group size that one of them demands.
    of_record
        Unit of each record.
    who
        Person of each unit if several units can belong to one person; None otherwise.
    """

    codes: Ints
    weights: Ints
    demands: Ints
    of_record: Ints
    who: Ints | None = None


@dataclass(frozen=True, eq=False)
class _Round:
    """The classes at the start of a round of cuts.

    Attributes
    ----------
    members, starts
        Units grouped by class, rising inside each, and where each class begins.
    sizes
        Number of people in each class.
    widths, levels
        Width of each column in each class (0 to 1, or more with missing values), and the level of its hierarchy at
        which it can be cut, shape (classes, columns).
    """

    members: Ints
    starts: Ints
    sizes: Ints
    widths: Floats
    levels: Ints

    @property
    def owner(self) -> Ints:
        """Class of each entry of ``members``, int64, shape (members,)."""
        return np.repeat(np.arange(len(self.starts)), np.diff(np.append(self.starts, len(self.members))))


def cut_classes(
    scales: Sequence[Scale], demands: Ints, *, strict: bool, refuses: Refuses | None, people: People
) -> Ints:
    """Return the class of each record, int64 from 0, shape (records,), cut by Mondrian.

    All records start as one class. Each class is cut in two along its widest column that can be cut, as near to the
    middle as possible and, if ``refuses`` forbids that in all columns, nearer to an end, until none can be cut so that
    both parts are large enough for their members. A class whose members agree in all columns is not cut. A class is as
    large as the number of its different people. If recipients can link the rows of a person, people are cut instead of
    rows, and only people with equally many rows can be in one class.

    Parameters
    ----------
    scales
        The columns with the order of their values.
    demands
        Group size that each record demands; the whole table is large enough for every one.
    strict
        If True, records with the same value in a column are never separated by a cut of it. If False, they may be, by
        row number, if their class has no other cut left and the column has no hierarchy.
    refuses
        Function from the group of each record (-1 for none) and the number of groups to which groups are not allowed,
        whatever their size; None if only the size counts.
    people
        The person of each row. If their rows can be linked, each column is the same in all rows of a person.
    """
    rows = len(demands)
    if not rows:
        return np.zeros(0, dtype=np.int64)
    kept = _to_single_units(scales, demands, people) if people.with_several else _to_merged_units(scales, demands)
    whole = np.zeros(len(kept.weights), dtype=np.int64)
    if people.linked:
        whole = np.unique(people.sizes, return_inverse=True)[1].reshape(-1).astype(np.int64)
    half = progress.part(0.0, 1.0) if strict else progress.part(0.0, 0.5)
    coarse = half.run(_cut_until_done, *_sort_by_part(whole), scales, kept, (True,), refuses)
    if strict:
        return coarse[kept.of_record]
    # What cannot be cut between different values is cut among equal ones; then the rest may be again.
    units = kept
    if not people.with_several:
        coarse, units = coarse[kept.of_record], _to_single_units(scales, demands, people)
    return progress.part(0.5, 1.0).run(_cut_until_done, *_sort_by_part(coarse), scales, units, (True, False), refuses)[
        units.of_record
    ]


def _sort_by_part(part: Ints) -> tuple[Ints, Ints]:
    """Return the indexes of units sorted by part (rising inside each part), and where each part begins.

    ``part`` is the part of each unit, 0 and up without gaps. A unit is a record, a person, or equal records.
    """
    sizes = np.bincount(part)
    return np.argsort(part, kind="stable"), np.cumsum(sizes) - sizes


def _cut_until_done(
    members: Ints,
    starts: Ints,
    scales: Sequence[Scale],
    units: _Units,
    manners: Sequence[bool],
    refuses: Refuses | None,
) -> Ints:
    """Return the class of each unit, int64 from 0, shape (units,), after cutting classes for as long as any can be cut.

    A unit is a record, a person, or a set of records with equal values.

    Parameters
    ----------
    members, starts
        Units grouped by class, rising inside each, and where each class begins.
    manners
        Ways of cutting, tried in turn for each class: True allows cuts only between different values, False any cut.
    refuses
        As in `cut_classes`.
    """
    rows = int(units.weights.sum())
    class_of = np.zeros(len(units.weights), dtype=np.int64)
    made = done = 0
    while True:
        progress.report(done / rows, _DOING)
        round_ = _measure_classes(members, starts, scales, units)
        split = np.zeros(len(members), dtype=np.int8)
        solved = np.zeros(len(starts), dtype=np.bool_)
        for strict in manners:
            _cut_each_class(round_, scales, units, strict, refuses, split, solved)
        owner = round_.owner
        final = ~solved
        number = np.cumsum(final) - 1 + made
        ends = final[owner]
        class_of[members[ends]] = number[owner[ends]]
        made += int(final.sum())
        done += int(units.weights[members[ends]].sum())
        if not solved.any():
            return class_of
        key = 2 * owner[~ends] + split[~ends]
        order = np.argsort(key, kind="stable")
        members, key = members[~ends][order], key[order]
        starts = np.flatnonzero(np.concatenate([[True], key[1:] != key[:-1]]))


def _to_single_units(scales: Sequence[Scale], demands: Ints, people: People) -> _Units:
    """Return one unit for each record, or for each person if recipients can link the rows of a person."""
    rows = len(demands)
    codes = np.array([scale.codes for scale in scales]).reshape(len(scales), rows)
    if not people.linked:
        who = people.of_row if people.with_several else None
        return _Units(codes, np.ones(rows, dtype=np.int64), demands, np.arange(rows), who)
    first = people.first_rows
    return _Units(codes[:, first], np.ones(people.count, dtype=np.int64), demands[first], people.of_row)


def _to_merged_units(scales: Sequence[Scale], demands: Ints) -> _Units:
    """Return one unit for each set of records with the same values, with the largest demand of its records."""
    rows = len(demands)
    classes = classes_of_codes([scale.codes for scale in scales], rows)
    first = np.full(classes.count, rows, dtype=np.int64)
    np.minimum.at(first, classes.ids, np.arange(rows))
    asked = np.zeros(classes.count, dtype=np.int64)
    np.maximum.at(asked, classes.ids, demands)
    codes = np.array([scale.codes[first] for scale in scales]).reshape(len(scales), classes.count)
    return _Units(codes, classes.sizes, asked, classes.ids)


def _measure_classes(members: Ints, starts: Ints, scales: Sequence[Scale], units: _Units) -> _Round:
    """Return the classes with their sizes in people and the width of each column in each class, from 0 to about 1.

    A column is as wide as the distance of its highest from its lowest value in the class, compared with the whole
    column. As missing counts as a value before all others, the width of a class with missing values may exceed 1. A
    column with a hierarchy is as wide as the number of values below the lowest node that the whole class shares, less
    1, compared with all values; it can be cut at the level below this node. ``members`` are units grouped by class and
    ``starts`` where each class begins.
    """
    if units.who is None:
        sizes = np.add.reduceat(units.weights[members], starts)
    else:
        part_of = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(members))))
        sizes = _count_people_by_side(part_of, units.who[members])[0][np.append(starts[1:], len(members)) - 1]
    widths = np.zeros((len(starts), len(scales)))
    levels = np.zeros((len(starts), len(scales)), dtype=np.int64)
    for axis, scale in enumerate(scales):
        codes = units.codes[axis][members]
        low, high = np.minimum.reduceat(codes, starts), np.maximum.reduceat(codes, starts)
        if scale.ancestors is None:
            widths[:, axis] = scale.places[high] - scale.places[low]
            continue
        shared = np.array([row[low] == row[high] for row in scale.ancestors])
        top = np.argmax(shared, axis=0)
        levels[:, axis] = np.maximum(top - 1, 0)
        for level in range(1, len(scale.ancestors)):
            at = top == level
            leaves = np.bincount(scale.ancestors[level])
            widths[at, axis] = (leaves[scale.ancestors[level][low[at]]] - 1) / max(len(scale.texts) - 1, 1)
    return _Round(members, starts, sizes, widths, levels)


def _cut_each_class(
    round_: _Round,
    scales: Sequence[Scale],
    units: _Units,
    strict: bool,
    refuses: Refuses | None,
    split: npt.NDArray[np.int8],
    solved: Bools,
) -> None:
    """Cut each class in two along its widest column that can be cut; ``split`` and ``solved`` are changed in place.

    Cuts are tried near the middle of all columns, the widest first, and then, with ``refuses``, nearer to an end. Both
    parts are large enough for their members and not refused. ``split`` becomes 1 for members of the second part and 0
    for the others. ``solved`` becomes True for classes that were cut; classes for which it is True already are skipped.
    With ``strict``, no cut goes between equal values.
    """
    wanted = units.demands[round_.members]
    least = np.maximum.reduceat(wanted, round_.starts)
    if units.who is None:
        # Both sides together; a person with several rows can be on both.
        least = least + np.minimum.reduceat(wanted, round_.starts)
    large = (round_.sizes >= least) & ~solved
    ranking = np.argsort(-round_.widths, axis=1, kind="stable")
    owner = round_.owner
    for share, turn in itertools.product(_SHARES if refuses is not None else _SHARES[:1], range(len(scales))):
        progress.check()
        pending = np.flatnonzero(large & ~solved)
        pending = pending[round_.widths[pending, ranking[pending, turn]] > 0]
        if not len(pending):
            continue
        local = np.full(len(round_.starts), -1, dtype=np.int64)
        local[pending] = np.arange(len(pending))
        part = local[owner]
        at = np.flatnonzero(part >= 0)
        part = part[at]
        units_at = round_.members[at]
        axis = ranking[pending, turn]
        values, firm = _find_cut_values(scales, units, units_at, part, axis, round_.levels[pending, axis], strict)
        order = np.argsort(part * (int(values.max()) + 1) + values, kind="stable")
        at, units_at, values, firm = at[order], units_at[order], values[order], firm[part]
        if units.who is None:
            sides = _count_records_by_side(part, units.weights[units_at], round_.sizes[pending])
        else:
            sides = _count_people_by_side(part, units.who[units_at])
        last = _find_best_cuts(part, values, firm, units.demands[units_at], sides, len(pending), share)
        right = np.arange(len(at)) > last[part]
        good = last >= 0
        if refuses is not None and good.any():
            good &= _find_allowed_cuts(refuses, units, units_at, part, right, good)
        kept = good[part]
        split[at[kept]] = right[kept]
        solved[pending[good]] = True


def _find_cut_values(
    scales: Sequence[Scale], units: _Units, members: Ints, part: Ints, axis: Ints, level: Ints, strict: bool
) -> tuple[Ints, Bools]:
    """Return each member's rank in the column that cuts its class, and for each class whether cuts keep ties together.

    Where they do, equal values stay on one side of a cut: with ``strict`` in every class, otherwise in those cut by a
    column with a hierarchy, in which the rank is the number of the member's node at ``level``. ``part`` is the class of
    each member; ``axis`` and ``level`` are the column of each class and the level of its hierarchy.
    """
    values = np.zeros(len(members), dtype=np.int64)
    firm = np.full(len(axis), strict, dtype=np.bool_)
    for axis_index, scale in enumerate(scales):
        mine = axis == axis_index
        if not mine.any():
            continue
        here = np.flatnonzero(mine[part])
        codes = units.codes[axis_index][members[here]]
        if scale.ancestors is not None:
            codes = scale.ancestors[level[part[here]], codes]
            firm[mine] = True
        values[here] = codes
    return values, firm


def _count_records_by_side(part: Ints, weights: Ints, sizes: Ints) -> tuple[Ints, Ints]:
    """Return, for each member, the number of records of its class up to and including it, and after it.

    ``part`` is each member's class, sorted; ``weights`` is the number of records that each member stands for, ``sizes``
    that of each class.
    """
    running = np.cumsum(weights)
    starts = np.flatnonzero(np.concatenate([[True], part[1:] != part[:-1]]))
    left = running - (running[starts] - weights[starts])[part]
    return left, sizes[part] - left


def _count_people_by_side(part: Ints, who: Ints) -> tuple[Ints, Ints]:
    """Return, for each member, how many people of its class have a row up to and including it, and how many after it.

    A person with rows on both sides counts on both: a class with rows of people 1, 2 and 1 gives 1, 2, 2 and 2, 1, 0.
    ``part`` is the class of each member, sorted, and ``who`` its person.
    """
    key = part * (int(who.max()) + 1) + who
    order = np.argsort(key, kind="stable")
    is_first = np.concatenate([[True], key[order][1:] != key[order][:-1]])
    comes, goes = np.zeros(len(key), dtype=np.int64), np.zeros(len(key), dtype=np.int64)
    comes[order[is_first]] = 1
    goes[order[np.append(is_first[1:], True)]] = 1
    starts = np.flatnonzero(np.concatenate([[True], part[1:] != part[:-1]]))
    people = np.add.reduceat(comes, starts)
    return _count_records_by_side(part, comes, people)[0], _count_records_by_side(part, goes, people)[1]


def _find_best_cuts(
    part: Ints, values: Ints, firm: Bools, demands: Ints, sides: tuple[Ints, Ints], count: int, share: float = 0.5
) -> Ints:
    """Return, for each class, the index of the last member before the best cut; -1 if no cut is allowed.

    Indexes count the members of all classes together. The best cut leaves as nearly as possible the given ``share`` of
    the class's people on its lower side; of equal cuts, the lower one is taken. Both sides must have as many people as
    each of their members demands.

    Parameters
    ----------
    part, values, demands
        Class, value and demanded group size of each member, sorted by class and value.
    firm
        For each class, whether no cut may go between equal values.
    sides
        For each member, the number of people up to it, and after it.
    count
        Number of classes.
    """
    left, right = sides
    most = int(demands.max()) + 1
    below = np.maximum.accumulate(part * most + demands) - part * most
    turned = (count - 1 - part[::-1]) * most
    above = (np.maximum.accumulate(turned + demands[::-1]) - turned)[::-1]
    ok = np.zeros(len(part), dtype=np.bool_)
    ok[:-1] = (part[1:] == part[:-1]) & ((values[1:] != values[:-1]) | ~firm[:-1])
    ok[:-1] &= (left[:-1] >= below[:-1]) & (right[:-1] >= above[1:])
    cuts = np.full(count, -1, dtype=np.int64)
    places = np.flatnonzero(ok)
    if not len(places):
        return cuts
    owners = part[places]
    off_share = np.rint(2000 * np.abs((1 - share) * left[places] - share * right[places])).astype(np.int64)
    key = off_share * len(part) + places
    first = np.flatnonzero(np.concatenate([[True], owners[1:] != owners[:-1]]))
    cuts[owners[first]] = np.minimum.reduceat(key, first) % len(part)
    return cuts


def _find_allowed_cuts(refuses: Refuses, units: _Units, members: Ints, part: Ints, right: Bools, good: Bools) -> Bools:
    """Return which cuts leave two parts that are not refused, bool, shape (cuts,).

    Parameters
    ----------
    members, part, right
        Units of all classes to be cut, the cut of each, and whether it is in the second part.
    good
        Which cuts are tried at all; the others are not allowed.
    """
    side = np.full(len(units.weights), -1, dtype=np.int64)
    mine = good[part]
    side[members[mine]] = 2 * part[mine] + right[mine]
    bad = refuses(side[units.of_record], 2 * len(good))
    return np.asarray(~(bad[0::2] | bad[1::2]))
