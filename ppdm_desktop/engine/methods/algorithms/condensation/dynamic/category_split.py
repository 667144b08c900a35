"""The categories of a group that is split, shared out to its two parts."""

from __future__ import annotations

import itertools

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Ints


def first_share(counts: Ints, blocks: Ints, patterns: Bools, ranked: Ints, known: Ints, first: int, size: int) -> Ints:
    """Return how often the first part has each value.

    Every column is shared out in proportion. Where something is missing, the known values of an
    ordinal column follow the share of the patterns of gaps, so that each part has as many values
    as its patterns say.

    Parameters
    ----------
    counts
        Shape (C,): the whole group's.
    blocks
        Shape (columns,): where each column's values begin.
    patterns
        Shape (patterns, d): which coordinates have a value in each pattern, the first values of
        ``counts``; no patterns where gaps are not distinguished.
    ranked
        Shape (columns,): the coordinate whose known values a block counts, else -1.
    known
        Shape (d,): values the whole group has of each coordinate.
    first, size
        Records of the first part and of both.
    """
    if not len(patterns):
        return shared(counts, blocks, first, size)
    ends = [*blocks.tolist()[1:], len(counts)]
    lower: Ints = np.zeros(len(counts), dtype=np.int64)
    for start, end, column in zip(blocks.tolist(), ends, ranked.tolist(), strict=True):
        of_first, of_both = first, size
        if column >= 0:
            of_first, of_both = int(lower[: len(patterns)] @ patterns[:, column]), int(known[column])
        if of_both:
            lower[start:end] = shared(counts[start:end], np.zeros(1, dtype=np.int64), of_first, of_both)
    return lower


def shared(counts: Ints, blocks: Ints, first: int, size: int) -> Ints:
    """Return the first part's share of each category: in proportion, by largest remainders, ties by place.

    Parameters
    ----------
    counts
        Shape (C,); the counts of one column (a block) sum to ``size``.
    blocks
        Shape (columns,): where each column's categories begin.
    first
        Records of the first part.
    size
        Records of both.
    """
    exact = counts * (first / size)
    lower: Ints = np.floor(exact).astype(np.int64)
    for start, end in itertools.pairwise([*blocks, len(counts)]):
        lacking = first - int(lower[start:end].sum())
        largest = np.argsort(lower[start:end] - exact[start:end], kind="stable")[:lacking]
        lower[start + largest] += 1
    return lower
