"""Reading XLS and XLSB workbooks with calamine, which decides itself which numbers are dates and drops error cells."""

from __future__ import annotations

import datetime as dt
import io

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.table.reading.workbook.cell_reader import (
    Cell,
    Cells,
    ReaderFailed,
    boolean_cell,
    convert_reader_errors,
    number_cell,
)
from ppdm_desktop.engine.table.reading.workbook.grid import Sheet, Span


class CalamineReader:
    """A workbook as calamine reads it.

    Raises
    ------
    InputError
        When it is locked with a password.
    ReaderFailed
        When it cannot be read.
    """

    def __init__(self, data: bytes) -> None:
        """Open a workbook with calamine, and list its worksheets and which of them are hidden.

        Raises InputError for a workbook with a password, and ReaderFailed where calamine cannot open it.
        """
        # Foreign code stays out of the parent process.
        from python_calamine import CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum

        try:
            with convert_reader_errors():
                self._book = CalamineWorkbook.from_filelike(io.BytesIO(data))
        except ReaderFailed as error:
            if "assword" in f"{type(error.__cause__).__name__} {error.__cause__}":
                raise InputError("error.read.password") from error
            raise
        sheets = [sheet for sheet in self._book.sheets_metadata if sheet.typ == SheetTypeEnum.WorkSheet]
        self.names = [sheet.name for sheet in sheets]
        self.hidden = {sheet.name for sheet in sheets if sheet.visible != SheetVisibleEnum.Visible}

    def cells(self, name: str, sheet: Sheet) -> Cells:
        """Yield the rows of a worksheet with their cells by column, both counted from 1.

        Merged areas are added to ``sheet``, hidden rows and columns are not. Rows without a filled cell are left out.
        Raises ReaderFailed where the library cannot read the sheet.
        """
        with convert_reader_errors():
            source = self._book.get_sheet_by_name(name)
            if source.start is None:
                return
            for (top, first), (bottom, last) in source.merged_cell_ranges or ():
                sheet.merges.append(Span(top + 1, first + 1, bottom + 1, last + 1))
            # The rows come with the empty ones above the table, but without the empty columns at its left.
            left = source.start[1] + 1
            rows = iter(source.iter_rows())
        row = 0
        while True:
            with convert_reader_errors():
                values = next(rows, None)
                if values is None:
                    return
                row += 1
                cells = {column: _to_cell(value) for column, value in enumerate(values, start=left) if value != ""}
            if cells:
                yield row, cells


def _to_cell(value: object) -> Cell:
    """Return the cell of a value from calamine: booleans, numbers, dates and times as stored values.

    Dates and times are written by ISO, durations as ``26:30:00``. Any other value becomes a text cell.
    """
    if isinstance(value, bool):
        return boolean_cell(value)
    if isinstance(value, int | float):
        return number_cell(float(value), None, False)
    if isinstance(value, dt.datetime | dt.date | dt.time):
        return Cell(value.isoformat(), True)
    if isinstance(value, dt.timedelta):
        return Cell(_format_duration(value), True)
    return Cell(str(value))


def _format_duration(value: dt.timedelta) -> str:
    """Return a duration as hours, minutes and seconds, with thousandths where they are not 0.

    26.5 hours give 26:30:00, -1.5 seconds give -00:00:01.500.
    """
    thousandths = round(value / dt.timedelta(milliseconds=1))
    sign = "-" if thousandths < 0 else ""
    seconds, rest = divmod(abs(thousandths), 1000)
    text = f"{sign}{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
    return f"{text}.{rest:03d}" if rest else text
