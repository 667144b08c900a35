"""Emptying further cells, so that no class of equal rows shows one confidential value.

A class that shows one value joins rows that are equal to it in all columns but one, which is emptied in both. As few
rows as are needed come from classes that can spare them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import AnyInts, Bools, Floats, Ints
from ppdm_desktop.engine.identifiability.classes import Classes, classes_of_codes
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.tie_breaking import GRID

_ROUNDS, _TIMES_AS_MANY = 30, 3


def classes_of_one_value(confidential: Sequence[AnyInts], classes: Classes, most: float) -> Bools:
    """Say in which classes at least a share ``most`` of the rows has one value, bool of shape (classes,).

    Parameters
    ----------
    confidential
        The values of each confidential column, of shape (rows,); -1 where there is none, or one that is no secret.
    classes, most
        The classes, and the share.
    """
    found = np.zeros(classes.count, dtype=np.bool_)
    sizes = np.maximum(np.bincount(classes.ids, minlength=classes.count), 1)
    for codes in confidential:
        width, rows = int(codes.max(initial=0)) + 1, np.flatnonzero(codes >= 0)
        pairs, counts = np.unique(classes.ids[rows] * width + codes[rows], return_counts=True)
        of_class = pairs // width
        found[of_class[counts >= most * sizes[of_class] - GRID]] = True
    return found


def mix_classes(
    codes: AnyInts,
    mask: Bools,
    demands: Ints,
    weights: Floats,
    confidential: Sequence[AnyInts],
    most: float,
    progress: Progress,
) -> Bools:
    """Return the cells to empty, more than before where a class shows one confidential value.

    Parameters
    ----------
    codes
        Shape (rows, columns): the value of each cell, -1 where it is missing already.
    mask
        Shape (rows, columns): the cells that are emptied so that each row has the class it asks for.
    demands, weights
        As of ``fewest_blanks``.
    confidential, most
        As of `classes_of_one_value`.
    progress
        Checked on the way.

    Returns
    -------
    bool, shape (rows, columns). A class can still show one value where emptying all of its cells is not enough.
    """
    # The order of the rows changes nothing.
    order = np.lexsort((*confidential, demands, *codes.T))
    found = np.zeros_like(mask)
    mixing = _Mixing(
        np.where(mask, -1, codes)[order].astype(np.int64),
        demands[order],
        weights,
        [values[order].astype(np.int64) for values in confidential],
        most,
    )
    for _ in range(_ROUNDS):
        progress.check()
        if not mixing.mix():
            break
    found[order] = mixing.shown < 0
    return found & (codes >= 0)


@dataclass(frozen=True, eq=False)
class _Option:
    """Rows that are emptied in the same columns, and what that costs for each row that needs it."""

    columns: list[int]
    rows: Ints
    group: Ints
    cost: float


@dataclass(eq=False)
class _Mixing:
    """The cells that are shown so far, -1 for those that are empty."""

    shown: Ints
    demands: Ints
    weights: Floats
    confidential: Sequence[Ints]
    most: float

    def mix(self) -> bool:
        """Let each class that shows one value join others once; say whether there was any that could."""
        rows = len(self.shown)
        classes = classes_of_codes(self.shown.T, rows)
        self._ids, self._alike = classes.ids, classes_of_one_value(self.confidential, classes, self.most)
        alike_rows = np.flatnonzero(self._alike[classes.ids])
        self._touched = np.zeros(rows, dtype=np.bool_)
        self._groups: dict[tuple[int, ...], _Groups] = {}
        emptied = 0
        for row in alike_rows[np.unique(classes.ids[alike_rows], return_index=True)[1]].tolist():
            is_empty = self.shown[row] < 0
            empty, shown = np.flatnonzero(is_empty).tolist(), np.flatnonzero(~is_empty).tolist()
            sets = [empty] * bool(empty) + [[*empty, column] for column in shown]
            options = [option for columns in sets if (option := self._option(sorted(columns), row)) is not None]
            if options:
                best = min(options, key=lambda option: option.cost)
                emptied += int((self.shown[np.ix_(best.rows, np.array(best.columns))] >= 0).sum())
                self.shown[np.ix_(best.rows, np.array(best.columns))] = -1
                self._touched[best.group] = True
        return emptied > 0

    def _option(self, columns: list[int], row: int) -> _Option | None:
        """Return what emptying some columns does for the class of a row, among the rows that differ in them alone.

        Where no rows of the group are enough, the class is emptied alone, at a price that makes it the last choice.
        """
        group = self._group(tuple(columns), row)
        if self._touched[group].any():
            return None
        costs = (self.shown[np.ix_(group, np.array(columns))] >= 0) @ self.weights[columns]
        is_alike, is_there = self._alike[self._ids[group]], costs == 0
        moved = group[is_alike | is_there]
        others = ~(is_alike | is_there)
        donors = self._donors(moved, group[others][np.argsort(costs[others], kind="stable")])
        if donors is None:
            alone = group[self._ids[group] == self._ids[row]]
            return _Option(columns, alone, group, 1e9 - len(group))
        rows = np.concatenate([moved, donors])
        return _Option(columns, rows, group, float(costs[np.isin(group, rows)].sum()) / int(is_alike.sum()))

    def _group(self, columns: tuple[int, ...], row: int) -> Ints:
        """Return the rows that differ from a row in some columns alone."""
        if columns not in self._groups:
            classes = classes_of_codes(np.delete(self.shown, columns, axis=1).T, len(self.shown))
            self._groups[columns] = _Groups.of(classes)
        return self._groups[columns].with_row(row)

    def _donors(self, rows: Ints, others: Ints) -> Ints | None:
        """Return as few of some other rows as make a class of rows fine, the first before the last; None without."""
        donors: list[int] = []
        left = others
        while not self._is_fine(rows):
            spared = None
            for row in left[self._differ(rows, left)].tolist():
                of_class = left[self._ids[left] == self._ids[row]]
                if self._is_fine(of_class[of_class != row]):
                    spared = row
                    break
            if spared is None:
                is_enough = len(left) <= _TIMES_AS_MANY * len(rows) and self._is_fine(np.concatenate([rows, left]))
                return others if is_enough else None
            donors.append(spared)
            left, rows = left[left != spared], np.append(rows, spared)
        return np.array(donors, dtype=np.int64)

    def _differ(self, rows: Ints, others: Ints) -> Bools:
        """Say which other rows have none of the values that too many of some rows have."""
        differ = np.ones(len(others), dtype=np.bool_)
        for codes in self.confidential:
            counts = np.bincount(codes[rows] + 1)
            counts[0] = 0
            if counts.max() >= self.most * len(rows) - GRID:
                differ &= codes[others] != int(counts.argmax()) - 1
        return differ

    def _is_fine(self, rows: Ints) -> bool:
        """Say whether rows are enough for one another, and no value is held by too many of them."""
        if not len(rows) or len(rows) < self.demands[rows].max():
            return False
        held = (np.bincount(codes[rows] + 1)[1:].max(initial=0) for codes in self.confidential)
        return all(count < self.most * len(rows) - GRID for count in held)


@dataclass(frozen=True, eq=False)
class _Groups:
    """The rows of each class, looked up by one of them."""

    ids: Ints
    rows: Ints
    starts: Ints

    @classmethod
    def of(cls, classes: Classes) -> _Groups:
        """Return the rows of classes."""
        starts = np.concatenate([[0], np.cumsum(np.bincount(classes.ids, minlength=classes.count))])
        return cls(classes.ids, np.argsort(classes.ids, kind="stable"), starts)

    def with_row(self, row: int) -> Ints:
        """Return the rows of the class of a row."""
        place = self.ids[row]
        return self.rows[self.starts[place] : self.starts[place + 1]]
