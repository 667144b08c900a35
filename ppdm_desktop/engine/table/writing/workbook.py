"""Writing and reading the XLSX data file: text cells and true numbers, no formula, no link, no trace of the writer.

A number is written as a number only where its text survives the way through a float and the cell's format shows the
same decimals; everything else is a text cell. The file has no time, no name and no place in it.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from datetime import datetime
from typing import IO, Any
from xml.etree.ElementTree import Element, ParseError

import numpy as np
import xlsxwriter
from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring, iterparse
from xlsxwriter.worksheet import Worksheet

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools
from ppdm_desktop.engine.table.column import Column, Table, decimals_of, is_number
from ppdm_desktop.engine.table.writing.base import UnreadableFile
from ppdm_desktop.engine.table.writing.limits import excel_limits

SHEET, LABELS = "data", "labels"
_LABELS_HEADER = ("column", "code", "label")
NEUTRAL_TIME = datetime(2000, 1, 1)
_BLOCK = 5_000  # the order in which cells are written is that of the texts in the file: it stays
_FEW_ROWS, _FEW_TEXTS = 100, 500
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError)
"""What reading a package with a changed byte may raise."""
_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")
_BUILT_IN_FORMATS = {0: "General", 1: "0", 2: "0.00"}
_OPTIONS = {
    "in_memory": True,
    "strings_to_numbers": False,
    "strings_to_formulas": False,
    "strings_to_urls": False,
}


class _Sheet(Worksheet):  # type: ignore[misc]
    """A worksheet that reports progress while it is written."""

    rows = 1

    def _write_row(self, row: int, *more: Any, **named: Any) -> Any:
        """Write a row as the base class does, and report progress every 100 rows."""
        if row % _FEW_ROWS == 0:
            progress.report(row / self.rows, "doing.exporting")
        return super()._write_row(row, *more, **named)


def parse_number_cell(text: str, decimal: str) -> tuple[float, int] | None:
    """Return the number and its decimals if a text may be written as a number cell, else None.

    "1.50" gives (1.5, 2). None for a text that is no number, and where the cell would show another text, as for "-0",
    "007" or more digits than a file keeps.
    """
    if not is_number(text, decimal):
        return None
    decimals = decimals_of(text, decimal)
    stored = float(f"{float(text.replace(decimal, '.')):.16G}")  # as the file holds it
    if _format_number(stored, decimals, decimal) != text or (stored == 0 and text.startswith("-")):
        return None
    return stored, decimals


def _format_number(number: float, decimals: int, decimal: str) -> str:
    """Return a number with ``decimals`` decimals as text, as the cell's format shows it."""
    return f"{number:.{decimals}f}".replace(".", decimal)


def write_workbook(table: Table, decimal: str = ".") -> bytes:
    """Return a table as the bytes of an XLSX file: a sheet of the cells, and one of codes and labels if there are any.

    Numbers of numeric columns are written as number cells where these show the same text, unless the column's labels
    are ordered. All else is written as text cells, empty texts as no cell. The same table gives the same bytes.

    Parameters
    ----------
    table
        Every cell as text. A row without any value gets one blank formatted cell, so that the file still counts it.
    decimal
        Decimal mark of the number texts; a column with another mark is written as text.

    Raises
    ------
    ValueError
        When a worksheet cannot hold the table.
    """
    if not excel_limits(table).are_met:
        raise ValueError("the table is beyond what a worksheet holds")
    buffer = io.BytesIO()
    book = xlsxwriter.Workbook(buffer, _OPTIONS)
    book.set_properties({"created": NEUTRAL_TIME, "author": "", "comments": ""})
    book.set_calc_mode("manual")
    sheet = book.add_worksheet(SHEET, _Sheet)
    sheet.rows = max(table.rows, 1)
    for index, name in enumerate(table.names):
        _check_return_code(sheet.write_string(0, index, name))
    plans = [(column, _read_numbers(column, decimal)) for column in table.columns]
    decimals = dict.fromkeys(number[1] for _, numbers in plans for number in numbers if number is not None)
    formats = {places: book.add_format({"num_format": "0." + "0" * places if places else "0"}) for places in decimals}
    blank = book.add_format({"num_format": "@"})
    for row in np.flatnonzero(_empty_rows(table)).tolist():
        _check_return_code(sheet.write_blank(row + 1, 0, None, blank))
    for start in range(0, table.rows, _BLOCK):
        for index, (column, numbers) in enumerate(plans):
            for row, code in enumerate(progress.each(column.codes[start : start + _BLOCK].tolist()), start + 1):
                number = numbers[code]
                if number is not None:
                    _check_return_code(sheet.write_number(row, index, number[0], formats[number[1]]))
                elif text := column.texts[code]:
                    _check_return_code(sheet.write_string(row, index, text))
        progress.report(0.5 * start / table.rows, "doing.exporting")
    _write_labels(book, table)
    progress.part(0.5, 0.9).run(book.close)
    return buffer.getvalue()


