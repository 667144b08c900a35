"""The Lagrangean dual of phase II: multipliers, a lower bound, and which records are undecided.

There is one multiplier for each category (its number of records) and one for each demand class (how many unique records
keep their value). The dual function is the sum over records of the least reduced cost; it is maximised by entropic
smoothing at a falling temperature with Newton steps and backtracking. Any multipliers give a valid bound, so the proof
does not depend on convergence.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.methods.algorithms.swapping.problem import BOUND_SAFETY, GROUP_MEMBER, ROUNDING, SwapProblem

# Rows of a block stay in the processor's cache.
_BLOCK = 16_384
_SAMPLE_FROM = 100_000
_SAMPLE = 50_000
_STEPS = 12
_HALVINGS = 30
# exp(-40) of a record's weight is nothing: records clearer than this take no part in a step.
_CLEAR = 40.0


@dataclass(frozen=True, eq=False)
class Block:
    """Consecutive records of one demand class.

    Attributes
    ----------
    cost
        Costs, shape (records, categories); infinite if a category is not allowed.
    truth
        True categories.
    demand
        Demand class, or GROUP_MEMBER.
    start
        Index of the first record in the whole problem.
    """

    cost: Floats
    truth: Ints
    demand: int
    start: int


@dataclass(frozen=True, eq=False)
class Multipliers:
    """A point of the dual: one number for each category, and one (``keep``) for each demand class."""

    category: Floats
    keep: Floats


@dataclass(frozen=True, eq=False)
class Reduced:
    """The dual evaluated at some multipliers.

    Attributes
    ----------
    choice
        Category of least reduced cost of each record.
    gap
        By how much the second-best category is worse; records with the smallest gap are the least decided.
    bound
        Lower bound of the cost of every choice that meets the constraints, with a safe margin for rounding.
    sharp
        The same bound, with only as much margin as rounding needs.
    """

    choice: Ints
    gap: Floats
    bound: float
    sharp: float


class Dual:
    """The dual of a problem whose records are sorted by demand class.

    Parameters
    ----------
    problem
        Costs infinite where a category is not allowed (a group member's own).
    loser
        With slack, the category known to lose it. The others can then gain freely, so that their multipliers are
        bounded by the least of them; if it is None, gains and losses are both smoothed.
    """

    def __init__(self, problem: SwapProblem, loser: int | None = None) -> None:
        """Prepare the dual of a problem; ``loser`` is ignored if the problem has no slack.

        It stores the largest absolute finite cost, the wanted totals of categories, how many records of each demand
        class keep their category, and where the runs of one class begin and end.
        """
        self.problem = problem
        finite = np.isfinite(problem.cost)
        self.scale = max(
            float(problem.cost.max(where=finite, initial=0.0)),
            -float(problem.cost.min(where=finite, initial=0.0)),
            1e-9,
        )
        self.loser = loser if problem.slack else None
        self.targets = problem.marginal().astype(np.float64)
        sizes = np.bincount(problem.demand + 1, minlength=len(problem.changes) + 1)[1:]
        self.kept = (sizes - problem.changes).astype(np.float64)
        self.slack = float(problem.slack)
        edges = np.flatnonzero(np.diff(problem.demand)) + 1
        self._runs = [(int(a), int(b)) for a, b in zip([0, *edges], [*edges, problem.records]) if b > a]

    def blocks(self) -> Iterator[Block]:
        """Yield the records in order, in blocks of at most 16,384 records of one demand class.

        A demand class is a set of unique records of which a given number must change; members of groups are a class,
        too.
        """
        for first, last in self._runs:
            for start in range(first, last, _BLOCK):
                rows = slice(start, min(start + _BLOCK, last))
                problem = self.problem
                yield Block(problem.cost[rows], problem.truth[rows], int(problem.demand[first]), start)

    def zero(self) -> Multipliers:
        """Return multipliers that are all 0, one for each category and each demand class."""
        return Multipliers(np.zeros(len(self.targets)), np.zeros(len(self.kept)))

    def reduced(self, at: Multipliers) -> Reduced:
        """Return the dual at some multipliers: each record's best category, its gap, and two lower bounds of the cost.

        The best category has the least cost once multipliers are subtracted (see ``reduced_costs``). The gap is how
        much dearer the second-best one is, float64, shape (records,); infinite if no other is allowed. No choice that
        meets the constraints costs less than the bounds: the sharper one only allows for rounding errors, the other one
        for a safe margin as well.
        """
        records = self.problem.records
        choice = np.empty(records, dtype=np.int64)
        gap = np.empty(records)
        total = 0.0
        for block in self.blocks():
            progress.check()
            costs = reduced_costs(block, at)
            rows = slice(block.start, block.start + len(costs))
            rows_at = np.arange(len(costs))
            best = costs.argmin(axis=1)
            least = costs[rows_at, best]
            costs[rows_at, best] = np.inf
            choice[rows] = best
            gap[rows] = costs.min(axis=1) - least
            total += float(least.sum())
        total += float(at.category @ self.targets + at.keep @ self.kept)
        if self.slack and self.loser is None:
            total += self.slack * float(at.category.min() - at.category.max())
        elif self.loser is not None:
            gainers = np.delete(at.category, self.loser)
            total += self.slack * float(gainers.min() - at.category[self.loser])
        size = self.scale + float(np.abs(at.category).max() + np.abs(at.keep).max(initial=0.0))
        sharp = total - ROUNDING * size * records
        return Reduced(choice, gap, min(total - BOUND_SAFETY * records, sharp), sharp)

    def maximise(self, start: Multipliers, first: float, last: float) -> tuple[Multipliers, Reduced]:
        """Return the multipliers with the highest bound found, and the dual there, by maximising the smoothed dual.

        They are ``start`` itself if nothing better is found. The temperature of the smoothing falls from ``first`` to
        ``last``. At each temperature only undecided records take part, that is, those without a clear category at the
        present multipliers. The others count as decided and are reconsidered at the next temperature.
        """
        at = start
        reduced = self.reduced(at)
        best = (at, reduced)
        temperature = first
        levels = 1 + max(0, int(np.ceil(np.log(first / last) / np.log(4.0))))
        # Room for the multipliers to move before a clear record could change its mind.
        slack = 4.0 * first
        for level in range(levels):
            temperature = max(first / 4.0**level, last)
            limit = _CLEAR * temperature + slack
            part = _Part(self, reduced, limit)
            moved = part.climb(at, temperature)
            step = 2.0 * _compute_distance(at, moved)
            if step > slack and len(part.undecided) < self.problem.records:
                part = _Part(self, reduced, _CLEAR * temperature + 4.0 * step)
                moved = part.climb(at, temperature)
                step = 2.0 * _compute_distance(at, moved)
            at = moved
            slack = max(step, temperature)
            reduced = self.reduced(at)
            if reduced.bound > best[1].bound:
                best = (at, reduced)
            elif level > 1:
                # Decided records were decided too early: go back and let more of them take part.
                at, reduced = best
                slack = 4.0 * max(step, temperature)
            progress.report((level + 1) / levels, "progress.method.search")
        return best


def reduced_costs(block: Block, at: Multipliers) -> Floats:
    """Return the costs less the multipliers of their categories, as a new array, shape (records, categories).

    For the true category of a unique record, the multiplier of its demand class (records of which a given number must
    change) is subtracted as well.
    """
    costs = block.cost - at.category
    if block.demand != GROUP_MEMBER:
        costs[np.arange(len(costs)), block.truth] -= at.keep[block.demand]
    return np.asarray(costs)


def _compute_distance(a: Multipliers, b: Multipliers) -> float:
    """Return how far two sets of multipliers are apart.

    It is the spread of the differences of the category multipliers plus the largest difference of the others, because
    adding one number to all category multipliers changes nothing.
    """
    moved = b.category - a.category
    # Adding one number to all category multipliers changes nothing.
    return float((moved.max() - moved.min()) + np.abs(b.keep - a.keep).max(initial=0.0))


@dataclass(eq=False)
class _Smooth:
    """The smoothed dual at some multipliers: its value, its gradient, and minus its Hessian."""

    value: float
    gradient: Floats
    curvature: Floats


class _Part:
    """The undecided records at some multipliers; the decided ones are subtracted from the wanted totals."""

    def __init__(self, dual: Dual, reduced: Reduced, limit: float) -> None:
        """Fix the choice of all records whose gap is above ``limit``, and keep the others in blocks by demand class.

        A demand class is a set of unique records of which a given number must change. The wanted totals of categories,
        and the numbers of unchanged records of each class, are reduced by the fixed records. If the dual has a loser,
        its wanted total is also reduced by the slack, and the multipliers of the other categories may not fall below 0.
        """
        problem = dual.problem
        self.undecided = np.flatnonzero(reduced.gap <= limit)
        decided = reduced.gap > limit
        categories = len(dual.targets)
        fixed = np.bincount(reduced.choice[decided], minlength=categories)
        unchanged = decided & (reduced.choice == problem.truth) & (problem.demand != GROUP_MEMBER)
        kept = np.bincount(problem.demand[unchanged], minlength=len(dual.kept))
        self.targets = dual.targets - fixed
        self.kept = dual.kept - kept
        self.slack = dual.slack
        self.loser = dual.loser
        # Gainers may gain: their multipliers never fall below 0, the loser's is free.
        self.bounded = np.zeros(len(self.targets) + len(self.kept), dtype=np.bool_)
        if self.loser is not None:
            self.bounded[:categories] = np.arange(categories) != self.loser
            self.targets[self.loser] -= self.slack
        demand = problem.demand[self.undecided]
        self.blocks = []
        for level in np.unique(demand):
            rows = self.undecided[demand == level]
            for start in range(0, len(rows), _BLOCK):
                here = rows[start : start + _BLOCK]
                self.blocks.append(Block(problem.cost[here], problem.truth[here], int(level), 0))

    def climb(self, start: Multipliers, temperature: float) -> Multipliers:
        """Return multipliers that raise the smoothed dual, by at most twelve Newton steps with backtracking.

        It ends early if a step would gain next to nothing, or if even a tiny one gains too little; without any step,
        the result is ``start``.
        """
        at = np.concatenate([start.category, start.keep])
        now = self._evaluate_smooth_dual(at, temperature)
        for _ in range(_STEPS):
            direction = self._compute_newton_step(at, now)
            rise = float(direction @ now.gradient)
            if not rise > 0.01 * temperature:
                break
            length = 1.0
            for _ in range(_HALVINGS):
                there = np.where(self.bounded, np.maximum(at + length * direction, 0.0), at + length * direction)
                then = self._evaluate_smooth_dual(there, temperature)
                if then.value >= now.value + 1e-4 * float(now.gradient @ (there - at)):
                    break
                length /= 2.0
            else:
                break
            at, now = there, then
        categories = len(self.targets)
        return Multipliers(at[:categories], at[categories:])

    def _compute_newton_step(self, at: Floats, now: _Smooth) -> Floats:
        """Return the Newton direction at a point, that is, how much each multiplier should change.

        It is 0 for multipliers that may not fall below 0, are there and would fall. ``now`` has the gradient and
        curvature at this point.
        """
        free = ~(self.bounded & (at <= 0.0) & (now.gradient <= 0.0))
        matrix = now.curvature[np.ix_(free, free)]
        # The ridge settles what adding one number to all category multipliers leaves open.
        matrix = matrix + 1e-9 * max(float(np.trace(matrix)), 1e-300) * np.eye(len(matrix))
        direction = np.zeros(len(at))
        direction[free] = np.linalg.lstsq(matrix, now.gradient[free], rcond=None)[0]
        return direction

    def _evaluate_smooth_dual(self, point: Floats, temperature: float) -> _Smooth:
        """Return the value of the smoothed dual at a point, its gradient and minus its Hessian.

        Only the undecided records of this part count. ``point`` has the multipliers of the categories, then those of
        the demand classes; a lower ``temperature`` smooths less.
        """
        categories, classes = len(self.targets), len(self.kept)
        at = Multipliers(point[:categories], point[categories:])
        value = float(at.category @ self.targets + at.keep @ self.kept)
        gradient = np.concatenate([self.targets, self.kept])
        curvature = np.zeros((categories + classes, categories + classes))
        for block in self.blocks:
            progress.check()
            costs = reduced_costs(block, at)
            least = costs.min(axis=1)
            costs -= least[:, None]
            costs *= -1.0 / temperature
            shares = np.exp(costs, out=costs)
            sums = shares.sum(axis=1)
            shares /= sums[:, None]
            value += float((least - temperature * np.log(sums)).sum())
            totals = shares.sum(axis=0)
            gradient[:categories] -= totals
            square = curvature[:categories, :categories]
            square -= shares.T @ shares
            square[np.diag_indices(categories)] += totals
            if block.demand != GROUP_MEMBER:
                true_shares = shares[np.arange(len(shares)), block.truth]
                demand_index = categories + block.demand
                gradient[demand_index] -= true_shares.sum()
                cross = np.bincount(block.truth, weights=true_shares, minlength=categories) - true_shares @ shares
                curvature[:categories, demand_index] += cross
                curvature[demand_index, :categories] += cross
                curvature[demand_index, demand_index] += (true_shares * (1.0 - true_shares)).sum()
        if self.slack and self.loser is None:
            # The freedom of the marginal: ``slack`` units leave and enter where it is cheapest.
            for sign in (1.0, -1.0):
                shares = sign * at.category / temperature
                top = float(shares.max())
                shares = np.exp(shares - top)
                total = float(shares.sum())
                value -= self.slack * temperature * (top + float(np.log(total)))
                shares /= total
                gradient[:categories] -= sign * self.slack * shares
                curvature[:categories, :categories] += self.slack * (np.diag(shares) - np.outer(shares, shares))
        return _Smooth(value, gradient, curvature / temperature)


def solve_dual(problem: SwapProblem, loser: int | None) -> tuple[Dual, Multipliers, Reduced]:
    """Return the dual of a problem, the best multipliers found, and its value there with lower bounds of the cost.

    Problems of more than 100,000 records start from the multipliers of a sample.

    Parameters
    ----------
    problem
        Records sorted by demand class (records of which a given number must change), costs infinite where a category is
        not allowed.
    loser
        With slack, the category known to lose it; None if unknown.
    """
    dual = Dual(problem, loser)
    scale = dual.scale
    records = problem.records
    last = min(2e-3 / np.sqrt(max(records, 1)), 0.01 * scale)
    first = 0.3 * scale
    start = dual.zero()
    if records > _SAMPLE_FROM:
        start = progress.part(0.0, 0.2).run(_find_sample_multipliers, dual, first, last)
        # A sample of n places the multipliers to about the scale of the costs over sqrt(n).
        first = max(last, min(first, 0.1 * scale / np.sqrt(_SAMPLE)))
    with progress.part(0.2 if records > _SAMPLE_FROM else 0.0, 1.0):
        at, reduced = dual.maximise(start, first, last)
        return dual, at, reduced


def _find_sample_multipliers(dual: Dual, first: float, last: float) -> Multipliers:
    """Return the best multipliers for a sample of 50,000 evenly spaced records, with the wanted totals scaled down.

    ``first`` and ``last`` are the temperatures of the search.
    """
    problem = dual.problem
    rows = np.linspace(0, problem.records - 1, _SAMPLE).astype(np.int64)
    small = Dual(replace(problem.part(rows), slack=problem.slack), dual.loser)
    share = _SAMPLE / problem.records
    small.targets = dual.targets * share
    all_in, in_sample = (
        np.bincount(programme.demand + 1, minlength=len(dual.kept) + 1)[1:] for programme in (problem, small.problem)
    )
    # By the class's own share in the sample: a class too small to be sampled must ask for nothing.
    small.kept = dual.kept * np.divide(in_sample, all_in, out=np.zeros(len(dual.kept)), where=all_in > 0)
    small.slack = dual.slack * share
    return small.maximise(small.zero(), first, max(last, 2e-3 / np.sqrt(_SAMPLE)))[0]
