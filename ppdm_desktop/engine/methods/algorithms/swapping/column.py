"""Both phases of the swap of one confidential column, from true categories to released ones.

Phase II for one set of participants, or one pool of them: the search by costs, and what is proven.

The paper's baseline: values swapped without regard to the joint distribution.

Which records change is uniform; the new value is drawn in proportion to the marginal of the
other categories. The marginal is kept only roughly, as in the paper's own random program.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.methods.algorithms.swapping.balance import flow_matrix
from ppdm_desktop.engine.methods.algorithms.swapping.calibration import Calibration, Calibrator
from ppdm_desktop.engine.methods.algorithms.swapping.core import lower_bound, solve_exact
from ppdm_desktop.engine.methods.algorithms.swapping.demands import LevelDemand, changes_due
from ppdm_desktop.engine.methods.algorithms.swapping.greedy import greedy_search
from ppdm_desktop.engine.methods.algorithms.swapping.open_values import Pool, settle
from ppdm_desktop.engine.methods.algorithms.swapping.participants import (
    ColumnInput,
    Members,
    Streams,
    draw_participants,
    posterior_drop,
)
from ppdm_desktop.engine.methods.algorithms.swapping.problem import GROUP_MEMBER, Solution, Status, SwapProblem
from ppdm_desktop.engine.methods.algorithms.swapping.revealing_columns import count_kept_values, steer_costs
from ppdm_desktop.engine.methods.algorithms.swapping.shuffled import rank_within, shuffle_by_keys
from ppdm_desktop.engine.methods.algorithms.swapping.start import balanced_start, draw_choice_of_flows
from ppdm_desktop.engine.randomness import RandomStream

# --- phase two ----------------------------------------------------------------------------

Exhaustive = Literal["exact", "greedy", "random-start"]
"""The search of phase II for the choice of least cost."""

RANDOM_STARTS = 10
# Costs of records under "uniform" noise are Gumbel numbers this many times the largest cost.
UNIFORM_SCALE = 4.0
_NOISE_BLOCK = 32_768
# Up to so many records the least cost is found beside a search that did not look for it, to be named.
_PROVEN_UP_TO = 2_000


def noisy_costs(costs: Floats, temperatures: Floats, streams: Streams) -> Floats:
    """Return cost - temperature * Gumbel for each record and category.

    Choosing by such costs is sampling in proportion to exp(-cost / temperature), so an intruder who computes the same
    posteriors cannot retrace the choice. Infinite temperature replaces the costs by Gumbel numbers alone.

    Parameters
    ----------
    costs
        Shape (records, categories).
    temperatures
        One a record, in units of probability; 0 adds no noise. Where all are 0, ``costs`` itself comes back.
    streams
        The key's streams; every block of records has one of its own.
    """
    if not temperatures.any() or costs.size == 0:
        return costs
    widest = UNIFORM_SCALE * max(float(costs.max()), -float(costs.min()))
    blurred = np.empty_like(costs)
    for number, start in enumerate(range(0, len(costs), _NOISE_BLOCK)):
        progress.check()
        rows = slice(start, start + _NOISE_BLOCK)
        uniform = np.isinf(temperatures[rows])
        scale = np.where(uniform, widest, temperatures[rows])
        draws = streams(f"noise {number}").gumbel(costs[rows].size).reshape(costs[rows].shape)
        blurred[rows] = np.where(uniform[:, None], 0.0, costs[rows]) - scale[:, None] * draws
    return blurred


@dataclass(frozen=True, eq=False)
class Searched:
    """The result of phase II.

    Attributes
    ----------
    choice
        Category of each participant.
    start
        Categories after phase I.
    value, bound, status
        Of the costs minimised; ``bound`` is None for the greedy searches.
    optimum
        What is proven of the true costs, selection noise apart; None where not asked for.
    slack
        Half the least departure.
    """

    choice: Ints
    start: Ints
    value: float
    bound: float | None
    status: Status
    optimum: Optimum | None
    slack: int


@dataclass(frozen=True)
class Optimum:
    """What is proven about the least true cost (12a) of one problem.

    Attributes
    ----------
    lower_bound
        No choice that meets the constraints costs less.
    proven
        The least cost, where it was found and proven; None where only the bound is known.
    """

    lower_bound: float
    proven: float | None

    @classmethod
    def of(cls, solution: Solution) -> Optimum:
        """Return the lower bound that an exact search by the true costs gave, and its least cost if that is proven."""
        return cls(solution.bound, solution.value if solution.status == "proven" else None)


def _prove_optimum(problem: SwapProblem, start: Ints) -> Optimum:
    """Return what is proven about a problem that was solved by other costs or by rounds.

    With two categories or up to 2000 records the least cost is searched for exactly from ``start``; otherwise only a
    lower bound is computed.
    """
    if problem.categories == 2 or problem.records <= _PROVEN_UP_TO:
        return Optimum.of(solve_exact(problem, start))
    return Optimum(lower_bound(problem), None)


def search_choice(
    costs: Floats,
    blurred: Floats,
    truth: Ints,
    demand: Ints,
    changes: Ints,
    marginal: Ints,
    stream: RandomStream,
    how: Exhaustive,
    start: Ints | None = None,
    *,
    prove: bool = True,
) -> Searched:
    """Return a drawn choice that moves the totals least (phase I), and the cheapest one found from it (phase II).

    Without ``prove`` the result's ``optimum`` is None, unless the true costs themselves were minimised exactly.

    Parameters
    ----------
    costs, blurred
        True costs and the costs minimised, shape (participants, categories); may be one array.
    truth, demand, changes
        Category and demand class of the participants, and changes due in each class.
    marginal
        Size of each category in the whole table.
    stream
        Draws the start, in that order for every search, so that all searches share it.
    how
        Which search.
    start
        A balanced choice to start from instead of a drawn one.
    prove
        Whether the least of the true costs is asked for where others were minimised.
    """
    drawn, least = balanced_start(truth, demand, changes, marginal, stream)
    first = drawn if start is None else start
    problem = SwapProblem(blurred, truth, demand, changes, least // 2)
    noisy = blurred is not costs
    half = progress.part(0.0, 0.6) if noisy else progress.part(0.0, 1.0)
    if how == "exact":
        best = half.run(solve_exact, problem, first)
    else:
        best = half.run(_solve_by_rounds, problem, first, marginal, stream, how)
    bound = best.bound if how == "exact" else None
    if noisy or how != "exact":
        true_problem = SwapProblem(costs, truth, demand, changes, least // 2)
        optimum = progress.part(0.6, 1.0).run(_prove_optimum, true_problem, first) if prove else None
    else:
        optimum = Optimum.of(best)
    return Searched(best.choice, first, best.value, bound, best.status, optimum, least // 2)


def _solve_by_rounds(
    problem: SwapProblem, first: Ints, marginal: Ints, stream: RandomStream, how: Exhaustive
) -> Solution:
    """Return the best solution of the paper's rounds, from one start or from several.

    ``how`` ``greedy`` starts from ``first`` alone, ``random-start`` also from drawn starts; of equally good results the
    first counts. No bound is proven.
    """
    choice, _ = greedy_search(problem, first)
    value = problem.value(choice)
    if how == "random-start":
        for turn in range(1, RANDOM_STARTS):
            with progress.part(turn / RANDOM_STARTS, (turn + 1) / RANDOM_STARTS):
                alternative, _ = balanced_start(
                    problem.truth, problem.demand, problem.changes, marginal, stream, vary_flows=True
                )
                alternative, _ = greedy_search(problem, alternative)
                if problem.value(alternative) < value:
                    choice, value = alternative, problem.value(alternative)
    return Solution(choice, value, -np.inf, "heuristic")


def search_pool(
    pool: Pool,
    leaving: Ints,
    coming: Ints,
    costs: Floats,
    blurred: Floats | None,
    truth: Ints,
    stream: RandomStream,
    how: Exhaustive,
    *,
    prove: bool,
) -> Searched:
    """Return what a search finds for one pool, given how many of its records leave and come to each category.

    ``leaving`` and ``coming`` have shape (categories,). The search starts from a drawn choice with these numbers and
    lowers the costs ``blurred``, or the true ``costs`` where these are None. Without ``prove`` no optimum of the true
    costs is proven besides.
    """
    width = len(leaving)
    demand = np.full(len(truth), GROUP_MEMBER, dtype=np.int64) if pool.is_group else truth
    changes = np.zeros(width, dtype=np.int64) if pool.is_group else leaving
    due = np.zeros((width, width), dtype=np.int64) if pool.is_group else np.diag(leaving)
    problem = SwapProblem(
        costs if blurred is None else blurred, truth, demand, changes, target=pool.holding - leaving + coming
    )
    first = draw_choice_of_flows(truth, demand, due, flow_matrix(leaving, coming), stream)
    if how == "exact":
        best = progress.part(0.0, 0.7).run(solve_exact, problem, first)
    else:
        choice, _ = progress.part(0.0, 0.7).run(greedy_search, problem, first)
        for _ in range(RANDOM_STARTS - 1 if how == "random-start" else 0):
            wish = stream.uniform(width**2).reshape(width, width) ** 2
            alternative = draw_choice_of_flows(truth, demand, due, flow_matrix(leaving, coming, wish), stream)
            alternative, _ = greedy_search(problem, alternative)
            choice = min(choice, alternative, key=problem.value)
        best = Solution(choice, problem.value(choice), -np.inf, "heuristic")
    optimum: Optimum | None = Optimum.of(best)
    if blurred is not None or how != "exact":
        optimum = progress.part(0.7, 1.0).run(_prove_optimum, replace(problem, cost=costs), first) if prove else None
    bound = best.bound if how == "exact" else None
    return Searched(best.choice, first, best.value, bound, best.status, optimum, 0)


# --- column -------------------------------------------------------------------------------

Search = Literal["calibrated", "exact", "greedy", "random-start"]

AS_SET = "as-set"
"""Name, on the frontier, of a search that is not calibrated, with the randomness of the step's settings."""
# Up to so many records the calibrated search is set beside the exact search and the paper's rounds.
_COMPARED_UP_TO = 100_000
_GREEDY_COMPARED_UP_TO = 2_000


