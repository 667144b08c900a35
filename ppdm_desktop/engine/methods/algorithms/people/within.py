"""Whether a column is the same in all rows of a person."""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.people import People


def varying(column: Column, people: People) -> int:
    """Return the number of people in whose rows a column changes; missing counts as a value."""
    return int(np.count_nonzero(~people.constant(column.category_codes)))


def one_value_each(column: Column, people: People) -> bool:
    """Return whether nobody has two values in a column; missing values do not count."""
    codes = column.category_codes.astype(np.int64)
    present = codes >= 0
    lowest = people.least(np.where(present, codes, np.iinfo(np.int64).max))
    highest = -people.least(np.where(present, -codes, 1))
    return not bool((highest > lowest).any())


def treated_units(table: Table, name: str) -> People:
    """Return the units that get one new value each: people where a column is constant within them, else rows."""
    if table.several is not None and varying(table.column(name), table.several):
        return People.identity(table.rows)
    return table.persons
