"""The prediction tasks for one column: its value, or whether it lies above the median."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.utility.cells import merged_categories, number_commonest
from ppdm_desktop.engine.wording.catalogue import Sentence, lazy
from ppdm_desktop.engine.wording.values import Exact

_WHICH_VALUE = lazy("which of its values")
_ITS_NUMBER = lazy("its number to within one unit")
ITS_VALUE = lazy("its value")
MOST_CLASSES = 30
"""Most classes of a column; with more values the commonest of the original are classes, the rest are one."""
MOST_WHOLE_VALUES = 50
"""Whole numbers with more different values than this are not predicted to within one unit."""


@dataclass(frozen=True, eq=False)
class Task:
    """One label to predict from the other columns.

    Attributes
    ----------
    target
        The column.
    question
        What is predicted of it.
    before, after
        int64: what is true of each original record, and what each released record says.
    known, known_after
        bool: where there is a value.
    classes
        Number of labels; 0 where the label is a number.
    tolerance
        A guess this far off still counts as right: 0 for classes, 1 for whole numbers.
    """

    target: str
    question: Sentence
    before: Ints
    after: Ints
    known: Bools
    known_after: Bools
    classes: int
    tolerance: int = 0

    def hits(self, guessed: Ints, true: Ints) -> Bools:
        """Return which guesses are no farther from the true label than the tolerance, bool, shape (records,)."""
        return np.asarray(np.abs(guessed - true) <= self.tolerance)


def tasks_of(before: Column, after: Column) -> tuple[Task, ...]:
    """Return the prediction tasks for a column: one, or two for whole numbers.

    Of a column that is numeric in both versions the first task is whether it is above the median of the original. The
    second, where the original has only whole numbers and at most 50 different ones, is the number itself, right if at
    most one away. Any other column gives one task: which of its values.

    Parameters
    ----------
    before, after
        The original column and its released version; rows need not correspond.
    """
    if before.kind == "numeric" and after.kind == "numeric":
        tasks = [_make_median_task(before, after)]
        values = before.numbers[~before.missing]
        if len(values) and len(np.unique(values)) <= MOST_WHOLE_VALUES and np.all(values == np.floor(values)):
            tasks.append(_make_whole_number_task(before, after))
        return tuple(tasks)
    return (_make_category_task(before, after),)


def _make_category_task(before: Column, after: Column) -> Task:
    """Return the task of predicting a category, with rare ones as one class.

    The 30 most frequent of the original are classes, in the order of categories; of equally frequent ones the first. If
    both versions together have more, all others share a last class. Where a value is missing, it is marked as unknown
    and its label has no meaning.
    """
    first, second, names = merged_categories(before, after)
    codes = (first.astype(np.int64), second.astype(np.int64))
    kept, into = number_commonest(len(names), MOST_CLASSES, codes[0])
    cut = len(names) > len(kept)
    sentence = _WHICH_VALUE
    if cut:
        sentence = lazy("which of its values (the {n} commonest, or another)", n=MOST_CLASSES)
    return Task(
        before.name, sentence, into[codes[0]], into[codes[1]], codes[0] >= 0, codes[1] >= 0, len(kept) + int(cut)
    )


def _make_median_task(before: Column, after: Column) -> Task:
    """Return the task of predicting whether a number is above the median of the original's values.

    Label 1 is above the median, 0 at or below it. Where no value is above it (1, 5, 5), 1 is at least the median
    instead. The median is 0 without values; a missing value is marked as unknown.
    """
    known_before, known_after = ~before.missing, ~after.missing
    middle = float(np.median(before.numbers[known_before])) if known_before.any() else 0.0
    at_least = bool(known_before.any()) and not bool((before.numbers[known_before] > middle).any())
    sides = []
    for numbers in (before.numbers, after.numbers):
        filled = np.where(np.isnan(numbers), middle, numbers)
        sides.append((filled >= middle if at_least else filled > middle).astype(np.int64))
    median = Exact(float(f"{middle:.15g}"))
    sentence = lazy("whether it is above {middle}, the median of the original", middle=median)
    if at_least:
        sentence = lazy("whether it is at least {middle}, the median of the original", middle=median)
    return Task(before.name, sentence, sides[0], sides[1], known_before, known_after, 2)


def _make_whole_number_task(before: Column, after: Column) -> Task:
    """Return the task of predicting a whole number; a guess is right if it is at most one away.

    Labels are the numbers of both versions, rounded half up (released 2.5 is 3); missing ones are marked as unknown.
    """
    sides = [
        np.floor(np.where(np.isnan(numbers), 0.0, numbers) + 0.5).astype(np.int64)
        for numbers in (before.numbers, after.numbers)
    ]
    return Task(
        before.name,
        _ITS_NUMBER,
        sides[0],
        sides[1],
        ~before.missing,
        ~after.missing,
        0,
        1,
    )
