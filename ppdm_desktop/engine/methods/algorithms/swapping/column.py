"""Both phases of the swap of one confidential column, from true categories to released ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.methods.algorithms.swapping.calibrated import Calibration, Calibrator
from ppdm_desktop.engine.methods.algorithms.swapping.demands import LevelDemand
from ppdm_desktop.engine.methods.algorithms.swapping.open_values import settle
from ppdm_desktop.engine.methods.algorithms.swapping.participants import (
    ColumnInput,
    Members,
    Streams,
    draw_participants,
)
from ppdm_desktop.engine.methods.algorithms.swapping.phase_two import (
    Exhaustive,
    Searched,
    noisy_costs,
    search,
    search_pool,
)
from ppdm_desktop.engine.methods.algorithms.swapping.posterior import posterior_drop
from ppdm_desktop.engine.methods.algorithms.swapping.problem import GROUP_MEMBER, Status
from ppdm_desktop.engine.methods.algorithms.swapping.revealing_columns import steered, values_kept

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
        """Return the true objective (12a) of a choice of categories."""
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
    """Return one column with its identifiable values swapped (Li & Sarkar 2004, phases I and II).

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
        Leave every shown value open, where that can be (not the paper's).
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
    phases = _Phases(members, costs, truth, _sizes(column), streams, pooled, values_kept(column, members))
    calibration = None
    if how == "calibrated" and len(members.identified.unique):
        calibration, blurred = progress.part(0.15, 0.8).run(
            _calibrated, column, phases, rough=rough, exhaustive=exhaustive
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
        _worst([result.status for result in results]) if len(truth) else "nothing",
        sum(solution.lower_bound for solution in proven) if len(proven) == len(results) else None,
        sum(least) if len(least) == len(results) else None,
        done.departures,
        calibration,
    )


def _sizes(column: ColumnInput) -> Ints:
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
        """Return the result of searching by the costs ``blurred``; ``prove`` asks for the least true cost as well."""
        members, costs, truth, pooled = self.members, self.costs, self.truth, self.pooled
        blurred = steered(blurred, self.kept)
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
                    search,
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
            planned = _opened(members, costs, blurred, truth, choice, self.streams, how, pooled=pooled, prove=prove)
            if planned is not None:
                choice, start, results, departure = planned
                departures = (departure,)
        return _Done(choice, start, results, departures)

    def blurred(self, costs: Floats) -> Floats:
        """Return costs less a Gumbel number of the key for each."""
        return noisy_costs(costs, np.ones(len(costs)), self.streams)


def _calibrated(
    column: ColumnInput, phases: _Phases, *, rough: bool, exhaustive: Exhaustive | None = None
) -> tuple[Calibration, Floats]:
    """Return the calibration and its blurred costs; other searches are measured on the same people."""
    calibrator = Calibrator(column, phases.members, phases.streams, rough=rough)

    def shown(done: _Done) -> Ints:
        codes = column.truth.copy()
        codes[phases.members.rows] = done.choice
        return codes

    def draw(costs: Floats) -> Ints:
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


def _opened(
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

    Returns choice, start, the searches and the departure; None where ``free`` leaves every value open, or no plan was
    found.
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


def _worst(statuses: Sequence[Status]) -> Status:
    """Return the weakest proof among several searches: heuristic, then bounded, then proven."""
    for status in ("heuristic", "bounded"):
        if status in statuses:
            return status
    return "proven"
