"""Exact phase II for three and more categories: a dual problem, then an integer programme with a proof.

Records whose second-best choice is far worse at the dual's multipliers are fixed; the others, the core, are solved
exactly. Any choice that differs outside the core, or uses a choice left out of it, costs at least bound + threshold: if
the core's optimum costs no more than that, it is a proven optimum of the whole problem.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.methods.algorithms.swapping.balance import forced_loser
from ppdm_desktop.engine.methods.algorithms.swapping.dual import Dual, Multipliers, Reduced, solve_dual
from ppdm_desktop.engine.methods.algorithms.swapping.problem import BOUND_SAFETY, GROUP_MEMBER, Solution, SwapProblem
from ppdm_desktop.engine.methods.algorithms.swapping.start import count_changeable_records

CORE_START = 300
CORE_LIMIT = 48_000
NODE_LIMIT = 10_000
# HiGHS stops within 1e-6 of the optimum in its own units: finer units make that 1e-9 of ours.
_UNITS = 1_024.0


def solve_exact(problem: SwapProblem, start: Ints) -> Solution:
    """Return the choice of least cost with its proof, or the best choice found with a proven lower bound.

    The solution has the category of each record, the cost, the lower bound, and ``proven`` or ``bounded`` as its
    status. If there are no records, or none has a choice, ``start`` is returned as proven. ValueError if the problem
    has two categories, or is left with two once what is decided beforehand is dropped, and no choice meets its
    constraints.

    Parameters
    ----------
    problem
        The transportation problem.
    start
        A choice that meets the constraints, which is used if the search finds none or only dearer ones. It is ignored
        with two categories.
    """
    if problem.records == 0:
        return Solution(start.copy(), 0.0, 0.0, "proven")
    if problem.categories == 2:
        return solve_two_values(problem)
    reduced = _Reduction(problem)
    progress.check()
    if reduced.small is None:
        return Solution(start.copy(), value := problem.value(start), value, "proven")
    small = reduced.small
    if small.categories == 2:
        inner = solve_two_values(small)
    else:
        inner = _solve_sorted(small, reduced.loser, reduced.inner(start))
    choice = reduced.outer(inner.choice)
    value = problem.value(choice)
    bound = value - inner.value + inner.bound
    kept = problem.value(start)
    if kept < value and problem.violation(start) is None:
        choice, value = start.copy(), kept
    return Solution(choice, value, bound, inner.status)


def lower_bound(problem: SwapProblem) -> float:
    """Return a proven lower bound of a problem's least cost, without searching for a choice that reaches it.

    It is 0 without records. It is the least cost itself if the problem has two categories, or is left with at most two,
    or with no records, once what is decided beforehand is dropped. ValueError if two categories are left and no choice
    meets the constraints.
    """
    if problem.records == 0:
        return 0.0
    if problem.categories == 2:
        return solve_two_values(problem).value
    reduced = _Reduction(problem)
    if reduced.small is None:
        return problem.value(problem.truth)
    if reduced.small.categories == 2:
        return reduced.fixed_value + solve_two_values(reduced.small).value
    return reduced.fixed_value + solve_dual(reduced.small, reduced.loser)[2].bound


class _Reduction:
    """A smaller problem without what is decided beforehand, its records sorted by demand class.

    Demand classes in which nobody changes are fixed, members of classes in which everybody changes become group
    members, and categories that nobody has and nobody may get are dropped.
    """

    def __init__(self, problem: SwapProblem) -> None:
        """Make the smaller problem ``small`` from what is not decided yet.

        Decided are the records of demand classes in which nobody changes: they keep their category and are left out. In
        a class in which everybody must change, records count as members of groups, who may not keep their category.
        Categories that none of the remaining records has are left out, unless the totals may move (``slack`` above 0)
        or the target wants some. ``small`` is None if no record or one category is left. Its costs are a copy, infinite
        for a group member's own category if more than two categories are left.

        Also stored are ``rows`` (its records as indexes of the whole problem, group members first, then by demand
        class), ``categories`` (its categories in the whole problem), ``fixed_value`` (the cost of the records left out)
        and ``loser`` (see ``_find_forced_loser``; None with a target).
        """
        self.problem = problem
        sizes = np.bincount(problem.demand + 1, minlength=len(problem.changes) + 1)[1:]
        keeps_all = np.append(problem.changes == 0, False)
        changes_all = np.append((problem.changes == sizes) & (sizes > 0), True)
        free = np.flatnonzero(~keeps_all[problem.demand])
        must = changes_all[problem.demand[free]]
        demand = np.where(must, GROUP_MEMBER, problem.demand[free])
        order = np.argsort(demand, kind="stable")
        self.rows = free[order]
        demand = demand[order]
        fixed = np.flatnonzero(keeps_all[problem.demand])
        kept = np.bincount(problem.truth[fixed], minlength=problem.categories)
        target = None if problem.target is None else problem.target - kept
        occurs = np.bincount(problem.truth[self.rows], minlength=problem.categories) > 0
        if target is not None:
            occurs |= target > 0
        self.categories = np.flatnonzero(occurs | (problem.slack > 0))
        self.free_index = np.cumsum(occurs | (problem.slack > 0)) - 1
        self.fixed_value = float(problem.cost[fixed, problem.truth[fixed]].sum())
        self.small: SwapProblem | None = None
        self.loser: int | None = None
        if len(self.rows) and len(self.categories) > 1:
            if len(self.categories) == problem.categories and np.array_equal(self.rows, np.arange(problem.records)):
                cost = problem.cost.copy()
            else:
                cost = problem.cost[np.ix_(self.rows, self.categories)]
            truth = self.free_index[problem.truth[self.rows]]
            members = np.flatnonzero(demand == GROUP_MEMBER)
            if len(self.categories) > 2:
                cost[members, truth[members]] = np.inf
            changes = np.where(changes_all[:-1], 0, problem.changes)
            if target is None:
                self.loser = self._find_forced_loser(cost, truth)
            wanted = None if target is None else target[self.categories]
            self.small = SwapProblem(cost, truth, demand, changes, problem.slack, wanted)

    def _find_forced_loser(self, cost: Floats, truth: Ints) -> int | None:
        """Return the category that loses at least half of all changed records in any choice; None if there is none.

        Records that leave another category must then come to it. So in the rows of these records, all costs but those
        of staying and of coming to it are made infinite, in place, if there are more than two categories. Categories
        are indexes of the smaller problem; ``truth`` has shape (records,).
        """
        problem = self.problem
        changeable = count_changeable_records(problem.truth, problem.demand, len(problem.changes), problem.categories)
        loser = forced_loser(changeable[0], problem.changes, changeable[1])
        if loser is None:
            return None
        loser = int(self.free_index[loser])
        # Whatever leaves another category goes to the loser.
        movable = np.flatnonzero(truth != loser)
        stay_or_go = np.zeros((len(movable), cost.shape[1]), dtype=np.bool_)
        stay_or_go[np.arange(len(movable)), truth[movable]] = True
        stay_or_go[:, loser] = True
        if cost.shape[1] > 2:
            cost[movable] = np.where(stay_or_go, cost[movable], np.inf)
        return loser

    def inner(self, choice: Ints) -> Ints:
        """Return a choice of categories for the whole problem as a choice for the smaller one."""
        return np.asarray(self.free_index[choice[self.rows]])

    def outer(self, choice: Ints) -> Ints:
        """Return a choice of categories for the smaller problem as one for the whole.

        Records that are not in the smaller problem keep their true category.
        """
        whole = self.problem.truth.copy()
        whole[self.rows] = self.categories[choice]
        return whole


def _solve_sorted(problem: SwapProblem, loser: int | None, start: Ints) -> Solution:
    """Return the solution with ever larger cores, until one is proven or the largest allowed size is reached.

    The core is the set of records whose choice the dual problem leaves least decided; all others are fixed. If none is
    proven, the cheapest choice found is returned with its lower bound, as ``bounded``; if no core leads to a choice,
    ``start`` with the dual's lower bound.
    """
    dual, at, reduced = progress.part(0.0, 0.8).run(solve_dual, problem, loser)
    order = np.argsort(reduced.gap, kind="stable")
    size = min(CORE_START, problem.records)
    best: Solution | None = None
    attempts = 0
    while True:
        progress.report(0.8 + 0.2 * (1 - 0.5**attempts), "progress.method.search")
        threshold = float(reduced.gap[order[size]]) if size < problem.records else np.inf
        core = _Core(dual, at, reduced, np.sort(order[:size]), threshold)
        outcome = core.solve()
        if outcome is not None:
            value = problem.value(outcome.choice)
            bound = max(reduced.bound, core.bound_of(outcome, value))
            proven = outcome.optimal and value <= reduced.sharp + threshold
            if best is None or value < best.value:
                best = Solution(outcome.choice, value, bound, "proven" if proven else "bounded")
            elif proven:
                best = replace(best, status="proven")
            if proven:
                return best
        limit = min(CORE_LIMIT, problem.records)
        if size >= limit:
            break
        if outcome is None or best is None:
            size = min(3 * size, limit)
        else:
            # All records whose other choice could still pay, and no more: large cores are slow.
            needed = int(np.searchsorted(reduced.gap[order], best.value - reduced.sharp, side="right"))
            size = min(max(needed, size + CORE_START), limit)
        attempts += 1
    if best is None:
        best = Solution(start.copy(), problem.value(start), reduced.bound, "bounded")
    return best


@dataclass(frozen=True, eq=False)
class _Outcome:
    """A choice found for the undecided records, whether it is optimal, and a lower bound of its cost (or None)."""

    choice: Ints
    optimal: bool
    dual_bound: float | None


class _Core:
    """The undecided records of a problem as an integer programme, in which equal records are counted."""

    def __init__(self, dual: Dual, at: Multipliers, reduced_costs: Reduced, rows: Ints, threshold: float) -> None:
        """Set up the programme for ``rows``, with the choices within ``threshold`` of each record's least reduced cost.

        Records with equal costs, true category and demand class (records of which a given number must change) become
        one kind with a count. ``at`` are the multipliers of the dual problem.
        """
        problem = dual.problem
        self.problem = problem
        self.reduced = reduced_costs
        self.rows = rows
        self.threshold = threshold
        cost, truth, demand = problem.cost[rows], problem.truth[rows], problem.demand[rows]
        keys = np.column_stack([cost, truth, demand])
        _, first, kind = np.unique(keys, axis=0, return_index=True, return_inverse=True)
        self.kind = kind.reshape(-1)
        self.counts = np.bincount(self.kind)
        reduced = cost[first] - at.category
        unique = np.flatnonzero(demand[first] != GROUP_MEMBER)
        reduced[unique, truth[first][unique]] -= at.keep[demand[first][unique]]
        gaps = reduced - reduced.min(axis=1, keepdims=True)
        self.kinds, self.targets = np.nonzero(np.isfinite(gaps) & (gaps <= threshold))
        self.truth, self.demand = truth[first], demand[first]
        # Costs relative to each kind's cheapest choice keep the numbers small.
        base = cost[first][np.arange(len(first)), gaps.argmin(axis=1)]
        self.costs = cost[first][self.kinds, self.targets] - base[self.kinds]
        self.base = float(base @ self.counts)

    def solve(self) -> _Outcome | None:
        """Return the cheapest solution found of the integer programme: a category for every record, and what is proven.

        The core's records get categories of low total cost with which the whole problem's constraints hold; records
        outside the core keep the dual's choice. The result says whether the solver proved the optimum, and has its
        lower bound (None without one): of the core's costs only, beyond those of each record's choice of least reduced
        cost. None if no solution meets the constraints, or none was found within the limit of nodes.
        """
        # Late: SciPy takes longer to load than most commands to run.
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import coo_array

        problem, reduced = self.problem, self.reduced
        categories, classes = problem.categories, len(problem.changes)
        outside = np.ones(problem.records, dtype=np.bool_)
        outside[self.rows] = False
        fixed = reduced.choice[outside]
        left = problem.marginal() - np.bincount(fixed, minlength=categories)
        unchanged = outside & (reduced.choice == problem.truth) & (problem.demand != GROUP_MEMBER)
        sizes = np.bincount(problem.demand + 1, minlength=classes + 1)[1:]
        kept = sizes - problem.changes - np.bincount(problem.demand[unchanged], minlength=classes)
        pairs, kinds = len(self.kinds), len(self.counts)
        keeps = (self.demand[self.kinds] != GROUP_MEMBER) & (self.targets == self.truth[self.kinds])
        at = np.arange(pairs)
        entries = [(self.kinds, at, np.ones(pairs)), (kinds + self.targets, at, np.ones(pairs))]
        constraint = kinds + categories + self.demand[self.kinds[keeps]]
        entries.append((constraint, at[keeps], np.ones(int(keeps.sum()))))
        sums = [self.counts, left, kept]
        cost, most = self.costs * _UNITS, self.counts[self.kinds].astype(np.float64)
        if problem.slack:
            entries += _slack_entries(kinds, categories, classes, pairs)
            sums.append(np.full(2, problem.slack))
            cost = np.concatenate([cost, np.zeros(2 * categories)])
            most = np.concatenate([most, np.full(2 * categories, float(problem.slack))])
        due = np.concatenate(sums).astype(np.float64)
        rows, columns, values = (np.concatenate(part) for part in zip(*entries, strict=True))
        matrix = coo_array((values, (rows, columns)), shape=(len(due), len(cost))).tocsc()
        result = milp(
            cost,
            constraints=LinearConstraint(matrix, due, due),
            integrality=np.ones(len(cost)),
            bounds=Bounds(0.0, most),
            options={"mip_rel_gap": 0.0, "node_limit": NODE_LIMIT},
        )
        if result.x is None:
            return None
        amounts = np.rint(result.x[:pairs]).astype(np.int64)
        choice = reduced.choice.copy()
        choice[self.rows] = self._assign_categories(amounts)
        if problem.violation(choice) is not None:
            return None
        bound = None if result.mip_dual_bound is None else float(result.mip_dual_bound) / _UNITS
        return _Outcome(choice, result.status == 0, bound)

    def _assign_categories(self, amounts: Ints) -> Ints:
        """Return the category of each record of the core (each undecided record), in row order.

        ``amounts``, shape (pairs,), says how many records of kind ``kinds[i]`` get category ``targets[i]``. Of equal
        records, the first ones get the lowest category.
        """
        order = np.argsort(self.kind, kind="stable")
        assigned = np.empty(len(order), dtype=np.int64)
        # Pairs are listed by kind, so their amounts line up with the records sorted by kind.
        assigned[order] = np.repeat(self.targets, amounts)[: len(order)]
        return assigned

    def bound_of(self, outcome: _Outcome, value: float) -> float:
        """Return the lower bound for the whole problem that the core proves.

        It is at most the dual's sharp bound plus the core's threshold, because dearer choices were left out, and is
        lowered by a margin for rounding. Minus infinity if the solver gave no bound. ``value`` is the cost of the
        outcome's choice for the whole problem.
        """
        if outcome.dual_bound is None:
            return -np.inf
        core_bound = value if outcome.optimal else value - self._compute_excess(outcome)
        safety = BOUND_SAFETY * self.problem.records
        return min(core_bound, self.reduced.sharp + self.threshold) - safety

    def _compute_excess(self, outcome: _Outcome) -> float:
        """Return by how much the cost of the core's solution may exceed the least cost in the core, at least 0."""
        core = self.problem.cost[self.rows, outcome.choice[self.rows]].sum() - self.base
        return max(0.0, float(core) - float(outcome.dual_bound or 0.0))