@dataclass(frozen=True, eq=False)
class Swapped:
    """The result of both phases for one column.

    Attributes
    ----------
    codes
        Released category of each record, -1 where missing.
    members
        Who took part.
    truth, choice, start
        True, released and phase I categories of the participants.
    costs
        True cost of each participant and category.
    value, bound, status
        Of the costs minimised; None and ``nothing`` without participants.
    lower_bound, proven_optimum
        What no choice's true costs fall below, and the least of them where that is proven; None where not known.
    departures
        Least departure of each part balanced on its own.
    calibration
        What the calibrated search chose; None for other searches, and where nobody is unique.
    """

    codes: Ints
    members: Members
    truth: Ints
    choice: Ints
    start: Ints
    costs: Floats
    value: float | None
    bound: float | None
    status: Status
    lower_bound: float | None
    proven_optimum: float | None
    departures: tuple[int, ...]
    calibration: Calibration | None = None

    def total(self, choice: Ints) -> float:
        """Return the total true cost (equation 12a) of a choice of categories, one for each participant."""
        return float(self.costs[np.arange(len(choice)), choice].sum())


def swap_codes(
    column: ColumnInput,
    demands: Sequence[LevelDemand],
    streams: Streams,
    *,
    how: Search = "exact",
    pooled: bool = True,
    leave_open: bool = False,
    rough: bool = False,
    exhaustive: Exhaustive | None = None,
) -> Swapped:
    """Return one column with its identifiable values swapped (Li & Sarkar 2004).

    Phase I draws a choice of categories that moves their totals least, phase II searches for the cheapest one. Where
    nobody takes part the column stays, with status ``nothing``. A calibrated swap without unique records is drawn as
    its demands ask.

    Parameters
    ----------
    column
        The column, its quasi-identifiers and levels.
    demands
        What each level asks.
    streams
        The key's stream for a purpose.
    how
        Search of phase II.
    pooled
        Balance unique records and group members together; else each on its own (paper).
    leave_open
        Leave open, where that can be, whether a shown value is true: of those who show it at least a tenth have it, and
        at least a tenth do not (not the paper's).
    rough
        Calibrate with fewer temperatures and beside a random choice only, to foresee what a swap comes to.
    exhaustive
        While calibrating, measure this search as well, with the randomness that the demands ask for.
    """
    members = draw_participants(column, demands, streams, leave_open=leave_open, pooled=pooled)
    progress.report(0.05, "progress.swap.posterior")
    truth = column.truth[members.rows]
    shares = column.posterior(members.rows)
    costs = posterior_drop(shares, truth)
    del shares
    progress.report(0.1, "progress.swap.posterior")
    phases = _Phases(
        members, costs, truth, _count_by_category(column), streams, pooled, count_kept_values(column, members)
    )
    calibration = None
    if how == "calibrated" and len(members.identified.unique):
        calibration, blurred = progress.part(0.15, 0.8).run(
            _calibrate_column, column, phases, rough=rough, exhaustive=exhaustive
        )
        done = progress.part(0.8, 0.98).run(phases.run, blurred, "exact", prove=not rough)
    else:
        # Nobody to retrace: group members are drawn, not searched for, and go where the totals need them.
        temperatures = np.array([demand.temperature for demand in demands])[column.level[members.rows]]
        blurred = noisy_costs(costs, temperatures, streams)
        done = progress.part(0.15, 0.98).run(phases.run, blurred, "exact" if how == "calibrated" else how)
    results = done.results
    codes = column.truth.copy()
    codes[members.rows] = done.choice
    bounds = [result.bound for result in results if result.bound is not None]
    proven = [result.optimum for result in results if result.optimum is not None]
    least = [solution.proven for solution in proven if solution.proven is not None]
    return Swapped(
        codes,
        members,
        truth,
        done.choice,
        done.start,
        costs,
        sum(result.value for result in results),
        sum(bounds) if len(bounds) == len(results) else None,
        _find_weakest_proof([result.status for result in results]) if len(truth) else "nothing",
        sum(solution.lower_bound for solution in proven) if len(proven) == len(results) else None,
        sum(least) if len(least) == len(results) else None,
        done.departures,
        calibration,
    )


