"""Names for array types, memory-saving arrays of rows and codes, and comparison of scores alike on every processor.

`Ints` and `AnyInts` differ only in width: counts and row numbers are always int64, while functions that only read
codes accept every integer type.

Linear algebra adds products in an order that depends on the processor, and exponentials and logarithms differ there in
their last digits. Two scores that are equal in exact arithmetic may then come out in either order. So no attack,
belief or measure compares scores as they are. Scores that differ by no more than `GRID` times their scale count as
equal, and among equal ones the content of what is scored decides: the lowest value, or `content_order` where rows are
scored. The number of a row decides only between rows of equal content.

A sum of n products, added in any order, is off by at most n u S, where u = 2^-53 and S is the sum of the products'
magnitudes (N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition 2002, section 3.1); a logarithm
or an exponential adds 4 u at most. So two processors differ by at most 2 (n + 8) u S. `GRID` is more than that times S
for every sum of up to two million products, and eight thousand times as much for the usual ones of up to 500. The
scale that is given to these functions has to be S or more: 1 for probabilities and shares, the number of columns for
Gower's distance, the sum of both squared lengths for a squared distance computed from a scalar product.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterable
from typing import Any, overload
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


def allocate_own_pages(count: int, kind: np.dtype[Any]) -> npt.NDArray[Any]:
    """Return an array of ``count`` zeros of a type, shape (count,), in memory pages used for nothing else.

    The array can be written to. Its memory is returned to the system when it is deleted.
    """
    size = max(count * kind.itemsize, 1)
    # Windows has only the one way.
    pages = mmap.mmap(-1, size, mmap.MAP_PRIVATE) if hasattr(mmap, "MAP_PRIVATE") else mmap.mmap(-1, size)
    return np.frombuffer(pages, dtype=kind, count=count)


def to_smallest_int_type(codes: AnyInts) -> AnyInts:
    """Return codes in the smallest signed integer type that holds them; the same array if it has that type already.

    That is int8 for an empty array.
    """
    low, high = (int(codes.min()), int(codes.max())) if len(codes) else (0, 0)
    small = next(
        width
        for width in (np.int8, np.int16, np.int32, np.int64)
        if np.iinfo(width).min <= low and high <= np.iinfo(width).max
    )
    return codes.astype(small, copy=False)


def every_row(count: int) -> Rows:
    """Return the row indices 0 .. count-1, int64, read-only, in one array shared by all callers."""
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


def find_row_positions(rising: Rows, wanted: Rows) -> Rows:
    """Return the index in ``rising`` of each row number in ``wanted``, int64, in the shape of ``wanted``.

    For 2, 5, 9 and the wanted 9, 2 it is 2, 0. ``rising`` is sorted, and every wanted number must be in it. If the two
    arrays are equal, the result is the read-only array of `every_row`.
    """
    if np.array_equal(rising, wanted):
        return every_row(len(rising))
    return np.searchsorted(rising, wanted).astype(np.int64)


def bound_smallest_values(values: npt.NDArray[np.floating], count: int) -> npt.NDArray[np.floating]:
    """Return for each row a bound that at least its ``count`` smallest values, and not many more, do not exceed.

    It is much faster than a partition, because it is computed from the minima of groups of some dozen values.

    Parameters
    ----------
    values
        The values of each row, shape (rows, columns), without NaN.
    count
        Number of smallest values, from 1 to the number of columns.

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


def find_nearest_pairs(row: Ints, column: Ints, apart: Floats, rows: int, count: int) -> Ints:
    """Return the columns nearest to each row, given (row, column) pairs with distances; nearest first.

    Parameters
    ----------
    row, column
        Row and column of each pair, sorted by row and then by column, shape (pairs,); at least ``count`` pairs for
        each row. Of equally near columns the first is taken.
    apart
        Distance between row and column of each pair, shape (pairs,).
    rows, count
        Number of rows, and number of columns wanted for each row.

    Returns
    -------
    int64, shape (rows, count)
    """
    order = np.lexsort((apart, row))
    row, column = row[order], column[order]
    rank = np.arange(len(row)) - np.searchsorted(row, np.arange(rows))[row]
    return np.asarray(column[rank < count].reshape(rows, count))


