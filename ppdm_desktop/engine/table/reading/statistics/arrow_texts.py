"""Turning columns of Arrow, in which Parquet files are read, into codes and exact texts."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import numpy as np

from ppdm_desktop.engine.arrays import Codes
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.table.reading.statistics.columns import code_distinct_values
from ppdm_desktop.engine.table.reading.statistics.number_texts import format_shortest_number
from ppdm_desktop.engine.wording.values import Name, Term

_EPOCH = dt.date(1970, 1, 1).toordinal()
_PER_DAY = {"s": 86_400, "ms": 86_400 * 10**3, "us": 86_400 * 10**6, "ns": 86_400 * 10**9}
_FIELDS = {"s": 0, "ms": 3, "us": 6, "ns": 9}


def refuse_unreadable(schema: Any) -> None:
    """Raise InputError for a column that is nested or of another type that cannot be read, such as binary data.

    Numbers, texts, booleans, dates, times of day, points in time and nulls can be read, dictionary-encoded or not;
    lengths of time cannot.

    Parameters
    ----------
    schema
        The file's `pyarrow.Schema`.

    Raises
    ------
    InputError
        Naming the first such column and its type.
    """
    from pyarrow import types

    for field in schema:
        kind = _find_value_type(field.type)
        if types.is_nested(kind) or not _is_readable_type(kind):
            raise InputError("error.read.column-type", args={"column": Name(field.name), "type": Term(str(kind))})


def _find_value_type(kind: Any) -> Any:
    """Return the Arrow type of a column's values, which for a dictionary-encoded column is that of its dictionary."""
    from pyarrow import types

    return kind.value_type if types.is_dictionary(kind) else kind


def _is_readable_type(kind: Any) -> bool:
    """Return whether values of an Arrow type can be read: numbers, texts, booleans, dates, times and nulls.

    Lengths of time cannot; for a dictionary-encoded column ``kind`` is the type of its values.
    """
    from pyarrow import types

    tests = (
        *(types.is_integer, types.is_floating, types.is_decimal, types.is_string, types.is_large_string),
        *(types.is_string_view, types.is_boolean, types.is_date, types.is_timestamp, types.is_time, types.is_null),
    )
    return any(test(kind) for test in tests)


def encode_arrow_column(name: str, column: Any) -> tuple[Codes, tuple[str, ...], Codes]:
    """Return a column's codes, its distinct texts, and the codes of the numbers, dates and booleans among them.

    A null has the text "", and so has NaN; a boolean has "True" or "False".

    Parameters
    ----------
    name
        Name of the column, for the error.
    column
        A chunked array of a type that ``refuse_unreadable`` accepts.

    Raises
    ------
    InputError
        When it holds an infinite number.
    """
    from pyarrow import types

    kind = _find_value_type(column.type)
    if types.is_dictionary(column.type):
        column = column.cast(kind)
    if types.is_date(kind) or types.is_timestamp(kind) or types.is_time(kind):
        values = _read_stored_counts(column, kind)
    else:
        values = column.to_pylist()
    codes, distinct_values = code_distinct_values(values)
    present: list[Any] = [value for value in distinct_values if value is not None]
    if types.is_floating(kind) and any(math.isinf(value) for value in present):
        raise InputError("error.read.column-type", args={"column": Name(name), "type": Term("inf")})
    text_of = dict(zip(present, _format_values(present, kind), strict=True))
    texts = tuple("" if value is None else text_of[value] for value in distinct_values)
    is_text = types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind)
    typed = [] if is_text else [code for code, value in enumerate(distinct_values) if value is not None]
    return codes, texts, np.array(typed, dtype=np.int32)


def _format_values(values: Sequence[Any], kind: Any) -> list[str]:
    """Return the texts of values of one Arrow type, none of them missing.

    Floats are written in the shortest way (3.0 as "3"), decimals without an exponent, other values as Python does.
    Dates and times are given as the whole numbers that are stored and written by ISO; days outside the years 1 to 9999
    stay numbers. Points in time without a zone are written as dates if all ``values`` are at midnight, those with a
    zone in universal time (``Z``).
    """
    from pyarrow import types

    if types.is_floating(kind):
        return [format_shortest_number(number, kind.bit_width) for number in values]
    if types.is_timestamp(kind):
        return _format_timestamps(values, kind)
    if types.is_date(kind):
        return [_format_day(date if kind.bit_width == 32 else date // _PER_DAY["ms"]) for date in values]
    if types.is_time(kind):
        return [_format_time(time, kind.unit) for time in values]
    return [f"{value:f}" if isinstance(value, Decimal) else str(value) for value in values]


def _read_stored_counts(column: Any, kind: Any) -> list[int | None]:
    """Return the dates or times of an Arrow column as the whole numbers that are stored, None where missing."""
    import pyarrow

    counts: list[int | None] = column.cast(pyarrow.int32() if kind.bit_width == 32 else pyarrow.int64()).to_pylist()
    return counts


def _format_day(days: int) -> str:
    """Return the ISO date of a number of days since 1970; outside the years 1 to 9999 the number as text."""
    ordinal = _EPOCH + days
    return dt.date.fromordinal(ordinal).isoformat() if 1 <= ordinal <= dt.date.max.toordinal() else str(days)


def _format_time(count: int, unit: str) -> str:
    """Return a time of day as ``HH:MM:SS``, with as many decimals as are needed: 30600500 in "ms" gives 08:30:00.5.

    ``count`` is the time since midnight in ``unit``, an Arrow unit such as "ms".
    """
    seconds, rest = divmod(count, 10 ** _FIELDS[unit])
    part = f"{rest:0{_FIELDS[unit]}d}".rstrip("0") if rest else ""
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}{'.' + part if part else ''}"


def _format_timestamps(counts: Sequence[int], kind: Any) -> list[str]:
    """Return points in time as ISO texts, in universal time (``Z``) where they have a time zone.

    Without a zone they are dates if all are at midnight, else dates with times: ``2020-05-01T08:30:00``, with a
    fraction of a second where it is not 0. Outside the years 1 to 9999 the number of days since 1970 stands for the
    date. ``counts`` are in the unit of ``kind`` since 1970.
    """
    per_day = _PER_DAY[kind.unit]
    zone = "Z" if kind.tz else ""
    split = [divmod(count, per_day) for count in counts]
    if not zone and not any(rest for _, rest in split):
        return [_format_day(days) for days, _ in split]
    return [f"{_format_day(days)}T{_format_time(rest, kind.unit)}{zone}" for days, rest in split]
