"""How far one released column fixes the values of another: for whoever has the one, the other is no secret."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.table.column import Column

FEWEST_SHARED, FEWEST_NUMBERS = 20, 6
LEAST_LIFT = 0.5


@dataclass(frozen=True)
class Fixed:
    """How far a column fixes another.

    Attributes
    ----------
    share
        Share of the records told rightly, or R².
    every
        Whether that is every record, or R² of at least 0.999, of at least half of the records known.
    """

    share: float
    every: bool


NOTHING = Fixed(0.0, False)
NEARLY_ONE = 0.999


def fixes(giver: Column, hidden: Column) -> Fixed:
    """Say how far ``giver`` fixes ``hidden``, rows beside one another; the stronger of three ways to look.

    Categories: each record is told by the commonest value among the *other* records with the same
    value of ``giver``, so that a value nobody shares, as in an identifier, fixes nothing by itself;
    and what tells no more than the commonest value of all would (half of its errors at least must
    go) does not count. Numbers: R² of a straight line, and R² of the mean of the others with the same
    value of ``giver``.
    """
    known = np.flatnonzero(~giver.missing & ~hidden.missing)
    if len(known) < FEWEST_NUMBERS:
        return NOTHING
    group = giver.category_codes[known].astype(np.int64)
    found = [_by_category(group, hidden.category_codes[known].astype(np.int64))]
    if hidden.kind == "numeric":
        numbers = hidden.numbers[known]
        found.append(_by_mean(group, numbers))
        if giver.kind == "numeric":
            found.append(_by_line(giver.numbers[known], numbers))
    return max(found, key=lambda each: (each.share, each.every))


def _by_category(group: Ints, value: Ints) -> Fixed:
    sizes = np.bincount(group)[group]
    width = int(value.max()) + 1
    cells, cell, counts = np.unique(group * width + value, return_inverse=True, return_counts=True)
    cell = cell.reshape(-1)
    # The two largest counts of each group, and which value has the largest.
    order = np.lexsort((-counts, cells // width))
    owner = (cells // width)[order]
    first = np.flatnonzero(np.r_[True, owner[1:] != owner[:-1]])
    groups = int(group.max()) + 1
    top, second = np.zeros(groups, dtype=np.int64), np.zeros(groups, dtype=np.int64)
    top_cell = np.full(groups, -1, dtype=np.int64)
    top[owner[first]], top_cell[owner[first]] = counts[order][first], order[first]
    after = first + 1
    has_second = after < len(owner)
    has_second[has_second] = owner[after[has_second]] == owner[first[has_second]]
    second[owner[first[has_second]]] = counts[order][after[has_second]]
    is_top = top_cell[group] == cell
    left = top[group] - 1
    # Without the record itself: its value still leads, or shares the lead, or does not.
    right = np.where(is_top & (left > second[group]), 1.0, np.where(is_top & (left == second[group]), 0.5, 0.0))
    shared = sizes > 1
    count = int(shared.sum())
    if count < FEWEST_SHARED:
        return NOTHING
    share = float(right[shared].mean())
    blind = float(np.bincount(value[shared]).max() / count)
    if blind >= 1 or (share - blind) / (1 - blind) < LEAST_LIFT:
        return NOTHING
    return Fixed(share, share >= 1 and 2 * count >= len(group))


def _by_mean(group: Ints, numbers: Floats) -> Fixed:
    sizes = np.bincount(group)[group]
    shared = sizes > 1
    count = int(shared.sum())
    if count < FEWEST_SHARED:
        return NOTHING
    others = (np.bincount(group, weights=numbers)[group] - numbers)[shared] / (sizes[shared] - 1)
    return _explained(others, numbers[shared], len(numbers))


def _by_line(giver: Floats, numbers: Floats) -> Fixed:
    apart, away = giver - giver.mean(), numbers - numbers.mean()
    spread = float((apart**2).sum())
    if spread <= 0:
        return NOTHING
    return _explained(apart * (float((apart * away).sum()) / spread) + numbers.mean(), numbers, len(numbers))


def _explained(guess: Floats, numbers: Floats, known: int) -> Fixed:
    total = float(((numbers - numbers.mean()) ** 2).sum())
    if total <= 0:
        return NOTHING
    share = max(1 - float(((numbers - guess) ** 2).sum()) / total, 0.0)
    return Fixed(share, share >= NEARLY_ONE and 2 * len(numbers) >= known)
