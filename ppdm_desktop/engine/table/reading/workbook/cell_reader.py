"""What two readers of one workbook have in common, so that their cells can be compared."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple, Protocol

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.table.reading.workbook.cells import ERRORS, DateStyle, float_text, serial_text
from ppdm_desktop.engine.table.reading.workbook.grid import Sheet


class Cell(NamedTuple):
    """A cell that is not empty.

    Attributes
    ----------
    text
        Its text.
    typed
        Whether it is stored as number, date or boolean.
    problem
        For which warning it is counted in its column: one of ``grid.COUNTED``, or empty for none.
    """

    text: str
    typed: bool = False
    problem: str = ""


Cells = Iterator[tuple[int, dict[int, Cell]]]
"""The rows of a sheet that hold something, rising, with their cells by column; both count from 1."""


class CellReader(Protocol):
    """A reader of one opened workbook.

    Attributes
    ----------
    names, hidden
        Names of all worksheets in their order, and of the hidden ones.
    """

    names: list[str]
    hidden: set[str]

    def cells(self, name: str, sheet: Sheet) -> Cells:
        """Yield the rows of a worksheet with their cells; merged and hidden areas are recorded in ``sheet``.

        Raises
        ------
        ReaderFailed
            When the worksheet cannot be read to its end.
        """


class ReaderFailed(Exception):
    """Raised when a reader cannot read a workbook that another reader may read."""


@contextmanager
def convert_reader_errors() -> Iterator[None]:
    """Turn errors of a reader of workbooks, raised in the ``with`` block, into ``ReaderFailed``.

    InputError, lack of memory and a missing package are raised as they are. A panic of a reader written in Rust is no
    ``Exception``; it is recognised by its name.
    """
    try:
        yield
    except (InputError, MemoryError, ImportError):
        raise
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        raise ReaderFailed from error


def number_cell(value: float, style: DateStyle | None, from_1904: bool) -> Cell:
    """Return the cell of a stored number: a date or time if its style shows one, else as ``float_text`` writes it.

    A negative number, or one after the year 9999, is never a date. For a number the cell's ``problem`` says whether it
    is beyond a float's precision ("beyond") or was rounded ("rounded").
    """
    if style is not None and (dated := serial_text(value, style, from_1904)) is not None:
        return Cell(dated, True)
    number = float_text(value)
    return Cell(number.text, True, "beyond" if number.beyond else "rounded" if number.rounded else "")


def boolean_cell(value: object) -> Cell:
    """Return the cell of a stored boolean, with the text ``TRUE`` or ``FALSE``."""
    return Cell("TRUE" if value else "FALSE", True)


def error_cell(code: int) -> Cell:
    """Return the cell of a stored error by its code, such as ``#DIV/0!``; an unknown code gives ``#N/A``."""
    return Cell(ERRORS.get(code, ERRORS[0x2A]), False, "error")
