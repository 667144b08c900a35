"""Arrays of codes on the disk, private, encrypted and deleted when no longer used; and columns with such codes."""

from __future__ import annotations

import hashlib
import secrets
import shutil
import threading
import weakref
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, Self, TypeVar, cast

import numpy as np
import numpy.typing as npt

from ppdm_desktop.engine.arrays import AnyInts, Bools, Codes, Floats, Ints
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.files.private import PrivateFolder, read_private, remove_private, write_private
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.wording.values import Reason, Value

BLOCK_ROWS = 2**20
"""Rows that are encrypted together; a table of fewer is one block."""
CACHE_BYTES = 256 * 2**20
"""Bytes of decrypted blocks that stay in memory, the last ones asked for."""
PURPOSE = "columns"
Kind = type[np.uint8] | type[np.uint16] | type[np.int8] | type[np.int16] | type[np.int32]
_DOMAIN = b"ppdm-1 stored"
_KEY_BYTES = 32
_MIB = 2**20


@dataclass(frozen=True, eq=False)
class StoredCodes:
    """One array of codes on the disk.

    Attributes
    ----------
    store
        The store that holds the array.
    number
        Its number in the store, which no other array ever gets, so that no two are encrypted alike.
    kind
        The narrowest integer type that holds it.
    rows
        Number of codes.
    """

    store: CodeStore
    number: int
    kind: Kind
    rows: int
    _cached: list[weakref.ref[Codes]] = field(default_factory=list, repr=False)

    def load(self) -> Codes:
        """Return the codes, int32, shape (rows,), read-only; the same array again as long as it is in use.

        Raises
        ------
        InputError
            When the codes cannot be read from the disk.
        """
        cached = self._cached[0]() if self._cached else None
        if cached is not None:
            return cached
        codes = np.empty(self.rows, dtype=np.int32)
        for start, block in self.blocks():
            codes[start : start + len(block)] = block
        codes.flags.writeable = False
        self._cached[:] = [weakref.ref(codes)]
        self.store.note(codes, self)
        return codes

    def blocks(self) -> Iterator[tuple[int, AnyInts]]:
        """Yield the codes block by block, each as the index of its first row and the codes."""
        for block_index, start in enumerate(range(0, self.rows, self.store.block_rows)):
            yield start, self._read_block(block_index)

    def at(self, rows: AnyInts) -> AnyInts:
        """Return the codes of the rows with the given indices, int32, in this order, reading only their blocks.

        Indices count from 0 and may repeat. Raises InputError where a block cannot be read.
        """
        codes = np.empty(len(rows), dtype=np.int32)
        places = rows // self.store.block_rows
        for block_index in np.unique(places).tolist():
            here = places == block_index
            codes[here] = self._read_block(block_index)[rows[here] - block_index * self.store.block_rows]
        return codes

    def _read_block(self, block_index: int) -> AnyInts:
        """Return the decrypted codes of one block, read-only, in the integer type in which they are stored.

        A block has a fixed number of rows, the last one the rest. Raises InputError where it cannot be read.
        """
        width, start = np.dtype(self.kind).itemsize, block_index * self.store.block_rows
        size = min(self.store.block_rows, self.rows - start) * width
        return self.store.read_block(self.number, block_index, start * width, size).view(self.kind)


