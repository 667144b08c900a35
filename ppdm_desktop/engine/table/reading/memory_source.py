"""A table in memory as the source of a release, treated as if it had been written as CSV and read."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.reading.import_log import Reading
from ppdm_desktop.engine.table.reading.raw import RawTable

FRAME_FORMAT = "frame"
"""What the import log calls it."""


@dataclass(frozen=True, eq=False)
class MemorySource:
    """A table in memory as the source of a release.

    Attributes
    ----------
    table
        Exact texts, with the kinds that columns keep where nothing is repaired.
    data
        The table as CSV in UTF-8; its SHA-256 is the hash of the input.
    path
        What messages and the report call the table; no file of this path is opened.
    """

    table: Table
    data: bytes
    path: Path

    @cached_property
    def sha256(self) -> str:
        """Return the SHA-256 of the CSV, in hexadecimal digits."""
        return hashlib.sha256(self.data).hexdigest()

    @property
    def raw(self) -> RawTable:
        """Return the cells as if they had been read from the table's CSV: UTF-8, commas, header in row 1.

        The decimal mark is that of the first numeric column, a point without one.
        """
        columns = self.table.columns
        numeric = [column.style.decimal for column in columns if column.kind == "numeric" and column.style]
        return RawTable(
            headers=tuple(column.name for column in columns),
            columns=tuple((column.codes, column.texts) for column in columns),
            row_numbers=self.table.row_numbers,
            header_row=1,
            encoding="utf-8",
            delimiter=",",
            decimal=numeric[0] if numeric else ".",
        )

    @property
    def missing_marks(self) -> tuple[str, ...]:
        """Return the texts that mean "missing" in the table, sorted."""
        return tuple(sorted({text for column in self.table.columns for text in column.missing_texts}))

    def typed(self, reading: Reading) -> Reading:
        """Return a reading of this table in which columns have the kinds and orders that they have in the table.

        Columns that the recipe repaired keep the kinds with which they were read, and so do those whose kind here is
        numeric or date, since only the values can prove these. Raises ValueError if the reading has another number of
        columns.
        """
        repaired = {repair.column for repair in reading.account.repairs}
        columns = [
            column if column.name in repaired else _take_over_kind(column, typed_column)
            for column, typed_column in zip(reading.table.columns, self.table.columns, strict=True)
        ]
        return replace(reading, table=replace(reading.table, columns=tuple(columns)))


def _take_over_kind(column: Column, typed_column: Column) -> Column:
    """Return a column with the kind and order of another one, and without number style.

    It is returned unchanged if it has that kind already, and if that kind is numeric or date, since only the values can
    prove these.
    """
    # Whether texts are numbers or dates is proved, never declared.
    if typed_column.kind == column.kind or typed_column.kind in ("numeric", "date"):
        return column
    return replace(column, kind=typed_column.kind, style=None, order=typed_column.order)


Source: TypeAlias = Path | MemorySource
"""Where a table comes from: a file, or memory."""


def path_of(source: Source) -> Path:
    """Return the path or name that messages use for a source."""
    return source.path if isinstance(source, MemorySource) else source
