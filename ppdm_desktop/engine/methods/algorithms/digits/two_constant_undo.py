"""Reversing the paper's noise as anybody can: find its two constants and subtract them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.methods.algorithms.digits.constants import exact_sum
from ppdm_desktop.engine.methods.algorithms.digits.scaled import round_each_half_up, round_half_up

MOST_HYPOTHESES = 200_000


def undo_unrounded(values: Ints, more: int) -> Ints | None:
    """Return the true values of an unrounded release, in units of ``more``; None where they cannot be determined.

    That is also with fewer than two values, or a ``more`` of 1. The mean is public, so only the number of high values
    is unknown; true values lie on the old grid, so the digits behind it tell the two groups apart.

    Parameters
    ----------
    values
        The released values without missing ones, in units of their last digit.
    more
        That unit times ``more`` is the step of the original.
    """
    count = len(values)
    if count < 2 or more == 1:
        return None
    mean = Fraction(exact_sum(values), count)
    slack = 2
    for high in _find_possible_splits(values, more, slack):
        n_high = int(np.count_nonzero(high))
        if n_high in (0, count):
            continue
        down, up = 2 * mean / n_high, 2 * mean / (count - n_high)
        guess = np.where(high, values + _round_half_up(down), values - _round_half_up(up))
        rounded = (2 * guess + more) // (2 * more)
        if (np.abs(rounded * more - guess) <= slack).all() and bool(((rounded * more >= float(mean)) == high).all()):
            return np.asarray(rounded)
    return None


def _round_half_up(value: Fraction) -> int:
    """Return a fraction rounded to a whole number, halves up."""
    return round_half_up(value.numerator, value.denominator)


def _find_possible_splits(values: Ints, more: int, slack: int) -> list[Bools]:
    """Return the two possible splits of the values into high and low, each as flags of the high values.

    Values whose remainder by ``more`` is within ``slack`` of the first value's are on one side, all others on the
    other.
    """
    behind = values % more
    low = int(behind[0])
    near = np.minimum((behind - low) % more, (low - behind) % more) <= slack
    return [near, ~near]


def undo_rounded(values: Ints, step: int) -> Ints | None:
    """Return the likeliest true values of a release rounded as the paper does; None if nothing fits.

    Every number of high values is tried: the constants that follow from it must leave just so
    many values that can be high. Among those that fit, the one that leaves fewest values open
    is taken. Large releases are recovered almost wholly, small ones not always.

    The result is in the same units. With fewer than two values nothing fits.

    Parameters
    ----------
    values
        The released values without missing ones, in units of their last digit.
    step
        The grid, in the same units.
    """
    count = len(values)
    if count < 2:
        return None
    ordered = np.sort(values)
    total = exact_sum(values)
    tried = _choose_high_counts(ordered)
    if not len(tried):
        return None
    n_high = np.arange(tried.start, tried.stop, dtype=np.int64)
    mean, downs, ups = _compute_constants(total, count, n_high, step)
    may_be_high = count - np.searchsorted(ordered, mean - downs, side="left")
    may_be_low = np.searchsorted(ordered, mean + ups, side="left")
    fits = (may_be_high >= n_high) & (may_be_low >= count - n_high)
    if not fits.any():
        return None
    open_values = np.where(fits, may_be_high + may_be_low - count, np.iinfo(np.int64).max)
    best = int(open_values.argmin())
    chosen, down, up = int(n_high[best]), int(downs[best]), int(ups[best])
    high = np.zeros(count, dtype=np.bool_)
    high[np.argsort(-values, kind="stable")[:chosen]] = True
    return np.where(high, values + down, values - up)


def _choose_high_counts(ordered: Ints) -> range:
    """Return the numbers of high values to try: all from 1 to the number of values less 1.

    Of more than 200,000 values it is about so many around the number of values above the mean. ``ordered`` are the
    released values, rising; the range is empty with fewer than two.
    """
    count = len(ordered)
    if count <= MOST_HYPOTHESES:
        return range(1, count)
    near = count - int(np.searchsorted(ordered, exact_sum(ordered) / count))
    return range(max(1, near - MOST_HYPOTHESES // 2), min(count, near + MOST_HYPOTHESES // 2))


def _compute_constants(total: int, count: int, n_high: Ints, step: int) -> tuple[Ints, Ints, Ints]:
    """Return the mean and both constants for each possible number of high values, rounded to the grid.

    Where a product might not fit into 64 bits Python integers are used, which are slower but unlimited.

    ``total`` and ``count`` are the sum and number of the released values. The first constant is taken from high values,
    the second added to low ones.
    """
    # What one value may be raised or lowered by times their number is at most 2 mean + number * step: no term below is
    # larger than sixteen times |total| + count * step.
    wide = 32 * (abs(total) + count * step) >= 2**62
    high = n_high.astype(object) if wide else n_high
    mean = np.full_like(high, round_half_up(total, count * step))
    down = up = mean
    # Rounding moved the total by what the rounded constants do not cancel.
    for _ in range(2):
        down, up = round_each_half_up(2 * mean, high) * step, round_each_half_up(2 * mean, count - high) * step
        mean = round_each_half_up(total + high * down - (count - high) * up, count * step)
    return (mean * step).astype(np.int64), down.astype(np.int64), up.astype(np.int64)
