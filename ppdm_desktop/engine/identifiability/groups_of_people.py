"""Counting how many people each row represents, in tables whose rows are groups of people."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Floats, Ints
from ppdm_desktop.engine.recipe.models import InputSection
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.column_names import means_people_count


@dataclass(frozen=True)
class GroupCounts:
    """How many people each row of a table of groups represents.

    Attributes
    ----------
    column
        The column that counts the people; empty where none does.
    of_row
        The number of people of each row, shape (rows,). Where no column counts them, it is the fewest people of a group
        by the recipe, or 0 if the recipe does not say.
    suppressed
        Whether a row has no values besides its quasi-identifiers, so that nothing is said of its people, bool, shape
        (rows,).
    """

    column: str
    of_row: Ints
    suppressed: Bools

    @property
    def people(self) -> int:
        """The number of people in the whole table."""
        return int(self.of_row.sum())


def _read_numbers(column: Column) -> Floats | None:
    """Return the numbers of a numeric column, shape (rows,), NaN where missing."""
    return column.numbers


def count_people(
    table: Table, input_section: InputSection, numbers_of: Callable[[Column], Floats | None] = _read_numbers
) -> GroupCounts:
    """Return how many people each row represents, and which rows are suppressed.

    The number is read from a column of whole numbers; of several such columns the one that holds the smallest number is
    used (of equal ones, the first): of 3, 20 and 5, 8 the first. An empty cell counts as 0, and a row is suppressed
    where all columns other than quasi-identifiers are empty, the column of numbers included. If there is no such
    column, every row counts the recipe's least count, or 0 without one, and no row is suppressed.

    Parameters
    ----------
    table
        The table; its rows are groups.
    input_section
        The recipe's section ``[input]``: the column that counts people (if it names none, every column of role
        ``other`` whose header means a number of people), and the fewest people of a group.
    numbers_of
        Returns the numbers of a column, shape (rows,), NaN where missing; None to pass the column over.
    """
    whole: dict[str, Ints] = {}
    for column in table.columns:
        named = column.role == "other" and means_people_count(column.header)
        if column.kind != "numeric" or not (
            named if input_section.people_count is None else column.name == input_section.people_count
        ):
            continue
        numbers = numbers_of(column)
        if numbers is None:
            continue
        filled = np.nan_to_num(numbers)
        counts = filled.astype(np.int64)
        if bool((counts == filled).all()):
            whole[column.name] = counts
    if whole:
        name = min(whole, key=lambda name: int(whole[name].min(initial=np.iinfo(np.int64).max)))
        measures = [column.missing for column in table.columns if column.role != "quasi-identifier"]
        is_empty = np.logical_and.reduce(measures) if measures else np.zeros(table.rows, dtype=np.bool_)
        return GroupCounts(name, whole[name], is_empty)
    counts = np.full(table.rows, input_section.least_count or 0, dtype=np.int64)
    return GroupCounts("", counts, np.zeros(table.rows, dtype=np.bool_))
