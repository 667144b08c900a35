"""Random tables for condensation, and the paper's grouping as printed, word by word and slow."""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.methods.base.step import StepResult

PATTERNS = ("all equal", "uniform mix", "few high", "more asked than a level holds")


def random_needs(rng: np.random.Generator, count: int, pattern: str) -> Ints:
    """Return demands that the table as a whole can meet, in one of four patterns."""
    if pattern == "all equal":
        return np.full(count, rng.integers(1, min(count, 12) + 1), dtype=np.int64)
    if pattern == "uniform mix":
        return np.asarray(rng.integers(1, min(count, 12) + 1, count), dtype=np.int64)
    needs = np.full(count, min(2, count), dtype=np.int64)
    high = int(rng.integers(3, count + 1))
    # "Few high": three ask for much. The last pattern: every level asks for more than it has.
    if pattern == "few high":
        needs[rng.permutation(count)[:3]] = high
        return needs
    levels = np.arange(2, min(count, 15) + 1)
    found = np.asarray(rng.choice(levels, count, p=levels / levels.sum()), dtype=np.int64)
    found[rng.permutation(count)[: max(1, high - 1)]] = high
    return found


def random_table(seed: int, count: int, width: int, pattern: str, rounded: bool) -> tuple[Floats, Ints]:
    """Return points and demands; rounded points repeat themselves."""
    rng = np.random.default_rng(seed)
    points = rng.standard_normal((count, width)) + 3.0 * rng.integers(0, 3, (count, 1))
    return np.asarray(np.round(points) if rounded else points), random_needs(rng, count, pattern)


def too_small(group: Ints, needs: Ints) -> int:
    """Return how many records sit in a group smaller than they ask for."""
    sizes = {number: group.tolist().count(number) for number in set(group.tolist())}
    return sum(sizes[number] < need for number, need in zip(group.tolist(), needs.tolist(), strict=True))


def partition(group: Ints) -> set[frozenset[int]]:
    """Return the groups as sets of records."""
    return {frozenset(np.flatnonzero(group == number).tolist()) for number in set(group.tolist())}


class PrintedProcedure:
    """ConstructGroups of Aggarwal and Yu 2005 (Figures 2 to 5) without carrying and merging.

    A level with too few records leaves a group that is too small, for Cannibalize to
    take. Every figure is recomputed from the members, with no running update.
    """

    def __init__(self, points: Floats, needs: Ints) -> None:
        self._points, self._needs = points, needs
        self.undersized = 0

    def run(self) -> Ints:
        """Return each record's group."""
        lower: list[list[int]] = []
        for level in range(1, int(self._needs.max()) + 1):
            upper = self._segment(np.flatnonzero(self._needs == level).tolist(), level)
            lower = self._cannibalize(lower, upper)
            self._attrition(lower, upper, level)
            lower = lower + upper
        found = np.full(len(self._points), -1, dtype=np.int64)
        for number, members in enumerate(lower):
            found[members] = number
        return found

    def _centre(self, members: list[int]) -> Floats:
        return np.asarray(self._points[members].mean(axis=0))

    def _apart(self, row: int, members: list[int]) -> float:
        return float(np.linalg.norm(self._points[row] - self._centre(members)))

    def _ssq(self, members: list[int]) -> float:
        return float(((self._points[members] - self._centre(members)) ** 2).sum())

    def _segment(self, rows: list[int], level: int) -> list[list[int]]:
        made: list[list[int]] = []
        while len(rows) >= level:
            seed = rows[0]
            near = sorted(rows[1:], key=lambda row: float(np.linalg.norm(self._points[row] - self._points[seed])))
            # The paper says nothing of the order in a group, in which it later meets others: that of the table.
            made.append(sorted([seed, *near[: level - 1]]))
            rows = [row for row in rows if row not in made[-1]]
        if rows and not made:
            self.undersized += 1
            return [rows]
        for row in rows:
            min(made, key=lambda members: self._apart(row, members)).append(row)
        return made

    def _cannibalize(self, lower: list[list[int]], upper: list[list[int]]) -> list[list[int]]:
        kept = []
        for members in lower:
            tried = [list(each) for each in upper]
            for row in members:
                if tried:
                    min(tried, key=lambda each: self._apart(row, each)).append(row)
            change = sum(self._ssq(each) for each in tried) - sum(self._ssq(each) for each in upper)
            lacking = len(members) < self._needs[members].max()
            if tried and (lacking or change < self._ssq(members)):
                for each, fuller in zip(upper, tried, strict=True):
                    each[:] = fuller
            else:
                kept.append(members)
        return kept

    def _attrition(self, lower: list[list[int]], upper: list[list[int]], level: int) -> None:
        moves: list[tuple[int, list[int], list[int]]] = []
        for members in upper:
            wishes = []
            for row in members:
                viable = [each for each in lower if len(each) + 1 >= self._needs[row]]
                if viable:
                    target = min(viable, key=lambda each: self._apart(row, each))
                    wishes.append((self._apart(row, members) - self._apart(row, target), row, target))
            best = sorted((wish for wish in wishes if wish[0] > 0), key=lambda wish: -wish[0])
            moves += [(row, members, target) for _, row, target in best[: max(0, len(members) - level)]]
        for row, members, target in moves:
            members.remove(row)
            target.append(row)


def pooled(n: Ints, mean: Floats, covariance: Floats) -> tuple[int, Floats, Floats]:
    """Return size, mean and covariance of all groups together: what the records had, whatever was split."""
    total = int(n.sum())
    share = n / total
    offset = mean[0]
    near = mean - offset
    centre = share @ near
    apart = near - centre
    between = (apart * share[:, None]).T @ apart
    return total, offset + centre, between + np.einsum("g,gij->ij", share, covariance)


def groups_of(result: StepResult) -> Ints:
    """The group of each released row."""
    assert result.row_groups is not None
    return result.row_groups
