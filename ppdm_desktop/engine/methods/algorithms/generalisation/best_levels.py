"""Full-domain generalisation: one level for each column, so that the least detail is lost and few people are left out.

A combination of levels is judged by the distinct rows that it leaves. The search goes through the combinations by
rising lower bound (the loss with nobody left out), and skips those below a combination that leaves out too many people:
with finer values, groups only become smaller. It ends when the bound reaches the best loss, which is then the smallest.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools, Floats, Ints
from ppdm_desktop.engine.identifiability.classes import classes_of_codes

MOST_COMBINATIONS, MOST_EVALUATED = 200_000, 20_000
"""Number of combinations up to which the search always ends with a proof; beyond it, `MOST_EVALUATED` are evaluated."""
_MERGED_COLUMNS, _MOST_CACHED = 4, 4_000_000
_DIGITS = 12
DOING = "progress.method.search"
Levels = tuple[int, ...]


class ColumnLevels(NamedTuple):
    """The values of a column at each level of its hierarchy; level 0 is the column unchanged.

    Attributes
    ----------
    codes
        int64, shape (levels, values + 1): code of the text that is shown for each value; the last entry is -1, for
        missing cells.
    losses
        Shape (levels, values + 1): share of the column's information lost in a cell, from 0 to 1.
    """

    codes: Ints
    losses: Floats


class Evaluated(NamedTuple):
    """A combination of levels with its loss and the number of people left out.

    Smaller ones are better, in this order.
    """

    loss: float
    left_out: int
    levels: Levels


@dataclass(frozen=True)
class BestLevels:
    """The result of a search.

    Attributes
    ----------
    best
        The best combination that was found.
    gap
        By how much the loss of another combination could be smaller at most; 0 if the best one is proven.
    evaluated
        Number of combinations for which people were counted.
    finer
        For each column, the number of people left out if its level were one lower; None at level 0.
    """

    best: Evaluated
    gap: float
    evaluated: int
    finer: tuple[int | None, ...]


class _Rows(NamedTuple):
    """Distinct rows, sorted by demand and then by person.

    Attributes
    ----------
    codes
        Shape (columns, rows): the value of each cell, -1 where missing.
    demands, who
        Shape (rows,): the group size that each row demands, and its person (0 for all if each row is a different
        person).
    part
        Shape (rows,): rows of different parts never form a group.
    weights
        Shape (rows,): how many rows of the table are equal to it.
    """

    codes: Ints
    demands: Ints
    who: Ints
    part: Ints
    weights: Ints

    def of_classes(self, first: Ints, weights: Ints) -> _Rows:
        """Return one row for each class of rows, which stands for all of them.

        ``first`` is the index of this row and ``weights`` the number of table rows in the class.
        """
        return _Rows(self.codes[:, first], self.demands[first], self.who[first], self.part[first], weights)


class LevelSearch:
    """The search for the best combination of levels."""

    def __init__(
        self,
        columns: Sequence[ColumnLevels],
        codes: Ints,
        demands: Ints,
        importance: Floats,
        *,
        who: Ints | None = None,
        part: Ints | None = None,
    ) -> None:
        """Prepare the search: merge equal rows, and leave out levels that group values as a finer level does.

        Parameters
        ----------
        columns
            The levels of each column.
        codes
            Shape (columns, rows): the value of each cell, -1 where missing.
        demands
            Shape (rows,): the group size that each row's person demands, in people.
        importance
            Shape (columns,): how much the loss of each column counts.
        who
            Shape (rows,): each row's person, who demands the same in all rows; None if each row is a different person.
        part
            Shape (rows,): rows of different parts never form a group; None for one part.
        """
        nothing = np.zeros(len(demands), dtype=np.int64)
        self._has_persons = who is not None
        self._levels = [_find_different_levels(column) for column in columns]
        self._columns = [
            ColumnLevels(column.codes[kept], column.losses[kept])
            for column, kept in zip(columns, self._levels, strict=True)
        ]
        rows = _Rows(codes, demands, nothing if who is None else who, nothing if part is None else part, nothing + 1)
        self._top = tuple(len(kept) - 1 for kept in self._levels)
        self._finest = self._merge_equal_rows(rows, (0,) * len(columns))
        by_values = sorted(range(len(columns)), key=lambda index: -columns[index].codes.shape[1])
        self._merge_first = frozenset(by_values[:_MERGED_COLUMNS])
        self._cache: OrderedDict[Levels, _Rows] = OrderedDict()
        self._latest = (0,) * len(columns), self._finest
        weights = self._finest.weights
        self._sums = [
            [float(losses[cells] @ weights) for losses in column.losses]
            for column, cells in zip(self._columns, self._finest.codes, strict=True)
        ]
        self._shares = importance / max(len(demands), 1)
        self._logs = [
            np.log1p(share * np.array(sums)).tolist() for share, sums in zip(self._shares, self._sums, strict=True)
        ]
        self._evaluated: dict[Levels, Evaluated] = {}
        self._failed = np.zeros((0, len(columns)), dtype=np.int64)

    @property
    def combinations(self) -> int:
        """Number of combinations of one level for each column: 20 for columns with 4 and 5 levels.

        A level that groups the values as a finer one does is not counted.
        """
        return math.prod(level + 1 for level in self._top)

    def run(self, most: int) -> BestLevels | Evaluated:
        """Return the best combination of the columns' levels that leaves out at most ``most`` people.

        Levels are steps of generalisation, 0 for exact values. The best one has the least loss and, among these, the
        fewest people left out, then the lowest levels. If the search is cut short, the result's gap says how much
        smaller the loss of another combination could be; otherwise the gap is 0. The result also says how many people
        the next lower level that shows other groups would leave out, for each column (None at level 0), and how many
        combinations were evaluated. If even the broadest combination leaves out too many people, this one is returned
        as ``Evaluated``, with an infinite loss; its levels are then numbered without those that group values as a finer
        one does.

        A search can be run for one ``most`` only, because evaluated combinations are remembered.
        """
        self._most = most
        self._best = self._evaluate_levels(self._top)
        if self._best.left_out > most:
            return self._best
        waiting: list[tuple[float, Levels]] = []
        first = (0,) * len(self._top)
        heappush(waiting, (self._compute_loss_bound(first), first))
        gap, walked, combinations = 0.0, 0, self.combinations
        while waiting:
            bound, levels = heappop(waiting)
            if bound > self._best.loss:
                break
            if walked >= MOST_COMBINATIONS or (combinations > MOST_COMBINATIONS and self._is_long):
                gap = self._best.loss - bound
                break
            walked += 1
            progress.report(walked / combinations, DOING)
            last = max((index for index, level in enumerate(levels) if level), default=0)
            for column in range(last, len(levels)):  # so that each combination is reached in one way only
                if levels[column] < self._top[column]:
                    coarser = _raise_level(levels, column, 1)
                    heappush(waiting, (self._compute_loss_bound(coarser), coarser))
            self._climb_to_allowed(levels)
        finer = tuple(
            self._evaluate_levels(_raise_level(self._best.levels, column, -1)).left_out if level else None
            for column, level in enumerate(self._best.levels)
        )
        best_levels = [int(kept[level]) for kept, level in zip(self._levels, self._best.levels, strict=True)]
        progress.report(1.0, DOING)
        return BestLevels(self._best._replace(levels=tuple(best_levels)), max(gap, 0.0), len(self._evaluated), finer)

    @property
    def _is_long(self) -> bool:
        """Whether at least 20,000 combinations were evaluated, so that the search has to be cut short."""
        return len(self._evaluated) >= MOST_EVALUATED

    def _compute_loss_bound(self, levels: Levels) -> float:
        """Return the loss of a combination of levels if nobody is left out."""
        return _sum_loss([logs[level] for logs, level in zip(self._logs, levels, strict=True)])

    def _climb_to_allowed(self, levels: Levels) -> None:
        """Evaluate a combination of levels; if it leaves out too many people, raise the cheapest level, and repeat.

        Combinations finer than one that left out too many are known to do so as well and are not evaluated. The first
        combination that is allowed becomes the best one if it is better. The climb also ends if no broader combination
        can lose less than the best.
        """
        while True:
            if levels in self._evaluated:
                has_failed = self._evaluated[levels].left_out > self._most
            elif has_failed := bool((self._failed >= levels).all(axis=1).any()):
                pass
            else:
                evaluated = self._evaluate_levels(levels)
                has_failed = evaluated.left_out > self._most
                if has_failed:
                    below = (self._failed <= levels).all(axis=1)
                    self._failed = np.vstack([self._failed[~below], levels])
                else:
                    self._best = min(self._best, evaluated)
            if not has_failed:
                return
            steps = [
                _raise_level(levels, column, 1) for column in range(len(levels)) if levels[column] < self._top[column]
            ]
            bound, levels = min((self._compute_loss_bound(coarser), coarser) for coarser in steps)
            if bound >= self._best.loss:
                return

    def _evaluate_levels(self, levels: Levels) -> Evaluated:
        """Return a combination with its loss and the number of people it leaves out.

        A row that is left out counts as losing everything. The loss is infinite if more people are left out than
        allowed. Every combination is evaluated once and then remembered.
        """
        if levels in self._evaluated:
            return self._evaluated[levels]
        rows = self._find_distinct_rows(levels)
        out = np.flatnonzero(self._find_left_out_rows(rows, levels))
        weights = rows.weights[out]
        people = len(np.unique(rows.who[out])) if self._has_persons else int(weights.sum())
        if people > self._most:
            self._evaluated[levels] = Evaluated(math.inf, people, levels)
            return self._evaluated[levels]
        sums = np.array([sums[level] for sums, level in zip(self._sums, levels, strict=True)])
        for index, (column, level) in enumerate(zip(self._columns, levels, strict=True)):
            sums[index] += weights.sum() - float(column.losses[level][rows.codes[index, out]] @ weights)
        self._evaluated[levels] = Evaluated(_sum_loss(np.log1p(self._shares * sums).tolist()), people, levels)
        return self._evaluated[levels]

    def _find_left_out_rows(self, rows: _Rows, levels: Levels) -> Bools:
        """Return which of ``rows`` are left out because their class is smaller than they demand, bool, shape (rows,).

        A class keeps its least demanding people: the largest m of whom each demands at most m. If too many people are
        left out, the classes may be remembered for the combination that is tried next.
        """
        classes = classes_of_codes([rows.part, *self._list_shown_codes(rows, levels)], len(rows.demands))
        ids = classes.ids
        if not self._has_persons and len(ids) and rows.demands[0] == rows.demands[-1]:
            sizes = np.bincount(ids, rows.weights).astype(np.int64)
            out = np.asarray(sizes[ids] < rows.demands)
            if rows.weights[out].sum() > self._most:
                # A broader combination, which the climb tries next, needs one row of each class only.
                self._latest = levels, rows.of_classes(classes.first, sizes)
            return out
        order = np.argsort(ids, kind="stable")
        ids, demands, who = ids[order], rows.demands[order], rows.who[order]
        people = rows.weights[order]
        starts = np.flatnonzero(np.append(True, ids[1:] != ids[:-1])[: len(ids)])
        if self._has_persons:
            people = np.append(1, who[1:] != who[:-1])[: len(ids)].astype(np.int64)
            people[starts] = 1
        group = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(ids)))
        reached = np.cumsum(people)
        rank = reached - (reached[starts] - people[starts])[group]
        kept = np.maximum.reduceat(np.where(demands <= rank, rank, 0), starts) if len(starts) else rank
        out = np.empty(len(ids), dtype=np.bool_)
        out[order] = rank > kept[group]
        return out

    def _list_shown_codes(self, rows: _Rows, levels: Levels) -> list[Ints]:
        """Return, for each column, the code of the text that each row shows at these levels, -1 where missing."""
        return [
            column.codes[level][cells] for column, level, cells in zip(self._columns, levels, rows.codes, strict=True)
        ]

    def _find_distinct_rows(self, levels: Levels) -> _Rows:
        """Return the table's rows with equal ones merged into one, each with the number of rows that it stands for.

        Rows count as equal if they are once the four columns of most values are shown at these levels. More rows are
        merged if a finer combination was just evaluated; people are counted the same either way. Cached.
        """
        is_coarser = all(fine <= level for fine, level in zip(self._latest[0], levels, strict=True))
        latest = [self._latest[1]] if is_coarser else []
        merged = tuple(level if index in self._merge_first else 0 for index, level in enumerate(levels))
        if merged in self._cache:
            self._cache.move_to_end(merged)
            return min([self._cache[merged], *latest], key=lambda rows: len(rows.who))
        if latest and 2 * len(latest[0].who) < len(self._finest.who):
            return latest[0]
        finer = [_raise_level(merged, column, -1) for column in range(len(merged)) if merged[column]]
        cached = [self._cache[levels] for levels in finer if levels in self._cache]
        self._cache[merged] = self._merge_equal_rows(
            min([self._finest, *cached], key=lambda rows: len(rows.who)), merged
        )
        while len(self._cache) > 1 and sum(len(rows.who) for rows in self._cache.values()) > _MOST_CACHED:
            self._cache.popitem(last=False)
        return self._cache[merged]

    def _merge_equal_rows(self, rows: _Rows, levels: Levels) -> _Rows:
        """Return the rows with equal ones merged: equal in demand, person, part and what they show at these levels.

        The weights of merged rows are added.
        """
        classes = classes_of_codes(
            [rows.demands, rows.who, rows.part, *self._list_shown_codes(rows, levels)], len(rows.who)
        )
        weights = np.bincount(classes.ids, rows.weights, classes.count).astype(np.int64)
        return rows.of_classes(classes.first, weights)


def _sum_loss(logs: Sequence[float]) -> float:
    """Return the loss of a combination, given log(1 + loss) of each column: the geometric mean of 1 + loss, less 1.

    It is rounded, so that the order of the columns makes no difference.
    """
    return round(math.expm1(math.fsum(logs) / len(logs)), _DIGITS)


def _find_different_levels(column: ColumnLevels) -> Ints:
    """Return the rising indexes of the levels that group a column's values in different ways, level 0 first.

    Of equal ones, the finest. Each level joins groups of the one before, so levels with as many groups are equal.
    """
    kept: list[int] = []
    for level, codes in enumerate(column.codes):
        if not kept or len(np.unique(codes)) < len(np.unique(column.codes[kept[-1]])):
            kept.append(level)
    return np.array(kept, dtype=np.int64)


def _raise_level(levels: Levels, column: int, by: int) -> Levels:
    """Return a combination of levels in which one column is ``by`` levels higher, or lower if ``by`` is negative."""
    return (*levels[:column], levels[column] + by, *levels[column + 1 :])
