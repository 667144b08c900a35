"""From a workbook's bytes to the table of one sheet: what readers of workbooks share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

import numpy as np

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.recipe.models import InputSection
from ppdm_desktop.engine.table.reading.base import READERS, Reader
from ppdm_desktop.engine.table.reading.import_log import Hidden
from ppdm_desktop.engine.table.reading.raw import RawTable
from ppdm_desktop.engine.table.reading.workbook.book import Book
from ppdm_desktop.engine.table.reading.workbook.grid import Sheet, tabulate
from ppdm_desktop.engine.table.reading.workbook.package import Package
from ppdm_desktop.engine.texts import Note

_PACKAGE_MARKS = (b"PK\x03\x04", b"PK\x05\x06")
_NAMED_EARLY = 30
# Parts that stay behind, and the text id that says so.
_LEFT: tuple[tuple[tuple[str, ...], str], ...] = (
    (("vbaproject.bin", "basic/"), "warning.read.left-macros"),
    (("xl/externallinks/externallink",), "warning.read.left-links"),
    (("xl/comments", "xl/threadedcomments/"), "warning.read.left-comments"),
    (("xl/pivotcache/pivotcachedefinition",), "warning.read.left-pivots"),
    (("xl/embeddings/", "xl/activex/", "object 1/"), "warning.read.left-objects"),
    (("xl/media/", "xl/charts/chart", "pictures/"), "warning.read.left-pictures"),
    (("xl/connections.xml", "xl/querytables/"), "warning.read.left-connections"),
)


class WorkbookReader(Reader):
    """A format with sheets, read behind the child's caps."""

    honours = frozenset({"sheet", "header_row"})
    in_child = True

    @abstractmethod
    def open_book(self, data: bytes, wanted: str | None, tick: Callable[[], None]) -> Book:
        """Open a workbook.

        Parameters
        ----------
        wanted
            The sheet that will be read, where that is settled.
        tick
            Called while sheets are read.

        Raises
        ------
        InputError
            When it is locked or damaged, or another kind of file.
        """

    def read(self, data: bytes, options: InputSection, progress: Progress) -> RawTable:
        """Read the sheet asked for; else the first visible one with a row below its header, else with anything."""
        book = self.open_book(data, options.sheet, lambda: progress.report(0.5, "progress.read.workbook"))
        sheet = _choose(book, options.sheet)
        table = tabulate(sheet, options.header_row)
        hidden = [Note("warning.read.hidden-sheets", {"count": len(book.hidden)})] if book.hidden else []
        return RawTable(
            headers=table.headers,
            columns=tuple((codes.astype(np.int32, copy=False), texts) for codes, texts in table.columns),
            row_numbers=table.row_numbers.astype(np.int64, copy=False),
            header_row=table.header_row,
            format=book.format,
            warnings=(*book.left, *hidden, *table.warnings),
            decimal=".",
            sheet=sheet.name,
            sheets=tuple(book.sheets),
            hidden=Hidden(table.hidden_rows, table.hidden_columns, len(book.hidden)),
        )


class PackageReader(WorkbookReader):
    """A workbook in a zip package.

    Packages begin alike, and what they hold stands at their end. So the first bytes only settle that it
    is one; which format it is, is settled by its directory, behind the child's caps.
    """

    likely: ClassVar[int]
    """The claim on a package whose beginning does not say what it is; no two formats have the same."""
    part: ClassVar[bytes]
    """What in the beginning of a package makes it likely to be of this format."""

    @abstractmethod
    def holds(self, package: Package) -> int:
        """Say how surely a package is of this format, as ``claims`` does, from the names of its parts."""

    @abstractmethod
    def book(self, package: Package, data: bytes, wanted: str | None, tick: Callable[[], None]) -> Book:
        """Open a package of this format, which was checked; ``data`` is all of it."""

    def claims(self, head: bytes) -> int:
        """Claim any package, and more surely one whose first parts tell."""
        if not head.startswith(_PACKAGE_MARKS):
            return 0
        return self.likely + _NAMED_EARLY * (self.part in head)

    def open_book(self, data: bytes, wanted: str | None, tick: Callable[[], None]) -> Book:
        """Check the package and open it by the format that its directory tells, be it another than this one."""
        package = Package(data)
        package.check()
        packages = [each for each in READERS.all().values() if isinstance(each, PackageReader)]
        surest = max(packages, key=lambda each: each.holds(package))
        if not surest.holds(package):
            raise InputError("error.read.other-format", args={"format": "ZIP"})
        book = surest.book(package, data, wanted, tick)
        return replace(book, left=(*_left_behind(package), *book.left))


def _choose(book: Book, wanted: str | None) -> Sheet:
    if wanted is not None:
        if wanted not in book.sheets:
            raise InputError("error.read.no-such-sheet", args={"sheet": wanted, "sheets": ", ".join(book.sheets)})
        sheet = book.read(wanted)
        if not sheet.filled:
            raise InputError("error.read.empty-sheet", args={"sheet": wanted})
        return sheet
    found: Sheet | None = None
    for name in book.sheets:
        if name not in book.hidden:
            sheet = book.read(name)
            # A title page or a lone header is no table; go on to the sheet that holds one.
            if len(sheet.first_rows(2)) > 1:
                return sheet
            if sheet.filled and found is None:
                found = sheet
    if found is not None:
        return found
    raise InputError("error.read.empty-workbook", args={"sheets": ", ".join(book.sheets)})


def _left_behind(package: Package) -> tuple[Note, ...]:
    found = []
    for beginnings, id in _LEFT:
        number = sum(
            any(mark in name for mark in beginnings) and not name.endswith((".rels", "/")) for name in package.names
        )
        if number:
            found.append(Note(id, {"count": number}))
    return tuple(found)
