"""Names for array types, and arrays of rows and codes that take little memory.

`Ints` and `AnyInts` differ in width alone: what counts or numbers rows is int64 throughout, while what only reads codes
takes them in the width in which they come.
"""

from __future__ import annotations

import mmap
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

Codes = npt.NDArray[np.int32]
"""Places in a tuple of distinct texts or categories, -1 for missing, as a column holds them."""

AnyInts = npt.NDArray[np.integer]
"""Codes or counts in any width."""

Rows = npt.NDArray[np.int64]
"""Row numbers of a table, from 0."""

_AT_ONCE = 1_000_000
_LEAST_OF = 64
_EVERY_ROW: WeakValueDictionary[int, Rows] = WeakValueDictionary()

Words = npt.NDArray[np.uint64]
"""64 bits at a time: random words, and bytes compared eight at once."""


def own_pages(count: int, kind: np.dtype[Any]) -> npt.NDArray[Any]:
    """Return an unfilled array on memory pages of its own, which the system gets back when the array is deleted."""
    size = max(count * kind.itemsize, 1)
    # Windows has only the one way.
    pages = mmap.mmap(-1, size, mmap.MAP_PRIVATE) if hasattr(mmap, "MAP_PRIVATE") else mmap.mmap(-1, size)
    return np.frombuffer(pages, dtype=kind, count=count)


def narrowed(codes: AnyInts) -> AnyInts:
    """Return codes in the smallest signed integer type that holds them."""
    low, high = (int(codes.min()), int(codes.max())) if len(codes) else (0, 0)
    small = next(
        width
        for width in (np.int8, np.int16, np.int32, np.int64)
        if np.iinfo(width).min <= low and high <= np.iinfo(width).max
    )
    return codes.astype(small, copy=False)


def every_row(count: int) -> Rows:
    """Return the row indices 0 .. count-1, read-only, in one array shared by all callers."""
    rows = _EVERY_ROW.get(count)
    if rows is None:
        rows = np.arange(count, dtype=np.int64)
        rows.flags.writeable = False
        _EVERY_ROW[count] = rows
    return rows


def is_every_row(rows: AnyInts, count: int) -> bool:
    """Return whether rows are exactly 0 .. count-1 in order, so that taking them changes nothing."""
    if rows is _EVERY_ROW.get(count):
        return True
    if len(rows) != count or (count and (int(rows[0]) != 0 or int(rows[-1]) != count - 1)):
        return False
    return all(
        np.array_equal(rows[start : start + _AT_ONCE], np.arange(start, min(start + _AT_ONCE, count)))
        for start in range(0, count, _AT_ONCE)
    )


def places_among(rising: Rows, wanted: Rows) -> Rows:
    """Return the positions of row numbers among rising row numbers, shape of ``wanted``."""
    if np.array_equal(rising, wanted):
        return every_row(len(rising))
    return np.searchsorted(rising, wanted).astype(np.int64)


def no_less_than_least(values: npt.NDArray[np.floating], count: int) -> npt.NDArray[np.floating]:
    """Return for each row an upper bound of its ``count`` smallest values that few other values fall under.

    It is found among the smallest of every few dozen values, in a fraction of the time of a partition. The values up to
    it include the ``count`` smallest.

    Parameters
    ----------
    values
        Shape (rows, columns), without NaN.
    count
        1 and up, no more than there are columns.

    Returns
    -------
    shape (rows, 1)
    """
    columns = values.shape[1]
    group = min(_LEAST_OF, columns // (4 * count))
    if group > 1:
        whole = columns // group * group
        values = values[:, :whole].reshape(len(values), group, -1).min(axis=1)
    return np.partition(values, count - 1, axis=1)[:, count - 1, None]


def least_of_pairs(row: Ints, column: Ints, apart: Floats, rows: int, count: int) -> Ints:
    """Return the columns of each row's nearest pairs: smallest distance first, of equal ones the first.

    Parameters
    ----------
    row, column
        Pairs, rows rising, then places, shape (pairs,); at least ``count`` of each row.
    apart
        How far the two of each pair are apart, shape (pairs,).
    rows, count
        How many rows there are, and how many places of each are wanted.

    Returns
    -------
    int64, shape (rows, count)
    """
    order = np.lexsort((apart, row))
    row, column = row[order], column[order]
    rank = np.arange(len(row)) - np.searchsorted(row, np.arange(rows))[row]
    return np.asarray(column[rank < count].reshape(rows, count))
