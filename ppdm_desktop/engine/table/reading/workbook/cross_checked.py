"""Reading a workbook with two independent readers and comparing the cells.

Where both mean the same, the cell is taken. Where they differ, the first reader's cell is kept and the second one is
stored, too, for the owner to choose. Where one of them cannot read the workbook, a warning says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import lru_cache

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.table.reading.workbook.cell_reader import Cell, CellReader, Cells, ReaderFailed
from ppdm_desktop.engine.table.reading.workbook.grid import Book, Sheet
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Quoted, Term

_NOTHING = Cell("")
_MOMENT = re.compile(r"(?:(\d{4}-\d\d-\d\d)(?:T(?=\d)|$))?(?:(\d+):(\d\d):(\d\d(?:\.\d+)?))?", re.ASCII)
_SAME_SECONDS = 0.0015
_TICK_ROWS = 1000
_RowTwice = tuple[int, dict[int, Cell], dict[int, Cell]]


def open_with_all_readers(
    format: str, openers: Sequence[Callable[[], CellReader]], tick: Callable[[], None], size: int
) -> Book:
    """Return a workbook opened with every reader that can read it, with a warning that its format is an old one.

    A reader whose package is not installed counts as one that cannot read it.

    Parameters
    ----------
    format
        Name of the format in the account of the reading.
    openers
        Each opens the workbook with one reader; the cells of the first are kept where readers differ.
    tick
        Called every 1,000 rows.
    size
        Bytes to read.

    Raises
    ------
    InputError
        When it is locked with a password, or no reader can read it; also when a sheet is read.
    """
    readers = []
    for make in openers:
        try:
            readers.append(make())
        except (ReaderFailed, ModuleNotFoundError) as error:
            failed = error
    if not readers:
        raise InputError("error.read.broken-package", args={"part": Term("workbook")}) from failed
    left = (Note("warning.read.legacy-format", {"format": Term(format.upper())}),)
    first = readers[0]

    def read(name: str, most: int | None) -> Sheet:
        """Return a sheet with the first reader's cells, and where the second differs; only ``most`` rows if given."""
        return read_cross_checked(readers, name, tick, most, wanted=len(openers))

    return Book(format, first.names, first.hidden, read, left, size)


def read_cross_checked(
    readers: Sequence[CellReader], name: str, tick: Callable[[], None], most: int | None, *, wanted: int = 2
) -> Sheet:
    """Return one sheet's cells, compared between the first two readers that can read it.

    Parameters
    ----------
    readers
        The readers of the opened workbook.
    name
        Name of the sheet.
    tick
        Called every 1,000 rows.
    most
        Number of the last row to read; None for all.
    wanted
        How many readers there should be; if fewer can read the sheet, this is recorded in it.

    Raises
    ------
    InputError
        When none of them can read it.
    """
    working = list(readers)
    while working:
        sheet = Sheet(name)
        try:
            _fill_sheet(sheet, working, tick, most)
        except _Broken as broken:
            working.remove(broken.reader)
            failed = broken
            continue
        sheet.is_read_once = len(working) < wanted
        return sheet
    raise InputError("error.read.broken-package", args={"part": Quoted(name)}) from failed


class _Broken(Exception):
    """Raised when one of the readers cannot read the sheet; names the reader."""

    def __init__(self, reader: CellReader) -> None:
        """Store the reader that failed."""
        super().__init__()
        self.reader = reader


def _read_rows(reader: CellReader, sheet: Sheet) -> Cells:
    """Yield number and cells (by column number) of each row of a sheet, as one reader reads them.

    Rows may be lacking where nothing is in them. Merged areas, and hidden ones if the reader tells them, are recorded
    in ``sheet``. If the reader fails, also after some rows, ``_Broken`` is raised, which names the reader; an
    InputError passes through.
    """
    try:
        yield from reader.cells(sheet.name, sheet)
    except ReaderFailed as error:
        raise _Broken(reader) from error


