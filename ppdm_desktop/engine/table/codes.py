"""A guess whether the whole numbers of a column with at most twelve different ones are codes or quantities."""

from __future__ import annotations

from typing import Literal

import numpy as np

from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.column_names import interpret_column_name

MOST_CODES = 12
"""Different whole numbers up to which a column may hold codes."""
_LARGEST_CODE, _LEAST_COUNTS, _LEAST_AMOUNT, _FEW_APART, _END_OF_SCALE = 20, 4, 100, 5, 10

CodesAnswer = Literal["codes", "numbers"]


def guess_codes_answer(column: Column) -> CodesAnswer | None:
    """Return "codes" or "numbers", whichever a column's whole numbers probably are; None where that is no question.

    It is one only for numeric columns written without decimals, with two to twelve different numbers; missing cells do
    not count. Two different numbers give "codes". More than two give "numbers" in these cases, otherwise "codes":

    - the column's name means an amount;
    - the numbers run from 0 as counts do (0, 1, 2, 3, with 0 not the rarest, or up to 10) or as amounts do (0, 600,
      1200), see `_from_zero`, or are 1 to 10;
    - a number is above 20 or below -20, and they are not at most five numbers with gaps between all neighbours.
    """
    if column.kind != "numeric" or (column.style is not None and column.style.decimals):
        return None
    # Texts are at least as many as numbers: most columns are excluded by their texts before any number is read.
    if column.has_texts and len(column.texts) > 4 * MOST_CODES + len(column.missing_texts):
        return None
    values, counts = column.counted_numbers()
    if not 1 < len(values) <= MOST_CODES:
        return None
    if len(values) == 2:
        return "codes"
    named = interpret_column_name(column.header, column.label)
    # Of 50, 80 and 100 % of full time, 101 % is no fourth.
    apart = len(values) <= _FEW_APART and bool((np.diff(values) > 1).all())
    is_scale = np.array_equal(values, np.arange(1, _END_OF_SCALE + 1))
    if (
        named.amount
        or is_scale
        or _from_zero(values, counts)
        or (float(np.abs(values).max()) > _LARGEST_CODE and not apart)
    ):
        return "numbers"
    return "codes"


def _from_zero(values: Floats, records: Ints) -> bool:
    """Return whether distinct rising numbers start at 0 and continue as counts or as amounts would.

    Counts are at least four numbers with steps of 1 or 2, of which 0 is not rarer than all others, since a rare 0
    mostly means "unknown"; but if the largest is 10, they are a scale however rare 0 is. Amounts are multiples of 10
    that reach 100. ``records`` is the number of records with each number.
    """
    is_common = records[0] >= records[1:].min() or values[-1] == _END_OF_SCALE
    counts = len(values) >= _LEAST_COUNTS and bool((np.diff(values) <= 2).all()) and is_common
    amounts = values[-1] >= _LEAST_AMOUNT and not (values % 10).any()
    return bool(values[0] == 0 and (counts or amounts))
