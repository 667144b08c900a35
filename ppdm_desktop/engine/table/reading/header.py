"""Finding the row of the column names in the first rows of a file or sheet, if there is one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ppdm_desktop.engine.table.column import is_number
from ppdm_desktop.engine.table.reading.marks import MARKS
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Value

LOOKED_AT = 200
"""So many rows below the candidate vote on what it is."""
JOINED = "warning.read.header-merged"
"""Said where the column names are made of two rows."""
_LOOK_AHEAD = 10
_NEARLY_ALL = 0.95
_CLEARLY = 10
_LEAST_BELOW = 5
_NAMES, _RECORD = "reason.header.names", "reason.header.record"
UNSURE = "reason.header.unsure"
"""Said where the user has to say whether the row holds names or a record."""
_DATE = re.compile(r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4}([ T].*)?")

Row = Sequence[str]


def looks_like_value(text: str) -> bool:
    """Return whether a text looks like a number or a date rather than a name."""
    return is_number(text, ".") or is_number(text, ",") or _DATE.fullmatch(text) is not None


def usual_length(rows: Sequence[Row]) -> int:
    """Return the most frequent number of fields in rows that are not empty; of equally frequent ones the largest.

    It is 0 where all rows are empty.
    """
    lengths = Counter(len(row) for row in rows if any(row))
    return max(lengths.items(), key=lambda item: (item[1], item[0]))[0] if lengths else 0


@dataclass(frozen=True)
class Header:
    """The row of the column names, and the evidence for it.

    Attributes
    ----------
    row
        Position of the row among those looked at, from 1; 0 when the table has no names.
    reason
        Id of the message that says why, ``reason.header.<why>``.
    candidate
        Position, from 1, of the row that was tested: the row itself, or the first record.
    fits, names
        In how many columns the tested row looks like the values below it, and in how many like a name.
    """

    row: int
    reason: str
    candidate: int
    fits: int
    names: int

    def notes(self, row: int, columns: int) -> tuple[Note, ...]:
        """Return a tuple with one warning on how the header was found; empty where names were found with certainty.

        The warning says that there are no names, that this is not certain, or that the row which the user does not take
        for names looks like them.

        Parameters
        ----------
        row
            Number of the tested row in the file.
        columns
            Number of columns.
        """
        if self.row and self.reason != UNSURE:
            return ()
        arguments: dict[str, Value] = {"row": row, "fits": self.fits, "names": self.names, "columns": columns}
        return (Note("warning.read.no-names" if self.reason == _NAMES else self.reason, arguments),)


def find_header(rows: Sequence[Row], wanted: int | None = None) -> Header:
    """Return which row holds the column names, and why; its ``row`` is 0 where none does.

    A candidate is found by its shape, and each of its cells is compared with the values below it. If at least one
    column says that it is a record, and at most a tenth as many say that it holds names, it is a record. If at most a
    tenth as many columns say record as say names, or none says anything, it holds names. Otherwise, or if there is text
    above what looks like a record, or fewer than five rows below it, it is taken for names with a reason that says that
    this is uncertain.

    Parameters
    ----------
    rows
        The first rows of the file or sheet, up to 200 below the candidate; at least one.
    wanted
        Position of the row that the user named, from 1, or 0 for none: this is followed, and only the evidence is
        added. None looks for the row.
    """
    header_index = wanted - 1 if wanted else _find_name_row(rows)
    # Names that stand there once more, as on each page of a printed list, say nothing.
    below = [row for row in rows[header_index + 1 : header_index + 1 + LOOKED_AT] if row != rows[header_index]]
    fits, names = _count_votes(rows[header_index], below)
    is_record = fits > 0 and names * _CLEARLY <= fits and len(rows) - header_index > _LEAST_BELOW
    if wanted == 0:
        return Header(0, _RECORD if is_record else _NAMES, header_index + 1, fits, names)
    if is_record and wanted is None:
        above = any(text.strip() for row in rows[:header_index] for text in row)
        return Header(header_index + 1 if above else 0, UNSURE if above else _RECORD, header_index + 1, fits, names)
    return Header(header_index + 1, _NAMES if fits * _CLEARLY <= names else UNSURE, header_index + 1, fits, names)


def _count_votes(row: Row, below: Sequence[Row]) -> tuple[int, int]:
    """Return in how many columns a row looks like the values below it, and in how many like a name.

    A value over values, and a text that occurs below, look like the values. Words over numbers or dates look like a
    name, and so do numbers that count up from cell to cell, and words over words that repeat. Some columns count for
    neither.
    """
    fits = names = 0
    counting = _find_counting_cells(row)
    for column, cell in enumerate(row):
        under = [row_below[column] for row_below in below if column < len(row_below) and is_filled(row_below[column])]
        if not under or not is_filled(cell):
            continue
        over_values = sum(map(looks_like_value, under)) >= _NEARLY_ALL * len(under)
        if column in counting:
            names += 1
        elif looks_like_value(cell):
            fits += over_values or cell in under
        elif over_values:
            names += 1
        elif cell in under:
            fits += 1
        else:
            names += 2 * len(set(under)) <= len(under)
    return fits, names


def is_filled(cell: str) -> bool:
    """Return whether a cell holds more than blanks and is none of the usual marks of a missing value, such as NA."""
    return bool(cell.strip()) and cell not in MARKS


def _find_counting_cells(row: Row) -> frozenset[int]:
    """Return the indices of the cells that count up from cell to cell, such as 2019, 2020 or 1, 2, 3.

    They are neighbouring whole numbers that rise by one, at least three of them, or two if they have four digits. "x",
    2019, 2020, 1, 2 gives {1, 2}.
    """
    numbers = [int(cell) if cell.isascii() and cell.isdigit() and len(cell) < 16 else None for cell in row]
    counting: set[int] = set()
    for column, first in enumerate(numbers):
        if first is not None:
            many = 2 if 1000 <= first < 10_000 else 3
            if numbers[column : column + many] == [*range(first, first + many)]:
                counting.update(range(column, column + many))
    return frozenset(counting)


def _find_name_row(rows: Sequence[Row]) -> int:
    """Return the index of the row that most probably holds the column names, judged by its shape.

    Rows above the table (notes, titles) have fewer fields or mostly empty ones. Of the rows with at least the usual
    number of fields, and half of that number filled, the first is taken; but if it has values or gaps, and a row of
    names only follows within ten rows, where a column of values begins, that row. Without such rows it is the first row
    that is not empty, or 0.
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
        if _has_only_names(rows[index]) and _has_values_only_below(rows[index], between, below):
            return index
    return first


def _has_only_names(row: Row) -> bool:
    """Return whether all cells of a row are filled, different, and look like names."""
    filled = all(text.strip() and not looks_like_value(text) for text in row)
    return filled and len(set(row)) == len(row)


def _has_values_only_below(row: Row, above: Sequence[Row], below: Sequence[Row]) -> bool:
    """Return whether some column begins to have values below a row: more than half of its filled cells, and none above.

    A value is a number, date or the like, as `looks_like_value` recognises it.
    """
    for column in range(len(row)):
        under = [row_below[column] for row_below in below if column < len(row_below) and row_below[column]]
        over = [row_above[column] for row_above in above if column < len(row_above)]
        values = sum(map(looks_like_value, under))
        if under and values > len(under) / 2 and not any(map(looks_like_value, over)):
            return True
    return False
