"""A column whose codes lie on the disk: read when asked for, and not kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import cached_property
from typing import Any, ClassVar, TypeVar, cast

import numpy as np
import numpy.typing as npt

from ppdm_desktop.engine.arrays import AnyInts, Bools, Codes, Floats, Ints
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.stored.code_store import CodeStore, StoredCodes

_OF_ROWS = frozenset({"codes"})
_T = TypeVar("_T", bound=np.generic)


class StoredColumn(Column):
    """A column whose codes lie in a store: figures of rows are computed each time, figures of texts are kept.

    Each store has a class of its own (``column_class``), so that a column made from another by ``dataclasses.replace``
    or ``take`` is stored in the same place.
    """

    _store: ClassVar[CodeStore]

    @property
    def codes(self) -> Codes:
        """Return the code of each row into ``texts``, read from the disk; read-only."""
        return self.stored.load()

    @codes.setter
    def codes(self, codes: Codes) -> None:
        """Write the codes of the column to its store."""
        self.__dict__["stored"] = self._store.keep(codes)

    @property
    def stored(self) -> StoredCodes:
        """Return the handle of the codes on the disk."""
        return cast("StoredCodes", self.__dict__["stored"])

    def __len__(self) -> int:
        """Return the number of rows."""
        return self.stored.rows

    def __reduce__(self) -> tuple[type[Column], tuple[object, ...]]:
        """Return how to pickle the column: as a column in memory, since only this process has the key."""
        return Column, tuple(getattr(self, field.name) for field in fields(self))

    def codes_at(self, rows: AnyInts) -> AnyInts:
        """Return the codes of a few rows, shape (rows,), reading only the blocks in which they lie."""
        return self.stored.at(rows)

    def text_at(self, row: int) -> str:
        """Return the text of one row, reading only its block."""
        return self.texts[int(self.stored.at(np.array([row]))[0])]

    @property
    def missing(self) -> Bools:
        """Return which rows have no value, bool, shape (rows,)."""
        flags = self._missing_of_text
        return self._of_rows(flags) if flags.any() else np.zeros(len(self), dtype=np.bool_)

    @property
    def numbers(self) -> Floats:
        """Return each row's number, shape (rows,), NaN where missing."""
        return self._of_rows(self._number_of_text)

    @property
    def scaled(self) -> Ints:
        """Return each row's value in units of the last digit, 0 where missing; read-only."""
        per_text = self.text_values
        scaled_numbers = self._of_rows(per_text) if len(per_text) else np.zeros(len(self), dtype=np.int64)
        scaled_numbers.flags.writeable = False
        return scaled_numbers

    @cached_property
    def _category_of_text(self) -> tuple[Codes, tuple[str, ...]]:
        """Return the category code of each text and the text of each category, kept after the first call."""
        return self._find_categories_of_texts()

    @property
    def category_codes(self) -> Codes:
        """Return the category of each row, int32, -1 where missing; equal values have equal codes."""
        of_text = self._category_of_text[0]
        return self._of_rows(of_text) if len(self.texts) else self.codes.copy()

    @property
    def categories(self) -> tuple[str, ...]:
        """Return the text of each category that occurs, in category order."""
        return self._category_of_text[1]

    def _of_rows(self, of_text: npt.NDArray[_T]) -> npt.NDArray[_T]:
        """Return for each row the entry of its text in ``of_text``, block by block to save memory."""
        per_row = np.empty(len(self), dtype=of_text.dtype)
        for start, block in self.stored.blocks():
            np.take(of_text, block, out=per_row[start : start + len(block)], mode="wrap")
        return per_row

    def _count_texts(self) -> Ints:
        """Return how many rows have each text, counted block by block."""
        counts = np.zeros(len(self.texts), dtype=np.int64)
        for _, block in self.stored.blocks():
            counts += np.bincount(block, minlength=len(self.texts))
        return counts

    def used_texts(self) -> Bools:
        """Return which texts occur in some row, bool, shape (texts,)."""
        used = np.zeros(len(self.texts), dtype=np.bool_)
        for _, block in self.stored.blocks():
            used[block] = True
        return used


def column_class(store: CodeStore) -> type[StoredColumn]:
    """Return the class of columns that are stored in ``store``."""
    return type("StoredColumn", (StoredColumn,), {"_store": store})


def lies_on_disk(table: Table) -> bool:
    """Return whether the columns of a table lie on the disk."""
    return any(isinstance(column, StoredColumn) for column in table.columns)


def stored(column: Column, like: type[StoredColumn]) -> Column:
    """Return a column with its codes on the disk; one that is stored already is returned unchanged."""
    if isinstance(column, StoredColumn):
        return column
    codes = column.codes
    return made(like, like._store.keep(codes), {name: getattr(column, name) for name in _described(column)})


def made(like: type[StoredColumn], codes: StoredCodes, described: Mapping[str, Any]) -> StoredColumn:
    """Return a column from codes on the disk and its other fields."""
    column = object.__new__(like)
    column.__dict__.update(described, stored=codes)
    return column


def _described(column: Column) -> list[str]:
    """Return the names of a column's fields other than its codes."""
    return [field.name for field in fields(column) if field.name not in _OF_ROWS]


def stored_beside(columns: Sequence[Column], table: Table) -> tuple[Column, ...]:
    """Return columns with their codes on the disk if those of the other table are there; else unchanged."""
    like = next((type(column) for column in table.columns if isinstance(column, StoredColumn)), None)
    return tuple(columns) if like is None else tuple(stored(column, like) for column in columns)
