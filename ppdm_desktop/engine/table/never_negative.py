"""Whether a column of numbers looks as if no value can lie below zero by its meaning: a proposal, decided by a person.

A count, an age or an amount has no value below zero in any file; that this file holds none proves nothing. So the name
speaks first, and values alone are taken for counts only where they are whole numbers, some of them zero.
"""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.table.column import Column, to_floats
from ppdm_desktop.engine.table.column_names import named_as
from ppdm_desktop.engine.table.kinds import present_texts

LEAST_COUNTS = 3
"""Different whole numbers that are taken for counts at least: 0 and 1 alone mean no and yes."""


def lowest_number(column: Column) -> float | None:
    """Return the lowest number in a column; None where it holds no numbers."""
    if column.kind != "numeric" or column.style is None:
        return None
    values = to_floats(present_texts(column), column.style.decimal)
    return float(np.min(values)) if len(values) else None


def looks_not_negative(column: Column) -> bool:
    """Return whether to propose to the user that no value of a column can lie below zero by its meaning."""
    lowest = lowest_number(column)
    if lowest is None or lowest < 0 or column.style is None:
        return False
    texts = present_texts(column)
    named = named_as(column.header, column.label)
    if named.signed or len(texts) < LEAST_COUNTS:
        return False
    return named.amount or (lowest == 0 and column.style.decimals == 0)