def _slack_entries(kinds: int, categories: int, classes: int, pairs: int) -> list[tuple[Ints, Ints, Floats]]:
    """Return matrix entries, as (rows, columns, values), that let ``slack`` records leave and enter categories.

    Each category gets two new columns after the ``pairs`` (possible choices of each kind of equal records): the numbers
    that leave and that enter it. They count in the category's own row, with opposite signs. Two new rows, after those
    of the kinds, categories and demand classes, add up all that leave and all that enter; the caller requires each sum
    to be ``slack``.
    """
    category = np.arange(categories)
    out, into = pairs + category, pairs + categories + category
    last = kinds + categories + classes
    ones = np.ones(categories)
    return [
        (kinds + category, out, ones),
        (kinds + category, into, -ones),
        (np.full(categories, last), out, ones),
        (np.full(categories, last + 1), into, ones),
    ]


def solve_two_values(problem: SwapProblem) -> Solution:
    """Return the choice of least cost for a problem with two categories, as proven.

    If the totals cannot be kept (``slack`` above 0), they move by ``slack`` records in one direction or the other; the
    cheaper one is taken. Equal costs are decided by the order of the rows; the bound is lowered by a margin for
    rounding. If the problem names its totals (``target``), these are kept.

    Raises
    ------
    ValueError
        When no choice meets the constraints, because the caller's slack or changes are wrong.
    """
    members = problem.demand == GROUP_MEMBER
    forced = np.bincount(problem.truth[members], minlength=2)
    cells = [
        (_sort_by_change_cost(problem, demand, 0), _sort_by_change_cost(problem, demand, 1), int(due))
        for demand, due in enumerate(problem.changes)
    ]
    fewest = [max(0, due - len(second)) for _, second, due in cells]
    most = [min(len(first), due) for first, _, due in cells]
    changes = int(problem.changes.sum())
    best: tuple[float, list[int]] | None = None
    # With an odd total the marginal must move one way or the other: both are tried.
    nets = {-problem.slack, problem.slack}
    if problem.target is not None:
        nets = {int(problem.target[0]) - int((problem.truth == 0).sum())}
    for net in sorted(nets):
        twice = changes + int(forced[1]) - int(forced[0]) - net
        if twice % 2 or not sum(fewest) <= twice // 2 <= sum(most):
            continue
        split = _split_changes(problem, cells, fewest, most, twice // 2)
        cost = sum(
            float(
                _compute_change_costs(problem, first[:take]).sum()
                + _compute_change_costs(problem, second[: due - take]).sum()
            )
            for (first, second, due), take in zip(cells, split, strict=True)
        )
        if best is None or cost < best[0]:
            best = (cost, split)
    if best is None:
        raise ValueError("no choice meets the constraints")
    choice = problem.truth.copy()
    choice[members] = 1 - choice[members]
    for (first, second, due), take in zip(cells, best[1], strict=True):
        choice[first[:take]] = 1
        choice[second[: due - take]] = 0
    value = problem.value(choice)
    return Solution(choice, value, value - BOUND_SAFETY * problem.records, "proven")


def _compute_change_costs(problem: SwapProblem, rows: Ints) -> Floats:
    """Return, with two categories, the extra cost of changing each of these records instead of keeping it.

    Shape of ``rows``.
    """
    truth = problem.truth[rows]
    return np.asarray(problem.cost[rows, 1 - truth] - problem.cost[rows, truth])


def _sort_by_change_cost(problem: SwapProblem, demand: int, category: int) -> Ints:
    """Return the rows with one demand class and true category, by rising extra cost of changing them.

    A demand class is a set of unique records of which a given number must change. Only for problems with two
    categories; equal costs keep the order of the rows.
    """
    rows = np.flatnonzero((problem.demand == demand) & (problem.truth == category))
    return rows[np.argsort(_compute_change_costs(problem, rows), kind="stable")]


def _split_changes(
    problem: SwapProblem,
    cells: list[tuple[Ints, Ints, int]],
    fewest: list[int],
    most: list[int],
    wanted: int,
) -> list[int]:
    """Return how many records of each demand class change from category 0 to 1, ``wanted`` in total, at the least cost.

    A demand class is a set of unique records of which a given number must change. It makes its other changes from 1 to
    0.

    Parameters
    ----------
    cells
        For each demand class, its records of category 0 and of category 1, cheapest first, and its number of changes.
    fewest, most
        Limits of the number of records of each class that change from category 0 to 1. ``wanted`` lies between their
        sums.
    """
    differences = []
    owners = []
    for index, (first, second, due) in enumerate(cells):
        steps = np.arange(fewest[index], most[index])
        rise = _compute_change_costs(problem, first[steps]) - _compute_change_costs(problem, second[due - steps - 1])
        differences.append(rise)
        owners.append(np.full(len(steps), index))
    order = np.argsort(np.concatenate(differences), kind="stable")[: wanted - sum(fewest)]
    taken = np.bincount(np.concatenate(owners)[order], minlength=len(cells))
    return [low + int(extra) for low, extra in zip(fewest, taken, strict=True)]
