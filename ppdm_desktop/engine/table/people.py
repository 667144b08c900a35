"""The people of a table and their rows: rows with the same id belong to one person."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from ppdm_desktop.engine.arrays import AnyInts, Bools, Ints

_T = TypeVar("_T", bound=np.generic)


@dataclass(frozen=True, eq=False)
class People:
    """The person of each row.

    Attributes
    ----------
    of_row
        int64, shape (rows,): the row's person; people are numbered from 0 in the order of their first rows.
    has_no_id
        bool, shape (rows,): rows that lack an id, or a part of it; each such row is a person of its own.
    household
        int64, shape (rows,): the row's household, numbered from 0 likewise; None where no column names households.
    in_source
        int64, shape (people,): each person's number in the whole source, if these rows are a selection of it, so that
        people can be compared across selections. None where all rows of the source are there.
    linked
        Whether the released table will let an intruder find out which rows belong to one person.
    in_order
        Whether the released table will also show a person's rows in the order of the source.
    """

    of_row: Ints
    has_no_id: Bools
    household: Ints | None = None
    in_source: Ints | None = None
    linked: bool = False
    in_order: bool = False

    @classmethod
    def identity(cls, rows: int) -> People:
        """Return people who have one row each: row 0 belongs to person 0, row 1 to person 1, and so on.

        No row counts as lacking an id, and there are no households.
        """
        people = cls(np.arange(rows, dtype=np.int64), np.zeros(rows, dtype=np.bool_))
        people.__dict__["with_several"] = 0  # not to be counted
        return people

    @property
    def rows(self) -> int:
        """Return the number of rows of all people."""
        return len(self.of_row)

    @property
    def count(self) -> int:
        """Return the number of people."""
        return len(self.sizes)

    @property
    def without_id(self) -> int:
        """Return the number of rows that lack a person's id."""
        return int(np.count_nonzero(self.has_no_id))

    @cached_property
    def sizes(self) -> Ints:
        """The number of rows of each person, int64, shape (people,)."""
        return np.bincount(self.of_row).astype(np.int64)

    @cached_property
    def first_rows(self) -> Ints:
        """Return the index of each person's first row, shape (people,), rising."""
        return self.first_by(np.arange(self.rows, dtype=np.int64))

    def first_by(self, *keys: np.ndarray) -> Ints:
        """Return the index of each person's row with the lowest key, shape (people,); the first row among equal keys.

        Parameters
        ----------
        keys
            Each of shape (rows,), the most important first.
        """
        if not self.with_several:
            return self.of_row
        order = np.lexsort((*reversed(keys), self.of_row))
        return np.asarray(order[np.cumsum(self.sizes) - self.sizes], dtype=np.int64)

    def with_any(self, rows: Bools) -> Bools:
        """Return for each person whether any of their rows is marked in ``rows``, bool, shape (people,)."""
        if not self.with_several:
            return rows
        return np.asarray(np.bincount(self.of_row[rows], minlength=self.count) > 0)

    def least(self, values: np.ndarray) -> np.ndarray:
        """Return the smallest value among each person's rows, shape (people,); ``values`` has shape (rows,)."""
        return values[self.first_by(values)] if self.with_several else values

    def of_rows(self, values: npt.NDArray[_T]) -> npt.NDArray[_T]:
        """Return for each row the value of its person, shape (rows,); ``values`` has shape (people,)."""
        return values[self.of_row] if self.with_several else values

    def among(self, rows: Bools) -> int:
        """Return how many people have at least one marked row; ``rows`` has shape (rows,)."""
        return int(np.count_nonzero(self.with_any(rows)))

    def varying(self, codes: AnyInts) -> int:
        """Return how many people have at least two different codes in their rows; -1 (missing) counts as a code."""
        return self.count - int(np.count_nonzero(self.constant(codes)))

    def flag_with_different_codes(self, codes: AnyInts, present: Bools) -> Bools:
        """Return which people have at least two different codes in the rows marked as present, bool, shape (people,).

        A person with the codes 4, 4 and 7 has if all three rows are present, and has not if the third is not. ``codes``
        and ``present`` have shape (rows,).
        """
        wide, absent = codes.astype(np.int64), np.iinfo(np.int64).max
        lowest, highest = (sign * self.least(np.where(present, sign * wide, absent)) for sign in (1, -1))
        return np.asarray(highest > lowest)

    def take(self, rows: Ints) -> People:
        """Return the people of the rows with the given indices, in the order of these rows.

        People and households are renumbered by first occurrence; those without such a row are left out. ``in_source``
        of the result has the number that each person had before, or has in the source if these people were taken from
        others themselves.
        """
        people = self.of_row[rows]
        of_row = renumber_by_appearance(people)
        old = np.empty(int(of_row.max(initial=-1)) + 1, dtype=np.int64)
        old[of_row] = people
        return replace(
            self,
            of_row=of_row,
            has_no_id=self.has_no_id[rows],
            household=renumber_by_appearance(self.household[rows]) if self.household is not None else None,
            in_source=old if self.in_source is None else self.in_source[old],
        )

    def in_households(self, households: Ints) -> People:
        """Return the same people with the given household of each row; ``households`` has shape (rows,).

        Households may be any whole numbers; they are renumbered by first occurrence.
        """
        return replace(self, household=renumber_by_appearance(households))

    def linked_by_code(self) -> People:
        """Return the same people, marked as linked: the released table shows which rows belong to one person."""
        return replace(self, linked=True)

    def constant(self, codes: np.ndarray) -> Bools:
        """Return for each person whether all their rows have the same code, bool, shape (people,)."""
        return ~self.with_any(np.asarray(codes != codes[self.first_rows][self.of_row]))

    def released_in_order(self) -> People:
        """Return the same people, marked as released in the order of the source, by which their rows can be linked."""
        return replace(self, linked=True, in_order=True)

    @cached_property
    def with_several(self) -> int:
        """Return how many people have more than one row."""
        return int(np.count_nonzero(self.sizes > 1))

    @property
    def most_rows(self) -> int:
        """Return the largest number of rows of one person."""
        return int(self.sizes.max(initial=0))


def renumber_by_appearance(key: Ints) -> Ints:
    """Return whole numbers renumbered from 0 in the order of their first occurrence: 7, 3, 7 gives 0, 1, 0."""
    if (key[1:] > key[:-1]).all():
        return np.arange(len(key), dtype=np.int64)
    _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return np.asarray(rank[inverse.reshape(-1)], dtype=np.int64)


def count_holders(codes: AnyInts, values: int, people: People) -> Ints:
    """Return the number of people who hold each value in any of their rows, int64, shape (values,).

    A person with the value in three rows counts once for it, and once for each other value.

    Parameters
    ----------
    codes
        The value of each row, below 0 where it is missing.
    values
        How many values there are.
    people
        The person of each row.
    """
    filled_rows = np.flatnonzero(codes >= 0)
    if not people.with_several:
        return np.bincount(codes[filled_rows], minlength=values).astype(np.int64)
    pairs = np.unique(codes[filled_rows].astype(np.int64) * people.count + people.of_row[filled_rows])
    return np.bincount(pairs // people.count, minlength=values).astype(np.int64)
