"""A confidential column of a table as a swap reads it: records, or people with all their rows."""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.identifiability.classes import Classes
from ppdm_desktop.engine.methods.algorithms.people.within import varying
from ppdm_desktop.engine.methods.algorithms.swapping.participants import ColumnInput
from ppdm_desktop.engine.methods.base.step import Settings
from ppdm_desktop.engine.table.column import Table
from ppdm_desktop.engine.table.levels import RecordLevels
from ppdm_desktop.engine.wording.values import Name


def refuse_varying(table: Table, settings: Settings) -> None:
    """Refuse a column that changes within a person: there is no one value of theirs that could be another.

    Raises
    ------
    RecipeError
        Naming the column.
    """
    if table.several is None:
        return
    for name in settings.columns:
        changing = varying(table.column(name), table.several)
        if changing:
            raise RecipeError("error.swap.varying", column=name, args={"column": Name(name), "people": changing})


def column_input(table: Table, name: str, classes: Classes) -> ColumnInput:
    """Return what a swap reads of a column that is the same in all rows of a person.

    Parameters
    ----------
    table
        The step's input.
    name
        The column.
    classes
        The rows grouped by equal quasi-identifiers.
    """
    column, people = table.column(name), table.several
    levels = table.levels if table.levels is not None else RecordLevels.same_for_all(table.rows)
    truth, level = column.category_codes.astype(np.int64), levels.codes.astype(np.int64)
    quasi = [each.category_codes for each in table.with_role("quasi-identifier")]
    if people is not None:
        truth, level = truth[people.first_rows], level[people.first_rows]
    return ColumnInput(truth, len(column.categories), quasi, classes, level, people)
