"""What was read, how it was understood, and what was left behind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ppdm_desktop.engine.recipe.models import InputSection
from ppdm_desktop.engine.table.column import Table
from ppdm_desktop.engine.table.reading.header import Header
from ppdm_desktop.engine.table.reading.repairs import SourceColumn
from ppdm_desktop.engine.table.reading.rows import LeaveOut
from ppdm_desktop.engine.wording.texts import Note, render
from ppdm_desktop.engine.wording.values import Name, Quoted, Value

READ_ONCE = "warning.read.read-once"
"""Said of a sheet that should have been read by two readers, where one of them failed."""


class UnreadRow(NamedTuple):
    """A row of the source that is not in the table.

    Attributes
    ----------
    line
        1-based line of the file (row of the sheet) where it begins.
    reason
        Text id, ``reason.unread.<why>``.
    found
        Number of fields found, or of lines skipped; the argument of the reason.
    row
        The row that a spreadsheet program shows for it; 0 where the reader knows of lines only.
    """

    line: int
    reason: str
    found: int = 0
    row: int = 0

    @property
    def place(self) -> Note:
        """Return where the row stands: its row number, and its line where that differs."""
        if self.row in (0, self.line):
            return Note("reading.row", {"row": self.line})
        return Note("reading.row-and-line", {"row": self.row, "line": self.line})


class LeftOut(NamedTuple):
    """A row of the source that the owner left out, with the reason in the recipe."""

    row: int
    reason: str


class RepairDone(NamedTuple):
    """What was repaired in a column, without any value.

    Attributes
    ----------
    kind
        ``amounts``, ``dates``, ``words`` or ``missing``.
    cells
        How many cells have another text than in the source.
    unread
        How many cells are no amount or date and stay as they are.
    """

    column: str
    kind: str
    cells: int
    unread: int


class ReadTwice(NamedTuple):
    """A column whose cells two readers of the same file understand differently; the first reader's values are kept.

    Attributes
    ----------
    cells
        How many cells it concerns.
    row
        The first of them, as a spreadsheet program numbers it.
    first, second
        What the readers say of it; empty for an empty cell.
    """

    column: str
    cells: int
    row: int
    first: str
    second: str

    @property
    def said(self) -> Note:
        """Return the question for the owner: which of the two readings is right."""
        return Note(
            "warning.read.read-twice",
            {
                "column": Name(self.column),
                "count": self.cells,
                "row": self.row,
                "first": Quoted(self.first),
                "second": Quoted(self.second),
            },
        )


class MarkSuggestion(NamedTuple):
    """A text that probably means "missing", as a suggestion to the user."""

    mark: str
    cells: int
    columns: tuple[str, ...]


class MarkOfColumn(NamedTuple):
    """A text that the file itself calls missing in one column, and what it says it means.

    Attributes
    ----------
    label
        Empty where the file says nothing of it.
    cells
        How many cells of the file hold it.
    """

    column: str
    mark: str
    label: str
    cells: int


class SheetSeen(NamedTuple):
    """A sheet of a workbook, looked at to say which one holds the table.

    Attributes
    ----------
    hidden
        Whether the workbook hides it.
    rows, columns
        Rows with something in them, of a table those below its header, and columns.
    cells
        How many cells hold something.
    corner
        The first four texts of each of the first four rows that hold something.
    is_cut
        Whether only its beginning was looked at.
    is_table
        Whether it has the size of a table rather than of a legend.
    """

    name: str
    hidden: bool
    rows: int
    columns: int
    cells: int
    corner: tuple[tuple[str, ...], ...]
    is_cut: bool
    is_table: bool


@dataclass(frozen=True)
class Hidden:
    """What a spreadsheet hides: rows, columns and sheets. Hidden rows and columns are read all the same."""

    rows: int = 0
    columns: int = 0
    sheets: int = 0


@dataclass(frozen=True)
class ImportLog:
    """The full account of one reading.

    Attributes
    ----------
    sha256, bytes
        SHA-256 and number of bytes of the file as it was read.
    format
        By content: the id of a reader, or what it says itself (a workbook with macros has a name of its own).
    sheet, sheets
        The sheet read and all sheets with their names; None and empty for text.
    encoding, delimiter
        None for a spreadsheet. An empty delimiter means that the file is one column.
    decimal
        Decimal mark of the file.
    header_row
        The row that holds the column names; 0 where there are none.
    header
        What speaks for it; None where the reader does not look.
    sheets_seen
        The sheets of a workbook, as they look.
    rows_read, columns_read
        Size of the table.
    rows_unread
        Rows that are not in the table, in file order.
    missing_marks
        The texts that were taken as "missing"; the empty text always is.
    hidden
        Hidden rows, columns and sheets.
    suggested_missing
        Texts that may mean "missing", for the user to decide.
    warnings
        What the user must know, as text ids with arguments.
    names_given
        How many columns have a name that the recipe gave.
    rows_left_out
        Rows that the recipe leaves out, in file order.
    rows_to_answer
        Rows that are probably no records, about which the recipe says nothing.
    read_twice
        Columns that two readers understand differently, about which the recipe says nothing.
    repairs
        The repairs that the recipe asked for.
    own_marks
        The texts that the file itself calls missing, each in its column only.
    """

    sha256: str
    bytes: int
    format: str
    sheet: str | None
    encoding: str | None
    delimiter: str | None
    decimal: str
    header_row: int
    rows_read: int
    columns_read: int
    header: Header | None = None
    sheets_seen: tuple[SheetSeen, ...] = ()
    rows_unread: tuple[UnreadRow, ...] = ()
    missing_marks: tuple[str, ...] = ("",)
    hidden: Hidden = Hidden()
    sheets: tuple[str, ...] = ()
    suggested_missing: tuple[MarkSuggestion, ...] = ()
    warnings: tuple[Note, ...] = ()
    names_given: int = 0
    rows_left_out: tuple[LeftOut, ...] = ()
    rows_to_answer: tuple[LeaveOut, ...] = ()
    read_twice: tuple[ReadTwice, ...] = ()
    repairs: tuple[RepairDone, ...] = ()
    own_marks: tuple[MarkOfColumn, ...] = ()

    @property
    def is_read_once(self) -> bool:
        """Return whether one of two readers failed, so that nothing could be cross-checked."""
        return any(note.id == READ_ONCE for note in self.warnings)

    def reason(self, row: UnreadRow) -> str:
        """Return in words why a row was not read."""
        arguments: dict[str, Value] = {"found": row.found, "expected": self.columns_read}
        return render(row.reason, arguments).sentence

    def as_report(self) -> dict[str, Any]:
        """Return the section ``input`` of report.json as plain data; the caller fills in the number of people."""
        return {
            "sha256": self.sha256,
            "bytes": self.bytes,
            "format": self.format,
            "sheet": self.sheet,
            "encoding": self.encoding,
            "delimiter": self.delimiter,
            "decimal": self.decimal,
            "rows_read": self.rows_read,
            "rows_unread": [{"line": row.line, "reason": self.reason(row)} for row in self.rows_unread],
            "columns_read": self.columns_read,
            "missing_marks": list(self.missing_marks),
            "hidden": {
                "rows": self.hidden.rows,
                "columns": self.hidden.columns,
                "sheets": self.hidden.sheets,
            },
            "header_row": self.header_row,
            "names_given": self.names_given,
            "rows_left_out": [left_out._asdict() for left_out in self.rows_left_out],
            "repairs": [repair._asdict() for repair in self.repairs],
            "person_column": None,
            "persons": None,
            **({"missing_in_columns": [mark._asdict() for mark in self.own_marks]} if self.own_marks else {}),
        }


@dataclass(frozen=True)
class Reading:
    """A table, the log of how it was read, and the options that read it again in the same way.

    Attributes
    ----------
    table
        Kinds are guessed, roles are None.
    account
        What was read and what was not.
    options
        The options asked for, with every guess filled in: reading again with them gives the same table.
    source
        Columns as they stood in the file, by name: those that were repaired, and those that hold typed cells
        beside texts. In no file and in no ``Table``.
    """

    table: Table
    account: ImportLog
    options: InputSection
    source: Mapping[str, SourceColumn] = field(default_factory=dict)
