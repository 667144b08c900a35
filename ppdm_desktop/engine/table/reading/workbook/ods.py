"""Reading ODS workbooks from their ``content.xml``; repeated cells are counted before they are written out."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.table.reading.workbook.cells import ERRORS, number_text
from ppdm_desktop.engine.table.reading.workbook.grid import MOST_COLUMNS, MOST_ROWS, Sheet, Span, format_cell_address
from ppdm_desktop.engine.table.reading.workbook.package import Package
from ppdm_desktop.engine.wording.values import Name, Term, Value

_CONTENT = "content.xml"
_MOST_REPEATED = 20_000_000
_NUMBERS = ("float", "percentage", "currency")
_ERRORS = frozenset(ERRORS.values())
_TYPED = frozenset({*_NUMBERS, "date", "time", "boolean"})


@dataclass
class OdsBook:
    """All sheets of an ODS file, and the errors of those that cannot be read."""

    sheets: dict[str, Sheet] = field(default_factory=dict)
    hidden: set[str] = field(default_factory=set)
    broken: dict[str, InputError] = field(default_factory=dict)

    def sheet(self, name: str) -> Sheet:
        """Return the sheet with this name, which must be one of the workbook's.

        Raises
        ------
        InputError
            When the sheet was not read to its end, since it has a cell beyond row 1,048,576 or column 16,384, or more
            than 20 million cells.
        """
        if name in self.broken:
            raise self.broken[name]
        return self.sheets[name]


def refuse_password(package: Package) -> None:
    """Raise InputError if the file's manifest says that its parts are encrypted; a file may have no manifest."""

    def start(tag: str, attributes: dict[str, str]) -> None:
        """Raise InputError at an element that says that the data are encrypted."""
        if tag == "encryption-data":
            raise InputError("error.read.password")

    if "META-INF/manifest.xml" in package:
        package.parse("META-INF/manifest.xml", start)


def read_ods(package: Package, tick: Callable[[], None]) -> OdsBook:
    """Return all sheets of an ODS file, which are in one part of its package.

    ``tick`` is called after each row element that is read; one that stands for 100 equal rows is one. If a sheet has a
    cell beyond row 1,048,576 or column 16,384, or more than 20 million cells, the rest of it is not read:
    ``OdsBook.sheet`` raises its error, and ``OdsBook.sheets`` has only the cells before. Raises InputError for a file
    with a password, or one whose content is missing, damaged or declares a document type.
    """
    refuse_password(package)
    reader = _Reader(tick)
    package.parse(_CONTENT, reader.start, reader.end, reader.text)
    return reader.book


_DURATION = re.compile(r"(?:PT)?([0-9]+)H([0-9]+)M(?:([0-9]*)(?:[.,]([0-9]*))?S?)?")
_SIGNS = {"tab": "\t", "line-break": "\n"}


