"""The file formats XLSX, and XLSM with macros: the workbook of Excel since 2007."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ppdm_desktop.engine.table.reading.base import register
from ppdm_desktop.engine.table.reading.workbook.workbook_reader import PackageReader
from ppdm_desktop.engine.wording.texts import Note

if TYPE_CHECKING:
    from ppdm_desktop.engine.table.reading.workbook.grid import Book, Sheet
    from ppdm_desktop.engine.table.reading.workbook.package import Package


@register
class Xlsx(PackageReader):
    """The workbook of Excel since 2007."""

    id = "xlsx"
    title = "XLSX, XLSM"
    order = 20
    suffixes = (".xlsx", ".xlsm")
    likely = 60
    part = b"xl/workbook.xml"

    def holds(self, package: Package) -> int:
        """Return 70 if the ZIP package has a part ``workbook.xml``, in a folder of any name; else 0."""
        return 70 if any(name.endswith("workbook.xml") for name in package.names) else 0

    def book(self, package: Package, data: bytes, wanted: str | None, tick: Callable[[], None]) -> Book:
        """Return the opened workbook, as ``xlsm`` if it has macros; sheets are read on demand.

        It has a warning if the workbook defines names, which are not read. ``wanted`` is not used; ``tick`` is called
        while rows are read.
        """
        from ppdm_desktop.engine.table.reading.workbook import xlsx
        from ppdm_desktop.engine.table.reading.workbook.grid import Book

        book = xlsx.read_book(package)
        strings, styles = xlsx.read_strings(package), xlsx.read_styles(package)
        macros = any(name.endswith("vbaproject.bin") for name in package.names)

        def read(name: str, most: int | None) -> Sheet:
            """Return the sheet of a name with its cells, or with its first ``most`` rows only."""
            return xlsx.read_sheet(package, book, name, strings, styles, tick, most)

        size = sum(package.size(part) for part in book.sheets.values())
        left = (Note("warning.read.left-names", {"count": book.names}),) if book.names else ()
        return Book("xlsm" if macros else self.id, list(book.sheets), book.hidden, read, left, size)
