"""An opened workbook, of whatever format."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ppdm_desktop.engine.table.reading.workbook.grid import Sheet
from ppdm_desktop.engine.wording.texts import Note


@dataclass(frozen=True, eq=False)
class Book:
    """An opened workbook of any format: its sheets and how to read them.

    Attributes
    ----------
    format
        Name of the format in the import log.
    sheets, hidden
        Names of all sheets in their order, and of those that are hidden.
    read
        Reads the sheet of a name; with a number, only so many rows of it, to look at.
    size
        How many bytes have to be gone through to read all sheets.
    left
        What of the workbook stays behind.
    """

    format: str
    sheets: list[str]
    hidden: set[str]
    read: Callable[[str, int | None], Sheet]
    left: tuple[Note, ...] = ()
    size: int = 0
