"""Writing a released table to a file and reading it back: exact, repeatable, nothing cut, nothing executable."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.table.column import Column, Table, assign_text_numbers
from ppdm_desktop.engine.table.writing.base import Written
from ppdm_desktop.engine.table.writing.guard import unguard_columns
from ppdm_desktop.engine.table.writing.registry import find_writer


def write_table(table: Table, format: str, *, guarded: bool = True) -> Written:
    """Return a table as the bytes of a file in a format, given by its id; ``guarded`` adds the formula guard.

    The formula guard is an apostrophe before texts that a spreadsheet would execute.

    Raises
    ------
    RecipeError
        When no writer has this id.
    ValueError
        When the format cannot hold the table.
    """
    return find_writer(format).write(table, guarded=guarded)


def read_table(written: Written) -> tuple[Column, ...]:
    """Return the columns of a file written by ``write_table``, with the formula guard removed.

    Raises
    ------
    UnreadableFile
        When the bytes are not such a file.
    """
    columns = read_as_written(written)
    return unguard_columns(columns) if written.guarded else columns


def read_as_written(written: Written) -> tuple[Column, ...]:
    """Return the columns of a file written by ``write_table`` exactly as they are in it, with the formula guard.

    Raises
    ------
    UnreadableFile
        When the bytes are not such a file.
    """
    return find_writer(written.format).read_back(written)


def count_differing_cells(left: Sequence[Column], right: Sequence[Column]) -> int:
    """Return in how many cells, headers included, two tables differ, compared by position and text.

    A cell that only one of them has differs: a further column of 10 rows counts as 11.
    """
    cells = 0
    for done, (left_column, right_column) in enumerate(zip(left, right, strict=False)):
        progress.report(done / len(left), "doing.gate")
        index: dict[str, int] = {}
        # Two codes may stand for one text.
        left_codes, into = assign_text_numbers(left_column.texts, index), assign_text_numbers(right_column.texts, index)
        progress.check()
        shared = min(len(left_column), len(right_column))
        first = left_codes[left_column.codes[:shared]] if shared else np.empty(0, dtype=np.int64)
        second = into[right_column.codes[:shared]] if shared else np.empty(0, dtype=np.int64)
        cells += int((first != second).sum()) + abs(len(left_column) - len(right_column))
        cells += left_column.name != right_column.name
    for column in [*left[len(right) :], *right[len(left) :]]:
        cells += len(column) + 1
    return int(cells)
