"""The units of a swap: the values of one column, or of several columns together."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.identifiability.classes import Classes
from ppdm_desktop.engine.methods.algorithms.swapping.participants import ColumnInput
from ppdm_desktop.engine.methods.base.step import Settings
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.levels import RecordLevels


@dataclass(frozen=True)
class Unit:
    """One column, or several whose values are exchanged as a combination.

    Attributes
    ----------
    columns
        One name, or several in the order of the table.
    """

    columns: tuple[str, ...]

    @property
    def is_joint(self) -> bool:
        """Whether several columns move as one."""
        return len(self.columns) > 1

    @property
    def label(self) -> str:
        """The columns' names as one text."""
        return ", ".join(self.columns)

    @property
    def purpose(self) -> str:
        """Suffix of the names of its random streams, independent of the order of columns in the recipe."""
        return f": {self.columns[0]}" if not self.is_joint else f" together: {json.dumps(self.columns)}"


def units_of(table: Table, settings: Settings) -> tuple[Unit, ...]:
    """Return the units of a step, in the order of its columns."""
    named = set(settings.values.get("together") or ())
    joint = Unit(tuple(name for name in table.names if name in named))
    units: list[Unit] = []
    for name in settings.columns:
        unit = joint if name in named else Unit((name,))
        if unit not in units:
            units.append(unit)
    return tuple(units)


def combinations(columns: Sequence[Column]) -> tuple[Ints, Ints]:
    """Return the index of each row's combination of values, and the combinations.

    The index is -1 where a value is missing; the combinations are the columns' categories, shape (combinations,
    columns), rising, for combinations that occur.

    Parameters
    ----------
    columns
        Two or more.
    """
    codes = np.column_stack([column.category_codes.astype(np.int64) for column in columns])
    complete = (codes >= 0).all(axis=1)
    code_of_row = np.full(len(codes), -1, dtype=np.int64)
    held, combination_index = np.unique(codes[complete], axis=0, return_inverse=True)
    code_of_row[complete] = combination_index.reshape(-1)
    return code_of_row, held.astype(np.int64)


def unit_input(table: Table, unit: Unit, classes: Classes) -> ColumnInput:
    """Return the input of a swap for columns that are constant within each person.

    Parameters
    ----------
    table
        The step's input.
    unit
        What moves as one.
    classes
        The rows grouped by equal quasi-identifiers.
    """
    people = table.persons
    columns = [table.column(name) for name in unit.columns]
    levels = table.levels if table.levels is not None else RecordLevels.same_for_all(table.rows)
    views: tuple[Ints, ...] = ()
    if unit.is_joint:
        truth, held = combinations(columns)
        categories, views = len(held), tuple(held.T)
    else:
        truth, categories = columns[0].category_codes.astype(np.int64), len(columns[0].categories)
    level = levels.codes.astype(np.int64)
    quasi = [column.category_codes for column in table.with_role("quasi-identifier")]
    first = people.first_rows
    return ColumnInput(truth[first], categories, quasi, classes, level[first], people, views)