def _count_by_category(column: ColumnInput) -> Ints:
    """Return the number of records in each category, int64, shape (categories,)."""
    return np.bincount(column.truth[column.truth >= 0], minlength=column.categories).astype(np.int64)


@dataclass(frozen=True, eq=False)
class _Done:
    """The result of running both phases once; ``results`` are those of the parts or pools that were searched."""

    choice: Ints
    start: Ints
    results: list[Searched]
    departures: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class _Phases:
    """Runs both phases for the participants of a column, any number of times, with the same draws of the key."""

    members: Members
    costs: Floats
    truth: Ints
    marginal: Ints
    streams: Streams
    pooled: bool
    kept: Ints | None

    def run(self, blurred: Floats, how: Exhaustive, *, prove: bool = True) -> _Done:
        """Return the result of searching by the costs ``blurred``; ``prove`` asks for the least true cost as well.

        Where every shown value is to stay open (true for some of those who show it, false for others), and this choice
        does not keep that, the search is made again under a plan that does.
        """
        members, costs, truth, pooled = self.members, self.costs, self.truth, self.pooled
        blurred = steer_costs(blurred, self.kept)
        whole = np.arange(len(truth))
        unique = members.demand != GROUP_MEMBER
        parts = [whole] if pooled else [whole[unique], whole[~unique]]
        results = []
        inside = progress.part(0.0, 0.6) if members.pools else progress.part(0.0, 1.0)
        for index, part in enumerate(parts):
            name = "start" if pooled else ("start unique", "start groups")[index]
            changes = members.changes if pooled or index == 0 else np.zeros_like(members.changes)
            results.append(
                inside.part(index / len(parts), (index + 1) / len(parts)).run(
                    search_choice,
                    costs if pooled else costs[part],
                    blurred if pooled else (costs[part] if blurred is costs else blurred[part]),
                    truth[part],
                    members.demand[part],
                    changes,
                    self.marginal,
                    self.streams(name),
                    how,
                    prove=prove,
                )
            )
        choice, start = truth.copy(), truth.copy()
        for part, result in zip(parts, results, strict=True):
            choice[part], start[part] = result.choice, result.start
        departures = tuple(2 * result.slack for result in results)
        if members.pools:
            planned = _search_open_plan(
                members, costs, blurred, truth, choice, self.streams, how, pooled=pooled, prove=prove
            )
            if planned is not None:
                choice, start, results, departure = planned
                departures = (departure,)
        return _Done(choice, start, results, departures)

    def blurred(self, costs: Floats) -> Floats:
        """Return costs less a Gumbel number of the key for each."""
        return noisy_costs(costs, np.ones(len(costs)), self.streams)


