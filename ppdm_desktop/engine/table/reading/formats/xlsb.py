"""The file format XLSB, the binary workbook of Excel since 2007."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ppdm_desktop.engine.table.reading.base import register
from ppdm_desktop.engine.table.reading.workbook.workbook_reader import PackageReader

if TYPE_CHECKING:
    from ppdm_desktop.engine.table.reading.workbook.grid import Book
    from ppdm_desktop.engine.table.reading.workbook.package import Package


@register
class Xlsb(PackageReader):
    """The binary workbook of Excel since 2007."""

    id = "xlsb"
    title = "XLSB"
    order = 30
    suffixes = (".xlsb",)
    libraries = ("python_calamine",)
    likely = 40
    part = b"xl/workbook.bin"

    def holds(self, package: Package) -> int:
        """Return 80 if the ZIP package has ``xl/workbook.bin``, the binary workbook; else 0."""
        return 80 if "xl/workbook.bin" in package else 0

    def book(self, package: Package, data: bytes, wanted: str | None, tick: Callable[[], None]) -> Book:
        """Return the opened workbook, with a warning that its format is old; two readers read it and are compared.

        Sheets are read and compared on demand; where cells differ, those of the first reader are kept. If only one can
        open the workbook, it is used alone. ``wanted`` is not used; ``tick`` is called every 1,000 rows. Raises
        InputError if none can open it, or it has a password.
        """
        from ppdm_desktop.engine.table.reading.workbook.calamine import CalamineReader
        from ppdm_desktop.engine.table.reading.workbook.cross_checked import open_with_all_readers
        from ppdm_desktop.engine.table.reading.workbook.xlsb import XlsbReader

        return open_with_all_readers(
            self.id, (lambda: XlsbReader(package), lambda: CalamineReader(data)), tick, len(data)
        )