# --- tie breaking -------------------------------------------------------------------------

GRID = 2.0**-30
"""Share of their scale by which two scores differ at least if one is better; about 1e-9."""
_MIX = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(32)


@overload
def on_grid(scores: float, scale: float = 1.0) -> float: ...
@overload
def on_grid(scores: npt.NDArray[Any], scale: Floats | float = 1.0) -> Floats: ...
def on_grid(scores: Any, scale: Any = 1.0) -> Any:
    """Return scores rounded to multiples of `GRID` (2^-30) times their scale, for sorting and comparing.

    Parameters
    ----------
    scores
        A number or an array; infinite ones stay infinite.
    scale
        A bound on the size of what was added up to each score, above 0; one number, or an array that fits.
    """
    width = GRID * scale
    return np.rint(scores / width) * width


def find_first_smallest(scores: Floats, scale: Floats | float = 1.0, axis: int = 1) -> Ints:
    """Return the index of the smallest score along an axis; of equal scores, the first.

    Scores that exceed the smallest by at most `GRID` times their scale count as equal to it.

    Parameters
    ----------
    scores
        Array of scores, of any shape; not empty along the axis, and sorted along it by the content that is scored.
    scale
        A bound on the size of what was added up to each score, above 0; one number, or an array with length 1 along
        the axis.
    axis
        The axis that is searched.

    Returns
    -------
    int64, in the shape of ``scores`` without the axis
    """
    best = scores.min(axis=axis, keepdims=True)
    return np.asarray((scores <= best + GRID * scale).argmax(axis=axis), dtype=np.int64)


def find_first_largest(scores: Floats, scale: Floats | float = 1.0, axis: int = 1) -> Ints:
    """Return the index of the largest score along an axis; of scores within `GRID` times ``scale``, the first."""
    best = scores.max(axis=axis, keepdims=True)
    return np.asarray((scores >= best - GRID * scale).argmax(axis=axis), dtype=np.int64)


def content_order(columns: Iterable[npt.NDArray[Any]], rows: int) -> Ints:
    """Return row indices in a pseudo-random order that depends on the content of the rows alone, shape (rows,).

    The order is that of a 64-bit hash of the row's values and of a running number among rows of equal content. It
    prefers no value: if a few of many equally near rows are taken, these are a fair sample. Without the running number
    all copies of a row would be consecutive, and one frequent row would be taken instead of all others.

    Parameters
    ----------
    columns
        Columns of integers or float64 numbers, of shape (rows,) each; NaN counts as a value.
    rows
        Number of rows.

    Returns
    -------
    int64, shape (rows,)
    """
    mixed = np.zeros(rows, dtype=np.uint64)
    for column in columns:
        if np.issubdtype(column.dtype, np.floating):
            # Adding 0 makes -0 a plain 0, and all kinds of NaN are made one.
            column = np.where(np.isnan(column), np.nan, column + 0.0).astype(np.float64).view(np.int64)
        mixed ^= column.astype(np.int64).view(np.uint64)
        for _ in range(2):
            mixed *= _MIX
            mixed ^= mixed >> _SHIFT
    by_content = np.argsort(mixed, kind="stable")
    is_first = np.diff(mixed[by_content], prepend=np.uint64(0)) != 0
    starts = np.maximum.accumulate(np.where(is_first, np.arange(rows), 0))
    copy_number = np.empty(rows, dtype=np.uint64)
    copy_number[by_content] = np.arange(rows) - starts
    mixed ^= copy_number * _MIX
    for _ in range(2):
        mixed *= _MIX
        mixed ^= mixed >> _SHIFT
    return np.asarray(np.argsort(mixed, kind="stable"), dtype=np.int64)