def _calibrate_column(
    column: ColumnInput, phases: _Phases, *, rough: bool, exhaustive: Exhaustive | None = None
) -> tuple[Calibration, Floats]:
    """Return the calibration and its blurred costs; other searches are measured on the same people.

    Compared are a random swap, the other searches where few enough take part, and ``exhaustive`` where it is asked for.
    """
    calibrator = Calibrator(column, phases.members, phases.streams, rough=rough)

    def shown(done: _Done) -> Ints:
        """Return the column's category of each record after a choice for the participants, int64, shape (records,)."""
        codes = column.truth.copy()
        codes[phases.members.rows] = done.choice
        return codes

    def draw(costs: Floats) -> Ints:
        """Return the category of each record after an exact search by the costs, blurred by the key's noise."""
        return shown(phases.run(phases.blurred(costs), "exact", prove=False))

    costs, leaning, temperature, tried, chosen = progress.part(0.0, 0.8).run(calibrator.search, draw)
    points = [chosen, progress.part(0.8, 0.87).run(calibrator.point, "random", draw(calibrator.flat()))]
    records = len(phases.truth)
    searches: list[Exhaustive] = []
    if records <= _COMPARED_UP_TO and not rough:
        searches.append("exact")
    if records <= _GREEDY_COMPARED_UP_TO and not rough:
        searches.append("greedy")
    for how in searches:
        done = progress.part(0.87, 0.9).run(phases.run, phases.costs, how, prove=False)
        points.append(progress.part(0.9, 1.0).run(calibrator.point, how, shown(done)))
    if exhaustive is not None:
        members = phases.members
        temperatures = np.array([demand.temperature for demand in members.demands])[column.level[members.rows]]
        noisy = noisy_costs(phases.costs, temperatures, phases.streams)
        done = progress.part(0.9, 1.0).run(phases.run, noisy, exhaustive, prove=False)
        points.append(progress.part(0.9, 1.0).run(calibrator.point, AS_SET, shown(done)))
    return Calibration(temperature, leaning, tried, chosen, tuple(points)), phases.blurred(costs)


