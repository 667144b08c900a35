"""Phase II for one set of participants, or one pool of them: the search by costs, and what is proven."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.methods.algorithms.swapping.balance import flow_matrix
from ppdm_desktop.engine.methods.algorithms.swapping.core import lower_bound, solve_exact
from ppdm_desktop.engine.methods.algorithms.swapping.greedy import greedy_search
from ppdm_desktop.engine.methods.algorithms.swapping.open_values import Pool
from ppdm_desktop.engine.methods.algorithms.swapping.participants import Streams
from ppdm_desktop.engine.methods.algorithms.swapping.problem import GROUP_MEMBER, Solution, Status, SwapProblem
from ppdm_desktop.engine.methods.algorithms.swapping.start import balanced_start, dealt
from ppdm_desktop.engine.randomness import RandomStream

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
        One a record, in units of probability.
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
        """Return what an exact search by the true costs proved."""
        return cls(solution.bound, solution.value if solution.status == "proven" else None)


def _optimum(problem: SwapProblem, start: Ints) -> Optimum:
    """Return what is proven about a problem that was solved by other costs or by rounds."""
    if problem.categories == 2 or problem.records <= _PROVEN_UP_TO:
        return Optimum.of(solve_exact(problem, start))
    return Optimum(lower_bound(problem), None)


def search(
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
    """Return the result of phase I and phase II for one set of participants.

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
        best = half.run(_heuristic, problem, first, marginal, stream, how)
    bound = best.bound if how == "exact" else None
    if noisy or how != "exact":
        true_problem = SwapProblem(costs, truth, demand, changes, least // 2)
        optimum = progress.part(0.6, 1.0).run(_optimum, true_problem, first) if prove else None
    else:
        optimum = Optimum.of(best)
    return Searched(best.choice, first, best.value, bound, best.status, optimum, least // 2)


def _heuristic(problem: SwapProblem, first: Ints, marginal: Ints, stream: RandomStream, how: Exhaustive) -> Solution:
    """Return the best solution of the paper's rounds, from one start or from several."""
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
    """Return the result of phase II within one pool, given the records that leave and come to each category."""
    width = len(leaving)
    demand = np.full(len(truth), GROUP_MEMBER, dtype=np.int64) if pool.is_group else truth
    changes = np.zeros(width, dtype=np.int64) if pool.is_group else leaving
    due = np.zeros((width, width), dtype=np.int64) if pool.is_group else np.diag(leaving)
    problem = SwapProblem(
        costs if blurred is None else blurred, truth, demand, changes, target=pool.holding - leaving + coming
    )
    first = dealt(truth, demand, due, flow_matrix(leaving, coming), stream)
    if how == "exact":
        best = progress.part(0.0, 0.7).run(solve_exact, problem, first)
    else:
        choice, _ = progress.part(0.0, 0.7).run(greedy_search, problem, first)
        for _ in range(RANDOM_STARTS - 1 if how == "random-start" else 0):
            wish = stream.uniform(width**2).reshape(width, width) ** 2
            alternative = dealt(truth, demand, due, flow_matrix(leaving, coming, wish), stream)
            alternative, _ = greedy_search(problem, alternative)
            choice = min(choice, alternative, key=problem.value)
        best = Solution(choice, problem.value(choice), -np.inf, "heuristic")
    optimum: Optimum | None = Optimum.of(best)
    if blurred is not None or how != "exact":
        optimum = progress.part(0.7, 1.0).run(_optimum, replace(problem, cost=costs), first) if prove else None
    bound = best.bound if how == "exact" else None
    return Searched(best.choice, first, best.value, bound, best.status, optimum, 0)
