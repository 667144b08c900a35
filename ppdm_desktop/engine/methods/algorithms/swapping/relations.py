"""The relations between each attribute and the confidential column, and how far a swap moves them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.methods.algorithms.swapping.participants import ColumnInput

# Added to every cell of a value that occurs, before and after: a pair that a swap wipes out costs much, not infinity.
SMOOTHING = 0.5


class Relations:
    """The tables attribute × category of one confidential column; each person counts once.

    Parameters
    ----------
    column
        The column with its attributes (the quasi-identifiers); a missing value of these is a value of its own.
    """

    def __init__(self, column: ColumnInput) -> None:
        self.categories = column.categories
        self.codes = [codes.astype(np.int64) + 1 for codes in column.quasi]
        self.widths = [int(codes.max(initial=0)) + 1 for codes in self.codes]
        self._people = column.people

    def rows_of(self, records: Ints) -> tuple[Ints, Ints, Floats]:
        """Return the rows of some records, the place of each row's record among them, and what each row counts."""
        people = self._people
        if people is None:
            return records, np.arange(len(records)), np.ones(len(records))
        place = np.full(people.count, -1, dtype=np.int64)
        place[records] = np.arange(len(records))
        rows = np.flatnonzero(place[people.of_row] >= 0)
        return rows, place[people.of_row[rows]], 1.0 / people.sizes[people.of_row[rows]]

    def tables(self, released: Ints) -> list[Floats]:
        """Count attribute × category, each of shape (values, categories).

        Parameters
        ----------
        released
            Category of each record, -1 where missing: not counted.
        """
        records = np.flatnonzero(released >= 0)
        rows, place, weight = self.rows_of(records)
        shown, width = released[records][place], self.categories
        found = []
        for codes, values in zip(self.codes, self.widths, strict=True):
            cells = np.bincount(codes[rows] * width + shown, weight, values * width)
            found.append(cells.reshape(values, width).astype(np.float64))
        return found


def divergence(before: Sequence[Floats], after: Sequence[Floats]) -> float:
    """Return the I-divergence of the naive Bayes joint after a swap from the one before (Li & Sarkar 2004, G2), nats.

    The joint of naive Bayes is P(c) · Π P(a | c), so the divergence is the sum over attributes of that between the
    tables attribute × category, less what they all say of the categories alone. Computed from the released tables;
    the paper's objective (12) stands in for it.

    Parameters
    ----------
    before, after
        As ``Relations.tables`` counts them, at least one.
    """
    total, of_categories = 0.0, 0.0
    for first, second in zip(before, after, strict=True):
        held = first.sum(axis=1) > 0
        one, other = first[held] + SMOOTHING, second[held] + SMOOTHING
        one, other = one / one.sum(), other / other.sum()
        total += float((one * np.log(one / other)).sum())
        here, there = one.sum(axis=0), other.sum(axis=0)
        of_categories += float((here * np.log(here / there)).sum())
    return max(0.0, total - of_categories * (len(before) - 1) / len(before))