class _Reader:
    """Builds the sheets from the events of the XML parser."""

    def __init__(self, tick: Callable[[], None]) -> None:
        """Begin with no sheets; ``tick`` is called after every row."""
        self.book = OdsBook()
        self._tick = tick
        self._hidden_styles: set[str] = set()
        self._style = ""
        self._sheet = Sheet("")
        self._taking = False
        self._depth = 0
        self._row = self._column = 0
        self._row_repeat = 1
        self._row_cells: list[tuple[int, int, str, bool]] = []
        self._cell: dict[str, str] | None = None
        self._paragraphs: list[str] = []
        self._in_text = False
        self._note = 0
        self._begin = {
            "table": self._begin_table,
            "table-column": self._begin_column,
            "table-row": self._begin_row,
        }

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Handle the start of an element: begin a cell, row, column, table, comment or paragraph.

        Spaces, tabs and line breaks are added to the cell's text, paragraphs of a comment are not, and styles that hide
        a table are recorded. ``tag`` has no prefix (``table-row``), the names in ``attributes`` have one
        (``table:visibility``).
        """
        if tag in ("table-cell", "covered-table-cell"):
            self._cell = {key.rpartition(":")[2]: value for key, value in attributes.items()}
            self._cell["is-error"] = str(attributes.get("calcext:value-type") == "error")
            self._paragraphs = []
        elif tag == "p" and self._cell is not None and not self._note:
            self._paragraphs.append("")
            self._in_text = True
        elif tag == "s" and self._in_text:
            self._append_text(" " * min(_read_repeat_count(attributes.get("text:c")), 32_767))
        elif tag in _SIGNS and self._in_text:
            self._append_text(_SIGNS[tag])
        elif tag == "annotation":
            self._note += 1
        elif tag in self._begin:
            self._begin[tag](attributes)
        elif tag == "style":
            self._style = attributes.get("style:name", "")
        elif tag == "table-properties" and attributes.get("table:display") == "false":
            self._hidden_styles.add(self._style)

    def end(self, tag: str) -> None:
        """Handle the end of an element (tag without prefix): finish the cell, paragraph, comment, row or table."""
        if tag in ("table-cell", "covered-table-cell"):
            self._end_cell()
        elif tag == "p":
            self._in_text = False
        elif tag == "annotation":
            self._note -= 1
        elif tag == "table-row":
            self._end_row()
        elif tag == "table":
            self._depth -= 1

    def text(self, piece: str) -> None:
        """Handle text: add it to the current cell."""
        if self._in_text and not self._note:
            self._append_text(piece)

    def _append_text(self, piece: str) -> None:
        """Add a piece of text to the cell's last paragraph; it is dropped outside the text of a cell."""
        if self._paragraphs and not self._note:
            self._paragraphs[-1] += piece

    def _begin_table(self, attributes: dict[str, str]) -> None:
        """Begin a sheet, and record it as hidden if its style hides it; a table inside another one begins no sheet."""
        self._depth += 1
        if self._depth > 1:
            return
        name = attributes.get("table:name", "")
        hidden = attributes.get("table:style-name", "") in self._hidden_styles
        self._taking = True
        self._sheet = self.book.sheets[name] = Sheet(name)
        if hidden:
            self.book.hidden.add(name)
        self._row = self._column = 0

    def _begin_column(self, attributes: dict[str, str]) -> None:
        """Move on by one column, or as many as the element repeats, and record these in the sheet if hidden."""
        repeat = _read_repeat_count(attributes.get("table:number-columns-repeated"))
        if attributes.get("table:visibility") in ("collapse", "filter"):
            self._sheet.hidden_columns.append((self._column + 1, self._column + repeat))
        self._column += repeat

    def _begin_row(self, attributes: dict[str, str]) -> None:
        """Begin a row without cells, store how often it repeats, and record all these rows in the sheet if hidden.

        Rows beyond the 1,048,576 that a sheet can have are not recorded, nor are those of a sheet whose reading was
        stopped.
        """
        self._row_repeat = _read_repeat_count(attributes.get("table:number-rows-repeated"))
        self._column = 0
        self._row_cells = []
        hidden = attributes.get("table:visibility") in ("collapse", "filter")
        if hidden and self._taking and self._row < MOST_ROWS:
            last = min(self._row + self._row_repeat, MOST_ROWS)
            self._sheet.hidden_rows.extend(range(self._row + 1, last + 1))

    def _end_row(self) -> None:
        """Add the row's cells to the sheet, as often as the row repeats.

        A row without filled cells only counts as formatted, and rows of a table inside another one are left out. If the
        sheet would get more than 1,048,576 rows or 20 million cells, its reading is stopped instead.
        """
        sheet = self._sheet
        if self._taking and self._depth == 1:
            cells = sum(repeat for _, repeat, _, _ in self._row_cells)
            last = self._row + self._row_repeat
            if self._row_cells and (last > MOST_ROWS or sheet.filled + cells * self._row_repeat > _MOST_REPEATED):
                column, repeat, _, _ = self._row_cells[-1]
                self._stop_reading_sheet(last, column + repeat - 1)
                return
            for row in range(self._row + 1, last + 1) if self._row_cells else ():
                for column, repeat, value, typed in self._row_cells:
                    for target in range(column, column + repeat):
                        sheet.add(row, target, value, typed)
            if not self._row_cells:
                sheet.formatted_rows = max(sheet.formatted_rows, last)
            self._tick()
        self._row += self._row_repeat

    def _stop_reading_sheet(self, row: int, column: int) -> None:
        """Record an error for the sheet, since this cell is too far away, and read no more of its cells.

        ``row`` and ``column`` begin with 1. The other sheets are still read.
        """
        arguments: dict[str, Value] = {
            "sheet": Name(self._sheet.name),
            "cell": Term(format_cell_address(row, column)),
            "rows": row,
            "columns": column,
        }
        self.book.broken[self._sheet.name] = InputError("error.read.far-cell", args=arguments)
        self._taking = False

    def _end_cell(self) -> None:
        """Finish a cell: record a merged area if it spans several cells, and keep its text for the row if it has one.

        An empty cell only counts as formatted. A filled one beyond the last column that a sheet can have stops the
        reading of the sheet. Cells of a table inside another one are left out.
        """
        cell, self._cell = self._cell or {}, None
        self._in_text = False
        repeat = _read_repeat_count(cell.get("number-columns-repeated"))
        column = self._column + 1
        self._column += repeat
        if not self._taking or self._depth != 1:
            return
        down, across = (
            _read_repeat_count(cell.get("number-rows-spanned")),
            _read_repeat_count(cell.get("number-columns-spanned")),
        )
        if down > 1 or across > 1:
            row = self._row + 1
            self._sheet.merges.append(Span(row, column, row + down - 1, column + across - 1))
        value = self._read_cell_text(cell, column)
        if value:
            if column + repeat - 1 > MOST_COLUMNS:
                self._stop_reading_sheet(self._row + 1, column + repeat - 1)
                return
            typed = cell.get("value-type", "") in _TYPED and cell["is-error"] == "False"
            self._row_cells.append((column, repeat, value, typed))
        else:
            self._sheet.formatted_columns = max(self._sheet.formatted_columns, self._column)

    def _read_cell_text(self, cell: dict[str, str], column: int) -> str:
        """Return the text of a cell by its type: number, ISO date, time (26:30:00), boolean, else the text shown.

        A boolean becomes ``TRUE`` or ``FALSE``; a date at midnight is returned without its time; a time in an unknown
        form is returned as shown. Errors, and cells without a type that have a formula and no text, are counted for the
        column, which begins with 1.
        """
        text = "\n".join(self._paragraphs)
        kind = cell.get("value-type", "")
        if cell.get("is-error") == "True":
            self._sheet.note("error", column)
            return text
        if kind in _NUMBERS:
            return self._read_number_text(cell, column)
        if kind == "date":
            return cell.get("date-value", text).removesuffix("T00:00:00")
        if kind == "time":
            return _format_duration(cell.get("time-value", "")) or text
        if kind == "boolean":
            return "TRUE" if cell.get("boolean-value") == "true" else "FALSE"
        if kind == "string":
            if "formula" in cell and text in _ERRORS:
                self._sheet.note("error", column)
            return cell.get("string-value", text)
        if "formula" in cell and not text:
            self._sheet.note("no-value", column)
        return text

    def _read_number_text(self, cell: dict[str, str], column: int) -> str:
        """Return the text of a number cell: all digits of a whole number, else at most 15 significant ones.

        Numbers that were rounded, are above 2**53 or results of formulas are counted for their column, each kind by
        itself. ``column`` begins with 1. A value that is no number is returned unchanged.
        """
        number = number_text(cell.get("value", ""))
        counted = {"beyond": number.beyond, "rounded": number.rounded, "formula-number": "formula" in cell}
        for what, holds in counted.items():
            if holds:
                self._sheet.note(what, column)
        return number.text


def _read_repeat_count(text: str | None) -> int:
    """Return a repeat count from its attribute; 1 where it is no plausible number."""
    return max(1, int(text)) if text is not None and text.isascii() and text.isdigit() and len(text) < 12 else 1


def _format_duration(duration: str) -> str | None:
    """Return a duration such as ``PT26H30M00S`` as ``26:30:00``, with decimals of a second if they are not 0.

    ``PT1H5M2.50S`` and ``PT1H5M2,50S`` become ``01:05:02.5``, and absent seconds become 00; "PT" and "S" may be absent,
    too. None where the text has another form: without hours or minutes, with days, or with a sign.
    """
    match = _DURATION.fullmatch(duration)
    if match is None:
        return None
    hours, minutes, seconds, fraction = match.groups("")
    fraction = fraction.rstrip("0")
    return f"{int(hours):02d}:{int(minutes):02d}:{int(seconds or 0):02d}" + (f".{fraction}" if fraction else "")
