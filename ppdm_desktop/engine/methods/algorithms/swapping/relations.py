"""The relations between each attribute and the swapped columns, and how far a swap changes them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.methods.algorithms.swapping.participants import ColumnInput

# Added to every cell of a value that occurs, before and after: a pair that a swap wipes out costs much, not infinity.
SMOOTHING = 0.5


class Relations:
    """The tables attribute × category of the confidential columns swapped as one unit; each person counts once.

    Parameters
    ----------
    column
        One column, or several as one, with the attributes (the quasi-identifiers); a missing value of these is a
        value of its own. Of several columns each has its own tables: how the columns go together is what the
        combinations keep by themselves.
    """

    def __init__(self, column: ColumnInput) -> None:
        self.categories = column.categories
        self.codes = [codes.astype(np.int64) + 1 for codes in column.quasi]
        self.widths = [int(codes.max(initial=0)) + 1 for codes in self.codes]
        self.views: tuple[Ints | None, ...] = column.views or (None,)
        self._people = column.people

    @property
    def columns(self) -> int:
        """Number of columns in the unit."""
        return len(self.views)

    @property
    def shapes(self) -> list[tuple[int, int]]:
        """The shape of each table: all attributes with the first column, then with the next."""
        return [(values, self._width(view)) for view in self.views for values in self.widths]

    def _width(self, view: Ints | None) -> int:
        """Return the number of categories in a view; of the whole combination if there is no view."""
        return self.categories if view is None else int(view.max(initial=0)) + 1

    def spread(self, tables: Sequence[Floats], rows: Ints) -> Floats:
        """Return for some rows the sum of their attributes' table entries, float64, shape (rows, categories)."""
        spread = np.zeros((len(rows), self.categories))
        for number, view in enumerate(self.views):
            part = spread if view is None else np.zeros((len(rows), self._width(view)))
            for codes, table in zip(self.codes, tables[number * len(self.codes) :], strict=False):
                part += table[codes[rows]]
            if view is not None:
                spread += part[:, view]
        return spread

    def counted(self, weights: Floats, rows: Ints) -> list[Floats]:
        """Return the tables attribute × category of some rows, each counting partly for every category.

        Parameters
        ----------
        weights
            What each row counts for each category, shape (rows, categories).
        rows
            The rows.
        """
        counted: list[Floats] = []
        for view in self.views:
            parts = weights if view is None else weights @ np.eye(self._width(view))[view]
            for codes, values in zip(self.codes, self.widths, strict=True):
                columns = [np.bincount(codes[rows], column, values) for column in parts.T]
                counted.append(np.column_stack(columns).astype(np.float64, copy=False))
        return counted

    def rows_of(self, records: Ints) -> tuple[Ints, Ints, Floats]:
        """Return the rows of some records, the record index of each row, and each row's weight."""
        people = self._people
        if not people.with_several:
            return records, np.arange(len(records)), np.ones(len(records))
        index = np.full(people.count, -1, dtype=np.int64)
        index[records] = np.arange(len(records))
        rows = np.flatnonzero(index[people.of_row] >= 0)
        return rows, index[people.of_row[rows]], 1.0 / people.sizes[people.of_row[rows]]

    def tables(self, released: Ints) -> list[Floats]:
        """Return the tables attribute × category, in the shapes of ``shapes``.

        Parameters
        ----------
        released
            Category of each record, -1 where missing: not counted.
        """
        records = np.flatnonzero(released >= 0)
        rows, record_index, weight = self.rows_of(records)
        tables = []
        for view in self.views:
            released_codes, width = released[records][record_index], self._width(view)
            released_codes = released_codes if view is None else view[released_codes]
            for codes, values in zip(self.codes, self.widths, strict=True):
                cells = np.bincount(codes[rows] * width + released_codes, weight, values * width)
                tables.append(cells.reshape(values, width).astype(np.float64))
        return tables

    def divergence(self, before: Sequence[Floats], after: Sequence[Floats]) -> float:
        """Return the I-divergence from before to after, in nats; for several columns the sum over them."""
        many = len(self.codes)
        ends = range(0, self.columns * many, max(many, 1))
        return sum(divergence(before[at : at + many], after[at : at + many]) for at in ends)


def divergence(before: Sequence[Floats], after: Sequence[Floats]) -> float:
    """Return the I-divergence, in nats, of the naive Bayes joint after a swap from that before (paper, G2).

    The joint of naive Bayes is P(c) · Π P(a | c), so the divergence is the sum over attributes of that between the
    tables attribute × category, less the repeated divergence of the categories alone. Computed from the released
    tables; the paper's objective (12) approximates it (Li & Sarkar 2004).

    Parameters
    ----------
    before, after
        As ``Relations.tables`` counts them, at least one.
    """
    total, of_categories = 0.0, 0.0
    for first, second in zip(before, after, strict=True):
        held = first.sum(axis=1) > 0
        before_shares, after_shares = first[held] + SMOOTHING, second[held] + SMOOTHING
        before_shares, after_shares = before_shares / before_shares.sum(), after_shares / after_shares.sum()
        total += float((before_shares * np.log(before_shares / after_shares)).sum())
        here, there = before_shares.sum(axis=0), after_shares.sum(axis=0)
        of_categories += float((here * np.log(here / there)).sum())
    return max(0.0, total - of_categories * (len(before) - 1) / len(before))
