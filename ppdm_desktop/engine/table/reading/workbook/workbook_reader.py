"""What the readers of workbooks share: from a workbook's bytes to the table of one sheet."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.table.reading.base import READERS, Reader
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Name, Names, Term, Value

if TYPE_CHECKING:
    from ppdm_desktop.engine.recipe.models import InputSection
    from ppdm_desktop.engine.table.reading.import_log import SheetSeen
    from ppdm_desktop.engine.table.reading.raw import RawTable
    from ppdm_desktop.engine.table.reading.workbook.grid import Book, Sheet
    from ppdm_desktop.engine.table.reading.workbook.package import Package

_PACKAGE_MARKS = (b"PK\x03\x04", b"PK\x05\x06")
_NAMED_EARLY = 30
_LARGE = 50_000_000
_LOOKED_AT = 2_000
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
    """A file format with sheets, read in a child process with limited memory and time."""

    honours = frozenset({"sheet", "header_row"})
    in_child = True

    @abstractmethod
    def open_book(self, data: bytes, wanted: str | None, tick: Callable[[], None]) -> Book:
        """Return the opened workbook.

        Parameters
        ----------
        data
            The whole file.
        wanted
            The sheet that will be read, where it is known; else None.
        tick
            Called while sheets are read.

        Raises
        ------
        InputError
            When it is locked or damaged, or another kind of file.
        """

    def read(self, data: bytes, options: InputSection) -> RawTable:
        """Return the cells of the sheet that the options name, else of the sheet that looks most like a table.

        Warnings about other and hidden sheets, and about content that is not read, come with it. Raises InputError
        where the workbook cannot be read or has no such sheet, or no row is below the sheet's header.
        """
        from ppdm_desktop.engine.table.reading.workbook.grid import tabulate

        book = self.open_book(data, options.sheet, lambda: progress.report(0.5, "progress.read.rows"))
        looked = _SheetSurvey(book, options.sheet)
        sheet = looked.choose_sheet()
        table = tabulate(sheet, options.header_row)
        return replace(
            table,
            format=book.format,
            warnings=(*book.left, *looked.list_notes(sheet.name), *table.warnings),
            sheets=tuple(book.sheets),
            sheets_seen=tuple(looked.seen.values()),
            hidden=replace(table.hidden, sheets=len(book.hidden)),
        )


class PackageReader(WorkbookReader):
    """A workbook in a ZIP package.

    All packages begin alike, and the list of what they hold is at their end. So the first bytes only tell that a file
    is one; its directory, which is read in the child process, tells the format.
    """

    likely: ClassVar[int]
    """The claim on a package whose beginning does not say what it is; no two formats have the same."""
    part: ClassVar[bytes]
    """What in the beginning of a package makes it likely to be of this format."""

    @abstractmethod
    def holds(self, package: Package) -> int:
        """Return how surely a package is of this format, from 0 (not at all) to 100, by the names of its parts."""

    @abstractmethod
    def book(self, package: Package, data: bytes, wanted: str | None, tick: Callable[[], None]) -> Book:
        """Return the opened workbook of a checked package of this format.

        ``data`` is the whole file, ``wanted`` the sheet that will be read or None, and ``tick`` is called while sheets
        are read.
        """

    def claims(self, head: bytes) -> int:
        """Return how likely the file is of this format: 0 if it is no ZIP package, else the format's ``likely``.

        30 is added if ``head``, the file's first bytes, names the part that only this format has.
        """
        if not head.startswith(_PACKAGE_MARKS):
            return 0
        return self.likely + _NAMED_EARLY * (self.part in head)

    def open_book(self, data: bytes, wanted: str | None, tick: Callable[[], None]) -> Book:
        """Return the opened workbook, in the format that its parts show, even if it is not this reader's.

        An ODS file that is called ``.xlsx`` is opened as ODS. The whole package is checked first. The workbook has a
        warning for each kind of content that is not read, such as charts. ``wanted`` is the sheet that the recipe
        names, or None; ``tick`` is called during reading.

        Raises InputError for a damaged package, and for one that holds no workbook.
        """
        from ppdm_desktop.engine.table.reading.workbook.package import Package

        package = Package(data)
        package.check()
        packages = [reader for reader in READERS.all().values() if isinstance(reader, PackageReader)]
        surest = max(packages, key=lambda reader: reader.holds(package))
        if not surest.holds(package):
            raise InputError("error.read.other-format", args={"format": Term("ZIP")})
        book = surest.book(package, data, wanted, tick)
        return replace(book, left=(*_list_omission_notes(package), *book.left))


class _SheetSurvey:
    """The sheets of a workbook as they look, by which one is proposed.

    Proposed is the visible sheet that looks like a table and has most filled cells. Where none looks like a table, it
    is the first visible one with a row below its header, else the first that is not empty; a hidden one only where all
    visible ones are empty.

    Raises
    ------
    InputError
        When there is no sheet of the name wanted.
    """

    def __init__(self, book: Book, wanted: str | None) -> None:
        """Read every sheet, but of a workbook above 50 MB only its first 2,000 rows, and store how it looks.

        The wanted sheet is read as a whole in any case. Raises InputError where the workbook lacks it.
        """
        if wanted is not None and wanted not in book.sheets:
            raise InputError("error.read.no-such-sheet", args={"sheet": Name(wanted), "sheets": Names.of(book.sheets)})
        self._book, self._wanted = book, wanted
        self._cut = _LOOKED_AT if book.size > _LARGE else None
        self._errors: dict[str, InputError] = {}
        self._sheet: Sheet | None = None
        self.seen: dict[str, SheetSeen] = {}
        for name in book.sheets:
            self.seen[name] = self._look_at_sheet(name)

    def _look_at_sheet(self, name: str) -> SheetSeen:
        """Return how a sheet looks, and keep it if it is the wanted one or, where none is wanted, the best so far.

        Of a workbook above 50 MB only the first 2,000 rows are read, except of the wanted sheet. If a sheet cannot be
        read, its error is kept and it is described as empty.
        """
        from ppdm_desktop.engine.table.reading.import_log import SheetSeen

        is_hidden = name in self._book.hidden
        try:
            cut = None if name == self._wanted else self._cut
            sheet = self._book.read(name, cut)
        except InputError as error:
            self._errors[name] = error
            return SheetSeen(name, is_hidden, 0, 0, 0, (), False, False)
        seen = sheet.look(is_hidden, cut is not None)
        if name == self._wanted or (self._wanted is None and self._is_better(seen)):
            self._sheet = sheet
        return seen

    def _is_better(self, seen: SheetSeen) -> bool:
        """Return whether a sheet is more likely the table than the best sheet so far; False for an empty one.

        The first sheet that is not empty is always better than none. A visible sheet is better than a hidden one. Of
        two that are both visible or both hidden, the one that looks like a table is better, and of two such tables the
        one with more filled cells; the earlier one where they have equally many. If neither looks like a table, the new
        one is better only if the one so far has a single filled row and the new one has several.
        """
        if not seen.cells:
            return False
        if self._sheet is None:
            return True
        kept = self.seen[self._sheet.name]
        if seen.hidden != kept.hidden:
            return kept.hidden
        if seen.is_table or kept.is_table:
            return seen.is_table and (not kept.is_table or seen.cells > kept.cells)
        # A title page or a lone header is no table; go on to the sheet that holds one.
        return len(kept.corner) < 2 and len(seen.corner) > 1

    def choose_sheet(self) -> Sheet:
        """Return the wanted sheet, or the one that looks most like a table where none is wanted, with all its rows.

        Raises
        ------
        InputError
            When the wanted sheet is empty or cannot be read. Where none is wanted: when all sheets are empty, or none
            has cells and one cannot be read.
        """
        for name in [self._wanted] if self._wanted is not None else self._book.sheets:
            if name in self._errors and (self._sheet is None or name == self._wanted):
                raise self._errors[name]
        if self._sheet is None:
            raise InputError("error.read.empty-workbook", args={"sheets": Names.of(self._book.sheets)})
        if not self._sheet.filled:
            raise InputError("error.read.empty-sheet", args={"sheet": Name(self._sheet.name)})
        return self._book.read(self._sheet.name, None) if self.seen[self._sheet.name].is_cut else self._sheet

    def list_notes(self, name: str) -> tuple[Note, ...]:
        """Return warnings about the sheets that are not read: hidden ones, others that are not empty, cut ones.

        ``name`` is the sheet that is read. Another visible sheet gets a stronger warning if it looks like a table and
        has at least half as many filled cells as this sheet. A visible sheet that cannot be read counts as not empty.
        One more warning says that only the first rows of each sheet were looked at, where the workbook is large and has
        several.
        """
        taken = self.seen[name]
        remarks = self._list_hidden_notes(name)
        for sheet in self.seen.values():
            if sheet.name != name and not sheet.hidden and (sheet.cells or sheet.name in self._errors):
                arguments: dict[str, Value] = {
                    "sheet": Name(sheet.name),
                    "taken": Name(name),
                    "rows": sheet.rows,
                    "columns": sheet.columns,
                }
                rival = sheet.is_table and 2 * sheet.cells >= taken.cells
                remarks.append(Note("warning.read.sheet-rival" if rival else "warning.read.sheet-ignored", arguments))
        if self._cut is not None and len(self.seen) > 1:
            remarks.append(Note("warning.read.sheets-cut", {"rows": self._cut}))
        return tuple(remarks)

    def _list_hidden_notes(self, name: str) -> list[Note]:
        """Return warnings about the hidden sheets that are not read: one for each table, one for all others together.

        If the sheet that is read, ``name``, is itself hidden and the recipe does not name it, there is only a warning
        about this.
        """
        if self.seen[name].hidden and self._wanted is None:
            return [Note("warning.read.hidden-sheet-read", {"sheet": Name(name)})]
        hidden = [sheet for sheet in self.seen.values() if sheet.hidden and sheet.name != name]
        tables = [sheet for sheet in hidden if sheet.is_table]
        without_table = [sheet.name for sheet in hidden if not sheet.is_table]
        notes = []
        for table in tables:
            arguments: dict[str, Value] = {"sheet": Name(table.name), "rows": table.rows, "columns": table.columns}
            notes.append(Note("warning.read.hidden-table", arguments))
        if without_table:
            notes.append(
                Note("warning.read.hidden-sheets", {"count": len(without_table), "sheets": Names.of(without_table)})
            )
        return notes


def _list_omission_notes(package: Package) -> tuple[Note, ...]:
    """Return a warning for each kind of content in the package that is not read, with the number of its parts.

    Kinds are pictures, charts, macros and so on; a kind without parts gives none.
    """
    notes = []
    for beginnings, id in _LEFT:
        number = sum(
            any(mark in name for mark in beginnings) and not name.endswith((".rels", "/")) for name in package.names
        )
        if number:
            notes.append(Note(id, {"count": number}))
    return tuple(notes)
