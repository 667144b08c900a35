"""The account of how a source file was read: what was read, how it was understood, and what was left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
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

_REPORTED = (
    "sha256", "bytes", "format", "sheet", "encoding", "delimiter", "decimal", "rows_read", "rows_unread",
    "columns_read", "missing_marks", "hidden", "header_row", "names_given", "rows_left_out", "repairs",
)  # fmt: skip
"""The fields that report.json has, in its order."""


class UnreadRow(NamedTuple):
    """A row of the source that is not in the table.

    Attributes
    ----------
    line
        1-based line of the file (row of the sheet) where it begins.
    reason
        Id of the message that says why, ``reason.unread.<why>``.
    amount
        Number of fields found, or of lines skipped, to be filled into the message.
    row
        The row number that a spreadsheet program shows for it; 0 where the reader knows lines only.
    """

    line: int
    reason: str
    amount: int = 0
    row: int = 0

    @property
    def location(self) -> Note:
        """The message that says where the row is: its row number, and its line where that differs.

        The line stands for the row number where this is not known (0).
        """
        if self.row in (0, self.line):
            return Note("reading.row", {"row": self.line})
        return Note("reading.row-and-line", {"row": self.row, "line": self.line})


@dataclass(frozen=True)
class LeftOut:
    """A row of the source that the owner left out, with the reason in the recipe."""

    row: int
    reason: str


@dataclass(frozen=True)
class RepairDone:
    """How much was repaired in a column, without any value.

    Attributes
    ----------
    column
        Name of the column.
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
    column
        Name of the column.
    cells
        How many cells differ.
    row
        The row of the first of them, as a spreadsheet program numbers it.
    first, second
        What either reader reads in this cell; empty for an empty cell.
    """

    column: str
    cells: int
    row: int
    first: str
    second: str

    @property
    def question(self) -> Note:
        """The question to the owner which of the two readings is right.

        It states the column, the number of differing rows, and the first of these with both texts.
        """
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
    """A text that probably means "missing", as a suggestion to the user, with its cells and columns."""

    mark: str
    cells: int
    columns: tuple[str, ...]


@dataclass(frozen=True)
class MarkOfColumn:
    """A text that the file itself calls missing in one column.

    Attributes
    ----------
    column
        Name of the column.
    mark
        The text.
    label
        What the file says that it means; empty where it says nothing.
    cells
        How many cells of the file hold it.
    """

    column: str
    mark: str
    label: str
    cells: int


class SheetSeen(NamedTuple):
    """How a sheet of a workbook looks, by which one can say which sheet holds the table.

    Attributes
    ----------
    name
        Name of the sheet.
    hidden
        Whether the workbook hides it.
    rows, columns
        Number of rows that are not empty (in a table, those below its header), and number of columns.
    cells
        How many cells are not empty.
    corner
        The first four texts of each of the first four rows that are not empty.
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
    """How many rows, columns and sheets a spreadsheet hides; hidden rows and columns are read all the same."""

    rows: int = 0
    columns: int = 0
    sheets: int = 0


@dataclass(frozen=True)
class ImportLog:
    """The full account of one reading of a file.

    Attributes
    ----------
    sha256, bytes
        SHA-256 and number of bytes of the file as it was read.
    format
        The file's format by its content: the id of a reader, or a name that the reader gives (as for workbooks with
        macros).
    sheet, sheets
        The name of the sheet that was read, and the names of all sheets; None and empty for text.
    encoding, delimiter
        None for a spreadsheet. An empty delimiter means that the file is one column.
    decimal
        Decimal mark of the file.
    header_row
        The row that holds the column names; 0 where there are none.
    header
        The evidence for this row; None where the reader does not look for one.
    sheets_seen
        How the sheets of a workbook look.
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
        What the user must know, as ids of messages with the values to fill in.
    names_given
        How many columns have a name that the recipe gave.
    rows_left_out
        Rows that the recipe leaves out, in file order.
    rows_to_answer
        Rows that are probably no records, and about which the recipe says nothing.
    read_twice
        Columns that two readers understand differently, and about which the recipe says nothing.
    repairs
        The repairs that the recipe asked for.
    declared_missing
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
    declared_missing: tuple[MarkOfColumn, ...] = ()

    @property
    def is_read_once(self) -> bool:
        """Whether one of two readers failed, so that nothing could be cross-checked."""
        return any(note.id == READ_ONCE for note in self.warnings)

    def reason(self, row: UnreadRow) -> str:
        """Return in words, in the current language, why a row was not read."""
        arguments: dict[str, Value] = {"found": row.amount, "expected": self.columns_read}
        return render(row.reason, arguments).sentence

    def as_report(self) -> dict[str, Any]:
        """Return the section ``input`` of report.json as plain data, without warnings, questions and people.

        Texts missing in single columns are there only if there are some. Reasons why rows were not read are sentences
        in the current language.
        """
        plain = asdict(self)
        facts = {name: plain[name] for name in _REPORTED}
        facts["rows_unread"] = [{"line": row.line, "reason": self.reason(row)} for row in self.rows_unread]
        return facts | ({"missing_in_columns": plain["declared_missing"]} if self.declared_missing else {})


@dataclass(frozen=True)
class Reading:
    """A table, the account of how it was read, and the options that read it again in the same way.

    Attributes
    ----------
    table
        The table; its kinds are guessed, its roles are None.
    account
        What was read and what was not.
    options
        The options asked for, with every guess filled in: reading again with them gives the same table.
    source
        Some columns as they are in the file, by name: those that were repaired, and those that hold both texts and
        cells stored as numbers or dates.
    """

    table: Table
    account: ImportLog
    options: InputSection
    source: Mapping[str, SourceColumn] = field(default_factory=dict)
