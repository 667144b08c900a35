"""The two constants of the paper's additive noise, in exact fractions, and the rounded values."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.methods.algorithms.digits.scaled import MOST_DIGITS, distinct_values, round_half_up


@dataclass(frozen=True, eq=False)
class TwoConstants:
    """The values of a column and the two constants of the paper's noise, in units of the column's last digit.

    If all values are equal, or there are none, everything that needs both constants raises ZeroDivisionError.

    Attributes
    ----------
    values
        The known values.
    high
        Which of them are at or above the mean.
    total
        Their exact sum.
    """

    values: Ints
    high: Bools
    total: int

    @classmethod
    def of(cls, values: Ints) -> TwoConstants:
        """Return the values split at their mean (section 3.2 of the paper: ``x >= mean``).

        Of 1, 3 and 5, the values 3 and 5 are high, because a value equal to the mean is. If all values are equal, none
        is low, and every function that needs the constant for low values raises ZeroDivisionError.
        """
        total = exact_sum(values)
        threshold = -(-total // len(values)) if len(values) else 0
        return cls(values, values >= threshold, total)

    @property
    def n_high(self) -> int:
        """Number of values at or above the mean."""
        return int(np.count_nonzero(self.high))

    @property
    def n_low(self) -> int:
        """Number of values below the mean."""
        return len(self.values) - self.n_high

    @property
    def mean(self) -> Fraction:
        """The exact mean of the values; ZeroDivisionError without values."""
        return Fraction(self.total, len(self.values))

    @property
    def taken_from_high(self) -> Fraction:
        """Constant subtracted from each value at or above the mean (the paper's noise1).

        It is twice the mean divided by the number of such values.
        """
        return 2 * self.mean / self.n_high

    @property
    def given_to_low(self) -> Fraction:
        """Constant added to each value below the mean (the paper's noise2).

        It is twice the mean divided by the number of such values. ZeroDivisionError if no value is below the mean.
        """
        return 2 * self.mean / self.n_low

    def paper_constants(self, step: int) -> tuple[int, int]:
        """Return the constants for high and for low values rounded as in the paper, as multiples of ``step``.

        First the mean and then each constant is rounded half up.
        """
        mean = round_half_up(self.total, len(self.values) * step)
        return round_half_up(2 * mean, self.n_high) * step, round_half_up(2 * mean, self.n_low) * step

    def as_paper(self, step: int) -> Ints:
        """Return the values moved by the constants of ``paper_constants``, rounded half up to multiples of ``step``.

        The first constant is taken from high values, the second added to low ones; the total may change. ``step`` and
        the values are in units of the column's last digit.
        """
        down, up = self.paper_constants(step)
        moved = np.where(self.high, self.values - down, self.values + up)
        return np.asarray((2 * moved + step) // (2 * step) * step)

    def unrounded(self, decimals: int) -> Ints:
        """Return the values moved by the two constants, with ``decimals`` further decimals.

        High values are lowered and low ones raised. Only the constants are rounded to these decimals, half up. The
        result is in units of the new last digit.
        """
        more = 10**decimals
        down = round_half_up(self.taken_from_high.numerator * more, self.taken_from_high.denominator)
        up = round_half_up(self.given_to_low.numerator * more, self.given_to_low.denominator)
        return np.asarray(np.where(self.high, self.values * more - down, self.values * more + up))

    def spare_decimals(self) -> int:
        """Return how many further decimals can be written so that every value moved by the constants can be read back.

        A value can be read back with up to MOST_DIGITS digits; 0 if the values have that many already.
        """
        reach = int(np.abs(self.values).max(initial=0)) + int(
            max(abs(self.taken_from_high), abs(self.given_to_low)) + 1
        )
        return max(0, MOST_DIGITS - len(str(reach)))

    def on_grid(self, step: int) -> Ints:
        """Return the values moved by the two constants and rounded to multiples of ``step``, with nearly the old total.

        The total is within half a step of the old one. Every exact value is rounded down or up: up for the largest
        remainders (of equal ones, the first rows), and for as many as the total needs. int64; the result and ``step``
        are in units of the column's last digit.
        """
        down, up = self.taken_from_high, self.given_to_low
        base = self.values // step if step != 1 else self.values.copy()
        # Values alike in what they have beyond the grid and in their side of the mean move alike.
        if step == 1:
            rests, kind = [0], (~self.high).view(np.uint8)
        else:
            beyond, of_value = distinct_values(self.values - base * step)
            rests, kind = beyond.tolist(), of_value + len(beyond) * ~self.high
        offsets = [(rest - down) / step for rest in rests] + [(rest + up) / step for rest in rests]
        floors = [offset.numerator // offset.denominator for offset in offsets]
        remainders = [offset - floor for offset, floor in zip(offsets, floors, strict=True)]
        members = np.bincount(kind, minlength=len(offsets))
        moved = sum(floor * count for floor, count in zip(floors, members.tolist(), strict=True))
        shortfall = round_half_up(self.total, step) - exact_sum(base) - moved
        rank_of = {remainder: at for at, remainder in enumerate(sorted(set(remainders), reverse=True))}
        rank = np.array([rank_of[remainder] for remainder in remainders], dtype=np.int64)
        filled = np.cumsum(np.bincount(rank, weights=members)).astype(np.int64)
        cut = int(np.searchsorted(filled, shortfall, side="right"))
        base += (np.array(floors, dtype=np.int64) + (rank < cut))[kind]
        spare = shortfall - (int(filled[cut - 1]) if cut else 0)
        if spare:
            base[np.flatnonzero((rank == cut)[kind])[:spare]] += 1
        return base * step if step != 1 else base


def exact_sum(values: Ints) -> int:
    """Return the exact sum of int64 values as a Python integer, without overflow; 0 if there are none."""
    if not len(values):
        return 0
    if max(int(values.max()), -int(values.min())) * len(values) < 2**63:
        return int(values.sum())
    high, low = np.divmod(values, 2**31)
    return int(high.sum()) * 2**31 + int(low.sum())
