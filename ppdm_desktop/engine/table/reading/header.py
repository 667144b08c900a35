"""Which row holds the column names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from ppdm_desktop.engine.table.numbers import is_number

_LOOK_AHEAD = 10
_DATE = re.compile(r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4}([ T].*)?")

Row = Sequence[str]


def looks_like_value(text: str) -> bool:
    """Say whether a text looks like a number or a date rather than a name."""
    return is_number(text, ".") or is_number(text, ",") or _DATE.fullmatch(text) is not None


def usual_length(rows: Sequence[Row]) -> int:
    """Return the number of fields most rows have; the larger one when two are as frequent."""
    lengths = Counter(len(row) for row in rows if any(row))
    return max(lengths.items(), key=lambda item: (item[1], item[0]))[0] if lengths else 0


def guess_header(rows: Sequence[Row]) -> int:
    """Return the index of the row that holds the column names.

    Rows above the table (notes, titles) have fewer fields or mostly empty ones. Among the
    rows that have the usual number of fields, at least half of them filled, the first one
    is taken, unless it holds values and a row of names stands a little below it, above
    values.
    """
    usual = usual_length(rows)
    if not usual:
        return 0
    full = [
        index
        for index, row in enumerate(rows)
        if len(row) >= usual and sum(bool(text.strip()) for text in row) >= max(1, (usual + 1) // 2)
    ]
    if not full:
        return next(index for index, row in enumerate(rows) if any(row))
    first = full[0]
    if not any(map(looks_like_value, rows[first])):
        return first
    for index in full[1:]:
        if index > first + _LOOK_AHEAD:
            break
        below = [rows[place] for place in full if place > index]
        if _all_names(rows[index]) and _stands_above_values(rows[index], below):
            return index
    return first


def _all_names(row: Row) -> bool:
    filled = all(text.strip() and not looks_like_value(text) for text in row)
    return filled and len(set(row)) == len(row)


def _stands_above_values(row: Row, below: Sequence[Row]) -> bool:
    """Say whether some column holds nothing but values below its name."""
    for place in range(len(row)):
        cells = [other[place] for other in below if place < len(other) and other[place]]
        if cells and all(map(looks_like_value, cells)):
            return True
    return False
