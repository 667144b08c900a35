"""The file format ODS, the spreadsheet of OpenDocument."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ppdm_desktop.engine.table.reading.base import register
from ppdm_desktop.engine.table.reading.workbook.workbook_reader import PackageReader

if TYPE_CHECKING:
    from ppdm_desktop.engine.table.reading.workbook.grid import Book
    from ppdm_desktop.engine.table.reading.workbook.package import Package


@register
class Ods(PackageReader):
    """The spreadsheet of the OpenDocument format."""

    id = "ods"
    title = "ODS"
    order = 50
    suffixes = (".ods",)
    likely = 50
    part = b"application/vnd.oasis.opendocument.spreadsheet"

    def holds(self, package: Package) -> int:
        """Return 90 if the ZIP package has ``content.xml``, the part that holds all sheets; else 0."""
        return 90 if "content.xml" in package else 0

    def book(self, package: Package, data: bytes, wanted: str | None, tick: Callable[[], None]) -> Book:
        """Return the opened workbook, with all its sheets read, since they are in one part of the package.

        ``wanted`` is not used; ``tick`` is called after each row. The workbook returns whole sheets, even if it is
        asked for some rows only. Raises InputError for a file with a password, or a damaged one.
        """
        from ppdm_desktop.engine.table.reading.workbook.grid import Book
        from ppdm_desktop.engine.table.reading.workbook.ods import read_ods

        book = read_ods(package, tick)
        return Book(self.id, list(book.sheets), book.hidden, lambda name, most: book.sheet(name))
