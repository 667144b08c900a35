"""The limits of an Excel worksheet, which are checked before writing, so that nothing is ever cut."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.table.column import Table
from ppdm_desktop.engine.table.writing.base import LimitBreach
from ppdm_desktop.engine.table.writing.scanning import may_match

MOST_ROWS = 1_048_576
MOST_COLUMNS = 16_384
MOST_CHARACTERS = 32_767
# Characters that XML 1.0 has no way to hold, and NUL. Tab, line feed and carriage return it has.
_BUT_NUL = "\x01-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff"
_UNWRITABLE, _ANY_UNWRITABLE = re.compile(f"[\x00{_BUT_NUL}]"), re.compile(f"[{_BUT_NUL}]")


@dataclass(frozen=True)
class ExcelLimits:
    """The sizes of a table that are compared with the limits of a worksheet.

    Attributes
    ----------
    rows
        Number of rows, with the header.
    columns
        Number of columns.
    long_cells
        Number of cells (or headers) with more characters than fit, counted as Excel counts (UTF-16).
    control_cells
        Number of cells (or headers) with characters that a worksheet cannot hold.
    """

    rows: int
    columns: int
    long_cells: int
    control_cells: int

    @property
    def breaches(self) -> tuple[LimitBreach, ...]:
        """Return the limits that the table exceeds, each with its count and the limit; empty if it fits.

        They are in this order: rows (more than 1,048,576), columns (more than 16,384), cells with a text above 32,767
        characters, cells with control characters.
        """
        measured = (
            LimitBreach("writing.limit.rows", self.rows, MOST_ROWS),
            LimitBreach("writing.limit.columns", self.columns, MOST_COLUMNS),
            LimitBreach("writing.limit.long-cells", self.long_cells, 0),
            LimitBreach("writing.limit.control-cells", self.control_cells, 0),
        )
        return tuple(limit for limit in measured if limit.count > limit.most)

    @property
    def are_met(self) -> bool:
        """Return whether the table exceeds no limit of a worksheet."""
        return not self.breaches


def _is_too_long(text: str) -> bool:
    """Return whether a text has more than a cell's 32,767 characters, counted in UTF-16 units: an emoji is 2."""
    if len(text) <= MOST_CHARACTERS // 2:
        return False
    return len(text.encode("utf-16-le", "surrogatepass")) // 2 > MOST_CHARACTERS


def _count_unfit_cells(texts: Sequence[str], weights: Iterable[int]) -> tuple[int, int]:
    """Return how many cells have a text that is too long for Excel, and how many have forbidden control characters.

    ``weights`` is the number of cells with each of ``texts``. A cell may count in both.
    """
    long_cells = control_cells = 0
    if max(map(len, texts), default=0) <= MOST_CHARACTERS // 2 and not may_match(_ANY_UNWRITABLE, texts):
        return 0, 0
    for text, weight in zip(progress.each(texts), weights, strict=True):
        if weight:
            long_cells += weight * _is_too_long(text)
            control_cells += weight * (_UNWRITABLE.search(text) is not None)
    return long_cells, control_cells


def excel_limits(table: Table) -> ExcelLimits:
    """Return a table's rows, columns, and cells with too long texts or control characters, which worksheets limit.

    The header counts as a row and its names as cells.
    """
    long_cells, control_cells = _count_unfit_cells(table.names, [1] * len(table.names))
    for column in table.columns:
        longs, controls = _count_unfit_cells(column.texts, column.text_counts.tolist())
        long_cells += longs
        control_cells += controls
    return ExcelLimits(table.rows + 1, len(table.columns), long_cells, control_cells)
