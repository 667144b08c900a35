"""The parameter values that a run used where the recipe left them open or something else decided."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

import numpy as np

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.table.levels import RecordLevels

Why = Literal["set", "levels", "type", "table", "columns", "data", "program"]
"""Who decided a value: the recipe (or its default), the protection levels, the type of release, the table's limits,
the Columns page, the values of the column, or the program.
"""


@dataclass(frozen=True)
class Used:
    """A value that a step used for one of its parameters.

    Attributes
    ----------
    parameter
        Its key in the recipe.
    value
        As the recipe would write it.
    why
        What decided it.
    level, column
        Of which level and column it is the value; None is all of them.
    asked
        What was asked for, where less was used.
    """

    parameter: str
    value: Any
    why: Why
    level: str | None = None
    column: str | None = None
    asked: Any = None

    def document(self) -> dict[str, Any]:
        """Return the fields as plain data, without those that are None."""
        return {key: value for key, value in asdict(self).items() if value is not None}


def settled(used: Iterable[Used], values: Mapping[str, Any], written: frozenset[str]) -> tuple[Used, ...]:
    """Return the used values; where one equals the value that the recipe wrote, the recipe is named as its source.

    Parameters
    ----------
    used
        What was used, each with why.
    values
        The step's parameters by name.
    written
        Which of them the recipe wrote.
    """
    return tuple(
        replace(item, why="set") if item.parameter in written and item.value == values[item.parameter] else item
        for item in used
    )


def used_groups(parameter: str, levels: RecordLevels, groups: Ints) -> list[Used]:
    """Return the group sizes used for the people of each level.

    Parameters
    ----------
    parameter
        The parameter with the size.
    levels
        Each record's level.
    groups
        int64, shape (records,): the group that each record asks for.
    """
    used_parameters: list[Used] = []
    for code, level in enumerate(levels.levels):
        at_level = levels.codes == code
        for size in np.unique(groups[at_level]).tolist():
            at = at_level & (groups == size)
            by_type = size == levels.least_group and bool(levels.nobody_chose[at].all())
            used_parameters.append(Used(parameter, int(size), "type" if by_type else "levels", level.name))
    return used_parameters
