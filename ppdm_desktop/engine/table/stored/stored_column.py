"""A column whose codes lie on the disk: read when asked for, and let go again."""

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
    """A column of a store: what it says of rows is worked out each time, what it says of texts is kept.

    Each store has a class of its own (``column_class``), so that whatever is made from a column by
    ``dataclasses.replace`` or ``take`` is stored beside it.
    """

    _store: ClassVar[CodeStore]

    @property
    def codes(self) -> Codes:
        """A code for each row, as of any column; read-only."""
        return self.stored.load()

    @codes.setter
    def codes(self, codes: Codes) -> None:
        self.__dict__["stored"] = self._store.keep(codes)

    @property
    def stored(self) -> StoredCodes:
        """The codes on the disk."""
        return cast("StoredCodes", self.__dict__["stored"])

    def __len__(self) -> int:
        """Return the number of rows."""
        return self.stored.rows

    def __reduce__(self) -> tuple[type[Column], tuple[object, ...]]:
        """Be handed to another process as a column in memory: only this one has the key."""
        return Column, tuple(getattr(self, field.name) for field in fields(self))

    def codes_at(self, rows: AnyInts) -> AnyInts:
        """Return the codes of a few rows, shape (rows,): only the blocks that they lie in are read."""
        return self.stored.at(rows)

    def text_at(self, row: int) -> str:
        """Return the text of one row: only its block is read."""
        return self.texts[int(self.stored.at(np.array([row]))[0])]

    @property
    def missing(self) -> Bools:
        """Which rows have no value."""
        flags = self._missing_of_text
        return self._of_rows(flags) if flags.any() else np.zeros(len(self), dtype=np.bool_)

    @property
    def numbers(self) -> Floats:
        """The values as floats, NaN where missing."""
        return self._of_rows(self._number_of_text)

    @property
    def scaled(self) -> Ints:
        """The value of each row, as ``text_values`` of each text; read-only."""
        per_text = self.text_values
        scaled_numbers = self._of_rows(per_text) if len(per_text) else np.zeros(len(self), dtype=np.int64)
        scaled_numbers.flags.writeable = False
        return scaled_numbers

    @cached_property
    def _category_of_text(self) -> tuple[Codes, tuple[str, ...]]:
        return self._find_categories_of_texts()

    @property
    def category_codes(self) -> Codes:
        """Category of each row, int32, -1 where missing; equal values have equal codes."""
        of_text = self._category_of_text[0]
        return self._of_rows(of_text) if len(self.texts) else self.codes.copy()

    @property
    def categories(self) -> tuple[str, ...]:
        """The text that stands for each category present, in category order."""
        return self._category_of_text[1]

    def _of_rows(self, of_text: npt.NDArray[_T]) -> npt.NDArray[_T]:
        """Return for each row what is said of its text; block by block, for NumPy takes 8 bytes a place looked up."""
        per_row = np.empty(len(self), dtype=of_text.dtype)
        for start, block in self.stored.blocks():
            np.take(of_text, block, out=per_row[start : start + len(block)], mode="wrap")
        return per_row

    def _count_texts(self) -> Ints:
        counts = np.zeros(len(self.texts), dtype=np.int64)
        for _, block in self.stored.blocks():
            counts += np.bincount(block, minlength=len(self.texts))
        return counts

    def used_texts(self) -> Bools:
        """Say which texts some row has, bool, shape (texts,)."""
        used = np.zeros(len(self.texts), dtype=np.bool_)
        for _, block in self.stored.blocks():
            used[block] = True
        return used


def column_class(store: CodeStore) -> type[StoredColumn]:
    """Return the class of a store's columns."""
    return type("StoredColumn", (StoredColumn,), {"_store": store})


def lies_on_disk(table: Table) -> bool:
    """Say whether the columns of a table lie on the disk."""
    return any(isinstance(column, StoredColumn) for column in table.columns)


def stored(column: Column, like: type[StoredColumn]) -> Column:
    """Return a column with its codes on the disk; one that lies there is returned as it is."""
    if isinstance(column, StoredColumn):
        return column
    codes = column.codes
    return made(like, like._store.keep(codes), {name: getattr(column, name) for name in _described(column)})


def made(like: type[StoredColumn], codes: StoredCodes, described: Mapping[str, Any]) -> StoredColumn:
    """Return the column of codes that are on the disk already; ``described`` holds all other fields."""
    column = object.__new__(like)
    column.__dict__.update(described, stored=codes)
    return column


def _described(column: Column) -> list[str]:
    return [field.name for field in fields(column) if field.name not in _OF_ROWS]


def stored_beside(columns: Sequence[Column], table: Table) -> tuple[Column, ...]:
    """Return columns with their codes on the disk, where those of another table are; else as they are."""
    like = next((type(column) for column in table.columns if isinstance(column, StoredColumn)), None)
    return tuple(columns) if like is None else tuple(stored(column, like) for column in columns)
