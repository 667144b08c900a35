"""How many records must change: shares by level, rounding, and the members of groups."""

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
    """Return a share as the exact fraction of its shortest decimal form: 0.1 as 1/10.

    The denominator is at most 10^9.
    """
    return Fraction(repr(float(value))).limit_denominator(_FINEST)


def compute_largest_share(categories: int) -> Fraction:
    """Return (C-1)/C, the largest share of changes that still protects."""
    return Fraction(categories - 1, categories)


def leaves_open(settings: Settings) -> bool:
    """Return whether a search keeps open which shown values are true: not if the recipe writes a share as a number.

    Open is a value that at least a tenth of those who show it have, and at least a tenth do not.
    """
    return "proportion" not in settings.written or settings.values["proportion"] == LARGEST_BALANCED


@dataclass(frozen=True)
class LevelDemand:
    """What one level in use demands of a swap.

    Attributes
    ----------
    swap
        Share of the level's uniquely identifiable records that change.
    temperature
        Scale of the selection noise in units of probability; infinite is ``uniform``.
    group_share
        Share of the members of a group in which this is the strictest level; 0 is one member.
    follows
        True when ``swap`` is what ``largest-balanced`` chooses (the weakest level).
    """

    swap: Fraction
    temperature: float
    group_share: Fraction
    follows: bool = False


def level_demands(settings: Settings, levels: RecordLevels, categories: int) -> tuple[LevelDemand, ...]:
    """Return what each level demands of a swap: its share of changes, its noise, and the share of a group's members.

    The share is the level's own, at most (C-1)/C for C ``categories``. A written ``proportion`` replaces that of the
    weakest level, and raises those of the others; with ``largest-balanced`` the weakest level's is found later
    (``follows``). The share of a group's members is ``group_share``, raised above the weakest level to the level's own
    share, at most (C-1)/C; 0 where a single member changes.
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
    """Return how many of a level's unique records have to change.

    Share times records, rounded half up from 20 records on; below, to one of the two neighbours, the upper with the
    probability of the fraction; exact where whole.

    Parameters
    ----------
    share
        Share of the records.
    records
        Number of records.
    drawn
        A number of the key, uniform from 0 to 1: 0.3 of 11 records is 3.3, and gives 4 where this is below 0.3, else 3.
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
    """Return the smallest and the largest count that ``changes_due`` can return for some drawn number."""
    return changes_due(share, records, 1.0), changes_due(share, records, 0.0)


def member_bounds(share: Fraction, sizes: Ints) -> tuple[Ints, Ints]:
    """Return the smallest and largest number of members that change in groups of these sizes, shape (groups,) each.

    These are share times size rounded down and up, at least one.
    """
    least = sizes * share.numerator // share.denominator
    largest = -(-sizes * share.numerator // share.denominator)
    return np.maximum(least, 1), np.maximum(largest, 1)


def members_due(share: Fraction, sizes: Ints, drawn: Floats) -> Ints:
    """Return how many members of each group change, int64, shape (groups,).

    Share times size is rounded up where ``drawn``, a uniform number of the key for each group, is below the fraction,
    else down; at least one changes.
    """
    scaled = sizes * share.numerator
    whole = scaled // share.denominator
    rest = (scaled % share.denominator) / share.denominator
    return np.maximum(whole + (drawn < rest), 1)
