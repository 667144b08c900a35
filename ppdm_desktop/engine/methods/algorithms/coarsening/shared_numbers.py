"""The people who share each rounded or coded number, and the protection promised to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.identifiability.classes import equivalence_classes
from ppdm_desktop.engine.identifiability.people import class_people
from ppdm_desktop.engine.methods.algorithms.digits.scaled import step_units, style_of
from ppdm_desktop.engine.methods.algorithms.generalisation.recount import level_proofs
from ppdm_desktop.engine.methods.algorithms.swapping.recount import levels_of
from ppdm_desktop.engine.methods.base.step import Guarantee, LevelProof, Protection, Recount
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.numbers import exact
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Names, Number


@dataclass(frozen=True, eq=False)
class ColumnHolders:
    """The values of a column and the people who have them.

    Attributes
    ----------
    values
        int64, shape (rows with a value,): each row's value in units of the column's last digit.
    rows
        int64, the same shape: the row of each value.
    person
        int64, the same shape: the person of each value, numbered from 0.
    demands
        int64, shape (people,): the group that each person asks for, the largest of their rows'.
    """

    values: Ints
    rows: Ints
    person: Ints
    demands: Ints

    @classmethod
    def of(cls, table: Table, name: str) -> ColumnHolders:
        """Return the values and people of one column of a table."""
        column = table.column(name)
        rows = np.flatnonzero(~column.missing)
        _, person = np.unique(table.persons.of_row[rows], return_inverse=True)
        demands = np.zeros(int(person.max(initial=-1)) + 1, dtype=np.int64)
        np.maximum.at(demands, person, group_demands(table)[rows])
        return cls(column.scaled[rows], rows, person.reshape(-1), demands)

    @property
    def people(self) -> int:
        """Number of people who have a value."""
        return len(self.demands)

    def largest_of_each(self, sign: int) -> Ints:
        """Return the largest value of each person after multiplication by ``sign``, int64, shape (people,)."""
        largest = np.full(self.people, np.iinfo(np.int64).min)
        np.maximum.at(largest, self.person, sign * self.values)
        return largest

    def people_sharing(self, released_codes: Ints) -> Ints:
        """Return for each person how many people share their rarest number, int64, shape (people,).

        Parameters
        ----------
        released_codes
            A code from 0 of the number that each row with a value shows.
        """
        if len(self.rows) == self.people:
            people = np.bincount(released_codes)
        else:
            people = np.bincount(np.unique(released_codes * self.people + self.person) // self.people)
        sharing = np.full(self.people, np.iinfo(np.int64).max)
        np.minimum.at(sharing, self.person, people[released_codes])
        return sharing

    def refuse_too_few(self, column: str) -> None:
        """Refuse a column in which fewer people have a value than the strictest of them demands as a group.

        Raises
        ------
        InputError
            Naming the column.
        """
        strictest = int(self.demands.max(initial=0))
        if self.people < strictest:
            raise InputError(
                "error.coarsening.too-few", column=column, args={"people": self.people, "group": strictest}
            )


def group_demands(table: Table) -> Ints:
    """Return the smallest group size that each record demands, int64, shape (records,)."""
    return levels_of(table).of("group").astype(np.int64)


def people_sharing(column: Column, people: People | None) -> Ints:
    """Return for each row the number of people who share its person's rarest value, int64, shape (rows,)."""
    return class_people(equivalence_classes([column], len(column)), people, linked=False, ordered=False)


def units_of(column: Column, number: float) -> int:
    """Return a number of the recipe as a whole number of units of the column's last digit.

    Raises
    ------
    RecipeError
        When it is no multiple of the column's step.
    """
    style = style_of(column)
    units = exact(number).scaleb(style.decimals)
    if units != int(units) or int(units) % step_units(style):
        arguments = {"number": Number(number), "step": Number(float(style.step))}
        raise RecipeError("error.coarsening.off-grid", column=column.name, args=arguments)
    return int(units)


def protections_of(table: Table, after: Table, coarse: Mapping[str, Bools]) -> tuple[Protection, ...]:
    """Return the protection of each column: equal values are shared by the people who show them.

    Parameters
    ----------
    table, after
        The step's input and output.
    coarse
        By column: the rows whose shown number stands for a range, shape (rows,).
    """
    protections, demands = [], group_demands(table)
    for name, rows in coarse.items():
        column = after.column(name)
        served = rows & (people_sharing(column, after.several) >= demands)
        protections.append(
            Protection(name, "grouped", served, np.where(served, column.category_codes, -1).astype(np.int64))
        )
    return tuple(protections)


def recount_sharing(before: Table, after: Table, coarse: Mapping[str, Bools], *, off: int) -> Recount:
    """Return whether the step kept its promise, and for each level whether enough people share each shown number.

    Parameters
    ----------
    before, after, coarse
        As for ``protections_of``.
    off
        Cells that are not as the step promises.
    """
    levels: list[LevelProof] = []
    demands = group_demands(before)
    for name, rows in coarse.items():
        sharing = np.where(rows, people_sharing(after.column(name), before.several), 0)
        levels += level_proofs(before, [name], demands, sharing, firm=False)
    return Recount(Guarantee("file", off == 0, before.rows * len(coarse), float(off)), tuple(levels))


def unchanged_note(id: str, columns: Sequence[str]) -> tuple[Note, ...]:
    """Return a note that a step changes nothing in these columns; none without columns."""
    return (Note(id, {"columns": Names.of(columns)}),) if columns else ()


def means(before: Column, after: Column) -> dict[str, Any]:
    """Return the mean of a column before and after, in its own unit, and the number of records without a value."""
    present = ~before.missing
    pair = (float(side.numbers[present].mean()) if present.any() else None for side in (before, after))
    return {**dict(zip(("mean_before", "mean_after"), pair, strict=True)), "no_value": int(np.count_nonzero(~present))}