def _fill_sheet(sheet: Sheet, readers: Sequence[CellReader], tick: Callable[[], None], most: int | None) -> None:
    """Fill a sheet in place with the cells of the first reader, and record how the second reads those that differ.

    Of dates and times that agree but for 0.0015 seconds the second reader's is taken. Findings such as errors and lost
    digits are counted by column. Rows beyond row number ``most`` are not read; ``tick`` is called every 1,000 rows.
    With one reader nothing is compared. Raises ``_Broken`` when a reader fails, and InputError for a cell beyond the
    rows and columns that a worksheet can have.
    """
    mine = _read_rows(readers[0], sheet)
    theirs = _read_rows(readers[1], Sheet(sheet.name)) if len(readers) > 1 else None
    for done, (row, my_cells, their_cells) in enumerate(_pair_rows(mine, theirs), start=1):
        if most is not None and row > most:
            break
        for column in sorted(my_cells.keys() | their_cells.keys()):
            first = my_cells.get(column, _NOTHING)
            taken = first if theirs is None else _choose_agreed_cell(first, second := their_cells.get(column, _NOTHING))
            if taken is None:
                taken = first
                sheet.differ(row, column, second.text, second.typed)
            sheet.add(row, column, taken.text, taken.typed)
            if taken.problem:
                sheet.note(taken.problem, column)
        if done % _TICK_ROWS == 0:
            tick()


def _pair_rows(mine: Cells, theirs: Cells | None) -> Iterator[_RowTwice]:
    """Yield each row number with the row's cells by both readers, which are empty where a reader lacks the row.

    Rows come in rising order. If ``theirs`` is None, the second cells are always empty.
    """
    my_row, their_row = next(mine, None), next(theirs, None) if theirs is not None else None
    while my_row is not None or their_row is not None:
        row = min(row_cells[0] for row_cells in (my_row, their_row) if row_cells is not None)
        cells_of_one: dict[int, Cell] = {}
        cells_of_two: dict[int, Cell] = {}
        if my_row is not None and my_row[0] == row:
            cells_of_one, my_row = my_row[1], next(mine, None)
        if their_row is not None and theirs is not None and their_row[0] == row:
            cells_of_two, their_row = their_row[1], next(theirs, None)
        yield row, cells_of_one, cells_of_two


def _choose_agreed_cell(mine: Cell, theirs: Cell) -> Cell | None:
    """Return the cell if both readers mean the same; None where they differ.

    Texts have to be equal, even if only one reader takes the cell for a number; the first reader's is returned. Dates
    and times may differ by 0.0015 seconds, and the second reader's is returned then. An error value that the second
    reader leaves empty is the first reader's.
    """
    if mine.text == theirs.text:
        return mine
    if mine.problem == "error" and not theirs.text:
        return mine  # the second reader knows no errors
    moment, other_moment = (
        _parse_moment(mine.text) if mine.typed else None,
        _parse_moment(theirs.text) if theirs.typed else None,
    )
    if (
        moment is None
        or other_moment is None
        or moment[0] != other_moment[0]
        or abs(moment[1] - other_moment[1]) > _SAME_SECONDS
    ):
        return None
    return theirs


@lru_cache(maxsize=10_000)
def _parse_moment(text: str) -> tuple[bool, float] | None:
    """Return whether a text has a date, and its point in time in seconds; None where it is neither date nor time.

    "00:01:00" gives (False, 60). With a date the seconds count from the day before 1 January of year 1, so that
    "0001-01-01" gives (True, 86400).
    """
    match = _MOMENT.fullmatch(text)
    if match is None or not text:
        return None
    day, hours, minutes, seconds = match.groups()
    try:
        days = date.fromisoformat(day).toordinal() if day else 0
    except ValueError:
        return None
    within = int(hours) * 3600 + int(minutes) * 60 + float(seconds) if hours is not None else 0.0
    return day is not None, days * 86_400 + within