def _search_open_plan(
    members: Members,
    costs: Floats,
    blurred: Floats,
    truth: Ints,
    free: Ints,
    streams: Streams,
    how: Exhaustive,
    *,
    pooled: bool,
    prove: bool,
) -> tuple[Ints, Ints, list[Searched], int] | None:
    """Search again, pool by pool, under a plan that leaves every value open, if the choice ``free`` does not.

    Open is a value that at least a tenth of those who show it have, and at least a tenth do not. A pool is the unique
    records or the group members of a level. Returns choice, start, the searches and the departure of the plan; None
    where ``free`` leaves every value open, or no plan was found. Costs and choice are by participant.
    """
    width = costs.shape[1]
    levels = len(members.demands)
    unique = members.demand != GROUP_MEMBER
    of_pool = np.where(unique, members.level, levels + members.level)
    filled = [pool_index for pool_index in range(2 * levels) if (of_pool == pool_index).any()]
    pools = [members.pools[pool_index] for pool_index in filled]
    changed = free != truth
    tables = np.zeros((2, len(filled), width), dtype=np.int64)
    for number, pool_index in enumerate(filled):
        inside = changed & (of_pool == pool_index)
        tables[0, number] = np.bincount(truth[inside], minlength=width)
        tables[1, number] = np.bincount(free[inside], minlength=width)
    if all(pool.keeps(out, into) for pool, out, into in zip(pools, tables[0], tables[1])):
        return None
    plan = settle(pools, (tables[0], tables[1]), pooled=pooled)
    if plan is None:
        return None
    choice, start, results = truth.copy(), truth.copy(), []
    for number, (pool_index, pool) in enumerate(zip(filled, pools)):
        rows = np.flatnonzero(of_pool == pool_index)
        with progress.part(0.6 + 0.4 * number / len(filled), 0.6 + 0.4 * (number + 1) / len(filled)):
            searched = search_pool(
                pool,
                plan.leaving[number],
                plan.coming[number],
                costs[rows],
                blurred[rows] if blurred is not costs else None,
                truth[rows],
                streams(f"open {'groups' if pool.is_group else 'unique'} {pool_index % levels}"),
                how,
                prove=prove,
            )
            choice[rows], start[rows] = searched.choice, searched.start
            results.append(searched)
    return choice, start, results, plan.departure


def _find_weakest_proof(statuses: Sequence[Status]) -> Status:
    """Return the weakest of several statuses: ``heuristic``, else ``bounded``, else ``proven``."""
    for status in ("heuristic", "bounded"):
        if status in statuses:
            return status
    return "proven"


