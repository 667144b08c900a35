"""Undoes the paper's noise without a key, as anyone can: finds its two constants and takes them off."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.methods.algorithms.digits.constants import exact_sum
from ppdm_desktop.engine.methods.algorithms.digits.scaled import round_each_half_up, round_half_up

MOST_HYPOTHESES = 200_000


def undo_unrounded(values: Ints, more: int) -> Ints | None:
    """Return the true values behind values moved by the exact constants; None if they cannot be determined.

    The mean is public, so only the number of high values (from the mean up) is unknown. True values lie on the old
    grid, so the further digits tell high from low values. None also for fewer than two values, or if ``more`` is 1. The
    result is in units of the original's step.

    Parameters
    ----------
    values
        The released values without missing ones, in units of their last digit.
    more
        How many of these units make one step of the original.
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
    """Return the two ways to split released values into high and low ones, each as marks of the high values.

    High values were lowered by one constant and low ones raised by another, so each part has a remainder of its own by
    ``more``, the number of units in a step of the original. One part are the values whose remainder is at most
    ``slack`` from the first value's (in a circle: of 10, 9 and 0 are 1 apart), all others are the other part, which may
    be empty. Either can be the high one.
    """
    behind = values % more
    low = int(behind[0])
    near = np.minimum((behind - low) % more, (low - behind) % more) <= slack
    return [near, ~near]


def undo_rounded(values: Ints, step: int) -> Ints | None:
    """Return the most likely true values behind a release rounded as in the paper; None if no constants fit.

    Every number of high values (from the mean up) is tried, or the 200,000 likeliest ones of a larger release: with the
    constants that follow from it, exactly so many values must be able to be high. Of the numbers that fit, the one that
    leaves the fewest values undecided is taken, of equal ones the smallest. The largest released values count as the
    high ones (of equal values, the first rows). Large releases are recovered almost completely, small ones not always.
    None for fewer than two values.

    Parameters
    ----------
    values
        The released values without missing ones, in units of their last digit; the result has the same units.
    step
        The step of the column's grid, in the same units.
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
    """Return the numbers of high values to try: from 1 to one less than the number of values.

    For more than 200,000 values, only the 200,000 numbers around the number of values at or above the mean are tried
    (fewer where they would go beyond the others). ``ordered`` are the released values, rising; the range is empty for
    fewer than two.
    """
    count = len(ordered)
    if count <= MOST_HYPOTHESES:
        return range(1, count)
    near = count - int(np.searchsorted(ordered, exact_sum(ordered) / count))
    return range(max(1, near - MOST_HYPOTHESES // 2), min(count, near + MOST_HYPOTHESES // 2))


def _compute_constants(total: int, count: int, n_high: Ints, step: int) -> tuple[Ints, Ints, Ints]:
    """Return the original's mean and both constants, rounded to the grid, for each possible number of high values.

    The first constant was taken from high values, the second added to low ones. As rounding them moved the total, the
    mean is corrected by the constants that follow from it, twice. int64, each with the shape of ``n_high``, in the
    units of ``total``.

    Parameters
    ----------
    total, count
        Sum and number of the released values.
    n_high
        The possible numbers of high values, from 1 to ``count`` - 1.
    step
        Step of the grid. If a product might not fit into 64 bits, Python integers are used.
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
