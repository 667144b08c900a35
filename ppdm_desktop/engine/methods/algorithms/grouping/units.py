"""The units that are grouped (single rows, or people with all their rows), and the number of people in groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.methods.algorithms.people.within import has_one_value_each
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.people import People

N = TypeVar("N", bound=np.generic)


@dataclass(frozen=True, eq=False)
class Units:
    """The units that are grouped: people if the columns are constant within each person, otherwise single rows.

    Attributes
    ----------
    rows
        The unit of each row.
    people
        The person of each unit.
    """

    rows: People
    people: People

    @classmethod
    def of(cls, table: Table, names: tuple[str, ...]) -> Units:
        """Return the units for grouping by some columns: people if the first column is constant within them, else rows.

        The columns must be all constant within people, or all not; only the first is looked at. Missing values do not
        count: a person with 5 in one row and nothing in another is constant.
        """
        people = table.persons
        if has_one_value_each(table.column(names[0]), people):
            return cls(people, People.identity(people.count))
        return cls(People.identity(table.rows), people)

    @property
    def who(self) -> Ints | None:
        """Index of each unit's person; None if every unit is a different person."""
        return self.people.of_row if self.people.with_several else None

    def column(self, column: Column) -> Column:
        """Return the column with one value for each unit; for people, the first value that is not missing."""
        return column.take(self.rows.first_by(column.missing))

    def of_units(self, rows: npt.NDArray[N]) -> npt.NDArray[N]:
        """Return one value for each unit, that of its first row.

        ``rows`` has a value for each row, equal within a unit.
        """
        return rows[self.rows.first_rows]

    def of_rows(self, units: npt.NDArray[N]) -> npt.NDArray[N]:
        """Return the value of each row's unit; ``units`` has a value for each unit."""
        return self.rows.of_rows(units)

    def count_split_units(self, released: Column) -> int:
        """Return how many units show several texts in a released column although all their rows should show one.

        Missing values do not count.
        """
        return int(np.count_nonzero(self.rows.flag_with_different_codes(released.codes, ~released.missing)))


def split_by_constancy(table: Table, names: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return the names of columns in up to two sets: columns constant within each person, then columns that change.

    An empty set is left out; names keep their order. Missing values do not count, so a person with 5 in one row and
    nothing in another is constant.
    """
    same = [name for name in names if has_one_value_each(table.column(name), table.persons)]
    changing = tuple(name for name in names if name not in same)
    return [names_group for names_group in (tuple(same), changing) if names_group]


def count_people_in_groups(group: Ints, who: Ints | None, count: int) -> Ints:
    """Return the number of different people in each group of units (people or rows), int64, shape (count,).

    Parameters
    ----------
    group
        Index of each unit's group; -1 for units in no group.
    who
        Index of each unit's person; None if every unit is a different person.
    count
        Number of groups.
    """
    inside = group >= 0
    if who is None:
        return np.bincount(group[inside], minlength=count).astype(np.int64)
    width = int(who.max(initial=0)) + 1
    pairs = np.unique(group[inside] * width + who[inside])
    return np.bincount(pairs // width, minlength=count).astype(np.int64)


def count_flagged_people(units: Bools, who: Ints | None) -> int:
    """Return how many people have at least one marked unit; ``who`` is each unit's person, None if each is a person."""
    return int(np.count_nonzero(units)) if who is None else len(np.unique(who[units]))
