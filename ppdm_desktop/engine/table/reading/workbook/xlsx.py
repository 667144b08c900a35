"""XLSX and XLSM, straight from the XML: every number with the digits that are stored.

Reading the parts ourselves costs no more than the scan that must come first anyway (used
range, formulas, hidden rows), keeps what a float would lose (9007199254740993, 0100), and
a cell far away costs nothing.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.table.reading.workbook.cells import DateStyle, date_style, number_text, serial_text
from ppdm_desktop.engine.table.reading.workbook.grid import Sheet, Span
from ppdm_desktop.engine.table.reading.workbook.package import Package

_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")
_REFERENCE = re.compile(r"\$?([A-Z]{1,3})\$?([0-9]{1,7})")
_TRUE = ("1", "true")


@dataclass
class Book:
    """What the workbook part says: sheets with their parts, hidden sheets, the date system."""

    sheets: dict[str, str] = field(default_factory=dict)
    hidden: set[str] = field(default_factory=set)
    from_1904: bool = False
    names: int = 0


def read_book(package: Package) -> Book:
    """Read the workbook part and its relations."""
    main = next((name for name in package.names if name.endswith("xl/workbook.xml")), "")
    targets = _relations(package, "_rels/.rels")
    for kind, target in targets.values():
        if kind.endswith("/officeDocument"):
            main = _resolve("", target)
    if not main or main not in package:
        raise InputError("error.read.broken-package", args={"part": "xl/workbook.xml"})
    folder, _, file = main.rpartition("/")
    related = _relations(package, f"{folder}/_rels/{file}.rels" if folder else f"_rels/{file}.rels")
    book = Book()

    def start(tag: str, attributes: dict[str, str]) -> None:
        if tag == "sheet":
            identity = next((value for key, value in attributes.items() if key.endswith(":id")), "")
            kind, target = related.get(identity, ("", ""))
            name = attributes.get("name", "")
            if kind.endswith("/worksheet"):
                book.sheets[name] = _resolve(folder, target)
                if attributes.get("state") in ("hidden", "veryHidden"):
                    book.hidden.add(name)
        elif tag == "workbookPr":
            book.from_1904 = attributes.get("date1904") in _TRUE
        elif tag == "definedName":
            book.names += 1

    package.parse(main, start)
    return book


def _relations(package: Package, name: str) -> dict[str, tuple[str, str]]:
    found: dict[str, tuple[str, str]] = {}
    if name not in package:
        return found

    def start(tag: str, attributes: dict[str, str]) -> None:
        if tag == "Relationship" and attributes.get("TargetMode") != "External":
            found[attributes.get("Id", "")] = (attributes.get("Type", ""), attributes.get("Target", ""))

    package.parse(name, start)
    return found


def _resolve(folder: str, target: str) -> str:
    return posixpath.normpath(target.lstrip("/") if target.startswith("/") else posixpath.join(folder, target))


def read_styles(package: Package) -> list[DateStyle | None]:
    """Return for each cell format what it shows of a date, or None."""
    codes: dict[int, str] = {}
    formats: list[int] = []
    inside = False
    name = next((name for name in package.names if name.endswith("xl/styles.xml")), None)
    if name is None:
        return []

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal inside
        if tag == "numFmt":
            codes[_number(attributes.get("numFmtId"))] = attributes.get("formatCode", "")
        elif tag == "cellXfs":
            inside = True
        elif tag == "xf" and inside:
            formats.append(_number(attributes.get("numFmtId")))

    def end(tag: str) -> None:
        nonlocal inside
        if tag == "cellXfs":
            inside = False

    package.parse(name, start, end)
    return [date_style(id, codes.get(id)) for id in formats]


def _number(text: str | None) -> int:
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 10 else 0


def _unescape(text: str) -> str:
    if "_x" not in text:
        return text
    return _ESCAPE.sub(lambda match: chr(int(match[1], 16)) if int(match[1], 16) else match[0], text)


def read_strings(package: Package) -> list[str]:
    """Return the shared strings; formatting and phonetic hints are left out."""
    name = next((name for name in package.names if name.endswith("xl/sharedstrings.xml")), None)
    strings: list[str] = []
    if name is None:
        return strings
    parts: list[str] = []
    taking, phonetic = False, False

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal taking, phonetic
        if tag == "t":
            taking = not phonetic
        elif tag == "rPh":
            phonetic = True

    def end(tag: str) -> None:
        nonlocal taking, phonetic
        if tag == "t":
            taking = False
        elif tag == "rPh":
            phonetic = False
        elif tag == "si":
            strings.append(_unescape("".join(parts)))
            parts.clear()

    def text(piece: str) -> None:
        if taking:
            parts.append(piece)

    package.parse(name, start, end, text)
    return strings


@dataclass
class _Cell:
    """The cell that is being read."""

    column: int = 0
    kind: str = "n"
    style: int = 0
    formula: bool = False


def read_sheet(
    package: Package,
    book: Book,
    name: str,
    strings: list[str],
    styles: list[DateStyle | None],
    tick: Callable[[], None],
) -> Sheet:
    """Read one sheet's cells and what is hidden, merged, computed or in error."""
    sheet = Sheet(name)
    cell = _Cell()
    row = column = 0
    letters: dict[str, int] = {}
    parts: list[str] = []
    taking = phonetic = False
    seen = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal row, column, taking, phonetic, seen
        if tag == "c":
            reference = attributes.get("r")
            column = _column(reference, letters) if reference else column + 1
            cell.column = column
            cell.kind = attributes.get("t", "n")
            cell.style = _number(attributes.get("s"))
            cell.formula = False
        elif tag == "v":
            taking = True
        elif tag == "t":
            taking = cell.kind == "inlineStr" and not phonetic
        elif tag == "f":
            cell.formula = True
        elif tag == "rPh":
            phonetic = True
        elif tag == "row":
            row = _number(attributes.get("r")) or row + 1
            column = 0
            if attributes.get("hidden") in _TRUE:
                sheet.hidden_rows.append(row)
            seen += 1
            if seen % 1000 == 0:
                tick()
        elif tag == "mergeCell":
            if (span := _span(attributes.get("ref", ""), letters)) is not None:
                sheet.merges.append(span)
        elif tag == "col" and attributes.get("hidden") in _TRUE:
            sheet.hidden_columns.append((_number(attributes.get("min")), _number(attributes.get("max"))))

    def end(tag: str) -> None:
        nonlocal taking, phonetic
        if tag == "c":
            raw = "".join(parts)
            parts.clear()
            taking = False
            _take(sheet, row, cell, raw)
        elif tag in ("v", "t"):
            taking = False
        elif tag == "rPh":
            phonetic = False

    def text(piece: str) -> None:
        if taking:
            parts.append(piece)

    def _take(sheet: Sheet, row: int, cell: _Cell, raw: str) -> None:
        if not raw and cell.kind != "str":
            if cell.formula:
                sheet.note("no-value", cell.column)
            sheet.formatted_rows = max(sheet.formatted_rows, row)
            sheet.formatted_columns = max(sheet.formatted_columns, cell.column)
            return
        value = _text_of(sheet, cell, raw)
        if value:
            sheet.add(row, cell.column, value)

    def _text_of(sheet: Sheet, cell: _Cell, raw: str) -> str:
        if cell.kind == "s":
            place = int(raw) if raw.isascii() and raw.isdigit() and len(raw) < 10 else -1
            if not 0 <= place < len(strings):
                raise InputError("error.read.broken-package", args={"part": book.sheets[name]})
            return strings[place]
        if cell.kind in ("str", "inlineStr"):
            return _unescape(raw)
        if cell.kind == "b":
            return "TRUE" if raw.strip() in _TRUE else "FALSE"
        if cell.kind == "e":
            sheet.note("error", cell.column)
            return raw
        if cell.kind == "d":
            return raw
        style = styles[cell.style] if cell.style < len(styles) else None
        if style is not None:
            dated = _dated(raw, style)
            if dated is not None:
                return dated
        number = number_text(raw)
        if number.beyond:
            sheet.note("beyond", cell.column)
        if number.rounded:
            sheet.note("rounded", cell.column)
        if cell.formula:
            sheet.note("formula-number", cell.column)
        return number.text

    def _dated(raw: str, style: DateStyle) -> str | None:
        try:
            return serial_text(float(raw), style, book.from_1904)
        except ValueError:
            return None

    package.parse(book.sheets[name], start, end, text)
    return sheet


def _column(reference: str, letters: dict[str, int]) -> int:
    word = reference.rstrip("0123456789")
    column = letters.get(word)
    if column is None:
        column = 0
        for sign in word.upper():
            if not "A" <= sign <= "Z" or column > 100_000:
                raise InputError("error.read.broken-package", args={"part": reference[:20]})
            column = 26 * column + ord(sign) - 64
        letters[word] = column
    return column


def _span(reference: str, letters: dict[str, int]) -> Span | None:
    first, _, last = reference.partition(":")
    begin, stop = _REFERENCE.fullmatch(first), _REFERENCE.fullmatch(last or first)
    if begin is None or stop is None:
        return None
    return Span(int(begin[2]), _column(begin[1], letters), int(stop[2]), _column(stop[1], letters))
