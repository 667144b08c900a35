"""The records that take part in a swap, and how many of them change; both are decided before any search.

The module finds the people whose confidential value the table reveals, draws which members of groups change, and
computes naive Bayes posteriors of a confidential column (Li & Sarkar 2004, equation 10).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import AnyInts, Bools, Floats, Ints
from ppdm_desktop.engine.identifiability.classes import Classes, count_class_people, group_people_by_rows, pure_classes
from ppdm_desktop.engine.methods.algorithms.swapping.balance import least_departure
from ppdm_desktop.engine.methods.algorithms.swapping.demands import (
    LevelDemand,
    changes_due,
    compute_largest_share,
    members_due,
    possible_changes,
)
from ppdm_desktop.engine.methods.algorithms.swapping.open_values import (
    Pool,
    find_greatest_changes,
    find_largest_changes,
    find_most_open_changes,
    group_pool,
    least_open_departure,
)
from ppdm_desktop.engine.methods.algorithms.swapping.problem import GROUP_MEMBER
from ppdm_desktop.engine.methods.algorithms.swapping.shuffled import rank_within, shuffle_by_keys
from ppdm_desktop.engine.methods.base.step import Settings
from ppdm_desktop.engine.randomness import RandomStream
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.levels import RecordLevels
from ppdm_desktop.engine.table.people import People

_CHUNK = 65_536


def posterior(
    quasi: Sequence[AnyInts],
    truth: AnyInts,
    categories: int,
    classes: Classes,
    rows: Ints,
    weights: Floats | None = None,
    views: Sequence[Ints] = (),
) -> Floats:
    """Return estimates of P(category | quasi-identifiers) for some records, float64, shape (wanted, categories).

    Priors and conditionals are relative frequencies over all records that have a value in the confidential column,
    identifiable or not, the record itself included, without smoothing; this reproduces the paper's Table 3 (its
    Appendix B misprints one count).

    Parameters
    ----------
    quasi
        Codes of each quasi-identifier, shape (records,) each, -1 where missing (a value of its own).
    truth
        Category of each record, -1 where missing.
    categories
        Number of categories, each of which at least one record has.
    classes
        Records grouped by equal quasi-identifiers.
    rows
        Records whose posterior is wanted, shape (wanted,); each must have a value.
    weights
        What each record counts for, above 0; 1 if left out.
    views
        If categories are combinations of several columns' values, the category of each column in every combination.
        Then P(combination | x) is in proportion to P(combination) · Π P(x | value) over all pairs of an attribute and a
        column, because a combination itself occurs too rarely with each value of an attribute.

    Returns
    -------
    Array of shape (wanted, categories), each row summing to 1.
    """
    present = truth >= 0
    labels = truth[present].astype(np.int64)
    weighing = None if weights is None else weights[present]
    counts = np.bincount(labels, weighing, categories)
    total = len(labels) if weighing is None else float(counts.sum())
    tables = []
    for codes in quasi:
        shifted = codes.astype(np.int64) + 1
        width = int(shifted.max(initial=0)) + 1
        for view in views or (None,):
            seen_labels, many = (labels, categories) if view is None else (view[labels], int(view.max(initial=0)) + 1)
            cells = np.bincount(shifted[present] * many + seen_labels, weighing, width * many)
            of_value = counts if view is None else np.bincount(view, counts, many)
            with np.errstate(divide="ignore"):
                table = np.log(cells.reshape(width, many)) - np.log(of_value)
            tables.append((shifted, table if view is None else table[:, view]))
        progress.check()
    # One computation for each distinct pattern: equal patterns get equal bits, hence equal costs.
    ids = classes.ids[rows]
    first = np.full(classes.count, -1, dtype=np.int64)
    first[ids[::-1]] = rows[::-1]
    patterns = first[first >= 0]
    class_index = np.cumsum(first >= 0) - 1
    shares = np.empty((len(patterns), categories))
    with np.errstate(divide="ignore", invalid="ignore"):
        # Where nobody has a value there is no row to work out either.
        prior = np.log(counts) - np.log(total)
    for start in range(0, len(patterns), _CHUNK):
        progress.check()
        here = patterns[start : start + _CHUNK]
        log_joint = np.tile(prior, (len(here), 1))
        for shifted, table in tables:
            log_joint += table[shifted[here]]
        # A record's own category was seen with each of its values, so no row is -inf throughout.
        log_joint -= log_joint.max(axis=1, keepdims=True, initial=-np.inf)
        joint = np.exp(log_joint)
        shares[start : start + _CHUNK] = joint / joint.sum(axis=1, keepdims=True)
    return np.asarray(shares[class_index[ids]])


def posterior_drop(probabilities: Floats, truth: AnyInts) -> Floats:
    """Return d(t, c) = p(t | x) - p(c | x), the cost of releasing c instead of t (equation 11); (records, categories).

    Parameters
    ----------
    probabilities
        Posteriors, shape (records, categories).
    truth
        True category of the same records.
    """
    true_probability = probabilities[np.arange(len(truth)), truth]
    return np.asarray(true_probability[:, None] - probabilities)


@dataclass(frozen=True, eq=False)
class Identified:
    """The people whose value in a confidential column the table reveals: the paper's sets U and V. Records are people.

    Attributes
    ----------
    unique
        Indexes of the unique records (U), who share their quasi-identifiers with nobody; rising.
    collective
        Indexes of the members of groups (V), in which all have the same quasi-identifiers and value; rising.
    group
        Group of each record of ``collective``, from 0 to groups-1.
    groups
        Number of groups (the paper's G).
    unidentifiable, no_value
        Number of records that are neither unique nor in a group, with and without a value.
    """

    unique: Ints
    collective: Ints
    group: Ints
    groups: int
    unidentifiable: int
    no_value: int

    def flag_treated(self, *, with_groups: bool = True) -> Bools:
        """Return which people are unique or, if ``with_groups``, in a group; bool, shape (people,)."""
        people = len(self.unique) + len(self.collective) + self.unidentifiable + self.no_value
        treated = np.zeros(people, dtype=np.bool_)
        treated[self.unique] = True
        treated[self.collective] = with_groups
        return treated

    @property
    def sizes(self) -> Ints:
        """Number of records in each group, int64, shape (groups,)."""
        return np.bincount(self.group, minlength=self.groups).astype(np.int64)


def _find_revealing_classes(classes: Classes, truth: AnyInts, views: Sequence[Ints]) -> Bools:
    """Return for each class, bool, whether all members have the same value in one of the swapped columns.

    A class with one member is marked, too, if it has a value; a class with a member without a value is not.
    """
    if not views:
        return pure_classes(classes, truth)
    present = np.asarray(truth) >= 0
    seen = (np.where(present, view[np.maximum(truth, 0)], -1) for view in views)
    return np.asarray(np.logical_or.reduce([pure_classes(classes, codes) for codes in seen]))


def find_identified_people(classes: Classes, truth: AnyInts, people: People, views: Sequence[Ints] = ()) -> Identified:
    """Return the people whose value in a column the table reveals (sets U and V of Li & Sarkar 2004, definition 2).

    A person with a row in whose class nobody else has a row is unique (U). The others in a class of several people who
    all have the same value are a group (V); a person in several such classes belongs to the one with the fewest people,
    in a tie to that of their first row. If recipients can link a person's rows, classes are those of people with equal
    sets of rows (in the same order if the order tells something). The result also counts the groups, and the others
    with and without a value. People without a value are in neither set, and there is no group in their classes. All
    indexes are those of people.

    Parameters
    ----------
    classes
        Rows grouped by equal quasi-identifiers.
    truth
        Category of each person, the same in all their rows, -1 where missing.
    people
        The person of each row.
    views
        If categories are combinations of several columns' values, the category of each column in every combination. A
        class whose members have the same value in any of these columns is a group.
    """
    if people.linked:
        classes, people = group_people_by_rows(classes, people, ordered=people.in_order), People.identity(people.count)
    inside = count_class_people(classes, people)[classes.ids]
    is_revealing = _find_revealing_classes(classes, truth[people.of_row], views)[classes.ids] & (inside > 1)
    has_value = np.asarray(truth) >= 0
    is_unique = people.with_any(inside == 1) & has_value
    fewest = people.first_by(~is_revealing, inside)
    collective = np.flatnonzero(is_revealing[fewest] & ~is_unique)
    names, group = np.unique(classes.ids[fewest[collective]], return_inverse=True)
    unique = np.flatnonzero(is_unique)
    no_value = int(np.count_nonzero(~has_value))
    rest = people.count - len(unique) - len(collective) - no_value
    return Identified(unique, collective, group.astype(np.int64).reshape(-1), len(names), rest, no_value)


def group_level(identified: Identified, level: AnyInts) -> Ints:
    """Return the privacy level of the strictest member of each group, an index, shape (groups,).

    Members with the levels 0, 2 and 1 give 2.
    """
    highest = np.zeros(identified.groups, dtype=np.int64)
    np.maximum.at(highest, identified.group, level[identified.collective])
    return highest


def draw_member_counts(identified: Identified, level: Ints, shares: Sequence[Fraction], drawn: Floats) -> Ints:
    """Return how many members of each group change: a share of them, at least one; int64, shape (groups,).

    Share times size is rounded up if the drawn number is below the fraction, otherwise down: 2.5 members become 3 if it
    is below 0.5, else 2.

    Parameters
    ----------
    identified
        The groups.
    level
        Privacy level of each group's strictest member, an index into ``shares``.
    shares
        Share of a group's members that change, by privacy level. With a share of 0 exactly one member changes.
    drawn
        Uniform random numbers, one for each group.
    """
    sizes = identified.sizes
    due = np.ones(identified.groups, dtype=np.int64)
    for index, share in enumerate(shares):
        here = level == index
        due[here] = members_due(share, sizes[here], drawn[here])
    return due


def draw_members(identified: Identified, due: Ints, stream: RandomStream) -> Ints:
    """Return the indexes of the people, rising, who change in each group, drawn uniformly among its members.

    ``due`` is the number of members of each group that change. A choice by row order or posterior would reveal them.
    """
    order = shuffle_by_keys(identified.group, stream)
    groups = identified.group[order]
    return np.sort(identified.collective[order[rank_within(groups) < due[groups]]])


Streams = Callable[[str], RandomStream]

# What stricter levels change depends on the share chosen and the other way round: so often it is looked at again.
_ROUNDS = 10
# Share of all records by which leaving values open may move the totals, before fewer records change instead.
_DRIFT = 0.01


@dataclass(frozen=True, eq=False)
class ColumnInput:
    """The input of a swap of one column, or of several together. Records are people.

    Attributes
    ----------
    truth
        Category of each record, -1 where missing.
    categories
        Number of categories.
    quasi
        Codes of each quasi-identifier in each row, -1 where missing.
    classes
        Rows grouped by equal quasi-identifiers.
    level
        Privacy level of each record, 0 for the weakest.
    people
        The person of each row.
    views
        If several columns are swapped together, each column's category in every combination; the combinations are the
        categories then. Empty for one column.
    """

    truth: Ints
    categories: int
    quasi: Sequence[AnyInts]
    classes: Classes
    level: Ints
    people: People
    views: tuple[Ints, ...] = ()

    def identified(self) -> Identified:
        """Return the people whose value the table reveals: unique people, and groups that all have the same value.

        Of several columns swapped together, the same value in one of them is enough.
        """
        return find_identified_people(self.classes, self.truth, self.people, self.views)

    def posterior(self, records: Ints) -> Floats:
        """Return estimates of P(category | quasi-identifiers) for some people, float64, shape (people, categories).

        Each of these people must have a value, and ``records`` are their indexes.

        Each row of a person with several rows weighs 1 / number of rows, both in the estimate and in the mean over the
        rows that stands for the person. Combinations of columns are estimated from pairs of an attribute and a column,
        and from how often each combination occurs.
        """
        if not self.people.with_several:
            return posterior(self.quasi, self.truth, self.categories, self.classes, records, views=self.views)
        people = self.people
        wanted = np.zeros(people.count, dtype=np.bool_)
        wanted[records] = True
        rows = np.flatnonzero(wanted[people.of_row])
        rows = rows[np.argsort(people.of_row[rows], kind="stable")]
        truth, weights = self.truth[people.of_row], (1.0 / people.sizes)[people.of_row]
        shares = posterior(self.quasi, truth, self.categories, self.classes, rows, weights, self.views)
        if not len(rows):
            return shares
        sizes = people.sizes[wanted]
        means = np.add.reduceat(shares, np.cumsum(sizes) - sizes, axis=0) / sizes[:, None]
        return np.asarray(means[(np.cumsum(wanted) - 1)[records]])


@dataclass(frozen=True, eq=False)
class Members:
    """The participants of a swap and the number of changes, drawn before any search, so that searches can be compared.

    Attributes
    ----------
    identified
        The people whose value the table reveals.
    demands
        What each privacy level demands, with the share that is used.
    level_sizes, changes
        Number of unique records of each level, and how many of them must change.
    group_due
        Number of members that change in each group.
    group_shares
        Share of members that change, for each level; 0 stands for one member.
    rows
        Records that may change: the drawn group members, then unique records sorted by level.
    demand
        Level of each of these, or GROUP_MEMBER.
    level
        Level of each of these; for a group's member, that of the group's strictest member.
    pools
        Unique records by level, then group members by level, each with its rule for keeping values open; empty if
        values are not kept open on purpose.
    """

    identified: Identified
    demands: tuple[LevelDemand, ...]
    level_sizes: Ints
    changes: Ints
    group_due: Ints
    group_shares: tuple[Fraction, ...]
    rows: Ints
    demand: Ints
    level: Ints
    pools: tuple[Pool, ...] = ()

    @property
    def is_open(self) -> tuple[bool, ...]:
        """For each privacy level, whether the shown values of its unique records are kept open.

        A value is open if at least a tenth of those who show it have it, and at least a tenth do not. It is False for a
        level in which nobody has to change, or no number of changes leaves all values open; all are False if values are
        not kept open on purpose.
        """
        if not self.pools:
            return (False,) * len(self.demands)
        return tuple(pool.to_one is not None for pool in self.pools[: len(self.demands)])

    @property
    def used(self) -> tuple[Fraction, ...]:
        """Share of each privacy level's unique people that has to change: as demanded, or less if fewer of them change.

        Fewer change if more could not leave all shown values open (true for a tenth to nine tenths of those who show
        them); the share is then changes / unique people. A level without unique people has its demanded share.
        """
        fractions = []
        for demand, size, due in zip(self.demands, self.level_sizes.tolist(), self.changes.tolist()):
            as_asked = possible_changes(demand.swap, size)[0] <= due
            fractions.append(demand.swap if as_asked else Fraction(due, size))
        return tuple(fractions)


def draw_participants(
    column: ColumnInput,
    demands: Sequence[LevelDemand],
    streams: Streams,
    *,
    leave_open: bool = False,
    pooled: bool = True,
) -> Members:
    """Return which records may change, how many of them must, and which members of groups change.

    Members of groups come first, in the order of people, then unique records sorted by privacy level, and within a
    level in the order of people.

    Parameters
    ----------
    column
        The column.
    demands
        What each level demands.
    streams
        Function from a purpose to its random stream.
    leave_open
        Whether, at each level, only so many records change as leave all shown values open (a tenth to nine tenths
        true), if that is possible, and fewer still if the totals would otherwise change by much more than they must.
        The share that ``largest-balanced`` leaves to the program is chosen only then.
    pooled
        With ``leave_open``, whether the totals are those of unique records and groups together.
    """
    identified = column.identified()
    progress.check()
    # Each level counts for itself: levels that ask for the same share are not one pool, in which the
    # strictest few could go without.
    demand = column.level[identified.unique].astype(np.int64)
    sizes = np.bincount(demand, minlength=len(demands)).astype(np.int64)
    drawn = streams("count").uniform(len(demands))
    strictest = group_level(identified, column.level)
    shares = [demand.group_share for demand in demands]
    group_due = draw_member_counts(identified, strictest, shares, streams("group count").uniform(identified.groups))
    members = draw_members(identified, group_due, streams("members"))
    progress.check()
    of_member = strictest[identified.group[np.searchsorted(identified.collective, members)]]
    changes = np.array([changes_due(demand.swap, int(n), float(u)) for demand, n, u in zip(demands, sizes, drawn)])
    pools: tuple[Pool, ...] = ()
    if leave_open:
        unique = _count_by_level(column.truth[identified.unique], demand, len(demands), column.categories)
        moving = _count_by_level(column.truth[members], of_member, len(demands), column.categories)
        inside = _count_by_level(
            column.truth[identified.collective], strictest[identified.group], len(demands), column.categories
        )
        groups = [group_pool(holding, whole - holding) for holding, whole in zip(moving, inside)]
        if any(demand.follows for demand in demands):
            demands, unique_pools = _balance_demands(unique, demands, drawn, groups, pooled=pooled)
        else:
            unique_pools = [_open_level(holding, int(due)) for holding, due in zip(unique, changes)]
            unique_pools = _limit_changes(unique_pools, groups, int(np.count_nonzero(column.truth >= 0)), pooled=pooled)
        changes = np.array([pool.changes for pool in unique_pools])
        pools = (*unique_pools, *groups)
    progress.check()
    order = np.argsort(demand, kind="stable")
    return Members(
        identified,
        tuple(demands),
        sizes,
        changes.astype(np.int64),
        group_due,
        tuple(shares),
        np.concatenate([members, identified.unique[order]]),
        np.concatenate([np.full(len(members), GROUP_MEMBER, dtype=np.int64), demand[order]]),
        np.concatenate([of_member, demand[order]]),
        pools,
    )


def _count_by_level(truth: AnyInts, level: Ints, levels: int, categories: int) -> Ints:
    """Return the number of records by privacy level and category, int64, shape (levels, categories).

    ``truth`` and ``level`` are the category and level of each record; ``levels`` and ``categories`` are their numbers.
    """
    cells = np.bincount(level * categories + truth, minlength=levels * categories)
    return cells.reshape(levels, categories).astype(np.int64)


def _open_level(holding: Ints, due: int) -> Pool:
    """Return a privacy level's unique people as a pool, with as many of the due changes as keep all shown values open.

    A value is open if at least a tenth of those who show it have it, and at least a tenth do not. If no number of
    changes keeps all values open, all due changes are made without this rule. ``holding`` is the number of people by
    category.
    """
    changes, rule = find_most_open_changes(holding, due)
    return Pool(holding, np.zeros(len(holding), dtype=np.int64), changes, False, rule)


def _limit_changes(unique_pools: list[Pool], groups: Sequence[Pool], records: int, *, pooled: bool) -> list[Pool]:
    """Return the levels' pools, with fewer changes if keeping values open would otherwise change the totals too much.

    The totals may change as much as they must without that rule, plus by one in a hundred records. If they do not
    change more, or no plan was found, the pools are returned unchanged.

    Parameters
    ----------
    unique_pools
        Pools of the unique records of each privacy level.
    groups
        Pools of the members of groups.
    records
        Number of records with a value.
    pooled
        Whether the totals are those of unique records and groups together.
    """
    rule = least_open_departure([*unique_pools, *groups], pooled=pooled)
    available = np.array([pool.holding for pool in unique_pools])
    due = np.array([pool.changes for pool in unique_pools])
    forced = np.sum([pool.holding for pool in groups], axis=0)
    if pooled:
        free = least_departure(available, due, forced)
    else:
        free = least_departure(available, due, 0 * forced) + least_departure(0 * available, 0 * due, forced)
    if rule is None or rule <= free + 2 * _DRIFT * records:
        return unique_pools
    fewer = find_greatest_changes(unique_pools, groups, pooled=pooled)
    if fewer is None:
        return unique_pools
    return [replace(pool, changes=int(count)) for pool, count in zip(unique_pools, fewer)]


def _build_level_pools(
    unique: Ints, least_shares: Sequence[Fraction], follows: Sequence[bool], drawn: Floats, share: Fraction, most: int
) -> list[Pool]:
    """Return, for each privacy level, its unique records as a pool, with the number of changes that keeps values open.

    It is the largest such number up to the due one; if there is none, all due changes are made without this rule.

    Parameters
    ----------
    unique
        Number of records by level and category, shape (levels, categories).
    least_shares
        Smallest share of changes of each level.
    follows
        Which levels take the share that ``largest-balanced`` chooses; for these, ``most`` changes are due, or all
        records of the level if it has fewer.
    drawn
        A uniform random number for each level, by which a fraction is rounded.
    share
        Share chosen so far; in the other levels, the larger of it and their smallest share is due.
    """
    pools = []
    for holding, least, follow, uniform in zip(unique, least_shares, follows, drawn.tolist()):
        size = int(holding.sum())
        due = min(most, size) if follow else changes_due(max(least, share), size, uniform)
        pools.append(_open_level(holding, due))
    return pools


def _balance_demands(
    unique: Ints, demands: Sequence[LevelDemand], drawn: Floats, groups: Sequence[Pool], *, pooled: bool
) -> tuple[list[LevelDemand], list[Pool]]:
    """Return demands and pools with the largest share of changes that keeps the totals and leaves values open.

    The share is at most (C-1)/C for C categories, and changes at least one record. If no share keeps the totals, it is
    the one that changes them least. Stricter levels change the larger of it and their own share. Levels whose values
    cannot stay open change without this rule. If nobody is at a level that follows, or the first search found no plan,
    all levels have their own share. A value is open if at least a tenth of those who show it have it, and at least a
    tenth do not. There is one pool for each level; ``unique`` has shape (levels, categories).
    """
    sizes = unique.sum(axis=1)
    follows = [demand.follows for demand in demands]
    base = int(sizes[follows].sum())
    most = max(1, int(compute_largest_share(unique.shape[1]) * base))
    least_shares = [Fraction(0) if demand.follows else demand.swap for demand in demands]
    share = Fraction(0)
    for _ in range(_ROUNDS if base else 0):
        progress.check()
        pools = _build_level_pools(unique, least_shares, follows, drawn, share, most)
        solution = find_largest_changes(pools, groups, follows, most, pooled=pooled)
        if solution is None:
            break
        chosen = Fraction(int(solution.changes[follows].sum()), base)
        settled = all(
            max(least, chosen) == max(least, share) for least, follow in zip(least_shares, follows) if not follow
        )
        share = chosen
        if settled:
            break
    in_force = [replace(demand, swap=max(least, share) or demand.swap) for demand, least in zip(demands, least_shares)]
    unique_pools = []
    for level_index, (holding, demand) in enumerate(zip(unique, in_force)):
        if demand.follows and base and solution is not None:
            unique_pools.append(replace(pools[level_index], changes=int(solution.changes[level_index])))
        else:
            unique_pools.append(
                _open_level(holding, changes_due(demand.swap, int(holding.sum()), float(drawn[level_index])))
            )
    return in_force, unique_pools


# --- given --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Unit:
    """One column, or several whose values are exchanged together as a combination.

    Attributes
    ----------
    columns
        One name, or several in the order of the table.
    """

    columns: tuple[str, ...]

    @property
    def is_joint(self) -> bool:
        """Whether it is several columns that are swapped together."""
        return len(self.columns) > 1

    @property
    def label(self) -> str:
        """The names of the columns as one text, joined by ", "."""
        return ", ".join(self.columns)

    @property
    def purpose(self) -> str:
        """Suffix of the names of the unit's random streams.

        It does not depend on the order of columns in the recipe.
        """
        return f": {self.columns[0]}" if not self.is_joint else f" together: {json.dumps(self.columns)}"


def units_of(table: Table, settings: Settings) -> tuple[Unit, ...]:
    """Return the units of a step in the order of its columns; a unit is one column, or all columns swapped together.

    The latter come as a single unit, where the first of them stands, with their names in the order of the table:
    columns a, b and c, of which c and a are swapped together, give the units (a, c) and (b).
    """
    named = set(settings.values.get("together") or ())
    joint = Unit(tuple(name for name in table.names if name in named))
    units: list[Unit] = []
    for name in settings.columns:
        unit = joint if name in named else Unit((name,))
        if unit not in units:
            units.append(unit)
    return tuple(units)


def index_combinations(columns: Sequence[Column]) -> tuple[Ints, Ints]:
    """Return the index of each row's combination of values, int64, and the combinations that occur.

    The index is -1 if a value is missing. A combination is a row of the columns' category codes, shape (combinations,
    columns), sorted by the first column, then the second, and so on.

    Parameters
    ----------
    columns
        Two or more columns.
    """
    codes = np.column_stack([column.category_codes.astype(np.int64) for column in columns])
    complete = (codes >= 0).all(axis=1)
    code_of_row = np.full(len(codes), -1, dtype=np.int64)
    combinations, combination_index = np.unique(codes[complete], axis=0, return_inverse=True)
    code_of_row[complete] = combination_index.reshape(-1)
    return code_of_row, combinations.astype(np.int64)


def unit_input(table: Table, unit: Unit, classes: Classes) -> ColumnInput:
    """Return the input of a swap for one column, or several swapped together, that are constant within each person.

    Records are people; of each person the first row counts, and whether the others agree is not checked. For several
    columns, a category is a combination that occurs, -1 if any value is missing. Without privacy levels in the table,
    all records are at the weakest.

    Parameters
    ----------
    table
        The step's input.
    unit
        The column or columns.
    classes
        The rows grouped by equal quasi-identifiers.
    """
    people = table.persons
    columns = [table.column(name) for name in unit.columns]
    levels = table.levels if table.levels is not None else RecordLevels.same_for_all(table.rows)
    views: tuple[Ints, ...] = ()
    if unit.is_joint:
        truth, combinations = index_combinations(columns)
        categories, views = len(combinations), tuple(combinations.T)
    else:
        truth, categories = columns[0].category_codes.astype(np.int64), len(columns[0].categories)
    level = levels.codes.astype(np.int64)
    quasi = [column.category_codes for column in table.with_role("quasi-identifier")]
    first = people.first_rows
    return ColumnInput(truth[first], categories, quasi, classes, level[first], people, views)
