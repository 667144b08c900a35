"""From a workbook's bytes to the table of one sheet: what the child process does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.table.reading.workbook import legacy, ods, xlsx
from ppdm_desktop.engine.table.reading.workbook.grid import Sheet, SheetTable, tabulate
from ppdm_desktop.engine.table.reading.workbook.package import Package
from ppdm_desktop.engine.texts import Note

_OLE_BOOKS = tuple(name.encode("utf-16-le") for name in ("Workbook\0", "Book\0", "WORKBOOK\0"))
_LOCKED = "EncryptedPackage".encode("utf-16-le")
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


@dataclass(frozen=True, eq=False)
class Extract:
    """One sheet as a table, and what is known of the workbook around it."""

    format: str
    table: SheetTable
    sheet: str
    sheets: tuple[str, ...]
    hidden_sheets: int
    warnings: tuple[Note, ...]


def extract(
    data: bytes, container: str, sheet: str | None, header_row: int | None, tick: Callable[[], None]
) -> Extract:
    """Read one sheet of a workbook.

    Parameters
    ----------
    container
        ``zip`` or ``ole``.
    sheet
        The sheet wanted; None for the first visible one with a row below its header, else with anything.
    header_row
        1-based row of the sheet, or None to find out.

    Raises
    ------
    InputError
        Naming part, sheet or cell.
    """
    if container == "ole":
        if _LOCKED in data:
            raise InputError("error.read.password")
        if not any(name in data for name in _OLE_BOOKS):
            raise InputError("error.read.other-format", args={"format": "Microsoft Office (not Excel)"})
        return _legacy(data, "xls", sheet, header_row, (), tick)
    package = Package(data)
    package.check()
    left = _left_behind(package)
    if "content.xml" in package:
        return _ods(package, sheet, header_row, left, tick)
    if "xl/workbook.bin" in package:
        return _legacy(data, "xlsb", sheet, header_row, left, tick)
    if not any(name.endswith("workbook.xml") for name in package.names):
        raise InputError("error.read.other-format", args={"format": "ZIP"})
    return _xlsx(package, sheet, header_row, left, tick)


def _xlsx(
    package: Package,
    wanted: str | None,
    header_row: int | None,
    left: tuple[Note, ...],
    tick: Callable[[], None],
) -> Extract:
    book = xlsx.read_book(package)
    strings, styles = xlsx.read_strings(package), xlsx.read_styles(package)
    macros = any(name.endswith("vbaproject.bin") for name in package.names)

    def read(name: str) -> Sheet:
        return xlsx.read_sheet(package, book, name, strings, styles, tick)

    chosen = _choose(list(book.sheets), book.hidden, wanted, read)
    if book.names:
        left += (Note("warning.read.left-names", {"count": book.names}),)
    return _finished("xlsm" if macros else "xlsx", chosen, list(book.sheets), book.hidden, header_row, left)


def _ods(
    package: Package,
    wanted: str | None,
    header_row: int | None,
    left: tuple[Note, ...],
    tick: Callable[[], None],
) -> Extract:
    book = ods.read_ods(package, wanted, tick)
    chosen = _choose(list(book.sheets), book.hidden, wanted, book.sheets.__getitem__)
    return _finished("ods", chosen, list(book.sheets), book.hidden, header_row, left)


def _legacy(
    data: bytes,
    format: str,
    wanted: str | None,
    header_row: int | None,
    left: tuple[Note, ...],
    tick: Callable[[], None],
) -> Extract:
    book = legacy.open_legacy(data)
    names, hidden = legacy.legacy_sheets(book)
    chosen = _choose(names, hidden, wanted, lambda name: legacy.read_legacy(book, name, tick))
    left += (Note("warning.read.legacy-format", {"format": format.upper()}),)
    return _finished(format, chosen, names, hidden, header_row, left)


def _choose(names: list[str], hidden: set[str], wanted: str | None, read: Callable[[str], Sheet]) -> Sheet:
    if wanted is not None:
        if wanted not in names:
            raise InputError("error.read.no-such-sheet", args={"sheet": wanted, "sheets": ", ".join(names)})
        sheet = read(wanted)
        if not sheet.filled:
            raise InputError("error.read.empty-sheet", args={"sheet": wanted})
        return sheet
    found: Sheet | None = None
    for name in names:
        if name not in hidden:
            sheet = read(name)
            # A title page or a lone header is no table; go on to the sheet that holds one.
            if len(sheet.first_rows(2)) > 1:
                return sheet
            if sheet.filled and found is None:
                found = sheet
    if found is not None:
        return found
    raise InputError("error.read.empty-workbook", args={"sheets": ", ".join(names)})


def _finished(
    format: str,
    sheet: Sheet,
    names: list[str],
    hidden: set[str],
    header_row: int | None,
    left: tuple[Note, ...],
) -> Extract:
    table = tabulate(sheet, header_row)
    warnings = list(left)
    if hidden:
        warnings.append(Note("warning.read.hidden-sheets", {"count": len(hidden)}))
    return Extract(format, table, sheet.name, tuple(names), len(hidden), tuple(warnings))


def _left_behind(package: Package) -> tuple[Note, ...]:
    found = []
    for beginnings, id in _LEFT:
        number = sum(
            any(mark in name for mark in beginnings) and not name.endswith((".rels", "/")) for name in package.names
        )
        if number:
            found.append(Note(id, {"count": number}))
    return tuple(found)
