"""Joins neighbouring values until nearly everybody is in a cell with enough people and several classes.

A cell with fewer than k people may not be released: k copies of its records would claim to represent k people. Values
are joined where that costs the least information, about the class and about the column itself, for each person
brought into a valid cell; records of the few people left over cannot be chosen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.identifiability.classes import classes_of_codes
from ppdm_desktop.engine.methods.algorithms.data_reconstruction.masks import Mask

MOST_LEFT_OUT = 0.05
"""Largest share of people who may be in cells that are not released."""
_LARGEST_KEY = 2.0**62


def joined_masks(masks: Sequence[Mask], classes: Ints, width: int, k: int) -> tuple[Mask, ...]:
    """Return the masks with values joined until few enough people are in invalid cells.

    Parameters
    ----------
    classes, width
        Each record's class, -1 where missing, and how many classes there are.
    k
        People a cell needs.
    """
    joined = [_rare_joined(mask, classes, width, k) for mask in masks]
    while True:
        progress.check()
        cells = _Counted.of(joined, classes, width)
        left = cells.left_out(k)
        if left <= MOST_LEFT_OUT * len(classes):
            return tuple(joined)
        choices = list(_choices(joined, cells))
        if not choices:
            return tuple(joined)
        ranked = []
        for turn, (column, members) in enumerate(choices):
            progress.check()
            after = cells.joined(column, members)
            rescued = left - after.left_out(k)
            loss = after.disorder - cells.disorder + cells.detail_lost(column, members)
            ranked.append((loss / rescued if rescued > 0 else np.inf, loss, turn))
        column, members = choices[min(ranked)[2]]
        joined[column] = joined[column].joined(*members)


class _Counted:
    """Cells by their codes, with people by class; one for each cell, so that many joins can be tried."""

    def __init__(self, codes: Ints, labels: Ints, people: Ints) -> None:
        self._codes, self._labels, self._people = codes, labels, people
        self.disorder = float((labels.sum(axis=1) * _entropy(labels)).sum())
        # Joining two values of a column is a sum on one key of all columns, where one is large enough.
        widths = [int(column.max(initial=-1)) + 2 for column in codes.T]
        self._strides = np.cumprod([1, *widths[:-1]], dtype=np.float64)
        self._fits = bool(self._strides[-1:].sum() * (widths[-1] if widths else 1) < _LARGEST_KEY)
        self._keys = (codes + 1) @ self._strides.astype(np.int64) if self._fits else np.zeros(0, dtype=np.int64)

    @classmethod
    def of(cls, masks: Sequence[Mask], classes: Ints, width: int) -> _Counted:
        """Return the cells of masks, with the people in each by class."""
        codes = [mask.codes for mask in masks]
        cells = classes_of_codes(codes, len(classes))
        labelled = classes >= 0
        labels = np.bincount(cells.ids[labelled] * width + classes[labelled], minlength=cells.count * width)
        labels = labels.reshape(cells.count, width).astype(np.int64)
        return cls(np.stack([column[cells.first] for column in codes], axis=1), labels, cells.sizes)

    def joined(self, column: int, members: Sequence[int]) -> _Counted:
        """Return the cells with some values of a column joined; usable for counting, not for joining again."""
        first = members[0]
        moved = np.isin(self._codes[:, column], members)
        if self._fits:
            keys = self._keys - moved * int(self._strides[column]) * (self._codes[:, column] - first)
            _, ids = np.unique(keys, return_inverse=True)
            count = int(ids.max(initial=-1)) + 1
        else:
            codes = self._codes.copy()
            codes[moved, column] = first
            classes = classes_of_codes(list(codes.T), len(codes))
            ids, count = classes.ids, classes.count
        width = self._labels.shape[1]
        cells = ids[:, None] * width + np.arange(width)
        labels = np.bincount(cells.ravel(), self._labels.ravel(), count * width).reshape(count, width)
        people = np.bincount(ids, self._people, count).astype(np.int64)
        return _Counted(self._codes[:0], labels.astype(np.int64), people)

    def detail_lost(self, column: int, members: Sequence[int]) -> float:
        """Return the bits of information about the column that a join takes from all people together."""
        codes = self._codes[:, column]
        sizes = [int(self._people[codes == value].sum()) for value in members]
        return float(sum(sizes) * _entropy(np.array([sizes], dtype=np.int64))[0])

    def left_out(self, k: int) -> int:
        """Return how many people are in cells with fewer than ``k`` people or a single class."""
        fit = (self._people >= k) & ((self._labels > 0).sum(axis=1) >= 2)
        return int(self._people[~fit].sum())

    def by_group(self, column: int, groups: int) -> Ints:
        """Return the number of people in each group of a column by class, int64, shape (groups, classes)."""
        counts = np.zeros((groups + 1, self._labels.shape[1]), dtype=np.int64)
        np.add.at(counts, self._codes[:, column], self._labels)
        return counts[:-1]


def _choices(masks: Sequence[Mask], cells: _Counted) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield the joins worth trying as (column, group indexes).

    Neighbours of ordered columns; the rarest name with the one most like it, and the rarest four,
    eight, ... names at once, for one by one they may bring nobody into a fit cell.
    """
    for column, mask in enumerate(masks):
        groups = len(mask.groups)
        if groups < 2:
            continue
        if mask.ordered:
            yield from ((column, (first, first + 1)) for first in range(groups - 1))
            continue
        counts = cells.by_group(column, groups)
        yield column, tuple(sorted(_alike(counts)))
        rarest = np.argsort(counts.sum(axis=1), kind="stable").tolist()
        sizes = {2**power for power in range(2, groups.bit_length())} | {groups - 1}
        yield from ((column, tuple(sorted(rarest[:size]))) for size in sorted(sizes) if 2 < size < groups)


def _rare_joined(mask: Mask, classes: Ints, width: int, k: int) -> Mask:
    """Return the mask with unordered groups joined until each has at least k people."""
    while not mask.ordered and len(mask.groups) > 1:
        progress.check()
        codes = mask.codes
        present = codes >= 0
        sizes = np.bincount(codes[present], minlength=len(mask.groups))
        if sizes.min() >= k:
            break
        labelled = present & (classes >= 0)
        counts = np.bincount(codes[labelled] * width + classes[labelled], minlength=len(mask.groups) * width)
        first, second = sorted(_alike(counts.reshape(-1, width), sizes))
        mask = mask.joined(first, second)
    return mask


def _alike(counts: Ints, sizes: Ints | None = None) -> tuple[int, int]:
    """Return the indexes of the rarest group and of the group with the most similar classes, ties by position."""
    sizes = counts.sum(axis=1) if sizes is None else sizes
    rarest = int(np.argmin(sizes))
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    gap = np.abs(shares - shares[rarest]).sum(axis=1)
    gap[rarest] = np.inf
    return rarest, int(np.argmin(gap))


def _entropy(counts: Ints) -> Floats:
    """Return the entropy of each row of counts, in bits."""
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    logs = np.log2(shares, out=np.zeros_like(shares), where=shares > 0)
    return np.asarray(-(shares * logs).sum(axis=1))
