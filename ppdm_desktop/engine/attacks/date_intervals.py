"""The days between the dates of a person, and who can be picked out by them."""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.attacks.singling_out import only_holder
from ppdm_desktop.engine.identifiability.classes import classes_of_codes

MOST_DATES = 20
"""So many dates of a person are compared, the earliest first."""


def days_after_first(unit: Ints, days: Ints, count: int) -> Ints:
    """Return the days from each unit's first date to its dates, rising, shape (count, most dates); -1 beyond the last.

    Parameters
    ----------
    unit, days
        The row or person of each date, and its day; each of shape (dates,).
    count
        Number of units.
    """
    order = np.lexsort((days, unit))
    unit, days = unit[order], days[order]
    sizes = np.bincount(unit, minlength=count)
    starts = np.cumsum(sizes) - sizes
    position = np.arange(len(unit)) - starts[unit]
    kept = position < MOST_DATES
    after_first = np.full((count, min(int(sizes.max(initial=0)), MOST_DATES)), -1, dtype=np.int64)
    after_first[unit[kept], position[kept]] = (days - days[starts[unit]])[kept] if len(unit) else 0
    return after_first


def picked_out_by_all(true: Ints, released: Ints, person: Ints) -> Bools:
    """Return for each unit whether only its own person shows its days between all dates, shape (units,).

    Parameters
    ----------
    true, released
        As ``days_after_first`` returns them, of the same units.
    person
        The person of each unit.
    """
    columns = [np.concatenate([true[:, at], released[:, at]]) for at in range(true.shape[1])]
    codes = classes_of_codes(columns, 2 * len(true)).ids
    holder = only_holder([codes[: len(true)]], [codes[len(true) :]], person)
    return np.asarray((holder == person) & (true[:, 1] >= 0))


def picked_out_by_two(true: Ints, released: Ints, person: Ints) -> Bools:
    """Return for each unit whether only its own person shows the days between some two of its dates, shape (units,).

    Parameters
    ----------
    true, released, person
        As for ``picked_out_by_all``.
    """
    people = int(person.max(initial=0)) + 1
    pairs = [(first, second) for second in range(true.shape[1]) for first in range(second)]
    difference_keys = [
        (released[:, second] - released[:, first])[here] * people + person[here]
        for first, second in progress.each(pairs)
        if len(here := np.flatnonzero(released[:, second] >= 0))
    ]
    keys = np.unique(np.concatenate([np.zeros(0, dtype=np.int64), *difference_keys]))
    differences, first_key, holders = np.unique(keys // people, return_index=True, return_counts=True)
    picked = np.zeros(len(true), dtype=np.bool_)
    if not len(keys):
        return picked
    for first, second in progress.each(pairs):
        days_apart = true[:, second] - true[:, first]
        at = np.minimum(np.searchsorted(differences, days_apart), len(differences) - 1)
        is_single = (differences[at] == days_apart) & (holders[at] == 1) & (true[:, second] >= 0)
        picked |= is_single & (keys[first_key[at]] % people == person)
    return picked