# --- random choice ------------------------------------------------------------------------


def draw_other_values(truth: Ints, marginal: Ints, stream: RandomStream) -> Ints:
    """Return another category for each record, drawn in proportion to the marginal without its own.

    int64, shape of ``truth``; never the category itself.

    Parameters
    ----------
    truth
        True categories.
    marginal
        Size of each category, at least two of them above 0.
    stream
        The key's stream.
    """
    edges = np.cumsum(marginal)
    left = edges[-1] - marginal[truth]
    position = np.minimum((stream.uniform(len(truth)) * left).astype(np.int64), left - 1)
    position += np.where(position >= edges[truth] - marginal[truth], marginal[truth], 0)
    return np.asarray(np.searchsorted(edges, position, side="right"), dtype=np.int64)


def random_codes(
    column: ColumnInput, demands: Sequence[LevelDemand], streams: Streams, *, obey_groups: bool = True
) -> Swapped:
    """Return one column with as many records changed as by `bayes-swap`, chosen at random.

    No search is made: the start is the choice, and values, bounds and departures are absent.

    Parameters
    ----------
    column, demands, streams
        As for ``swap_codes``.
    obey_groups
        False: groups are not looked at; the proportion holds for all identifiable records
        of a level together, and some groups may keep all their values.
    """
    members = draw_participants(column, demands, streams)
    if not obey_groups:
        members = _treat_groups_as_unique(column, members, streams)
    progress.report(0.3, "progress.swap.search")
    truth = column.truth[members.rows]
    order = shuffle_by_keys(members.demand + 1, streams("unique"))
    demand = members.demand[order]
    # Of each level as many as are due; of the groups' members (the last entry) all.
    due = np.append(members.changes, len(truth))
    moving = np.sort(order[rank_within(demand) < due[demand]])
    marginal = np.bincount(column.truth[column.truth >= 0], minlength=column.categories).astype(np.int64)
    choice = truth.copy()
    choice[moving] = draw_other_values(truth[moving], marginal, streams("values"))
    kept = count_kept_values(column, members)
    if kept is not None:
        choice = _redraw_revealing_values(truth, choice, kept, marginal, streams("revealed"))
    codes = column.truth.copy()
    codes[members.rows] = choice
    progress.report(0.6, "progress.swap.posterior")
    shares = column.posterior(members.rows)
    costs = posterior_drop(shares, truth)
    status = "random" if len(truth) else "nothing"
    return Swapped(codes, members, truth, choice, choice, costs, None, None, status, None, None, ())  # type: ignore[arg-type]


def _redraw_revealing_values(truth: Ints, choice: Ints, kept: Ints, marginal: Ints, stream: RandomStream) -> Ints:
    """Return the choice with values that keep a group revealed drawn again among the other values that reveal least.

    ``kept``, shape (participants, categories), counts the columns that a value would keep revealing; values are drawn
    in proportion to ``marginal``.
    """
    changed = choice.copy()
    drawn = stream.uniform(len(truth))
    for row in np.flatnonzero(kept[np.arange(len(truth)), choice]).tolist():
        allowed = np.arange(len(marginal)) != truth[row]
        fewest = allowed & (kept[row] == kept[row][allowed].min())
        changed[row] = np.searchsorted(np.cumsum(marginal * fewest), drawn[row] * marginal[fewest].sum(), side="right")
    return changed


def _treat_groups_as_unique(column: ColumnInput, members: Members, streams: Streams) -> Members:
    """Return the members, in which people of groups that share a value count like unique people of their level.

    How many of them must change is drawn anew.
    """
    rows = np.sort(np.concatenate([members.identified.unique, members.identified.collective]))
    demand = column.level[rows].astype(np.int64)
    sizes = np.bincount(demand, minlength=len(members.demands)).astype(np.int64)
    drawn = streams("count").uniform(len(members.demands))
    due = [changes_due(demand.swap, int(n), float(u)) for demand, n, u in zip(members.demands, sizes, drawn)]
    order = np.argsort(demand, kind="stable")
    return Members(
        members.identified,
        members.demands,
        sizes,
        np.array(due, dtype=np.int64),
        np.zeros_like(members.group_due),
        members.group_shares,
        rows[order],
        demand[order],
        demand[order],
    )
