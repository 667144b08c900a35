"""Making a column constant within each person, a repair that is done only where the owner asks for it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ppdm_desktop.engine.recipe.models import WithinPersonWay
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.people import People


@dataclass(frozen=True)
class MadeSame:
    """How much of a column was changed to make it constant within each person.

    Attributes
    ----------
    column
        Name of the column.
    cells
        Number of cells whose text changed.
    people
        Number of people in whose rows cells changed.
    """

    column: str
    cells: int
    people: int


def unify_within_person(column: Column, people: People, way: WithinPersonWay) -> tuple[Column, MadeSame]:
    """Return a column with one value in all rows of each person, and how many cells of how many people this changed.

    Missing cells are filled with that value; a person without any value keeps the missing texts, even different ones.
    Texts are compared: "1.0" and "1.00" are two values. Where no cell changes, the column itself is returned.

    Parameters
    ----------
    column
        All rows, with its kind.
    people
        The person of each row.
    way
        ``first``: the first value in the person's rows that is not missing; ``most-frequent``: the value of the most of
        their rows, missing ones aside; of equally frequent values, the first.
    """
    rank = np.zeros(people.rows, dtype=np.int64)
    rank[column.missing] = 1
    if way == "most-frequent":
        keys, inverse = np.unique(people.of_row * len(column.texts) + column.codes, return_inverse=True)
        often = np.bincount(inverse.reshape(-1), minlength=len(keys))[inverse.reshape(-1)]
        rank = np.where(column.missing, 0, -often)
    chosen = people.first_by(rank)[people.of_row]
    # Who has no value in any row keeps the marks that stand there.
    codes = np.where(column.missing[chosen], column.codes, column.codes[chosen])
    changed = codes != column.codes
    done = MadeSame(column.name, int(np.count_nonzero(changed)), int(np.count_nonzero(people.with_any(changed))))
    return (replace(column, codes=codes) if done.cells else column), done
