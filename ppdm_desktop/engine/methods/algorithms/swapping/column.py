"""Both phases of the swap of one confidential column, from true categories to released ones.

The last part is the paper's method for comparison: values are swapped without regard to the joint distribution. Records
that change are chosen uniformly, and the new value is drawn in proportion to the totals of the other categories. The
totals are kept only roughly, as in the paper's own random program.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
"""A search of phase II for the choice of least cost that is not calibrated."""

RANDOM_STARTS = 10
# Costs of records under "uniform" noise are Gumbel numbers this many times the largest cost.
UNIFORM_SCALE = 4.0
_NOISE_BLOCK = 32_768
# Up to so many records the least cost is found beside a search that did not look for it, to be named.
_PROVEN_UP_TO = 2_000


def noisy_costs(costs: Floats, temperatures: Floats, streams: Streams) -> Floats:
    """Return cost - temperature * Gumbel noise for each record and category.

    If each record took its cheapest category, it would be drawn in proportion to exp(-cost / temperature), so an
    intruder who computes the same posteriors cannot retrace the choice. An infinite temperature replaces the costs by
    minus the same Gumbel noise, times four times the largest absolute cost (so costs that are all 0 stay 0).

    Parameters
    ----------
    costs
        Shape (records, categories).
    temperatures
        One for each record, in the unit of the costs; 0 adds no noise. If all are 0 or there are no costs, ``costs``
        itself is returned.
    streams
        Function from a purpose to its random stream; every block of records has its own.
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
        Total of the minimised costs, its lower bound and how far it is proven; ``bound`` is None for the paper's
        rounds.
    optimum
        What is proven about the true costs, without selection noise; None if that was not wanted.
    slack
        Half the least possible change of the totals.
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
        The least cost, if it was found and proven; None if only the bound is known.
    """

    lower_bound: float
    proven: float | None

    @classmethod
    def of(cls, solution: Solution) -> Optimum:
        """Return what a solution by true costs proves: its lower bound, and its cost if that is a proven optimum."""
        return cls(solution.bound, solution.value if solution.status == "proven" else None)


def _prove_optimum(problem: SwapProblem, start: Ints) -> Optimum:
    """Return what is proven about the least cost of a problem, for a choice that was found by other costs or by rounds.

    With two categories or at most 2000 records, the least cost is searched for exactly from ``start``; otherwise only a
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
    *,
    prove: bool = True,
) -> Searched:
    """Return a random choice that changes the totals least (phase I), and the cheapest choice found from it (phase II).

    The result also has this choice's cost with its lower bound (None for the paper's rounds), how far it is proven, and
    half the least possible change of the totals.

    Parameters
    ----------
    costs, blurred
        True costs, and the costs that are minimised, shape (participants, categories); may be the same array.
    truth, demand, changes
        Category of each participant; its demand class (records of which a given number must change) or GROUP_MEMBER,
        who must change; and the number of changes of each class.
    marginal
        Number of records of each category in the whole table.
    stream
        Draws the start, in the same order for every search, so that all searches share it.
    how
        Which search.
    prove
        Whether to bound the true costs if they were not minimised exactly; otherwise ``optimum`` is None in this case.
    """
    first, least = balanced_start(truth, demand, changes, marginal, stream)
    problem = SwapProblem(blurred, truth, demand, changes, least // 2)

    def draw_start() -> Ints:
        """Return another balanced choice, with other flows between the categories."""
        return balanced_start(truth, demand, changes, marginal, stream, vary_flows=True)[0]

    return _search_from(problem, costs, first, draw_start, how, prove=prove)


def _search_from(
    problem: SwapProblem, costs: Floats, first: Ints, draw_start: Callable[[], Ints], how: Exhaustive, *, prove: bool
) -> Searched:
    """Return the cheapest choice found from a first one, with what is proven about it and about the true ``costs``.

    ``draw_start`` draws other choices, from which ``random-start`` starts as well. Without ``prove``, nothing is proven
    about true costs that were not minimised exactly.
    """
    is_exact, noisy = how == "exact", problem.cost is not costs
    part = progress.part(0.0, 0.6) if noisy else progress.part(0.0, 1.0)
    if is_exact:
        best = part.run(solve_exact, problem, first)
    else:
        best = part.run(_solve_by_rounds, problem, first, draw_start, RANDOM_STARTS if how == "random-start" else 1)
    optimum: Optimum | None = Optimum.of(best)
    if noisy or not is_exact:
        optimum = progress.part(0.6, 1.0).run(_prove_optimum, replace(problem, cost=costs), first) if prove else None
    bound = best.bound if is_exact else None
    return Searched(best.choice, first, best.value, bound, best.status, optimum, problem.slack)


def _solve_by_rounds(problem: SwapProblem, first: Ints, draw_start: Callable[[], Ints], starts: int) -> Solution:
    """Return the best solution of the paper's rounds of swaps; its bound is -infinity, because none is proven.

    The rounds are made from ``first`` and from drawn choices, ``starts`` in all; of equally good results, the first
    counts.
    """
    choice = first
    for turn in range(starts):
        with progress.part(turn / starts, (turn + 1) / starts):
            found = greedy_search(problem, draw_start() if turn else first)
            choice = min(choice, found, key=problem.value) if turn else found
    return Solution(choice, problem.value(choice), -np.inf, "heuristic")


def search_pool(
    pool: Pool,
    leaving: Ints,
    coming: Ints,
    costs: Floats,
    blurred: Floats,
    truth: Ints,
    stream: RandomStream,
    how: Exhaustive,
    *,
    prove: bool,
) -> Searched:
    """Return the result of phase II for one pool, given how many of its records leave and come to each category.

    A pool is the unique people of one privacy level, or the members of its groups.

    Parameters
    ----------
    leaving, coming
        Numbers of records, shape (categories,).
    costs, blurred
        True costs, and the costs that are minimised; may be the same array.
    truth
        True category of each record.
    how
        Which search; it starts from a drawn choice with these numbers (``start`` of the result), and ``random-start``
        from nine others as well.
    prove
        Whether to bound the true costs if they were not minimised exactly; otherwise ``optimum`` is None in this case.
    """
    width = len(leaving)
    demand = np.full(len(truth), GROUP_MEMBER, dtype=np.int64) if pool.is_group else truth
    changes = np.zeros(width, dtype=np.int64) if pool.is_group else leaving
    due = np.zeros((width, width), dtype=np.int64) if pool.is_group else np.diag(leaving)
    problem = SwapProblem(blurred, truth, demand, changes, target=pool.holding - leaving + coming)
    first = draw_choice_of_flows(truth, demand, due, flow_matrix(leaving, coming), stream)

    def draw_start() -> Ints:
        """Return another choice with these numbers."""
        wish = stream.uniform(width**2).reshape(width, width) ** 2
        return draw_choice_of_flows(truth, demand, due, flow_matrix(leaving, coming, wish), stream)

    return _search_from(problem, costs, first, draw_start, how, prove=prove)


# --- column -------------------------------------------------------------------------------

Search = Literal["calibrated", "exact", "greedy", "random-start"]

AS_SET = "as-set"
"""Name of a search in the comparison that is not calibrated and has the randomness of the step's settings."""
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
        The records that took part.
    truth, choice, start
        True category, released category and category after phase I of each participant.
    costs
        True cost of each category for each participant.
    value, bound, status
        Total of the minimised costs, its lower bound and how far it is proven; ``nothing`` without participants.
    lower_bound, proven_optimum
        A lower bound of every choice's true costs, and the least of them if it is proven; None if not known.
    departures
        The least change of the totals, for each part that is balanced by itself.
    calibration
        What the calibrated search chose; None for other searches, and if nobody is unique.
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
        """Return the total true cost (equation 12a) of a choice of one category for each participant."""
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
    """Return one column after swapping the values that the table would reveal (Li & Sarkar 2004).

    Only people who are unique, or in a group that all have one value, may change: of the unique people of each privacy
    level the demanded share, and of each group the members drawn beforehand. All others keep their value. Phase I draws
    a choice of categories that changes their totals least (people who change take over one another's categories), phase
    II searches from it for one of low cost. The costs are those of the paper, with the noise that the privacy levels
    demand; a calibrated search finds its own costs and noise. If nobody takes part, the column is unchanged, with
    status ``nothing``. If nobody is unique, a calibrated search is replaced by the exact one.

    Parameters
    ----------
    column
        The column, its quasi-identifiers and privacy levels.
    demands
        What each level demands.
    streams
        Function from a purpose to its random stream.
    how
        Search of phase II.
    pooled
        Whether unique records and group members are balanced together; otherwise separately, as in the paper.
    leave_open
        Whether shown values are kept open if possible: of those who show a value, at least a tenth have it, and at
        least a tenth do not (not in the paper).
    rough
        Whether to calibrate with fewer temperatures and compare with a random choice only, as a preview.
    exhaustive
        A search to measure as well while calibrating, with the randomness that the levels demand; unused by others.
    """
    members = draw_participants(column, demands, streams, leave_open=leave_open, pooled=pooled)
    progress.report(0.05, "progress.method.search")
    truth = column.truth[members.rows]
    shares = column.posterior(members.rows)
    costs = posterior_drop(shares, truth)
    del shares
    progress.report(0.1, "progress.method.search")
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
    """The result of one run of both phases; ``results`` are those of each part or pool that was searched by itself."""

    choice: Ints
    start: Ints
    results: list[Searched]
    departures: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class _Phases:
    """Runs both phases for the participants of a column, any number of times, with the same random draws."""

    members: Members
    costs: Floats
    truth: Ints
    marginal: Ints
    streams: Streams
    pooled: bool
    kept: Ints | None

    def run(self, blurred: Floats, how: Exhaustive, *, prove: bool = True) -> _Done:
        """Return the result of both phases with a search by the costs ``blurred``.

        If shown values are to be kept open (true for some of those who show them, false for others) and the result does
        not do so, the search is repeated with numbers of changes that do, if there are such numbers. ``prove`` says
        whether a bound of the true costs is wanted.
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
        """Return the costs less a Gumbel random number for each."""
        return noisy_costs(costs, np.ones(len(costs)), self.streams)


def _calibrate_column(
    column: ColumnInput, phases: _Phases, *, rough: bool, exhaustive: Exhaustive | None = None
) -> tuple[Calibration, Floats]:
    """Return the calibration of a column's swap and the chosen costs with noise.

    Other searches are measured for comparison. These are a random swap, and ``exhaustive`` if it is given. Unless the
    trial is ``rough``, they are also the exact search for up to 100,000 participants, and the paper's rounds for up to
    2000.
    """
    calibrator = Calibrator(column, phases.members, phases.streams, rough=rough)

    def to_released(done: _Done) -> Ints:
        """Return the released category of each record, int64, shape (records,), after a result for the participants."""
        codes = column.truth.copy()
        codes[phases.members.rows] = done.choice
        return codes

    def draw(costs: Floats) -> Ints:
        """Return the category of each record after an exact search by the costs with noise."""
        return to_released(phases.run(phases.blurred(costs), "exact", prove=False))

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
        points.append(progress.part(0.9, 1.0).run(calibrator.point, how, to_released(done)))
    if exhaustive is not None:
        members = phases.members
        temperatures = np.array([demand.temperature for demand in members.demands])[column.level[members.rows]]
        noisy = noisy_costs(phases.costs, temperatures, phases.streams)
        done = progress.part(0.9, 1.0).run(phases.run, noisy, exhaustive, prove=False)
        points.append(progress.part(0.9, 1.0).run(calibrator.point, AS_SET, to_released(done)))
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
    """Return the result of a search that keeps shown values open; None if ``free`` does so, or no plan was found.

    A value is open if at least a tenth of those who show it have it, and at least a tenth do not. The search is made
    pool by pool: a pool is the unique records, or the group members, of a privacy level; a pool whose values cannot
    stay open is not asked to keep them so. The parts of the result are the choice and the start (categories of all
    participants), the search of each pool that has records, and the sum over categories of |records after - records
    before|.

    Parameters
    ----------
    costs, blurred, truth
        True costs, minimised costs, and true category of each participant.
    free
        The choice of a search that need not keep values open.
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
        true_costs = costs[rows]
        with progress.part(0.6 + 0.4 * number / len(filled), 0.6 + 0.4 * (number + 1) / len(filled)):
            searched = search_pool(
                pool,
                plan.leaving[number],
                plan.coming[number],
                true_costs,
                blurred[rows] if blurred is not costs else true_costs,
                truth[rows],
                streams(f"open {'groups' if pool.is_group else 'unique'} {pool_index % levels}"),
                how,
                prove=prove,
            )
            choice[rows], start[rows] = searched.choice, searched.start
            results.append(searched)
    return choice, start, results, plan.departure


def _find_weakest_proof(statuses: Sequence[Status]) -> Status:
    """Return the weakest of several statuses: ``heuristic``, then ``bounded``, then ``proven`` (also for none)."""
    for status in ("heuristic", "bounded"):
        if status in statuses:
            return status
    return "proven"


# --- random choice ------------------------------------------------------------------------


def draw_other_values(truth: Ints, marginal: Ints, stream: RandomStream) -> Ints:
    """Return another category for each record, drawn in proportion to the totals of the other categories.

    With totals 50, 30 and 20, a record of the first category gets the second with chance 0.6 and the third with 0.4; it
    never keeps its own. int64, shape of ``truth``.

    Parameters
    ----------
    truth
        True categories.
    marginal
        Number of records of each category, at least two of them above 0.
    stream
        The random stream.
    """
    edges = np.cumsum(marginal)
    left = edges[-1] - marginal[truth]
    position = np.minimum((stream.uniform(len(truth)) * left).astype(np.int64), left - 1)
    position += np.where(position >= edges[truth] - marginal[truth], marginal[truth], 0)
    return np.asarray(np.searchsorted(edges, position, side="right"), dtype=np.int64)


def random_codes(
    column: ColumnInput, demands: Sequence[LevelDemand], streams: Streams, *, obey_groups: bool = True
) -> Swapped:
    """Return one column in which a random choice of the people whose value the table reveals gets another value.

    These are unique people, of each privacy level as many as its share demands, and drawn members of groups that all
    have one value; all others keep their value. Each new value is drawn by itself, in proportion to the totals of the
    other values, so nobody else changes in return and the totals are kept only roughly. Of columns swapped together, a
    value that would still reveal a group is drawn again. Nothing is minimised: ``start`` is the choice itself, the
    status is ``random`` (``nothing`` if nobody takes part), and values, bounds and departures are None or empty.

    Parameters
    ----------
    column, demands, streams
        The column, what each privacy level demands, and a function from a purpose to its random stream.
    obey_groups
        If False, the members of groups count as unique people of their level: the share is that of all of these
        together, and some groups may keep all their values.
    """
    members = draw_participants(column, demands, streams)
    if not obey_groups:
        members = _treat_groups_as_unique(column, members, streams)
    progress.report(0.3, "progress.method.search")
    truth = column.truth[members.rows]
    order = shuffle_by_keys(members.demand + 1, streams("unique"))
    demand = members.demand[order]
    # Of each level as many as are due; of the groups' members (the last entry) all.
    due = np.append(members.changes, len(truth))
    moving = np.sort(order[rank_within(demand) < due[demand]])
    marginal = _count_by_category(column)
    choice = truth.copy()
    choice[moving] = draw_other_values(truth[moving], marginal, streams("values"))
    kept = count_kept_values(column, members)
    if kept is not None:
        choice = _redraw_revealing_values(truth, choice, kept, marginal, streams("revealed"))
    codes = column.truth.copy()
    codes[members.rows] = choice
    progress.report(0.6, "progress.method.search")
    shares = column.posterior(members.rows)
    costs = posterior_drop(shares, truth)
    status = "random" if len(truth) else "nothing"
    return Swapped(codes, members, truth, choice, choice, costs, None, None, status, None, None, ())  # type: ignore[arg-type]


def _redraw_revealing_values(truth: Ints, choice: Ints, kept: Ints, marginal: Ints, stream: RandomStream) -> Ints:
    """Return the choice in which values that would still reveal a group are redrawn from values that reveal least.

    The true value is never drawn. ``kept``, shape (participants, categories), counts the columns that a category would
    keep revealing; values are drawn in proportion to ``marginal``, the number of records of each category. Other
    people's values stay as chosen.
    """
    changed = choice.copy()
    drawn = stream.uniform(len(truth))
    for row in np.flatnonzero(kept[np.arange(len(truth)), choice]).tolist():
        allowed = np.arange(len(marginal)) != truth[row]
        fewest = allowed & (kept[row] == kept[row][allowed].min())
        changed[row] = np.searchsorted(np.cumsum(marginal * fewest), drawn[row] * marginal[fewest].sum(), side="right")
    return changed


def _treat_groups_as_unique(column: ColumnInput, members: Members, streams: Streams) -> Members:
    """Return the participants with the members of groups treated like unique people of their privacy level.

    How many records of each level must change is computed again, as the level's share of all of them, with a new draw
    for rounding. Participants are sorted by level.
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
