"""Which headers look like names of people, and which columns of numbers may stand for people."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from cases import case_rows

from ppdm_desktop.engine.table.column import Column, NumberStyle, Table
from ppdm_desktop.engine.table.people_as_columns import columns_like_people, headers_like_names


@pytest.mark.parametrize(("headers", "are_names"), case_rows("people-as-columns-headers-like-names"))
def test_headers_like_names(headers: str, are_names: bool) -> None:
    assert headers_like_names(headers.split("|")) == (tuple(headers.split("|")) if are_names else ())


MONTHS = [f"2024-{month:02d}" for month in range(1, 13)]
INITIALS = ["ABe", "CDi", "EFo", "GHu", "IKa", "LMe", "NOi", "PQo", "RSu", "TUa"]


def table_of(headers: list[str], periods: list[str], value: Callable[[int, int], float], decimals: int = 0) -> Table:
    """Twelve rows: a column that may hold periods, and one of numbers for every header."""
    numbers = {name: [f"{value(index, row):.{decimals}f}" for row in range(12)] for index, name in enumerate(headers)}
    columns = [Column.from_texts("when", periods, kind="nominal")]
    columns += [
        Column.from_texts(name, texts, kind="numeric", style=NumberStyle(decimals=decimals))
        for name, texts in numbers.items()
    ]
    return Table(tuple(columns), np.arange(12))


def alike(index: int, row: int) -> float:
    return 3_000 + 150 * index + row


@pytest.mark.parametrize(
    ("headers", "periods", "value", "ask"),
    [
        (INITIALS, MONTHS, alike, True),
        (INITIALS, [str(2_001 + row) for row in range(12)], alike, True),
        (INITIALS, [f"Q{1 + row % 4} {2_001 + row // 4}" for row in range(12)], alike, True),
        (INITIALS[:9], MONTHS, alike, False),
        (INITIALS, [f"ward {row}" for row in range(12)], alike, False),
        (INITIALS, ["", *MONTHS[1:]], lambda index, row: 10.0**index, False),
        ([f"score_{number}" for number in range(10)], MONTHS, alike, False),
        ([str(2_010 + number) for number in range(10)], MONTHS, alike, False),
    ],
)
def test_columns_like_people(
    headers: list[str], periods: list[str], value: Callable[[int, int], float], ask: bool
) -> None:
    table = table_of(headers, periods, value)
    assert columns_like_people(table, headers) == (tuple(headers) if ask else ())
    assert columns_like_people(table, headers[1:]) == ()
