"""Choosing by distances and scores alike on every processor: what differs by rounding alone is equal.

Linear algebra adds products in an order that depends on the processor, and exponentials and logarithms differ there
in their last digits. Two scores that are equal in exact arithmetic may then come out in either order. So no attack,
belief or measure compares scores as they are. Scores that differ by no more than `GRID` of their scale are equal, and
among equal ones the content of what is scored decides: the lowest value, or `content_order` where rows are scored.
The number of a row decides only between rows of equal content.

A sum of n products, added in any order, is off by at most n u S, where u = 2^-53 and S is the sum of the products'
magnitudes (N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition 2002, section 3.1); a logarithm
or an exponential adds 4 u at most. So two processors differ by at most 2 (n + 8) u S. `GRID` is more than that times
S for every sum of up to two million products, and eight thousand times as much for the usual ones of up to 500. The
scale that is given to these functions has to be S or more: 1 for chances and shares, the number of columns for Gower's
distance, the sum of both squared lengths for a squared distance taken from a product.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from ppdm_desktop.engine.arrays import Floats, Ints

GRID = 2.0**-30
"""Share of their scale by which two scores differ at least if one is better; about 1e-9."""
_MIX = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(32)


@overload
def on_grid(scores: float, scale: float = 1.0) -> float: ...
@overload
def on_grid(scores: npt.NDArray[Any], scale: Floats | float = 1.0) -> Floats: ...
def on_grid(scores: Any, scale: Any = 1.0) -> Any:
    """Return scores rounded to multiples of `GRID` times their scale, for sorting and comparing.

    Parameters
    ----------
    scores
        A number or an array; infinite ones stay infinite.
    scale
        A bound on the size of what was added up to each score, above 0; one number, or an array that fits.
    """
    width = GRID * scale
    return np.rint(scores / width) * width


def first_least(scores: Floats, scale: Floats | float = 1.0, axis: int = 1) -> Ints:
    """Return the index of the smallest score along an axis; of equal scores, the first.

    Parameters
    ----------
    scores
        Not empty along the axis, where scores stand in the order of their content.
    scale
        As for `on_grid`; one number, or an array of one length along the axis.
    axis
        Which one is searched.

    Returns
    -------
    int64, in the shape of ``scores`` without the axis
    """
    best = scores.min(axis=axis, keepdims=True)
    return np.asarray((scores <= best + GRID * scale).argmax(axis=axis), dtype=np.int64)


def first_greatest(scores: Floats, scale: Floats | float = 1.0, axis: int = 1) -> Ints:
    """Return the index of the largest score along an axis; of equal scores, the first (see `first_least`)."""
    best = scores.max(axis=axis, keepdims=True)
    return np.asarray((scores >= best - GRID * scale).argmax(axis=axis), dtype=np.int64)


def content_order(columns: Iterable[npt.NDArray[Any]], rows: int) -> Ints:
    """Return row indices in a pseudo-random order that depends on the content of the rows alone, shape (rows,).

    The order is that of a 64-bit mixture of the row's values and of a running number among rows of equal content. It
    prefers no value: where a few of many equally near rows are taken, these are a fair sample of them. Without the
    running number all copies of one row would come together, and one frequent row would stand for all others.

    Parameters
    ----------
    columns
        Whole numbers or float64 numbers of shape (rows,) each; NaN is a value of its own.
    rows
        How many there are.

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
