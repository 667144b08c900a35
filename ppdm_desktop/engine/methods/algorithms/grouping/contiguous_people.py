"""The best partition of sorted values into runs with enough different people for each of their members."""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.methods.algorithms.grouping.contiguous import largest_need, spread
from ppdm_desktop.engine.progress import Progress

_EVERY = 2_000
_CELLS = 1_000_000
"""Runs looked at together at most."""


def best_contiguous_people(values: Floats, needs: Ints, who: Ints, progress: Progress) -> Ints:
    """Return where each run of the best partition starts; with one row a person it is ``best_contiguous``.

    A run of which both ends have as many people as the largest demand could be cut without loss, so only shorter
    ones are looked at. Which these are two pointers find, which go up the values once for each demand.

    Parameters
    ----------
    values
        Ascending.
    needs
        How many different people the run of each value has to have; all values together have as many.
    who
        The person of each value.
    progress
        Reports and stops.
    """
    count = len(values)
    asked = np.unique(needs)
    latest = np.array([latest_starts(who, int(need), progress) for need in asked])
    # The two halves of a run that starts here or before have enough people for anybody.
    too_long = np.where(latest[-1] >= 0, latest[-1][np.maximum(latest[-1], 0)], -1)
    cost = np.full(count + 1, np.inf)
    cost[0] = 0.0
    back = np.zeros(count + 1, dtype=np.int64)
    first, turn = 1, 0
    while first <= count:
        progress.check()
        if turn % _EVERY == 0:
            progress.report(first / (count + 1), "progress.grouping.search")
        turn += 1
        # No run of these ends may start behind the first of them, so all their starts are settled.
        ends = np.arange(first, int(np.searchsorted(latest[0][first:], first, side="left")) + first)
        low = int(too_long[ends[0]]) + 1
        ends = ends[: max(1, _CELLS // (int(ends[-1]) - low))]
        first, last = int(ends[-1]) + 1, int(latest[0][ends[-1]])
        if last < low:
            continue
        starts = np.arange(low, last + 1)
        length = ends[:, None] - starts
        total = cost[starts] + spread(values, low, ends, starts, length)
        need = np.searchsorted(asked, largest_need(needs, low, ends, starts))
        total = np.where(starts <= latest[np.minimum(need, len(asked) - 1), ends[:, None]], total, np.inf)
        chosen = total.argmin(axis=1)
        cost[ends] = total[np.arange(len(ends)), chosen]
        back[ends] = starts[chosen]
    found = []
    at = count
    while at > 0:
        at = int(back[at])
        found.append(at)
    return np.array(found[::-1], dtype=np.int64)


def latest_starts(who: Ints, people: int, progress: Progress) -> Ints:
    """Return the latest start of a run up to each end that has so many different people, shape (values + 1,).

    -1 where there is none. Two pointers: the start follows the end and never goes back.
    """
    found = np.full(len(who) + 1, -1, dtype=np.int64)
    inside = [0] * (int(who.max(initial=-1)) + 1)
    each = who.tolist()
    different = start = 0
    for end, person in enumerate(each, start=1):
        if end % 100_000 == 0:
            progress.check()
        different += inside[person] == 0
        inside[person] += 1
        while different > people or inside[each[start]] > 1:
            inside[each[start]] -= 1
            different -= inside[each[start]] == 0
            start += 1
        if different >= people:
            found[end] = start
    return found