class CodeStore:
    """A private folder for the codes of columns; leaving its context deletes it.

    Parameters
    ----------
    block_rows
        Number of rows that are encrypted together.
    cache_bytes
        How many bytes of the blocks used last are kept decrypted in memory.
    """

    def __init__(self, block_rows: int = BLOCK_ROWS, cache_bytes: int = CACHE_BYTES) -> None:
        """Make the private folder, and a key that is only in memory.

        The folder is deleted when the store is closed or no longer in use, or when the program ends. Raises OSError
        where it cannot be made.
        """
        self.block_rows = block_rows
        self._cache_bytes = cache_bytes
        self._cached: OrderedDict[tuple[int, int], npt.NDArray[np.uint8]] = OrderedDict()
        # Columns go whenever the collector finds them, on the thread that holds the lock, too.
        self._lock = threading.RLock()
        self._folder = PrivateFolder(PURPOSE)
        # A store that nobody closes goes with the last of its columns, or when the program ends.
        self._at_end = weakref.finalize(self, self._folder.remove)
        self._key = secrets.token_bytes(_KEY_BYTES)
        self._numbers = count(1)
        self._loaded: list[tuple[weakref.ref[Codes], StoredCodes]] = []

    @property
    def path(self) -> Path:
        """The path of the private folder."""
        return self._folder.path

    def keep(self, codes: AnyInts) -> StoredCodes:
        """Write an array of codes, none below -1, encrypted to the disk, and return its handle.

        The file is deleted when the handle is no longer in use. An array that was loaded from the store (the array
        itself, not an equal one) is not written again; its handle is returned.

        Raises
        ------
        InputError
            When the disk has no space, or cannot be written.
        """
        for array, stored_codes in self._loaded:
            if array() is codes:
                return stored_codes
        stored = StoredCodes(self, next(self._numbers), _choose_integer_type(codes), len(codes))
        width = np.dtype(stored.kind).itemsize
        parts = (
            self._crypt_block(
                codes[start : start + self.block_rows].astype(stored.kind).view(np.uint8), stored.number, block_index
            )
            for block_index, start in enumerate(range(0, len(codes), self.block_rows))
        )
        file = self._build_file_path(stored.number)
        try:
            write_private(file, (part.tobytes() for part in parts))
        except OSError as error:
            raise self._make_storage_error(error, len(codes) * width) from error
        weakref.finalize(stored, self._remove_file, stored.number).atexit = False
        return stored

    def note(self, array: Codes, stored: StoredCodes) -> None:
        """Remember that ``array`` was loaded from ``stored``, as long as it is in use, so as not to write it again."""
        self._loaded.append((weakref.ref(array, self._forget_array), stored))

    def _forget_array(self, gone: weakref.ref[Codes]) -> None:
        """Forget that an array was loaded; to be called when it is no longer in use."""
        self._loaded = [entry for entry in self._loaded if entry[0] is not gone]

    def read_block(self, number: int, block_index: int, position: int, size: int) -> npt.NDArray[np.uint8]:
        """Return the decrypted bytes of one block, read-only, from memory or else from the disk.

        A block from the disk is kept in memory, where those not used for longest make way for it, since checks and
        attacks need the same columns hundreds of times, and decrypting takes as long as counting. ``number`` is that of
        the array; ``position`` and ``size`` say where the block is in its file, in bytes. Raises InputError where it
        cannot be read.
        """
        with self._lock:
            data = self._cached.get((number, block_index))
            if data is not None:
                self._cached.move_to_end((number, block_index))
                return data
        data = self.read_from_disk(number, block_index, position, size)
        data.flags.writeable = False
        with self._lock:
            self._cached[number, block_index] = data
            while sum(map(len, self._cached.values())) > self._cache_bytes:
                self._cached.popitem(last=False)
        return data

    def _remove_file(self, number: int) -> None:
        """Delete the file of an array that is no longer in use, and its blocks in memory.

        A file that cannot be deleted stays, without an error.
        """
        with self._lock:
            for key in [block_key for block_key in self._cached if block_key[0] == number]:
                self._cached.pop(key)
        remove_private(self._build_file_path(number))

    def read_from_disk(self, number: int, block_index: int, position: int, size: int) -> npt.NDArray[np.uint8]:
        """Return the decrypted bytes of one block: ``size`` bytes at ``position`` of an array's file.

        They are not kept in memory. ``number`` is that of the array. Raises InputError where they cannot be read.
        """
        try:
            data = read_private(self._build_file_path(number), position, size)
        except OSError as error:
            raise self._make_storage_error(error, size) from error
        return self._crypt_block(np.frombuffer(data, dtype=np.uint8), number, block_index)

    def close(self) -> None:
        """Delete the store's folder with all its files, and the decrypted blocks in memory.

        Columns of the store cannot be read any more, unless their codes are loaded and still in use.
        """
        with self._lock:
            self._cached.clear()
        self._at_end()

    def __enter__(self) -> Self:
        """Return the store."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Delete the folder; an error in the context is raised as usual."""
        self.close()

    def _crypt_block(self, block: npt.NDArray[np.uint8], number: int, block_index: int) -> npt.NDArray[np.uint8]:
        """Return a plain block encrypted, or an encrypted one decrypted, by the key stream of its array and index."""
        # A block is written once, so the stream of its number and place is used for it alone.
        seed = _DOMAIN + self._key + number.to_bytes(8, "big") + block_index.to_bytes(8, "big")
        stream = np.frombuffer(hashlib.shake_256(seed).digest(len(block)), dtype=np.uint8)
        return np.bitwise_xor(block, stream)

    def _build_file_path(self, number: int) -> Path:
        """Return the path of an array's file."""
        return self.path / f"{number}.codes"

    def _make_storage_error(self, error: OSError, size: int) -> InputError:
        """Return (not raise) the error for a failed read or write of ``size`` bytes.

        It names the folder and the reason, and states the size in MiB, rounded up, and the free space, rounded down, or
        0 where the free space is unknown.
        """
        try:
            free = shutil.disk_usage(self.path).free // _MIB
        except OSError:
            free = 0
        arguments: dict[str, Value] = {"reason": Reason.of(error), "needed": -(-size // _MIB), "free": free}
        return InputError("error.stored.failed", file=str(self.path), args=arguments)


def _choose_integer_type(codes: AnyInts) -> Kind:
    """Return the narrowest type that holds the codes: 8 or 16 bits, signed only if a code is negative, else int32.

    Codes from 0 to 200 give uint8, from -1 to 200 int16, and no codes uint8. Codes below -1 are not expected.
    """
    low, high = (int(codes.min()), int(codes.max())) if len(codes) else (0, 0)
    if low >= 0:
        return np.uint8 if high < 2**8 else np.uint16 if high < 2**16 else np.int32
    return np.int8 if high < 2**7 else np.int16 if high < 2**15 else np.int32


_OF_ROWS = frozenset({"codes"})
_T = TypeVar("_T", bound=np.generic)


class StoredColumn(Column):
    """A column whose codes are on the disk: what is counted by row is computed each time, what by text is kept.

    Each store has its own subclass (``column_class``), so that a column made from another by ``dataclasses.replace``
    or ``take`` is stored in the same store.
    """

    _store: ClassVar[CodeStore]

    @property
    def codes(self) -> Codes:
        """The index of each row's text in ``texts``, int32, shape (rows,), read from the disk; read-only.

        Missing cells have a text, too, so that every index is 0 or more.
        """
        return self.stored.load()

    @codes.setter
    def codes(self, codes: Codes) -> None:
        """Write the codes of the column to its store, and keep only their handle."""
        self.__dict__["stored"] = self._store.keep(codes)

    @property
    def stored(self) -> StoredCodes:
        """The handle of the codes on the disk."""
        return cast("StoredCodes", self.__dict__["stored"])

    def __len__(self) -> int:
        """Return the number of rows."""
        return self.stored.rows

    def __reduce__(self) -> tuple[type[Column], tuple[object, ...]]:
        """Return how to pickle the column: as a column in memory, since only this process has the key."""
        return Column, tuple(getattr(self, field.name) for field in fields(self))

    def codes_at(self, rows: AnyInts) -> AnyInts:
        """Return the codes of the rows with the given indices, shape (rows,), reading only the blocks they are in."""
        return self.stored.at(rows)

    def text_at(self, row: int) -> str:
        """Return the text of one row, reading only its block."""
        return self.texts[int(self.stored.at(np.array([row]))[0])]

    @property
    def missing(self) -> Bools:
        """Which rows have no value, bool, shape (rows,)."""
        flags = self._missing_of_text
        return self._spread_to_rows(flags) if flags.any() else np.zeros(len(self), dtype=np.bool_)

    @property
    def numbers(self) -> Floats:
        """The number of each row, shape (rows,), NaN where missing."""
        return self._spread_to_rows(self._number_of_text)

    @property
    def scaled(self) -> Ints:
        """The number of each row in units of the column's last decimal, int64, shape (rows,); read-only.

        With two decimals 1.25 is 125; 0 where it is missing. Only for numeric columns: ValueError is raised for a text
        that is no number.
        """
        per_text = self.text_values
        scaled_numbers = self._spread_to_rows(per_text) if len(per_text) else np.zeros(len(self), dtype=np.int64)
        scaled_numbers.flags.writeable = False
        return scaled_numbers

    @cached_property
    def _category_of_text(self) -> tuple[Codes, tuple[str, ...]]:
        """The category of each distinct text, -1 for missing and unused ones, and the text of each category."""
        return self._find_categories_of_texts()

    @property
    def category_codes(self) -> Codes:
        """The category of each row, int32, -1 where missing; equal values have equal codes."""
        of_text = self._category_of_text[0]
        return self._spread_to_rows(of_text) if len(self.texts) else self.codes.copy()

    @property
    def categories(self) -> tuple[str, ...]:
        """The text of each category that occurs, in category order."""
        return self._category_of_text[1]

    def _spread_to_rows(self, of_text: npt.NDArray[_T]) -> npt.NDArray[_T]:
        """Return for each row the entry of its text in ``of_text``, shape (rows,), read block by block from the disk.

        A code of -1 gives the last entry; there has to be one at least. Raises InputError where a block cannot be read.
        """
        per_row = np.empty(len(self), dtype=of_text.dtype)
        for start, block in self.stored.blocks():
            np.take(of_text, block, out=per_row[start : start + len(block)], mode="wrap")
        return per_row

    def _count_texts(self) -> Ints:
        """Return how many rows have each distinct text, missing ones included, int64, shape (texts,)."""
        counts = np.zeros(len(self.texts), dtype=np.int64)
        for _, block in self.stored.blocks():
            counts += np.bincount(block, minlength=len(self.texts))
        return counts

    def used_texts(self) -> Bools:
        """Return which distinct texts, missing ones included, occur in some row, bool, shape (texts,)."""
        used = np.zeros(len(self.texts), dtype=np.bool_)
        for _, block in self.stored.blocks():
            used[block] = True
        return used


def column_class(store: CodeStore) -> type[StoredColumn]:
    """Return the class for columns whose codes are in ``store``."""
    return type("StoredColumn", (StoredColumn,), {"_store": store})


def lies_on_disk(table: Table) -> bool:
    """Return whether the codes of some column of a table are on the disk."""
    return any(isinstance(column, StoredColumn) for column in table.columns)


def store_column(column: Column, like: type[StoredColumn]) -> Column:
    """Return a column with its codes in the store of the class ``like``; one on the disk already stays unchanged.

    It stays unchanged in another store, too. Raises InputError where the disk has no space or cannot be written.
    """
    if isinstance(column, StoredColumn):
        return column
    codes = column.codes
    return make_stored_column(
        like, like._store.keep(codes), {name: getattr(column, name) for name in _list_other_fields(column)}
    )


def make_stored_column(like: type[StoredColumn], codes: StoredCodes, described: Mapping[str, Any]) -> StoredColumn:
    """Return a column of the class ``like`` from codes that are on the disk, and its other fields by name."""
    column = object.__new__(like)
    column.__dict__.update(described, stored=codes)
    return column


def _list_other_fields(column: Column) -> list[str]:
    """Return the names of a column's fields other than its codes."""
    return [field.name for field in fields(column) if field.name not in _OF_ROWS]


def store_columns_like(columns: Sequence[Column], table: Table) -> tuple[Column, ...]:
    """Return columns with their codes on the disk if some column of ``table`` is there; else unchanged."""
    like = next((type(column) for column in table.columns if isinstance(column, StoredColumn)), None)
    return tuple(columns) if like is None else tuple(store_column(column, like) for column in columns)
