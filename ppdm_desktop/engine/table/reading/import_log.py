"""What was read, how it was understood, and what was left behind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from ppdm_desktop.engine.recipe.models import InputSection
from ppdm_desktop.engine.table.column import Table
from ppdm_desktop.engine.texts import Note, render


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
    """

    line: int
    reason: str
    found: int = 0


class MarkSuggestion(NamedTuple):
    """A text that probably means "missing" and is not treated so until somebody says it."""

    mark: str
    cells: int
    columns: tuple[str, ...]


@dataclass(frozen=True)
class Hidden:
    """What a spreadsheet hides from the eye. Hidden rows and columns are read all the same."""

    rows: int = 0
    columns: int = 0
    sheets: int = 0


@dataclass(frozen=True)
class ImportLog:
    """The full account of one reading.

    Attributes
    ----------
    sha256, bytes
        Of the file as it was read.
    format
        By content: the id of a reader, or what it says itself (a workbook with macros has a name of its own).
    sheet, sheets
        The sheet read and all sheets with their names; None and empty for text.
    encoding, delimiter
        None for a spreadsheet. An empty delimiter means that the file is one column.
    decimal
        Decimal mark of the file.
    header_row
        1-based line of the file (row of the sheet) that holds the column names.
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
    rows_unread: tuple[UnreadRow, ...] = ()
    missing_marks: tuple[str, ...] = ("",)
    hidden: Hidden = Hidden()
    sheets: tuple[str, ...] = ()
    suggested_missing: tuple[MarkSuggestion, ...] = ()
    warnings: tuple[Note, ...] = ()

    def reason(self, row: UnreadRow, language: str = "en") -> str:
        """Say in words why a row was not read."""
        arguments = {"found": row.found, "expected": self.columns_read}
        return render(row.reason, arguments, language).sentence

    def as_report(self) -> dict[str, Any]:
        """Return the section ``input`` of report.json; persons are filled in by who counts them."""
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
            "person_column": None,
            "persons": None,
        }


@dataclass(frozen=True)
class Reading:
    """A table, the account of how it was read, and the options that read it so again.

    Attributes
    ----------
    table
        Kinds are guessed, roles are None.
    account
        What was read and what was not.
    options
        The options asked for, with every guess filled in: reading again with them gives the same table.
    """

    table: Table
    account: ImportLog
    options: InputSection
