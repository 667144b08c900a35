"""Keeps each shown value open: of the people who show it, at least a tenth have it and at least a tenth do not.

If nearly all who show a value have another one, anyone who sees it knows that it is false; if nearly all have it, that
it is true. So phase I keeps, in each pool, between a tenth and nine tenths true among those who show each value. A pool
is a set that an intruder can distinguish: the unique people of one privacy level, or the members of its groups. With N
records of a category, of which o leave and i come, N - o are shown truly among N - o + i. "At least a tenth of each" is
i <= 9 (N - o) and N - o <= 9 i; with fewer than ten records shown it means at least one of each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Floats, Ints

MOST_TO_ONE = 9
"""The most true values for each false one, and the most false for each true one, among those who show a value."""
NODE_LIMIT = 2_000
_PARTS = 1_000


@dataclass(frozen=True, eq=False)
class Pool:
    """Records among which each shown value is kept open: the unique people of a level, or the members of its groups.

    Attributes
    ----------
    holding
        Number of records in each category that may change.
    staying
        Number of records in each category that keep their value whatever is chosen (other members of groups).
    changes
        How many of ``holding`` change; all of them if they are group members.
    is_group
        Whether these are members of groups.
    to_one
        For each category, the most true values for each false one among those who show it; None if values need not stay
        open.
    """

    holding: Ints
    staying: Ints
    changes: int
    is_group: bool
    to_one: Ints | None

    def keeps(self, leaving: Ints, coming: Ints) -> bool:
        """Return whether these numbers of changes leave every shown value open; True if values need not stay open.

        A value is open if, among those who show it, there are at most nine false for each true one, and at most
        ``to_one`` true for each false one; a value that nobody shows is open. ``leaving`` and ``coming`` are the
        numbers of records that leave and come to each category, shape (categories,).
        """
        if self.to_one is None:
            return True
        true = self.holding + self.staying - leaving
        return bool((coming <= MOST_TO_ONE * true).all() and (true <= self.to_one * coming).all())


@dataclass(frozen=True, eq=False)
class Plan:
    """The numbers of changes that phase I decides on.

    Attributes
    ----------
    leaving, coming
        Number of records that leave and that come to each category, shape (pools, categories).
    departure
        Sum over categories of |records after - records before|.
    """

    leaving: Ints
    coming: Ints
    departure: int


class _Programme:
    """An integer programme that is built constraint by constraint."""

    def __init__(self, highest: Sequence[float]) -> None:
        """Start without constraints; ``highest`` is the largest value of each variable, the smallest is 0."""
        self.highest = np.array(highest, dtype=np.float64)
        self._places: list[Ints] = []
        self._columns: list[Ints] = []
        self._values: list[Floats] = []
        self._bounds: list[tuple[float, float]] = []

    def add(self, columns: Sequence[int] | Ints, values: Sequence[float] | Floats, low: float, high: float) -> None:
        """Add the constraint low <= values · x[columns] <= high on the variables x."""
        self._places.append(np.full(len(columns), len(self._bounds), dtype=np.int64))
        self._columns.append(np.asarray(columns, dtype=np.int64))
        self._values.append(np.asarray(values, dtype=np.float64))
        self._bounds.append((low, high))

    def solve(self, places: Ints, sign: float = 1.0) -> Ints | None:
        """Return values of all variables that minimise the sum of those at ``places``, or maximise it with ``sign`` -1.

        Values are whole numbers, int64, shape (variables,). If the search ends at its limit of nodes, they are the best
        found so far. None if there is no solution, or none was found within this limit.
        """
        # Late: SciPy takes longer to load than most commands to run.
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import coo_array

        cells = (np.concatenate(self._values), (np.concatenate(self._places), np.concatenate(self._columns)))
        matrix = coo_array(cells, shape=(len(self._bounds), len(self.highest))).tocsc()
        low, high = np.array(self._bounds).T
        cost = np.zeros(len(self.highest))
        cost[places] = sign
        result = milp(
            cost,
            constraints=LinearConstraint(matrix, low, high),
            integrality=np.ones(len(cost)),
            bounds=Bounds(0.0, self.highest),
            options={"mip_rel_gap": 0.0, "node_limit": NODE_LIMIT},
        )
        return None if result.x is None else np.rint(result.x).astype(np.int64)


def _build_pool_programme(pools: Sequence[Pool], extra: int) -> _Programme:
    """Return the integer programme of the pools with their rules, and with ``extra`` further variables.

    A pool is the unique records, or the group members, of one privacy level. Each pool has variables for the records
    that leave and that come to each category, and for its number of changes, at the indexes of
    ``_find_variable_indexes``. As many records come as leave, nobody comes back to their own category, members of
    groups all leave theirs, and values stay open if the pool has this rule. The number of changes of unique records is
    left free. The further variables come last; they are at most the number of records in all pools, without other
    constraints.
    """
    width = len(pools[0].holding)
    everybody = float(sum(int(pool.holding.sum()) for pool in pools))
    highest: list[float] = []
    for pool in pools:
        highest += [*map(float, pool.holding), *([everybody] * (width + 1))]
    programme = _Programme([*highest, *([everybody] * extra)])
    for pool_index, pool in enumerate(pools):
        out, into, total = _find_variable_indexes(pool_index, width)
        for side in (out, into):
            programme.add(np.r_[side, total], np.r_[np.ones(width), -1.0], 0.0, 0.0)
        for category in range(width):
            # Nobody comes back to the category they left.
            programme.add([into[category], out[category], total], [1.0, 1.0, -1.0], -np.inf, 0.0)
            if pool.is_group:
                programme.add([out[category]], [1.0], float(pool.holding[category]), np.inf)
            if pool.to_one is not None:
                true = float(pool.holding[category] + pool.staying[category])
                programme.add([into[category], out[category]], [1.0, MOST_TO_ONE], -np.inf, MOST_TO_ONE * true)
                programme.add([into[category], out[category]], [float(pool.to_one[category]), 1.0], true, np.inf)
    return programme


def _find_variable_indexes(pool: int, width: int) -> tuple[Ints, Ints, int]:
    """Return the indexes, in the integer programme, of the variables of a pool with this index.

    They are the records that leave each category, the records that come to each category, and the number of changes.
    ``width`` is the number of categories.
    """
    first = (2 * width + 1) * pool
    return first + np.arange(width), first + width + np.arange(width), first + 2 * width


def _build_departure_programme(pools: Sequence[Pool], extra: int, *, pooled: bool) -> tuple[_Programme, Ints]:
    """Return the programme of the pools, and the indexes of the variables that are departures.

    The departure of a category is |records that come - records that leave|, and its variable is at least that. Each
    category has one such variable for all pools or, if not ``pooled``, one for the pools of unique people and one for
    those of groups. ``extra`` further variables come last.
    """
    width = len(pools[0].holding)
    drift = (2 * width + 1) * len(pools) + np.arange(width if pooled else 2 * width)
    programme = _build_pool_programme(pools, len(drift) + extra)
    sides = [[True, False]] if pooled else [[False], [True]]
    for number, side in enumerate(sides):
        those = [
            _find_variable_indexes(pool_index, width) for pool_index, pool in enumerate(pools) if pool.is_group in side
        ]
        for category in range(width):
            columns = [variable for out, into, _ in those for variable in (int(into[category]), int(out[category]))]
            for sign in (1.0, -1.0):
                signs = [sign, -sign] * len(those)
                programme.add([*columns, int(drift[number * width + category])], [*signs, -1.0], -np.inf, 0.0)
    return programme, drift


def find_open_rule(holding: Ints) -> Ints:
    """Return for each category the most true values for each false one, among a level's unique people who show it.

    That is nine, int64, shape (categories,). A value that nine tenths or more of the people have is believed of
    everybody; for it, one false record among those who show it is enough, so that the rare values can still stay open.
    Its entry is the number of all people, but at least nine: 95, 3 and 2 people give 100, 9 and 9. ``holding`` is the
    number of people in each category.
    """
    rule = np.full(len(holding), MOST_TO_ONE, dtype=np.int64)
    people, most = int(holding.sum()), int(holding.argmax())
    if int(holding[most]) * (MOST_TO_ONE + 1) >= MOST_TO_ONE * people:
        rule[most] = max(people, MOST_TO_ONE)
    return rule


def find_most_open_changes(holding: Ints, asked: int) -> tuple[int, Ints | None]:
    """Return the largest number of changes, up to ``asked``, that leaves every value open, and the rule it keeps.

    A value is open if at least a tenth of those who show it have it, and at least a tenth do not. The rule
    (`find_open_rule`) says, by category, how many true values there may be for each false one. The number is at least
    1: of 10 people with one value and 10 with another, 18 can change. If no such number is found (as if all people have
    one value), the result is ``asked`` and None; if ``asked`` is 0, it is 0 and None. ``holding`` is the number of
    records in each category.
    """
    if not asked:
        return 0, None
    rule = find_open_rule(holding)
    programme = _build_pool_programme([Pool(holding, np.zeros(len(holding), dtype=np.int64), asked, False, rule)], 0)
    total = _find_variable_indexes(0, len(holding))[2]
    programme.add([total], [1.0], 1.0, float(asked))
    solution = programme.solve(np.array([total]), -1.0)
    return (asked, None) if solution is None else (int(solution[total]), rule)


def group_pool(holding: Ints, staying: Ints) -> Pool:
    """Return the pool of one level's group members, whose numbers of changes are fixed.

    Its ``to_one`` is nine for each category, or None if the values cannot all stay open; its ``changes`` are the sum of
    ``holding``.

    Parameters
    ----------
    holding, staying
        Number of members that change, and that do not, in each category.
    """
    total = int(holding.sum())
    least = -(-staying // MOST_TO_ONE)
    most = np.minimum(MOST_TO_ONE * staying, total - holding)
    can_be = bool((least <= most).all() and int(least.sum()) <= total <= int(most.sum()))
    rule = np.full(len(holding), MOST_TO_ONE, dtype=np.int64) if can_be else None
    return Pool(holding, staying, total, True, rule)


def least_open_departure(pools: Sequence[Pool], *, pooled: bool) -> int | None:
    """Return the least departure of a plan that makes the pools' changes and leaves values open.

    None if none was found. The departure is the sum over categories of |records after - records before|, over unique
    records and groups together if ``pooled``; otherwise the sum over unique records plus that over groups.
    """
    programme, drift = _build_departure_programme(pools, 0, pooled=pooled)
    for pool_index, pool in enumerate(pools):
        programme.add([_find_variable_indexes(pool_index, len(pool.holding))[2]], [1.0], pool.changes, pool.changes)
    solution = programme.solve(drift)
    return None if solution is None else int(solution[drift].sum())


def find_greatest_changes(levels: Sequence[Pool], groups: Sequence[Pool], *, pooled: bool) -> Ints | None:
    """Return how many unique records of each level can change if every shown value stays open, int64, shape (levels,).

    First the departure, the sum over categories of |records after - records before|, is made as small as possible; then
    the smallest share of its demanded changes that any level makes as large as possible; then the total number of
    changes. No level changes more than demanded (``changes`` of its pool). Groups, and levels whose values cannot stay
    open, change as demanded. None if no plan was found. The departure counts unique records and groups together if
    ``pooled``; otherwise separately.
    """
    pools, width = [*levels, *groups], len(levels[0].holding)
    programme, drift = _build_departure_programme(pools, 1, pooled=pooled)
    part = int(drift[-1]) + 1
    programme.add([part], [1.0], 0.0, float(_PARTS))
    totals = [_find_variable_indexes(pool_index, width)[2] for pool_index in range(len(pools))]
    for total, pool in zip(totals, pools):
        if pool.is_group or pool.to_one is None:
            programme.add([total], [1.0], pool.changes, pool.changes)
        else:
            programme.add([total], [1.0], 0.0, pool.changes)
            programme.add([total, part], [float(_PARTS), -float(pool.changes)], 1.0 - _PARTS, np.inf)
    solution: Ints | None = None
    level_totals = totals[: len(levels)]
    for places, sign in ((drift, 1.0), (np.array([part]), -1.0), (np.array(level_totals), -1.0)):
        better = programme.solve(places, sign)
        if better is None:
            break
        solution = better
        reached = float(solution[places].sum())
        ends = (0.0, reached) if sign > 0 else (reached, np.inf)
        programme.add(places, np.ones(len(places)), *ends)
    return None if solution is None else np.asarray(solution[level_totals])


@dataclass(frozen=True, eq=False)
class Largest:
    """What ``largest-balanced`` chose: the largest numbers of changes that keep the totals.

    Attributes
    ----------
    changes
        Number of unique records of each level that change.
    departure
        The least sum over categories of |records after - records before| with these changes.
    """

    changes: Ints
    departure: int


def find_largest_changes(
    levels: Sequence[Pool], groups: Sequence[Pool], follows: Sequence[bool], most: int, *, pooled: bool
) -> Largest | None:
    """Return how many unique records of each level change, shape (levels,), and the change of the totals.

    First the change of the totals, the sum over categories of |records after - records before|, is made as small as
    possible; then the changes of the levels that follow as many as possible, at least one in all. Values stay open in
    pools that have this rule. None if no plan was found.

    Parameters
    ----------
    levels
        The unique records of each privacy level; levels that do not follow make their own number of changes.
    groups
        The pools of group members.
    follows
        For each level, whether it takes the share chosen here; each then changes in proportion to its size.
    most
        The most records of these levels together that may change, at least 1.
    pooled
        Whether the totals are those of unique records and groups together; else each counts separately.
    """
    pools, width = [*levels, *groups], len(levels[0].holding)
    programme, drift = _build_departure_programme(pools, 1, pooled=pooled)
    chosen = int(drift[-1]) + 1
    sizes = [int(pool.holding.sum()) for pool in levels]
    base = sum(size for size, follow in zip(sizes, follows, strict=True) if follow)
    totals = [_find_variable_indexes(pool_index, width)[2] for pool_index in range(len(pools))]
    for pool_index, pool in enumerate(pools):
        if pool_index < len(levels) and follows[pool_index]:
            # Of several that follow each has its share of the whole, to the next whole number.
            for sign in (1.0, -1.0):
                share = [sign * base, -sign * sizes[pool_index]]
                programme.add([totals[pool_index], chosen], share, -np.inf, float(base - 1))
        else:
            programme.add([totals[pool_index]], [1.0], pool.changes, pool.changes)
    following = [total for total, follow in zip(totals, follows) if follow]
    programme.add([*following, chosen], [*([1.0] * len(following)), -1.0], 0.0, 0.0)
    programme.add([chosen], [1.0], 1.0, float(most))
    least = programme.solve(drift)
    if least is None:
        return None
    departure = int(least[drift].sum())
    programme.add(drift, np.ones(len(drift)), 0.0, float(departure))
    best = programme.solve(np.array([chosen]), -1.0)
    solution = least if best is None else best
    return Largest(solution[totals[: len(levels)]], departure)


def settle(pools: Sequence[Pool], wish: tuple[Ints, Ints], *, pooled: bool) -> Plan | None:
    """Return the plan with the least departure that leaves values open and is nearest to a wish.

    None if none was found. The departure is the sum over categories of |records after - records before|. Nearest means
    the least sum of absolute differences of leaving and coming records; if the search for it finds nothing, any plan
    with the least departure is returned.

    Parameters
    ----------
    pools
        The pools, with the number of changes that each must make.
    wish
        Leaving and coming records found by a search that need not leave values open, shape (pools, categories) each.
    pooled
        Whether the departure counts unique records and groups together; else separately.
    """
    width = len(pools[0].holding)
    cells = np.concatenate([np.r_[_find_variable_indexes(pool_index, width)[:2]] for pool_index in range(len(pools))])
    programme, drift = _build_departure_programme(pools, len(cells), pooled=pooled)
    away = int(drift[-1]) + 1 + np.arange(len(cells))
    for pool_index, pool in enumerate(pools):
        programme.add([_find_variable_indexes(pool_index, width)[2]], [1.0], pool.changes, pool.changes)
    progress.check()
    least = programme.solve(drift)
    if least is None:
        return None
    departure = int(least[drift].sum())
    programme.add(drift, np.ones(len(drift)), 0.0, float(departure))
    for cell, far, wanted in zip(cells.tolist(), away.tolist(), np.stack(wish, axis=1).reshape(-1).tolist()):
        programme.add([cell, far], [1.0, -1.0], -np.inf, float(wanted))
        programme.add([cell, far], [1.0, 1.0], float(wanted), np.inf)
    progress.check()
    nearest = programme.solve(away)
    solution = (least if nearest is None else nearest)[cells].reshape(len(pools), 2, width)
    return Plan(solution[:, 0], solution[:, 1], departure)
