"""Reading XLSB workbooks record by record: the stored cells, and the formats that tell which numbers are dates.

The numbers and forms of the records are those of [MS-XLSB], "Excel Binary File Format".
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

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
from ppdm_desktop.engine.table.reading.workbook.package import Package
from ppdm_desktop.engine.table.reading.workbook.xlsx import read_relations, resolve

_BOOK = "xl/workbook.bin"
_BOOK_PROPERTIES, _SHEET = 153, 156
_FORMAT, _CELL_STYLE, _BEGIN_CELL_STYLES, _END_CELL_STYLES = 44, 47, 617, 618
_STRING = 19
_ROW, _COLUMNS, _MERGED = 0, 60, 176
_WHOLE_CELLS = {1: "blank", 2: "rk", 3: "error", 4: "boolean", 5: "real", 6: "text", 7: "shared"}
_FORMULAS = {8: "text", 9: "real", 10: "boolean", 11: "error"}
_RICH = 62
# Cells that follow the one before and so do not say their column.
_SHORT_CELLS = {12: "blank", 13: "rk", 14: "error", 15: "boolean", 16: "real", 17: "text", 18: "shared"}
_CELLS = {**_WHOLE_CELLS, **_FORMULAS, _RICH: "rich", **_SHORT_CELLS}
_ROW_HIDDEN, _COLUMN_HIDDEN = 0x10, 0x01

_U16, _U32, _F64 = struct.Struct("<H"), struct.Struct("<I"), struct.Struct("<d")
_FOUR = struct.Struct("<IIII")


def _note_layout(id: int, content: bytes, sheet: Sheet) -> None:
    """Add a merged area, or a span of hidden columns, to the sheet if this record declares one; else do nothing.

    ``id`` is the number that says the record's kind. Rows and columns are counted from 1 in the sheet.
    """
    if id == _MERGED:
        top, bottom, left, right = (value + 1 for value in _FOUR.unpack_from(content, 0))
        sheet.merges.append(Span(top, left, bottom, right))
    elif id == _COLUMNS:
        first, last = (value + 1 for value in struct.unpack_from("<II", content, 0))
        if content[16] & _COLUMN_HIDDEN:
            sheet.hidden_columns.append((first, last))


def _read_records(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield each record of a part: the number that says its kind, and its bytes.

    Raises ValueError or IndexError for a record that ends beyond the part.
    """
    at, end = 0, len(data)
    while at < end:
        number = data[at]
        at += 1
        if number & 0x80:
            number = number & 0x7F | data[at] << 7
            at += 1
        length = shift = 0
        while True:
            byte = data[at]
            at += 1
            length |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80 or shift == 28:
                break
        if at + length > end:
            raise ValueError
        yield number, data[at : at + length]
        at += length


def _read_wide_text(content: bytes, at: int) -> str:
    """Return a UTF-16 text that is stored at the position ``at``, after its length in four bytes.

    Raises ValueError if the text is cut short or no valid UTF-16, struct.error if its length is cut short.
    """
    (length,) = _U32.unpack_from(content, at)
    end = at + 4 + 2 * length
    if end > len(content):
        raise ValueError
    return content[at + 4 : end].decode("utf-16-le")


def _read_rk_number(content: bytes, at: int) -> float:
    """Return a number compressed to the four bytes at the position ``at`` (RK): whole, or the upper half of a float.

    A bit says whether it is then divided by 100: the whole number 1234 becomes 12.34.
    """
    (packed,) = _U32.unpack_from(content, at)
    if packed & 2:
        value = float(struct.unpack("<i", _U32.pack(packed))[0] >> 2)
    else:
        (value,) = struct.unpack("<d", bytes(4) + _U32.pack(packed & 0xFFFFFFFC))
    return value / 100 if packed & 1 else value


