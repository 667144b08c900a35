"""How many records a swap must change: shares by privacy level, their rounding, and the members of groups."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.methods.base.step import Settings
from ppdm_desktop.engine.table.levels import RecordLevels

LARGEST_BALANCED = "largest-balanced"
ONE_MEMBER = "one-member"
# From this many records on the count is rounded half up; below, the key rounds it.
ROUNDED_FROM = 20
# Shares are exact fractions so that "exact where whole" holds; numerators stay within 64 bits.
_FINEST = 10**9


def as_share(value: float) -> Fraction:
    """Return a share as the exact fraction of its shortest decimal form, such as 1/10 for 0.1.

    The denominator is at most 10^9.
    """
    return Fraction(repr(float(value))).limit_denominator(_FINEST)


def compute_largest_share(categories: int) -> Fraction:
    """Return (C-1)/C for C categories.

    If a larger share changed, a shown value would tell that it is probably false.
    """
    return Fraction(categories - 1, categories)


def leaves_open(settings: Settings) -> bool:
    """Return whether a swap keeps shown values open, which it does unless the recipe sets the share as a number.

    A value is open if at least a tenth of those who show it have it, and at least a tenth do not.
    """
    return "proportion" not in settings.written or settings.values["proportion"] == LARGEST_BALANCED


def promises_groups(settings: Settings) -> bool:
    """Return whether each group with one confidential value is promised a change; only ``obey_groups`` can say no."""
    return bool(settings.values.get("obey_groups", True))


@dataclass(frozen=True)
class LevelDemand:
    """What one privacy level demands of a swap.

    Attributes
    ----------
    swap
        Share of the level's unique records that change.
    temperature
        Scale of the selection noise, in units of probability; infinite for ``uniform``.
    group_share
        Share of the members that change in a group whose strictest level this is; 0 stands for one member.
    follows
        True if ``swap`` is the share that ``largest-balanced`` chooses (for the weakest level).
    """

    swap: Fraction
    temperature: float
    group_share: Fraction
    follows: bool = False


def level_demands(settings: Settings, levels: RecordLevels, categories: int) -> tuple[LevelDemand, ...]:
    """Return what each privacy level demands of a swap: shares of changes, also within groups, and selection noise.

    There is one entry for each level, in the order of ``levels``. The share of changes is the level's own, at most
    (C-1)/C for C ``categories``. A ``proportion`` in the recipe replaces it for the weakest level, and is a minimum for
    the others, without this limit; with ``largest-balanced`` the weakest level's share is found later (``follows``).
    The share of a group's members is ``group_share`` (0 if one member changes); for stricter levels it is at least
    their own share of changes, up to (C-1)/C. The noise is 0 if the method has no such parameter.
    """
    cap = compute_largest_share(categories)
    written = settings.values["proportion"] if "proportion" in settings.written else None
    largest = written == LARGEST_BALANCED
    least = as_share(written) if isinstance(written, int | float) else None
    share = settings.values["group_share"]
    group_share = Fraction(0) if share == ONE_MEMBER else as_share(share)
    if "selection_noise" in settings.values:
        temperatures = settings.demanded("selection_noise", "selection_noise", levels)
    else:
        temperatures = [0.0] * len(levels.levels)
    demands = []
    for level, temperature in zip(levels.levels, temperatures, strict=True):
        swap = min(as_share(level.demand.swap), cap)
        if least is not None:
            swap = least if level.is_weakest else max(swap, least)
        least_share = Fraction(0) if level.is_weakest else min(swap, cap)
        follows = largest and level.is_weakest
        demands.append(LevelDemand(swap, temperature, max(group_share, least_share), follows))
    return tuple(demands)


def changes_due(share: Fraction, records: int, drawn: float) -> int:
    """Return how many of a level's unique records have to change: share times records, rounded.

    From 20 records on it is rounded half up. Below, it is rounded at random, up with the probability of the fraction:
    0.3 of 11 records is 3.3, and gives 4 if ``drawn`` is below 0.3, else 3.

    Parameters
    ----------
    share
        Share of the records.
    records
        Number of records.
    drawn
        A random number, uniform from 0 to 1.
    """
    exact = share * records
    whole = exact.numerator // exact.denominator
    rest = exact - whole
    if rest == 0:
        return whole
    if records >= ROUNDED_FROM:
        return whole + int(rest >= Fraction(1, 2))
    return whole + int(drawn < rest)


def possible_changes(share: Fraction, records: int) -> tuple[int, int]:
    """Return the smallest and largest number that ``changes_due`` can return for this share and number of records."""
    return changes_due(share, records, 1.0), changes_due(share, records, 0.0)


def member_bounds(share: Fraction, sizes: Ints) -> tuple[Ints, Ints]:
    """Return the smallest and largest number of members that may change in groups of these sizes, shape (groups,) each.

    They are share times size, rounded down and up, but at least one: half of groups of 5 and 1 gives 2 to 3, and 1 to
    1.
    """
    least = sizes * share.numerator // share.denominator
    largest = -(-sizes * share.numerator // share.denominator)
    return np.maximum(least, 1), np.maximum(largest, 1)


def members_due(share: Fraction, sizes: Ints, drawn: Floats) -> Ints:
    """Return how many members of each group change, at least one; int64, shape (groups,).

    Share times size is rounded up if ``drawn``, a uniform random number for each group, is below the fraction,
    otherwise down: 2.5 members become 3 if it is below 0.5, else 2.
    """
    scaled = sizes * share.numerator
    whole = scaled // share.denominator
    rest = (scaled % share.denominator) / share.denominator
    return np.maximum(whole + (drawn < rest), 1)
