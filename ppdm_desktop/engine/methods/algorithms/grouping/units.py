"""What is put into groups: rows, or people with all their rows; and how many people a group has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.methods.algorithms.people.within import one_value_each
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.people import People

N = TypeVar("N", bound=np.generic)


@dataclass(frozen=True, eq=False)
class Units:
    """Rows, or people where a set of columns is the same in all rows of each: one point a person then.

    Attributes
    ----------
    people
        Whose row each is; None where each is another person's.
    whole
        People are put into groups, with all their rows.
    """

    people: People | None
    whole: bool = False

    @classmethod
    def of(cls, table: Table, names: tuple[str, ...]) -> Units:
        """Return the units of grouping by some columns: people if the columns are constant within them, else rows."""
        people = table.several
        return cls(people, people is not None and one_value_each(table.column(names[0]), people))

    @property
    def who(self) -> Ints | None:
        """The person of each unit, where several can be one person's; None where all are different people."""
        return self.people.of_row if self.people is not None and not self.whole else None

    def column(self, column: Column) -> Column:
        """Return one value a unit; of people the first that is there."""
        if self.people is None or not self.whole:
            return column
        return column.take(self.people.first_by(column.missing))

    def of_units(self, rows: npt.NDArray[N]) -> npt.NDArray[N]:
        """Return the value of each unit, given values that are equal in all rows of a unit."""
        return rows[self.people.first_rows] if self.people is not None and self.whole else rows

    def of_rows(self, units: npt.NDArray[N]) -> npt.NDArray[N]:
        """Return for each row what its unit has."""
        return units[self.people.of_row] if self.people is not None and self.whole else units

    def parted(self, released: Column) -> int:
        """Count the people who show several values where all their rows were to show one."""
        if self.people is None or not self.whole:
            return 0
        present, codes = ~released.missing, released.codes.astype(np.int64)
        lowest = self.people.least(np.where(present, codes, np.iinfo(np.int64).max))
        highest = -self.people.least(np.where(present, -codes, 1))
        return int(np.count_nonzero(highest > lowest))


def alike_within(table: Table, names: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Part columns that are the same in all rows of a person from those that change; one set where nothing differs."""
    if table.several is None:
        return [names]
    same = [name for name in names if one_value_each(table.column(name), table.several)]
    changing = tuple(name for name in names if name not in same)
    return [names_group for names_group in (tuple(same), changing) if names_group]


def people_in_groups(group: Ints, who: Ints | None, count: int) -> Ints:
    """Count the people in each group, int64, shape (count,); units of group -1 are in none.

    Parameters
    ----------
    group
        Group of each unit.
    who
        As ``Units.who``.
    count
        Number of groups.
    """
    inside = group >= 0
    if who is None:
        return np.bincount(group[inside], minlength=count).astype(np.int64)
    width = int(who.max(initial=0)) + 1
    pairs = np.unique(group[inside] * width + who[inside])
    return np.bincount(pairs // width, minlength=count).astype(np.int64)


def people_among(units: Bools, who: Ints | None) -> int:
    """Count the people who have at least one of some units."""
    return int(np.count_nonzero(units)) if who is None else len(np.unique(who[units]))
