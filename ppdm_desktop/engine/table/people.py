"""Whose row it is: rows with the same id are one person's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.table.column import Table


@dataclass(frozen=True, eq=False)
class People:
    """The person of each row.

    Attributes
    ----------
    of_row
        int64, shape (rows,): the row's person, numbered from 0 by their first rows.
    without_id
        Rows that lack an id, or a part of it; each is a person of its own.
    """

    of_row: Ints
    without_id: int

    @property
    def rows(self) -> int:
        """Rows of all people."""
        return len(self.of_row)

    @property
    def count(self) -> int:
        """People."""
        return len(self.sizes)

    @cached_property
    def sizes(self) -> Ints:
        """Rows of each person, shape (people,)."""
        return np.bincount(self.of_row).astype(np.int64)

    @cached_property
    def first_rows(self) -> Ints:
        """Place of each person's first row, shape (people,), rising."""
        return self.first_by(np.arange(self.rows, dtype=np.int64))

    def first_by(self, *keys: np.ndarray) -> Ints:
        """Return the place of each person's row with the lowest key, of equals the first in the file.

        Parameters
        ----------
        keys
            Each of shape (rows,), the most important first.
        """
        order = np.lexsort((*reversed(keys), self.of_row))
        return np.asarray(order[np.cumsum(self.sizes) - self.sizes], dtype=np.int64)

    def with_any(self, rows: Bools) -> Bools:
        """Say of each person whether any of their rows is among those given, bool, shape (people,)."""
        return np.asarray(np.bincount(self.of_row[rows], minlength=self.count) > 0)

    @property
    def with_several(self) -> int:
        """People with more than one row."""
        return int(np.count_nonzero(self.sizes > 1))

    @property
    def most_rows(self) -> int:
        """Rows of the person who has most."""
        return int(self.sizes.max(initial=0))


def people_by(table: Table, names: Sequence[str]) -> People:
    """Tell people apart by one or several columns: equal texts, exactly as read, in all of them.

    Parameters
    ----------
    table
        The source, row by row.
    names
        Its columns that hold the id together. A row in which one of them is missing is a person of its own.
    """
    columns = [table.column(name) for name in names]
    key = np.zeros(table.rows, dtype=np.int64)
    lacking = np.zeros(table.rows, dtype=np.bool_)
    for column in columns:
        key = _numbered(key * (len(column.texts) + 1) + column.codes)
        lacking |= column.missing
    key[lacking] = table.rows + np.flatnonzero(lacking)
    return People(_numbered(key), int(np.count_nonzero(lacking)))


def _numbered(key: Ints) -> Ints:
    """Return whole numbers renumbered from 0 by their first rows."""
    _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    place = np.empty(len(first), dtype=np.int64)
    place[np.argsort(first)] = np.arange(len(first))
    return np.asarray(place[inverse.reshape(-1)], dtype=np.int64)