def _write_labels(book: xlsxwriter.Workbook, table: Table) -> None:
    """Add a sheet with a line for each code in use of each column: column name, code, label, all as texts.

    A code is in use if a cell has the code or its label. The first line is the header. Nothing happens where no column
    has codes in use.
    """
    lines = [(column.name, *pair) for column in table.columns for pair in column.list_codes_in_use(1)]
    if lines:
        sheet = book.add_worksheet(LABELS)
        for row, line in enumerate([_LABELS_HEADER, *lines]):
            for index, text in enumerate(line):
                _check_return_code(sheet.write_string(row, index, text))


def _read_numbers(column: Column, decimal: str) -> list[tuple[float, int] | None]:
    """Return for each distinct text of a column its number and decimals, or None where it is to be written as a text.

    Every text gives None in a column that is not numeric, whose labels are ordered, or that has another decimal mark
    than ``decimal``.
    """
    mark = column.style.decimal if column.style else decimal
    numeric = column.kind == "numeric" and not column.labels_ordered and mark == decimal
    return [parse_number_cell(text, decimal) if numeric else None for text in progress.each(column.texts)]


def _empty_rows(table: Table) -> Bools:
    """Return which rows have an empty text in every column, bool, shape (rows,); "NA" is not empty."""
    empty = np.ones(table.rows, dtype=np.bool_)
    for column in table.columns:
        empty &= np.array([text == "" for text in column.texts], dtype=np.bool_)[column.codes]
    return empty


def _check_return_code(code: int) -> None:
    """Raise ValueError when a return code other than 0 says that the writer refused a cell."""
    if code != 0:
        raise ValueError(f"the writer refused a cell (code {code})")


# --- reading back ---------------------------------------------------------------------------


def read_workbook(data: bytes, decimal: str = ".") -> tuple[Column, ...]:
    """Return the columns of a workbook written by this module, every cell as its original text.

    Numbers get the decimals that their cell shows, and the mark ``decimal``. All columns are nominal, and the sheet of
    codes and labels is not read.

    Raises
    ------
    UnreadableFile
        When the bytes are not such a workbook.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            texts = progress.part(0.0, 0.2).run(_shared_strings, package)
            formats = _read_format_decimals(package)
            name = "xl/worksheets/sheet1.xml"
            with package.open(name) as part:
                size = max(package.getinfo(name).file_size, 1)
                return progress.part(0.2, 1.0).run(_build_columns, _read_rows(part, size, texts, (formats, decimal)))
    except (*_DAMAGE, KeyError, ParseError, DefusedXmlException, IndexError, ValueError) as error:
        raise UnreadableFile("not a workbook of this program") from error


def _unescape_text(text: str) -> str:
    """Return a text with escapes such as ``_x000D_`` replaced by their characters."""
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text)


def _shared_strings(package: zipfile.ZipFile) -> list[str]:
    """Return the shared strings of a workbook in order, without formatting; empty where it has none.

    Escapes such as ``_x000D_`` are replaced by their characters.
    """
    name = "xl/sharedStrings.xml"
    if name not in package.namelist():
        return []
    texts: list[str] = []
    root: Element | None = None
    size = max(package.getinfo(name).file_size, 1)
    with package.open(name) as part:
        for event, element in iterparse(part, events=("start", "end"), forbid_dtd=True):
            if event == "start":
                root = element if root is None else root
            elif element.tag == _MAIN + "si":
                texts.append(_unescape_text("".join(run.text or "" for run in element.iter(_MAIN + "t"))))
                if root is not None:
                    root.clear()
                if len(texts) % _FEW_TEXTS == 0:
                    progress.report(part.tell() / size, "doing.exporting")
    return texts


def _read_format_decimals(package: zipfile.ZipFile) -> list[int]:
    """Return a list with the number of decimals that each cell format shows, by the format's index: 2 for ``0.00``."""
    root = fromstring(package.read("xl/styles.xml"), forbid_dtd=True)
    codes = dict(_BUILT_IN_FORMATS)
    for number_format in root.iter(_MAIN + "numFmt"):
        codes[int(number_format.attrib["numFmtId"])] = number_format.attrib["formatCode"]
    cell_formats = root.find(_MAIN + "cellXfs")
    assert cell_formats is not None
    return [len(codes[int(cell_format.attrib["numFmtId"])].partition(".")[2]) for cell_format in cell_formats]


