"""What every reader returns: columns as codes and texts, before names, kinds and missing values are decided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ppdm_desktop.engine.arrays import Codes, Ints
from ppdm_desktop.engine.table.codebook import CodeLabel
from ppdm_desktop.engine.table.reading.header import Header
from ppdm_desktop.engine.table.reading.import_log import Hidden, SheetSeen, UnreadRow
from ppdm_desktop.engine.table.stored.code_store import StoredCodes
from ppdm_desktop.engine.wording.texts import Note

THIN_ROWS = "warning.read.thin-rows-at-end"
"""Said of rows at the end of a sheet that are hardly filled, such as notes below a table."""


@dataclass(frozen=True, eq=False)
class SecondReading:
    """A column as the second of two readers of a workbook understands it, where it differs from the first.

    Attributes
    ----------
    column
        Index of the column, from 0.
    codes, texts, typed
        Code of each row, shape (rows,); the distinct texts; and the codes that came from cells stored as numbers or
        dates.
    """

    column: int
    codes: Codes
    texts: tuple[str, ...]
    typed: Codes


class DeclaredMissing(NamedTuple):
    """A text that a file itself calls missing in one of its columns.

    Attributes
    ----------
    text
        The text in the column's cells.
    label
        What the file says it means; empty where it says nothing.
    cells
        How many cells hold it.
    """

    text: str
    label: str
    cells: int


@dataclass(frozen=True, eq=False)
class RawTable:
    """Columns of texts as a reader found them.

    Attributes
    ----------
    headers
        The source's column names, one for each column.
    columns
        For each column the code of each row, shape (rows,) (none where they are on the disk), and the distinct texts.
    row_numbers
        The row that a spreadsheet program shows for each record: blank lines count, a record over several
        lines is one row, the column names have a number of their own.
    header_row
        The row of the column names; 0 where there are none.
    header
        The evidence for this row; None where the reader does not look for one.
    typed
        For each column the codes that came from cells of a workbook stored as number, date or boolean; empty for text.
        Such a code and that of a text cell may have the same text.
    stored
        For each column its codes on the disk; empty where they are in memory.
    second
        Columns that a second reader of the same file understands differently.
    declared_missing
        For each column the texts that the file calls missing there; empty for a format without such texts.
    labels
        For each column what the file says about it besides its name; empty for a format without labels.
    codebooks
        For each column the codes that occur and have a label, in the order of the codes; empty for a format without
        value labels.
    ranked
        Indices of the columns whose codes are in an order, by what the file says.
    weight
        Index of the column whose numbers are weights of the rows, by what the file says; None where there is none.
    format
        The format's name in the account of the reading; empty for the reader's id.
    unread
        Rows that could not be read.
    warnings
        What the user must know.
    encoding, delimiter
        Those of a text file; None for other files.
    decimal
        The decimal mark, or None where it has to be found.
    sheet, sheets, sheets_seen
        The sheet that was read, the names of all sheets, and how they look; None and empty for other files than
        workbooks.
    hidden
        Hidden rows, columns and sheets.
    """

    headers: tuple[str, ...]
    columns: tuple[tuple[Codes, tuple[str, ...]], ...]
    row_numbers: Ints
    header_row: int
    header: Header | None = None
    typed: tuple[Codes, ...] = ()
    stored: tuple[StoredCodes, ...] = ()
    second: tuple[SecondReading, ...] = ()
    declared_missing: tuple[tuple[DeclaredMissing, ...], ...] = ()
    labels: tuple[str, ...] = ()
    codebooks: tuple[tuple[CodeLabel, ...], ...] = ()
    ranked: tuple[int, ...] = ()
    weight: int | None = None
    format: str = ""
    unread: tuple[UnreadRow, ...] = ()
    warnings: tuple[Note, ...] = ()
    encoding: str | None = None
    delimiter: str | None = None
    decimal: str | None = None
    sheet: str | None = None
    sheets: tuple[str, ...] = ()
    sheets_seen: tuple[SheetSeen, ...] = ()
    hidden: Hidden = Hidden()
