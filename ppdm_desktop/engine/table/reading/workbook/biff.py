"""Reading XLS workbooks with xlrd: the stored cells, and the formats that tell which numbers are dates."""

from __future__ import annotations

import io
from typing import Any

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.table.reading.workbook.cell_reader import (
    Cell,
    Cells,
    boolean_cell,
    convert_reader_errors,
    error_cell,
    number_cell,
)
from ppdm_desktop.engine.table.reading.workbook.cells import DateStyle, date_style
from ppdm_desktop.engine.table.reading.workbook.grid import Sheet, Span

# Kinds of cells as xlrd numbers them; a date is a number there, too. Others are empty.
_TEXT, _NUMBER, _DATE, _BOOLEAN, _ERROR = 1, 2, 3, 4, 5


class BiffReader:
    """A workbook of Excel 5 to 2003.

    Raises
    ------
    InputError
        When it is locked with a password.
    ReaderFailed
        When it cannot be read.
    """

    def __init__(self, data: bytes) -> None:
        """Open a workbook with xlrd, and read the names of its sheets, its cell styles and its date system.

        It is also stored which sheets are hidden. Raises InputError for an encrypted workbook, and ReaderFailed where
        xlrd cannot open it.
        """
        # Foreign code stays out of the parent process.
        import xlrd

        try:
            with convert_reader_errors():
                self._book = xlrd.open_workbook(
                    file_contents=data,
                    logfile=io.StringIO(),
                    formatting_info=True,
                    on_demand=True,
                    ragged_rows=True,
                )
        except Exception as error:
            if "encrypted" in str(error.__cause__):
                raise InputError("error.read.password") from error
            raise
        self.names: list[str] = self._book.sheet_names()
        self.hidden = {name for name, state in zip(self.names, self._book._sheet_visibility) if state}
        self._from_1904 = self._book.datemode == 1
        self._styles: list[DateStyle | None] = []
        for cell_format in self._book.xf_list:
            format = self._book.format_map.get(cell_format.format_key)
            self._styles.append(date_style(cell_format.format_key, format.format_str if format is not None else None))

    def cells(self, name: str, sheet: Sheet) -> Cells:
        """Yield the rows of a worksheet with their cells by column, both counted from 1, and note its layout.

        The layout, which is added to ``sheet``, is merged areas, hidden rows and hidden columns. Rows without a filled
        cell are left out. Raises ReaderFailed where the library cannot read the sheet.
        """
        with convert_reader_errors():
            biff_sheet = self._book.sheet_by_name(name)
            # xlrd counts from 0 and names the first row and column after an area.
            for top, below, left, beyond in biff_sheet.merged_cells:
                sheet.merges.append(Span(top + 1, left + 1, below, beyond))
            sheet.hidden_rows += sorted(row + 1 for row, info in biff_sheet.rowinfo_map.items() if info.hidden)
            hidden_columns = sorted(column + 1 for column, info in biff_sheet.colinfo_map.items() if info.hidden)
            sheet.hidden_columns += [(column, column) for column in hidden_columns]
        try:
            for row in range(biff_sheet.nrows):
                with convert_reader_errors():
                    cells = self._read_row(biff_sheet, row)
                if cells:
                    yield row + 1, cells
        finally:
            self._book.unload_sheet(name)

    def _read_row(self, sheet: Any, row: int) -> dict[int, Cell]:
        """Return the filled cells of a row (counted from 0) by column (counted from 1).

        A number whose style shows a date or time is written so; empty texts and blank cells are left out. A boolean is
        written ``TRUE`` or ``FALSE``, an error as ``#DIV/0!`` and marked as one.
        """
        cells = {}
        types = sheet.row_types(row)
        for column, (kind, value) in enumerate(zip(types, sheet.row_values(row))):
            if kind in (_NUMBER, _DATE):
                style = self._styles[sheet.cell_xf_index(row, column)]
                cells[column + 1] = number_cell(value, style, self._from_1904)
            elif kind == _TEXT:
                if value:
                    cells[column + 1] = Cell(value)
            elif kind == _BOOLEAN:
                cells[column + 1] = boolean_cell(value)
            elif kind == _ERROR:
                cells[column + 1] = error_cell(value)
        return cells
