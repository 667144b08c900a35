"""Supervised discretisation: the entropy cuts of Fayyad & Irani (1993), stopped by description length."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Counts = npt.NDArray[np.int64]


def _entropy(counts: npt.NDArray[np.number]) -> npt.NDArray[np.float64]:
    """Return the entropy in bits of class counts along the last axis."""
    total = counts.sum(axis=-1, keepdims=True)
    share = counts / np.maximum(total, 1)
    logs = np.zeros_like(share, dtype=np.float64)
    np.log2(share, out=logs, where=share > 0)
    return np.asarray(-(share * logs).sum(axis=-1))


def mdl_cuts(values: npt.NDArray[np.float64], classes: Counts) -> list[int]:
    """Return after which distinct values to cut, rising.

    Parameters
    ----------
    values
        float64, shape (records,), no NaN.
    classes
        Class of each record; a negative class (missing) counts as one class of its own.

    Notes
    -----
    A cut of a set S into S1, S2 is taken when its gain exceeds
    ``(log2(n - 1) + log2(3^k - 2) - (k Ent(S) - k1 Ent(S1) - k2 Ent(S2))) / n`` (Fayyad &
    Irani 1993, section 3.4); of equal gains the lowest cut is taken.
    """
    distinct, place = np.unique(values, return_inverse=True)
    labels, which = np.unique(classes, return_inverse=True)
    table = np.zeros((len(distinct), len(labels)), dtype=np.int64)
    np.add.at(table, (place, which), 1)
    found: list[int] = []
    waiting = [(0, len(distinct))]
    while waiting:
        first, last = waiting.pop()
        cut = _best_cut(table[first:last])
        if cut is not None:
            found.append(first + cut)
            waiting += [(first, first + cut + 1), (first + cut + 1, last)]
    return sorted(found)


def _best_cut(table: Counts) -> int | None:
    """Return the row after which this stretch is cut, or None when no cut pays."""
    if len(table) < 2:
        return None
    whole = table.sum(axis=0)
    n = int(whole.sum())
    left = np.cumsum(table, axis=0)[:-1]
    right = whole - left
    ent, ent1, ent2 = float(_entropy(whole)), _entropy(left), _entropy(right)
    remaining = (left.sum(axis=1) * ent1 + right.sum(axis=1) * ent2) / n
    cut = int(np.argmin(remaining))
    k, k1, k2 = (int((counts > 0).sum()) for counts in (whole, left[cut], right[cut]))
    delta = np.log2(3.0**k - 2) - (k * ent - k1 * float(ent1[cut]) - k2 * float(ent2[cut]))
    gain = ent - float(remaining[cut])
    return cut if gain > (np.log2(n - 1) + delta) / n else None
