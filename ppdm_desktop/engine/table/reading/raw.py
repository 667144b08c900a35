"""What every reader returns: columns as codes, before names, kinds and missing marks."""

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
    """A column by the second of two readings of a workbook, where it differs from the first.

    Attributes
    ----------
    place
        Which column it is, from 0.
    codes, texts, typed
        Code of each row, shape (rows,); the distinct texts; and the codes that came from typed cells.
    """

    place: int
    codes: Codes
    texts: tuple[str, ...]
    typed: Codes


class OwnMark(NamedTuple):
    """A text that a file itself calls missing in one of its columns.

    Attributes
    ----------
    text
        As it stands in the column.
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
        The source's labels, one a column.
    columns
        For each column the code of each row, shape (rows,) (none where they lie on the disk), and the distinct texts.
    row_numbers
        The row that a spreadsheet program shows for each record: blank lines count, a record over several
        lines is one row, the names have a number of their own.
    header_row
        The row of the names; 0 where there are none.
    header
        What speaks for the row of names; None where the reader does not look.
    typed
        For each column the codes that came from number, date or boolean cells of a workbook; empty for text.
        Such a code and that of a text cell may have the same text.
    stored
        For each column its codes on the disk; empty where they are in memory.
    second
        Columns that a second reading of the same file understands differently.
    own_marks
        For each column the texts that the file calls missing there; empty for a format that knows no such.
    labels
        For each column what the file says of it besides its name; empty for a format that knows no such.
    codebooks
        For each column the codes that occur and have a label, in the order of the codes; empty for a format that
        knows no such.
    ranked
        The columns, counted from 0, whose codes are in an order by what the file says.
    weight
        The column, counted from 0, that weighs the rows by what the file says; None where none does.
    format
        The format's name in the import log; empty for the reader's id.
    decimal
        Known decimal mark, or None to find out.
    """

    headers: tuple[str, ...]
    columns: tuple[tuple[Codes, tuple[str, ...]], ...]
    row_numbers: Ints
    header_row: int
    header: Header | None = None
    typed: tuple[Codes, ...] = ()
    stored: tuple[StoredCodes, ...] = ()
    second: tuple[SecondReading, ...] = ()
    own_marks: tuple[tuple[OwnMark, ...], ...] = ()
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