class XlsbReader:
    """A binary workbook, read from its package.

    Raises
    ------
    ReaderFailed
        When it cannot be read.
    """

    def __init__(self, package: Package) -> None:
        """Read the list of sheets, the shared strings and the styles of a package; sheets are read later.

        A part that the package lacks counts as empty: without the workbook part there are no sheets. Raises
        ReaderFailed where the content of a part cannot be read, and InputError where it is damaged in the package.
        """
        self._package = package
        self.names: list[str] = []
        self.hidden: set[str] = set()
        self._parts: dict[str, str] = {}
        self._from_1904 = False
        with convert_reader_errors():
            self._read_book()
            self._strings = [
                _read_wide_text(content, 1) for id, content in self._read_part("xl/sharedstrings.bin") if id == _STRING
            ]
            self._styles = self._read_styles()

    def _read_part(self, name: str) -> Iterator[tuple[int, bytes]]:
        """Return the number and content of each record of a part; empty where the package lacks the part."""
        return _read_records(b"".join(self._package.pieces(name))) if name in self._package else iter(())

    def _read_book(self) -> None:
        """Read the names, parts and hidden state of all worksheets, and the date system, from the workbook part.

        They are stored in this object; sheets of other kinds, such as charts, are left out.
        """
        related = read_relations(self._package, "xl/_rels/workbook.bin.rels")
        for id, content in self._read_part(_BOOK):
            if id == _BOOK_PROPERTIES:
                self._from_1904 = bool(content[0] & 1)
            elif id == _SHEET:
                (state,) = _U32.unpack_from(content, 0)
                identity = _read_wide_text(content, 8)
                name = _read_wide_text(content, 12 + len(identity.encode("utf-16-le")))
                kind, target = related.get(identity, ("", ""))
                if kind.endswith("/worksheet"):
                    self.names.append(name)
                    self._parts[name] = resolve("xl", target)
                    if state:
                        self.hidden.add(name)

    def _read_styles(self) -> list[DateStyle | None]:
        """Return for each cell style which parts of a date or time it shows, or None if it shows none.

        Cells refer to a style by its index in the list, which is empty for a workbook without cell styles.
        """
        codes: dict[int, str] = {}
        formats: list[int] = []
        inside = False
        for id, content in self._read_part("xl/styles.bin"):
            if id == _FORMAT:
                codes[_U16.unpack_from(content, 0)[0]] = _read_wide_text(content, 2)
            elif id in (_BEGIN_CELL_STYLES, _END_CELL_STYLES):
                inside = id == _BEGIN_CELL_STYLES
            elif id == _CELL_STYLE and inside:
                formats.append(_U16.unpack_from(content, 2)[0])
        return [date_style(id, codes.get(id)) for id in formats]

    def cells(self, name: str, sheet: Sheet) -> Cells:
        """Yield each row number of a worksheet with the row's cells by column number, both counted from 1.

        Rows without a filled cell are left out. Merged areas, hidden rows and hidden columns are added to ``sheet`` on
        the way. Raises ReaderFailed for records that cannot be read and for row numbers that do not rise, InputError
        for a part that is damaged in the package.
        """
        row_cells: dict[int, Cell] = {}
        row = column = 0
        records = self._read_part(self._parts[name])
        while True:
            with convert_reader_errors():
                id, content = next(records, (-1, b""))
                if id in _CELLS:
                    short = id in _SHORT_CELLS
                    column = column + 1 if short else _U32.unpack_from(content, 0)[0] + 1
                    cell = self._read_cell(_CELLS[id], content, 0 if short else 4)
                    if cell is not None:
                        row_cells[column] = cell
                    continue
                _note_layout(id, content, sheet)
            if id in (_ROW, -1):
                if row_cells:
                    yield row, row_cells
                if id == -1:
                    return
                row_cells, column = {}, 0
                with convert_reader_errors():
                    before, row = row, _U32.unpack_from(content, 0)[0] + 1
                    if row <= before:
                        raise ValueError
                    if content[11] & _ROW_HIDDEN:
                        sheet.hidden_rows.append(row)

    def _read_cell(self, kind: str, content: bytes, at: int) -> Cell | None:
        """Return the cell of a record; None for one that is blank or holds an empty text.

        ``kind`` is the kind of cell in ``_CELLS`` (such as ``real``), ``at`` the position of its style in ``content``.
        A number is returned as a date if its style shows one, an error as a cell that is counted as a problem.
        """
        value = at + 4
        if kind in ("rk", "real"):
            number = _read_rk_number(content, value) if kind == "rk" else _F64.unpack_from(content, value)[0]
            style = int.from_bytes(content[at : at + 3], "little")
            return number_cell(number, self._styles[style] if style < len(self._styles) else None, self._from_1904)
        if kind == "boolean":
            return boolean_cell(content[value])
        if kind == "error":
            return error_cell(content[value])
        if kind == "blank":
            return None
        if kind == "shared":
            text = self._strings[_U32.unpack_from(content, value)[0]]
        else:
            text = _read_wide_text(content, value + (kind == "rich"))
        return Cell(text) if text else None
