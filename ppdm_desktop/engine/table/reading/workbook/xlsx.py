"""Reading XLSX and XLSM workbooks from their XML: every number with the digits that are stored.

Reading the parts here costs no more than the scan that must come first anyway (used
range, formulas, hidden rows), keeps what a float would lose (9007199254740993, 0100), and
a cell far away costs nothing.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.table.reading.workbook.cells import DateStyle, date_style, number_text, serial_text
from ppdm_desktop.engine.table.reading.workbook.grid import Sheet, Span
from ppdm_desktop.engine.table.reading.workbook.package import Package
from ppdm_desktop.engine.wording.values import Quoted

_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")
_REFERENCE = re.compile(r"\$?([A-Z]{1,3})\$?([0-9]{1,7})")
_TRUE = ("1", "true")
_TYPED = frozenset({"n", "b", "d"})


@dataclass
class Book:
    """The sheets of a workbook with their parts, its hidden sheets, its date system and number of defined names."""

    sheets: dict[str, str] = field(default_factory=dict)
    hidden: set[str] = field(default_factory=set)
    from_1904: bool = False
    names: int = 0


def read_book(package: Package) -> Book:
    """Return a workbook's worksheets in order (parts, hidden or not), its date system and number of defined names.

    Sheets that are charts are left out. Raises InputError for a package whose workbook part is missing or damaged.
    """
    main = next((name for name in package.names if name.endswith("xl/workbook.xml")), "")
    targets = read_relations(package, "_rels/.rels")
    for kind, target in targets.values():
        if kind.endswith("/officeDocument"):
            main = resolve("", target)
    if not main or main not in package:
        raise InputError("error.read.broken-package", args={"part": Quoted("xl/workbook.xml")})
    folder, _, file = main.rpartition("/")
    related = read_relations(package, f"{folder}/_rels/{file}.rels" if folder else f"_rels/{file}.rels")
    book = Book()

    def start(tag: str, attributes: dict[str, str]) -> None:
        """Record a worksheet and whether it is hidden, or the date system, or count a defined name."""
        if tag == "sheet":
            identity = next((value for key, value in attributes.items() if key.endswith(":id")), "")
            kind, target = related.get(identity, ("", ""))
            name = attributes.get("name", "")
            if kind.endswith("/worksheet"):
                book.sheets[name] = resolve(folder, target)
                if attributes.get("state") in ("hidden", "veryHidden"):
                    book.hidden.add(name)
        elif tag == "workbookPr":
            book.from_1904 = attributes.get("date1904") in _TRUE
        elif tag == "definedName":
            book.names += 1

    package.parse(main, start)
    return book


def read_relations(package: Package, name: str) -> dict[str, tuple[str, str]]:
    """Return the kind and target of each relation between parts, by its id; targets outside the package are left out.

    The kind is a URI, such as one that ends in ``/worksheet``; the target is as written, usually relative to a folder
    (``resolve`` gives the part's name). ``name`` is that of the part that holds the relations; the result is empty
    where the package lacks it. Raises InputError where it is damaged.
    """
    target_of_id: dict[str, tuple[str, str]] = {}
    if name not in package:
        return target_of_id

    def start(tag: str, attributes: dict[str, str]) -> None:
        """Record a relation whose target lies inside the package."""
        if tag == "Relationship" and attributes.get("TargetMode") != "External":
            target_of_id[attributes.get("Id", "")] = (attributes.get("Type", ""), attributes.get("Target", ""))

    package.parse(name, start)
    return target_of_id


def resolve(folder: str, target: str) -> str:
    """Return the name of the part that a relation's target means: absolute after a slash, else in ``folder``."""
    return posixpath.normpath(target.lstrip("/") if target.startswith("/") else posixpath.join(folder, target))


def read_styles(package: Package) -> list[DateStyle | None]:
    """Return for each cell style which parts of a date or time it shows, or None if it shows none.

    Cells refer to a style by its index in the list, which is empty for a workbook without styles. Raises InputError
    where they are damaged.
    """
    codes: dict[int, str] = {}
    formats: list[int] = []
    # Formats of conditional formatting (in ``dxfs``) are called alike, have numbers alike, and are of no cell.
    open_tags: list[str] = []
    name = next((name for name in package.names if name.endswith("xl/styles.xml")), None)
    if name is None:
        return []

    def start(tag: str, attributes: dict[str, str]) -> None:
        """Record a number format, or the number of the format that a cell style has, and the tag as open."""
        parents = open_tags[1:]
        if tag == "numFmt" and parents == ["numFmts"]:
            codes[_to_whole_number(attributes.get("numFmtId"))] = attributes.get("formatCode", "")
        elif tag == "xf" and parents == ["cellXfs"]:
            formats.append(_to_whole_number(attributes.get("numFmtId")))
        open_tags.append(tag)

    def end(tag: str) -> None:
        """Remove the current element from the open ones."""
        open_tags.pop()

    package.parse(name, start, end)
    return [date_style(id, codes.get(id)) for id in formats]


def _to_whole_number(text: str | None) -> int:
    """Return a text as a whole number; 0 where it is no number of up to nine digits."""
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 10 else 0


def _unescape_text(text: str) -> str:
    """Return a text with escapes such as ``_x000D_`` replaced by their characters; ``_x0000_`` (NUL) stays as it is."""
    if "_x" not in text:
        return text
    return _ESCAPE.sub(lambda match: chr(int(match[1], 16)) if int(match[1], 16) else match[0], text)


def read_strings(package: Package) -> list[str]:
    """Return the shared strings of a workbook in order, which cells refer to by index; empty where there are none.

    Formatting and phonetic hints (readings of Japanese texts) are left out, and escapes are replaced. Raises InputError
    where they are damaged.
    """
    name = next((name for name in package.names if name.endswith("xl/sharedstrings.xml")), None)
    strings: list[str] = []
    if name is None:
        return strings
    parts: list[str] = []
    taking, phonetic = False, False

    def start(tag: str, attributes: dict[str, str]) -> None:
        """Record whether the text that follows belongs to the string: in an element ``t`` outside phonetic hints."""
        nonlocal taking, phonetic
        if tag == "t":
            taking = not phonetic
        elif tag == "rPh":
            phonetic = True

    def end(tag: str) -> None:
        """Handle the end of an element: add a finished string (``si``) to the list; a text or hint has ended."""
        nonlocal taking, phonetic
        if tag == "t":
            taking = False
        elif tag == "rPh":
            phonetic = False
        elif tag == "si":
            strings.append(_unescape_text("".join(parts)))
            parts.clear()

    def text(piece: str) -> None:
        """Collect a piece of text, unless it is in a phonetic hint or outside a string."""
        if taking:
            parts.append(piece)

    package.parse(name, start, end, text)
    return strings


def read_sheet(
    package: Package,
    book: Book,
    name: str,
    strings: list[str],
    styles: list[DateStyle | None],
    tick: Callable[[], None],
    most: int | None = None,
) -> Sheet:
    """Return a sheet with its cells and layout; with ``most``, only with its first ``most`` rows that the file stores.

    If it has more rows than that, merged areas are missing, since the file stores them after the rows. ``strings`` and
    ``styles`` are the workbook's shared strings and cell styles; ``tick`` is called every 500 rows. Raises InputError
    for a damaged sheet.
    """
    reader = _SheetReader(Sheet(name), book, strings, styles, tick, most)
    with suppress(_Enough):
        package.parse(book.sheets[name], reader.start, reader.end, reader.text)
    return reader.sheet


class _Enough(Exception):
    """Raised to stop the parser when enough rows have been read."""


class _SheetReader:
    """Builds a sheet from the events of the XML parser."""

    def __init__(
        self,
        sheet: Sheet,
        book: Book,
        strings: list[str],
        styles: list[DateStyle | None],
        tick: Callable[[], None],
        most: int | None,
    ) -> None:
        """Begin before the first row; ``most`` is how many rows to read, None for all."""
        self.sheet = sheet
        self._most = most
        self._from_1904 = book.from_1904
        self._part = book.sheets[sheet.name]
        self._strings, self._styles, self._tick = strings, styles, tick
        self._letters: dict[str, int] = {}
        self._row = self._column = self._rows = 0
        self._kind, self._style, self._formula = "n", "0", False
        self._parts: list[str] = []
        self._taking = self._phonetic = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Handle the start of an element: note a cell's kind, style and formula, begin a row, or record the layout.

        It is also noted whether the text that follows belongs to a cell's value, which phonetic hints do not. The
        layout, which is added to the sheet, is merged areas, hidden rows and hidden columns. Raises ``_Enough`` at the
        first row beyond those to be read, and InputError for a cell reference without letters, or with other signs
        before its number.
        """
        if tag == "c":
            attribute = attributes.get
            reference = attribute("r")
            self._column = self._find_column(reference) if reference else self._column + 1
            self._kind = attribute("t", "n")
            self._style = attribute("s", "0")
            self._formula = False
        elif tag == "v":
            self._taking = True
        elif tag == "t":
            self._taking = self._kind == "inlineStr" and not self._phonetic
        elif tag == "f":
            self._formula = True
        elif tag == "rPh":
            self._phonetic = True
        elif tag == "row":
            self._begin_row(attributes)
        elif tag == "mergeCell":
            if (span := _parse_merged_area(attributes.get("ref", ""))) is not None:
                self.sheet.merges.append(span)
        elif tag == "col" and attributes.get("hidden") in _TRUE:
            span_of = (_to_whole_number(attributes.get("min")), _to_whole_number(attributes.get("max")))
            self.sheet.hidden_columns.append(span_of)

    def _begin_row(self, attributes: dict[str, str]) -> None:
        """Begin a row and record it if it is hidden; a row without a number is the one after the last.

        Raises ``_Enough``, after recording, if more rows have begun than are to be read. ``tick`` is called at every
        500th row.
        """
        self._row = _to_whole_number(attributes.get("r")) or self._row + 1
        self._column = 0
        if attributes.get("hidden") in _TRUE:
            self.sheet.hidden_rows.append(self._row)
        self._rows += 1
        if self._most is not None and self._rows > self._most:
            raise _Enough
        if self._rows % 500 == 0:
            self._tick()

    def end(self, tag: str) -> None:
        """Handle the end of an element: at the end of a cell, add it to the sheet if it has a text.

        An empty cell only counts as formatted. If it has a formula without a stored value, it is also counted as such
        for its column, unless the result is marked as a text, which may be empty. Raises InputError for a shared string
        that does not exist, and for a cell beyond the rows and columns that a worksheet can have.
        """
        if tag == "c":
            parts = self._parts
            if parts or self._kind == "str":
                value = self._read_cell_text(parts[0] if len(parts) == 1 else "".join(parts))
                parts.clear()
                if value:
                    self.sheet.add(self._row, self._column, value, self._kind in _TYPED)
                    return
            elif self._formula:
                self.sheet.note("no-value", self._column)
            self.sheet.note_formatted_cell(self._row, self._column)
        elif tag in ("v", "t"):
            self._taking = False
        elif tag == "rPh":
            self._phonetic = False

    def text(self, piece: str) -> None:
        """Collect a piece of text, if it belongs to the value of the current cell."""
        if self._taking:
            self._parts.append(piece)

    def _find_column(self, reference: str) -> int:
        """Return the column number of a cell reference, from 1: 2 for ``B7``.

        Letters may be small. Raises InputError without letters, or for other signs than letters from A to Z before the
        number, as in ``$B$7``.
        """
        word = reference.rstrip("0123456789")
        column = self._letters.get(word)
        if column is None:
            column = self._letters[word] = _to_column_number(word)
        return column

    def _read_cell_text(self, raw: str) -> str:
        """Return the text of a cell from what is stored, by the cell's type.

        A shared string is looked up by its index; a text has its escapes replaced; a boolean becomes ``TRUE`` or
        ``FALSE``; an error and an ISO date stay as stored; a number becomes a date if the cell's style shows one. An
        error is counted for its column. Raises InputError for a shared string that does not exist.
        """
        kind = self._kind
        if kind == "s":
            index = int(raw) if raw.isdigit() and len(raw) < 10 and raw.isascii() else -1
            if not 0 <= index < len(self._strings):
                raise InputError("error.read.broken-package", args={"part": Quoted(self._part)})
            return self._strings[index]
        if kind in ("str", "inlineStr"):
            return _unescape_text(raw)
        if kind == "b":
            return "TRUE" if raw.strip() in _TRUE else "FALSE"
        if kind == "e":
            self.sheet.note("error", self._column)
            return raw
        return raw if kind == "d" else self._read_number_or_date(raw)

    def _read_number_or_date(self, raw: str) -> str:
        """Return a stored number as a date or time if the cell's style shows one, else as a number.

        With a date style 45292 becomes 2024-01-01; a number that is no possible date is returned as a number. Whole
        numbers keep their digits, others get at most 15 significant digits. Numbers that are rounded, above 2**53 or
        results of formulas are counted for their column; dates are not. A text that is no number is returned unchanged.
        """
        format = _to_whole_number(self._style)
        style = self._styles[format] if format < len(self._styles) else None
        if style is not None:
            try:
                dated = serial_text(float(raw), style, self._from_1904)
            except ValueError:
                dated = None
            if dated is not None:
                return dated
        number = number_text(raw)
        if number.beyond:
            self.sheet.note("beyond", self._column)
        if number.rounded:
            self.sheet.note("rounded", self._column)
        if self._formula:
            self.sheet.note("formula-number", self._column)
        return number.text


def _to_column_number(letters: str) -> int:
    """Return the number of column letters: ``A`` gives 1, ``aa`` 27.

    Raises InputError where there are no letters, other signs, or too many letters: six, or five if the first four give
    more than 100,000.
    """
    column = 0
    for sign in letters.upper() or "?":  # no letters are refused like a wrong sign
        if not "A" <= sign <= "Z" or column > 100_000:
            raise InputError("error.read.broken-package", args={"part": Quoted(letters[:20])})
        column = 26 * column + ord(sign) - 64
    return column


def _parse_merged_area(reference: str) -> Span | None:
    """Return the area of a reference such as ``A1:B2``, ``$A$1:$B$2`` or ``A1`` (one cell); None for other texts.

    Other texts are also whole columns (``A:B``) and small letters. The corners stay in the order in which they stand.
    """
    first, _, last = reference.partition(":")
    begin, stop = _REFERENCE.fullmatch(first), _REFERENCE.fullmatch(last or first)
    if begin is None or stop is None:
        return None
    return Span(int(begin[2]), _to_column_number(begin[1]), int(stop[2]), _to_column_number(stop[1]))
