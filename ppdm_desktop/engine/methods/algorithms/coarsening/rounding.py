"""Numbers rounded to the multiples of a base, and the smallest base at which enough people share their number."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.methods.algorithms.coarsening.shared_numbers import ColumnHolders
from ppdm_desktop.engine.methods.algorithms.digits.scaled import step_units, style_of
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.numbers import exact

ENOUGH_SHARE = 0.95
"""Share of the people of each level who have to share their number with as many as they ask for."""
_MOST_TRIED = 60


def rounded(values: Ints, base: int) -> Ints:
    """Return the nearest multiple of a base, the even multiple of two that are equally near."""
    quotient, rest = np.divmod(values, base)
    return np.asarray((quotient + ((2 * rest > base) | ((2 * rest == base) & (quotient % 2 == 1)))) * base)


def rounded_at_random(values: Ints, base: int, draws: Ints) -> Ints:
    """Return the multiple below or above each value, with chances that keep the mean.

    Parameters
    ----------
    values
        In units of the column's last digit.
    base
        In the same unit.
    draws
        A whole number from 0 below the base for each value.
    """
    quotient, rest = np.divmod(values, base)
    return np.asarray((quotient + (draws < rest)) * base)


def bounds_of(column: Column) -> tuple[int, int] | None:
    """Return the lowest and highest value of a column with bounds, in units of its last digit."""
    if column.bounds is None:
        return None
    low, high = (exact(bound).scaleb(style_of(column).decimals) for bound in column.bounds)
    return math.ceil(low), math.floor(high)


def within_bounds(column: Column, values: Ints) -> Ints:
    """Return values in units of the last digit, those beyond a bound of the column as the bound."""
    bounds = bounds_of(column)
    return values if bounds is None else np.clip(values, *bounds)


def smallest_base(column: Column, holders: ColumnHolders, levels: Ints) -> tuple[int, bool]:
    """Return the smallest round base, and whether it lets enough people of every level share their number.

    Where none does, it is the largest that leaves two different values.

    Parameters
    ----------
    column
        The column, of at least two different values.
    holders
        Its values and the people who hold them.
    levels
        The level of each person, shape (people,).
    """
    distinct, of_row = np.unique(holders.values, return_inverse=True)
    everybody, largest = np.bincount(levels), 0
    for base in _round_bases(step_units(style_of(column))):
        shown = within_bounds(column, rounded(distinct, base))
        place = np.cumsum(np.append(False, shown[1:] != shown[:-1]))
        if place[-1] == 0:
            break
        largest = base
        sharing = holders.people_sharing(place[of_row.reshape(-1)])
        shared = np.bincount(levels, sharing >= holders.demands)
        if (shared >= ENOUGH_SHARE * everybody).all():
            return base, True
    return largest, False


def _round_bases(step: int) -> Iterator[int]:
    """Yield 1, 2 and 5 times the powers of ten that are multiples of a step above it, smallest first."""
    tried, power = 0, 1
    while tried < _MOST_TRIED and power < 10**15:
        for factor in (1, 2, 5):
            if factor * power > step and factor * power % step == 0:
                tried += 1
                yield factor * power
        power *= 10
