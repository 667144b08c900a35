"""The base class of writers: everything the program needs to know of an output format is declared in one class.

The recipe's validation, choices on the command line and in the window, the name of the data file, the checks of
the file before release and the common tests are all made from these classes; there is no second list.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from ppdm_desktop.engine.registry import Registry
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.wording.catalogue import Sentence


class UnreadableFile(ValueError):
    """Raised when a written file cannot be read back as a table (a fault of the writer or of the disk)."""


@dataclass(frozen=True)
class LimitBreach:
    """Something of which a table has more than a file format can hold.

    Attributes
    ----------
    what
        What it is: the id of a message to be filled with its ``count``, or words.
    count, most
        How much of it the table has, and how much the format allows.
    """

    what: str
    count: int
    most: int


@dataclass(frozen=True)
class Written:
    """The bytes of a written data file.

    Attributes
    ----------
    data
        The bytes.
    format
        Id of the writer.
    guarded
        Whether texts that a spreadsheet would execute got an apostrophe; in a format with text cells they need none.
    guarded_cells
        How many cells and headers got an apostrophe.
    decimal
        Decimal mark of the numbers.
    """

    data: bytes
    format: str
    guarded: bool
    guarded_cells: int
    decimal: str


@dataclass(frozen=True, eq=False)
class WrittenFile:
    """A data file that was written and read back; the bytes of a plain text file are not kept.

    Attributes
    ----------
    format
        Id of the writer.
    guarded, guarded_cells
        Whether texts that a spreadsheet would execute got an apostrophe, and in how many cells.
    decimal
        Decimal mark of the numbers.
    sha256
        SHA-256 of the file's bytes.
    read
        Returns the bytes, for which it may write the file again.
    """

    format: str
    guarded: bool
    guarded_cells: int
    decimal: str
    sha256: str
    read: Callable[[], bytes]

    @classmethod
    def of(cls, written: Written, writer: Writer, again: Callable[[], bytes]) -> WrittenFile:
        """Return a written file and its SHA-256; its bytes are kept only where a check has to look into them.

        Else the table is written again each time the bytes are asked for: a plain text file holds nothing but its
        cells, and may be as large as the table.

        Parameters
        ----------
        written, writer
            The file, and the writer that wrote it.
        again
            Writes the file again and returns its bytes; the same table gives the same bytes.
        """
        kept = written.data if writer.looks_into_bytes else None
        return cls(
            written.format,
            written.guarded,
            written.guarded_cells,
            written.decimal,
            hashlib.sha256(written.data).hexdigest(),
            again if kept is None else lambda: kept,
        )

    @property
    def data(self) -> bytes:
        """The bytes of the file, for which it may be written again."""
        return self.read()

    def holding(self, data: bytes) -> WrittenFile:
        """Return a copy of this file that has other bytes, with their SHA-256; format and guard stay the same."""
        return replace(self, sha256=hashlib.sha256(data).hexdigest(), read=lambda: data)


class Writer(ABC):
    """A format of data files that can be written; each format is a subclass in its own module of ``formats/``."""

    id: ClassVar[str]
    title: ClassVar[str]
    order: ClassVar[int]
    """Place in lists; nothing else depends on it."""
    suffix: ClassVar[str]
    """Ending of the file's name, with its dot."""
    release: ClassVar[bool]
    """Whether such a file may be handed over."""
    form: ClassVar[Sentence]
    """What the release note says of the file's form."""
    takes_guard: ClassVar[bool]
    """Whether a spreadsheet would run a text of the file, so that it can be guarded; else texts are text cells."""
    keeps_blanks: ClassVar[bool] = True
    """Whether a blank at the end of a text is kept; else such a text is beyond its limits."""
    read_by_kit: ClassVar[bool] = False
    """Whether the script of an analysis kit reads such a file."""

    libraries: ClassVar[tuple[str, ...]] = ()
    """Modules of others that only such files need, as they are imported; the report names them."""

    @abstractmethod
    def limits(self, table: Table) -> tuple[LimitBreach, ...]:
        """Return each limit of the format that a table exceeds; such a table is never written."""

    @abstractmethod
    def write(self, table: Table, *, guarded: bool = True) -> Written:
        """Return a table as a file; the same table gives the same bytes.

        Parameters
        ----------
        table
            Every cell as the text to be written.
        guarded
            Whether to put an apostrophe before texts that a spreadsheet would execute, if the format needs it.

        Raises
        ------
        ValueError
            When the format cannot hold the table; ask ``limits`` first.
        """

    @abstractmethod
    def read_back(self, written: Written) -> tuple[Column, ...]:
        """Return the columns of a written file, read from its bytes only, with any apostrophes of the formula guard.

        Raises
        ------
        UnreadableFile
            When the bytes are not such a file.
        """

    def running_parts(self, data: bytes) -> int:
        """Return how many parts of a file, besides texts of cells, a program would execute; 0 by default."""
        return 0

    def traces(self, data: bytes, searched: Sequence[str]) -> int:
        """Return how many traces of computer, user and time a file has outside its cells; 0 by default.

        ``searched`` are names to look for.
        """
        return 0

    @property
    def looks_into_bytes(self) -> bool:
        """Return whether a file may hold more than its cells, so that checks have to look into its bytes."""
        writer = type(self)
        return writer.running_parts is not Writer.running_parts or writer.traces is not Writer.traces


WRITERS: Registry[Writer] = Registry("ppdm_desktop.engine.table.writing.formats")
register = WRITERS.register


def decimal_of(table: Table) -> str:
    """Return the decimal mark of a table's first numeric column; a point without one."""
    return next((column.style.decimal for column in table.columns if column.style), ".")
