"""The base class of writers: everything the program needs to know of an output format is declared in one class.

The recipe's validation, choices on the command line and in the window, the name of the data file, the gate's checks of
the file and the battery of tests are all made from these classes; there is no second list.
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
    """Something of which a table has more than a format can hold.

    Attributes
    ----------
    what
        What it is: the id of a text with its ``count``, or words.
    found, most
        How much of it there is, and how much there may be.
    """

    what: str
    found: int
    most: int


@dataclass(frozen=True)
class Written:
    """The bytes of a written data file.

    Attributes
    ----------
    data
        The file.
    format
        Id of its writer.
    guarded
        Whether texts that a spreadsheet would run got an apostrophe; a format that holds them as
        text cells has no need of it, those never run.
    guarded_cells
        How many cells and headers the guard changed.
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
    """A data file that was written and read back; of a large one the bytes are not kept.

    Attributes
    ----------
    format, guarded, guarded_cells, decimal
        Id of its writer; whether texts were guarded, in how many cells; decimal mark of its numbers.
    sha256
        SHA-256 of the file's bytes.
    read
        Returns the bytes, which may mean to write them again.
    """

    format: str
    guarded: bool
    guarded_cells: int
    decimal: str
    sha256: str
    read: Callable[[], bytes]

    @classmethod
    def of(cls, written: Written, writer: Writer, again: Callable[[], bytes]) -> WrittenFile:
        """Return a written file; its bytes are kept only where a check has to look into them.

        A plain text file holds nothing but its cells, and may be as large as the table.

        Parameters
        ----------
        written, writer
            The file, and who wrote it.
        again
            Writes it again: the same table gives the same bytes.
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
        """Return the bytes of the file; those of a large file are written again for that."""
        return self.read()

    def holding(self, data: bytes) -> WrittenFile:
        """Return a copy of this file, as to format and guard, that holds other bytes, with their hash."""
        return replace(self, sha256=hashlib.sha256(data).hexdigest(), read=lambda: data)


class Writer(ABC):
    """A format of data files: one subclass in one file of ``formats/``, registered by decorator."""

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
            Put the formula guard on, where the format takes it.

        Raises
        ------
        ValueError
            When the format cannot hold the table; ask ``limits`` first.
        """

    @abstractmethod
    def read_back(self, written: Written) -> tuple[Column, ...]:
        """Return the columns of a written file from its bytes alone, formula guard included.

        Raises
        ------
        UnreadableFile
            When the bytes are not such a file.
        """

    def running_parts(self, data: bytes) -> int:
        """Return how many parts of a file, cell texts apart, a program would execute; 0 for a format without such."""
        return 0

    def traces(self, data: bytes, searched: Sequence[str]) -> int:
        """Return how many signs of computer, user and time there are outside the cells; 0 for a format without such.

        ``searched`` are those to look for.
        """
        return 0

    @property
    def looks_into_bytes(self) -> bool:
        """Return whether a file may hold more than its cells, so that checks look into its bytes."""
        writer = type(self)
        return writer.running_parts is not Writer.running_parts or writer.traces is not Writer.traces


WRITERS: Registry[Writer] = Registry("ppdm_desktop.engine.table.writing.formats")
register = WRITERS.register


def decimal_of(table: Table) -> str:
    """Return the decimal mark of a table's first column of numbers; a point without one."""
    return next((column.style.decimal for column in table.columns if column.style), ".")
