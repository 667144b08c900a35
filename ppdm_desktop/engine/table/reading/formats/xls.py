"""The file format XLS, the workbook of Excel before 2007."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.table.reading.base import register
from ppdm_desktop.engine.table.reading.workbook.workbook_reader import WorkbookReader
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Term

if TYPE_CHECKING:
    from ppdm_desktop.engine.table.reading.workbook.grid import Book

_MARK = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_BOOKS = tuple(name.encode("utf-16-le") for name in ("Workbook\0", "Book\0", "WORKBOOK\0", "BOOK\0"))
_LOCKED = "EncryptedPackage".encode("utf-16-le")


@register
class Xls(WorkbookReader):
    """The workbook of Excel before 2007."""

    id = "xls"
    title = "XLS"
    order = 40
    suffixes = (".xls",)
    libraries = ("python_calamine", "xlrd")

    def claims(self, head: bytes) -> int:
        """Return 90 for a file with the signature of a Microsoft compound document; else 0."""
        return 90 if head.startswith(_MARK) else 0

    def open_book(self, data: bytes, wanted: str | None, tick: Callable[[], None]) -> Book:
        """Return the opened workbook, with a warning that its format is old; two libraries read it and are compared.

        Sheets are read and compared on demand; where cells differ, those of the first library are kept. If only one can
        open the workbook, it is used alone. ``wanted`` is not used; ``tick`` is called every 1,000 rows. Raises
        InputError for a damaged file, another document of Microsoft Office, or an encrypted workbook.
        """
        from ppdm_desktop.engine.table.reading.workbook.biff import BiffReader
        from ppdm_desktop.engine.table.reading.workbook.calamine import CalamineReader
        from ppdm_desktop.engine.table.reading.workbook.compound import has_endless_chain
        from ppdm_desktop.engine.table.reading.workbook.cross_checked import open_with_all_readers

        if has_endless_chain(data):
            raise InputError("error.read.broken-package", args={"part": Term("workbook")})
        if _LOCKED in data:
            raise InputError("error.read.password")
        if not any(name in data for name in _BOOKS):
            raise InputError("error.read.other-format", args={"format": Note("found.office")})
        return open_with_all_readers(self.id, (lambda: BiffReader(data), lambda: CalamineReader(data)), tick, len(data))
