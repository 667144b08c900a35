"""Writing a released table and reading it back: exact, repeatable, nothing cut, nothing that runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ppdm_desktop.engine.progress import Progress, silent
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.writing.delimited import UnreadableFile, read_delimited, write_delimited
from ppdm_desktop.engine.table.writing.guard import guard, needs_guard, runs_in_spreadsheet, unguard
from ppdm_desktop.engine.table.writing.limits import ExcelLimits, excel_limits
from ppdm_desktop.engine.table.writing.workbook import read_workbook, write_workbook

__all__ = [
    "ExcelLimits",
    "UnreadableFile",
    "Written",
    "differing_cells",
    "excel_limits",
    "guard",
    "guarded_cells",
    "needs_guard",
    "read_as_written",
    "read_table",
    "runs_in_spreadsheet",
    "unguard",
    "unguarded",
    "write_table",
]


@dataclass(frozen=True)
class Written:
    """The bytes of a data file.

    Attributes
    ----------
    data
        The file.
    format
        ``csv`` or ``xlsx``.
    guarded
        Whether texts that a spreadsheet would run got an apostrophe (CSV only; a workbook
        holds them as text cells, which never run).
    guarded_cells
        How many cells and headers the guard changed.
    decimal
        Decimal mark of the numbers.
    """

    data: bytes
    format: str
    guarded: bool
    guarded_cells: int
    decimal: str


def guarded_cells(table: Table, progress: Progress | None = None) -> int:
    """Count the cells and headers that a spreadsheet would run or that the guard must tell apart."""
    progress = progress or silent()
    found = sum(map(needs_guard, table.names))
    for column in table.columns:
        uses = np.bincount(column.codes, minlength=len(column.texts))
        risky = np.fromiter(map(needs_guard, progress.each(column.texts)), dtype=np.bool_, count=len(column.texts))
        found += int(uses[risky].sum())
    return found


def write_table(table: Table, format: str, progress: Progress, *, guarded: bool = True) -> Written:
    """Write a table; the same table gives the same bytes.

    Parameters
    ----------
    table
        Every cell as the text to be written.
    format
        ``csv`` or ``xlsx``.
    progress
        Reports rows written.
    guarded
        Put the formula guard on (CSV).

    Raises
    ------
    ValueError
        When a workbook cannot hold the table; ask ``excel_limits`` first.
    """
    decimal = next((column.style.decimal for column in table.columns if column.style), ".")
    if format == "xlsx":
        return Written(write_workbook(table, progress, decimal), "xlsx", False, 0, decimal)
    data = write_delimited(table, progress.part(0.0, 0.9), guarded=guarded)
    return Written(data, "csv", guarded, guarded_cells(table, progress) if guarded else 0, decimal)


def unguarded(columns: Sequence[Column], progress: Progress | None = None) -> tuple[Column, ...]:
    """Return columns with the formula guard taken off."""
    progress = progress or silent()
    return tuple(
        replace(
            column,
            name=unguard(column.name),
            header=unguard(column.header),
            texts=tuple(map(unguard, progress.each(column.texts))),
        )
        for column in columns
    )


def read_table(written: Written, progress: Progress) -> tuple[Column, ...]:
    """Read a file written by ``write_table``: names, codes and texts, the guard taken off."""
    columns = read_as_written(written, progress)
    return unguarded(columns, progress) if written.guarded else columns


def read_as_written(written: Written, progress: Progress) -> tuple[Column, ...]:
    """Read a file written by ``write_table``: every text as it stands there, the guard still on.

    Raises
    ------
    UnreadableFile
        When the bytes are not such a file.
    """
    if written.format == "xlsx":
        return read_workbook(written.data, progress, written.decimal)
    return read_delimited(written.data, progress)


def differing_cells(left: Sequence[Column], right: Sequence[Column], progress: Progress | None = None) -> int:
    """Count the cells, headers included, in which two tables differ; a lacking cell differs."""
    progress = progress or silent()
    cells = 0
    for place, (one, other) in enumerate(zip(left, right, strict=False)):
        progress.report(place / len(left), "doing.gate")
        index = {text: code for code, text in enumerate(progress.each(one.texts))}
        into = np.array([index.setdefault(text, len(index)) for text in progress.each(other.texts)], dtype=np.int64)
        # Two codes may stand for one text.
        own = np.array([index[text] for text in progress.each(one.texts)], dtype=np.int64)
        shared = min(len(one), len(other))
        first = own[one.codes[:shared]] if shared else np.empty(0, dtype=np.int64)
        second = into[other.codes[:shared]] if shared else np.empty(0, dtype=np.int64)
        cells += int((first != second).sum()) + abs(len(one) - len(other))
        cells += one.name != other.name
    for column in [*left[len(right) :], *right[len(left) :]]:
        cells += len(column) + 1
    return int(cells)
