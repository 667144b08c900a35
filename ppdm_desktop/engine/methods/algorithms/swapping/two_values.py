"""Phase II with two categories, in closed form.

The marginal fixes how many records of each category change; within a demand class the
cheapest are taken, and between demand classes the split of least cost, which is convex.
"""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.methods.algorithms.swapping.problem import BOUND_SAFETY, GROUP_MEMBER, Solution, SwapProblem


def solve_two_values(problem: SwapProblem) -> Solution:
    """Return the optimum of a problem with two categories.

    Raises
    ------
    ValueError
        When no choice meets the constraints (a fault of the caller's slack or changes).
    """
    members = problem.demand == GROUP_MEMBER
    forced = np.bincount(problem.truth[members], minlength=2)
    cells = [
        (_cheapest(problem, demand, 0), _cheapest(problem, demand, 1), int(due))
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
        split = _split(problem, cells, fewest, most, twice // 2)
        cost = sum(
            float(_switch(problem, first[:take]).sum() + _switch(problem, second[: due - take]).sum())
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


def _switch(problem: SwapProblem, rows: Ints) -> Floats:
    """Return the extra cost of changing rather than keeping these records."""
    truth = problem.truth[rows]
    return np.asarray(problem.cost[rows, 1 - truth] - problem.cost[rows, truth])


def _cheapest(problem: SwapProblem, demand: int, category: int) -> Ints:
    rows = np.flatnonzero((problem.demand == demand) & (problem.truth == category))
    return rows[np.argsort(_switch(problem, rows), kind="stable")]


def _split(
    problem: SwapProblem,
    cells: list[tuple[Ints, Ints, int]],
    fewest: list[int],
    most: list[int],
    wanted: int,
) -> list[int]:
    """Share ``wanted`` changes out of category 0 among the demand classes by marginal differences."""
    differences = []
    owners = []
    for index, (first, second, due) in enumerate(cells):
        steps = np.arange(fewest[index], most[index])
        rise = _switch(problem, first[steps]) - _switch(problem, second[due - steps - 1])
        differences.append(rise)
        owners.append(np.full(len(steps), index))
    order = np.argsort(np.concatenate(differences), kind="stable")[: wanted - sum(fewest)]
    taken = np.bincount(np.concatenate(owners)[order], minlength=len(cells))
    return [low + int(extra) for low, extra in zip(fewest, taken, strict=True)]
