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
    is taken, unless it holds values or gaps and a row of names only stands a little below
    it, where a column of values begins.
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
    complete = len(rows[first]) >= usual and all(text.strip() for text in rows[first])
    if complete and not any(map(looks_like_value, rows[first])):
        return first
    for index in full[1:]:
        if index > first + _LOOK_AHEAD:
            break
        between, below = rows[first + 1 : index], rows[index + 1 :]
        if _all_names(rows[index]) and _begins_values(rows[index], between, below):
            return index
    return first


def _all_names(row: Row) -> bool:
    filled = all(text.strip() and not looks_like_value(text) for text in row)
    return filled and len(set(row)) == len(row)


def _begins_values(row: Row, above: Sequence[Row], below: Sequence[Row]) -> bool:
    """Say whether some column holds mostly values below a row of names, and none above it."""
    for place in range(len(row)):
        under = [other[place] for other in below if place < len(other) and other[place]]
        over = [other[place] for other in above if place < len(other)]
        values = sum(map(looks_like_value, under))
        if under and values > len(under) / 2 and not any(map(looks_like_value, over)):
            return True
    return False
