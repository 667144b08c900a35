"""What every reader hands to the door: columns as codes, before names, kinds and missing marks."""

from __future__ import annotations

from dataclasses import dataclass

from ppdm_desktop.engine.arrays import Codes, Ints
from ppdm_desktop.engine.table.reading.import_log import Hidden, UnreadRow
from ppdm_desktop.engine.texts import Note


@dataclass(frozen=True, eq=False)
class RawTable:
    """Columns of texts as a reader found them.

    Attributes
    ----------
    headers
        The source's labels, one a column.
    columns
        For each column the code of each row and the distinct texts.
    row_numbers
        1-based data rows of the source.
    format
        What the import log calls it; empty for the reader's id.
    decimal
        Known decimal mark, or None to find out.
    """

    headers: tuple[str, ...]
    columns: tuple[tuple[Codes, tuple[str, ...]], ...]
    row_numbers: Ints
    header_row: int
    format: str = ""
    unread: tuple[UnreadRow, ...] = ()
    warnings: tuple[Note, ...] = ()
    encoding: str | None = None
    delimiter: str | None = None
    decimal: str | None = None
    sheet: str | None = None
    sheets: tuple[str, ...] = ()
    hidden: Hidden = Hidden()
