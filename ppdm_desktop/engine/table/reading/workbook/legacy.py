"""XLS and XLSB through calamine. Only ever called in the child process, behind its memory cap."""

from __future__ import annotations

import datetime as dt
import io
from collections.abc import Callable

from python_calamine import CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.table.reading.workbook.book import Book
from ppdm_desktop.engine.table.reading.workbook.cells import float_text
from ppdm_desktop.engine.table.reading.workbook.grid import Sheet, Span
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Quoted, Term


def legacy_book(data: bytes, format: str, tick: Callable[[], None]) -> Book:
    """Open a workbook, and say that its format is an old one.

    Raises
    ------
    InputError
        As ``open_legacy``; and when a sheet is read that is damaged.
    """
    book = open_legacy(data)
    names, hidden = legacy_sheets(book)
    left = (Note("warning.read.legacy-format", {"format": Term(format.upper())}),)
    return Book(format, names, hidden, lambda name, most: read_legacy(book, name, tick, most), left, len(data))


def open_legacy(data: bytes) -> CalamineWorkbook:
    """Open an XLS or XLSB file.

    Raises
    ------
    InputError
        When it is locked with a password or damaged.
    """
    try:
        return CalamineWorkbook.from_filelike(io.BytesIO(data))
    except Exception as error:
        locked = "assword" in type(error).__name__ + str(error)
        id = "error.read.password" if locked else "error.read.broken-package"
        raise InputError(id, args={"part": Term("workbook")}) from error


def legacy_sheets(book: CalamineWorkbook) -> tuple[list[str], set[str]]:
    """Return the names of all worksheets, and of the hidden ones."""
    sheets = [each for each in book.sheets_metadata if each.typ == SheetTypeEnum.WorkSheet]
    hidden = {each.name for each in sheets if each.visible != SheetVisibleEnum.Visible}
    return [each.name for each in sheets], hidden


def read_legacy(book: CalamineWorkbook, name: str, tick: Callable[[], None], most: int | None = None) -> Sheet:
    """Read one sheet's cells, or only those of the first rows."""
    sheet = Sheet(name)
    try:
        source = book.get_sheet_by_name(name)
        if source.start is None:
            return sheet
        for spot in source.merged_cell_ranges or ():
            (top, left), (bottom, right) = spot
            sheet.merges.append(Span(top + 1, left + 1, bottom + 1, right + 1))
        # The rows come from A1 on, with the empty ones above and at the left of the table.
        for row, cells in enumerate(source.iter_rows(), start=1):
            for column, value in enumerate(cells, start=1):
                if value != "" and (text := _text(value, sheet, column)):
                    sheet.add(row, column, text, not isinstance(value, str))
            if row % 1000 == 0:
                tick()
            if row == most:
                break
    except InputError:
        raise
    except Exception as error:
        raise InputError("error.read.broken-package", args={"part": Quoted(name)}) from error
    return sheet


def _text(value: object, sheet: Sheet, column: int) -> str:
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float):
        number = float_text(float(value))
        for what, holds in (("beyond", number.beyond), ("rounded", number.rounded)):
            if holds:
                sheet.note(what, column)
        return number.text
    if isinstance(value, dt.datetime | dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, dt.timedelta):
        minutes, seconds = divmod(int(value.total_seconds()), 60)
        return f"{minutes // 60:02d}:{minutes % 60:02d}:{seconds:02d}"
    text = str(value)
    if text.startswith("#") and text.rstrip("!?").isupper():
        sheet.note("error", column)
    return text
