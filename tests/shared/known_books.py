"""Workbooks of which every cell is known: what stands in them, and what a person sees."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import NamedTuple

import openpyxl
from cases import case_rows
from old_books import Book, Err, Rows, Styled, Value, xls, xlsb

HEADER = ("id", "value")
LEAP_DAY = 43890  # 2020-02-29
NOON = 0.5


class Known(NamedTuple):
    """A workbook, the text of each cell of its column ``value``, and whether two readers disagree about one of them."""

    name: str
    data: bytes
    cells: list[str]
    differs: bool = False


# (format, number, what a person sees in the days from 1900 on and in those from 1904 on)
MOMENTS: list[tuple[int | str, float, str, str]] = [
    (14, LEAP_DAY, "2020-02-29", "2024-03-01"),
    (15, LEAP_DAY, "2020-02-29", "2024-03-01"),
    (17, LEAP_DAY, "2020-02-29", "2024-03-01"),
    (20, NOON, "12:00:00", "12:00:00"),
    (21, NOON, "12:00:00", "12:00:00"),
    (22, LEAP_DAY + NOON, "2020-02-29T12:00:00", "2024-03-01T12:00:00"),
    (45, NOON / 1440, "00:00:30", "00:00:30"),
    (46, 1.25, "30:00:00", "30:00:00"),
    ("yyyy\\-mm\\-dd", LEAP_DAY, "2020-02-29", "2024-03-01"),
    ("[$-407]d/\\ mmmm\\ yyyy;@", LEAP_DAY, "2020-02-29", "2024-03-01"),
    ("[Red]dd/mm/yy", LEAP_DAY, "2020-02-29", "2024-03-01"),
    ("h:mm:ss.000", NOON + 0.25 / 86_400, "12:00:00.250", "12:00:00.250"),
    ("[h]:mm", 1.25, "30:00:00", "30:00:00"),
]
NUMBERS: list[tuple[int | str, float, str]] = case_rows("known-books-numbers")
# Formats that another reader takes for dates: by the condition the number is shown as one.
CONDITIONS: list[tuple[str, float, str]] = [
    ("[<50]d;0", 26.0, "26"),
    ("[<50]d;0", 0.0, "0"),
    ("[<50]d;0", -1.0, "-1"),
    ("[<50]d;0", -25.0, "-25"),
    ("[<50]d;0", -50.0, "-50"),
]
ERRORS = case_rows("known-books-errors")


def rows_of(*values: Value) -> Rows:
    """Return a table whose second column holds the values."""
    return (HEADER, *((f"p{place}", value) for place, value in enumerate(values)))


def old_books() -> Iterator[Known]:
    """Yield XLS and XLSB workbooks."""
    for kind, make in (("xls", xls), ("xlsb", xlsb)):
        for from_1904 in (False, True):
            styled = [Styled(number, format) for format, number, *_ in MOMENTS]
            book = Book({"data": rows_of(*styled)}, from_1904=from_1904)
            shown = [in_1904 if from_1904 else in_1900 for _, _, in_1900, in_1904 in MOMENTS]
            # Fractions are written there as they always were.
            shown = [text.replace(".250", ".250000") for text in shown]
            yield Known(f"moments-{1904 if from_1904 else 1900}.{kind}", make(book), shown)
        styled = [Styled(number, format) for format, number, _ in NUMBERS]
        yield Known(f"numbers.{kind}", make(Book({"data": rows_of(*styled)})), [text for *_, text in NUMBERS])
        redefined = Book({"data": rows_of(Styled(LEAP_DAY, 14), Styled(LEAP_DAY, 14))}, formats={14: "0.00"})
        yield Known(f"redefined.{kind}", make(redefined), [str(LEAP_DAY)] * 2, differs=True)
        errors = [Err(code) for code, _ in ERRORS]
        yield Known(f"errors.{kind}", make(Book({"data": rows_of(*errors)})), [text for _, text in ERRORS])
        mixed = Book({"data": rows_of(True, False, "x", "007", 7.0, " y ")})
        yield Known(f"mixed.{kind}", make(mixed), ["TRUE", "FALSE", "x", "007", "7", " y "])
        for place, (format, number, text) in enumerate(CONDITIONS):
            book = Book({"data": rows_of(Styled(number, format), 1.0)})
            yield Known(f"condition-{place}.{kind}", make(book), [text, "1"], differs=True)


def new_books() -> Iterator[Known]:
    """Yield XLSX workbooks as openpyxl writes them."""
    formats = [(format, number, text) for format, number, text, _ in MOMENTS] + NUMBERS
    cases = [each for each in [*formats, *CONDITIONS] if isinstance(each[0], str)]
    book = openpyxl.Workbook()
    book.active.append(HEADER)
    for place, (format, number, _) in enumerate(cases):
        book.active.append([f"p{place}", number])
        book.active.cell(place + 2, 2).number_format = format
    out = io.BytesIO()
    book.save(out)
    yield Known("formats.xlsx", out.getvalue(), [text for *_, text in cases])