def _read_rows(
    part: IO[bytes], size: int, texts: list[str], numbers: tuple[list[int], str]
) -> Iterator[tuple[int, dict[int, str]]]:
    """Yield each row's number, from 1, and its texts by column index, from 0; empty cells and rows may be absent.

    Raises UnreadableFile for a formula or a link.

    Parameters
    ----------
    part
        The sheet's XML.
    size
        Its size in bytes, for the progress.
    texts
        The shared strings.
    numbers
        The decimals of each cell format, and the decimal mark.
    """
    formats, decimal = numbers
    places: dict[str, int] = {}
    sheet_data: Element | None = None
    for event, element in iterparse(part, events=("start", "end"), forbid_dtd=True):
        if event == "start":
            if element.tag == _MAIN + "sheetData":
                sheet_data = element
            continue
        if element.tag in (_MAIN + "f", _MAIN + "hyperlink"):
            raise UnreadableFile("a formula or a link")
        if element.tag != _MAIN + "row":
            continue
        cells: dict[int, str] = {}
        for cell in element:
            letters = cell.attrib["r"].rstrip("0123456789")
            index = places.get(letters)
            if index is None:
                index = places[letters] = _to_column_index(letters)
            value = cell.find(_MAIN + "v")
            if value is None or value.text is None:
                continue
            if cell.attrib.get("t") == "s":
                cells[index] = texts[int(value.text)]
            else:
                decimals = formats[int(cell.attrib.get("s", "0"))]
                cells[index] = _format_number(float(value.text), decimals, decimal)
        number = int(element.attrib["r"])
        yield number, cells
        if number % _FEW_ROWS == 0:
            progress.report(part.tell() / size, "doing.exporting")
        if sheet_data is not None:
            sheet_data.clear()


def _to_column_index(letters: str) -> int:
    """Return the index of a column from its letters: ``A`` gives 0, ``AA`` 26."""
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number - 1


def _build_columns(rows: Iterator[tuple[int, dict[int, str]]]) -> tuple[Column, ...]:
    """Return the columns from a header row and the rows after it; absent rows and cells have the text "".

    Each row comes with its number, the header's is 1; a row whose number does not rise is left out. Rows absent after
    the last one are not added. Raises UnreadableFile without a header in row 1, and for a cell outside the header's
    columns.
    """
    first, header = next(rows, (0, {}))
    if first != 1:
        raise UnreadableFile("no header")
    width = max(header, default=-1) + 1
    names = [header.get(index, "") for index in range(width)]
    indices: list[dict[str, int]] = [{} for _ in names]
    codes: list[list[int]] = [[] for _ in names]
    expected = 2
    for number, cells in rows:
        if any(cell >= width for cell in cells):
            raise UnreadableFile("a cell outside the columns")
        for _ in range(number - expected + 1):
            for column_index in range(width):
                text = cells.get(column_index, "") if expected == number else ""
                codes[column_index].append(indices[column_index].setdefault(text, len(indices[column_index])))
            expected += 1
    return tuple(
        Column(name=name, header=name, codes=np.array(code, dtype=np.int32), texts=tuple(index))
        for name, index, code in zip(names, indices, codes, strict=True)
    )
