"""The best partition of sorted values into runs that are large enough for each of their members.

With one demand k for all this is the exact optimum (Hansen and Mukherjee 2003). With mixed
demands it is the best *contiguous* partition; a partition that is not contiguous can be better.
"""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Floats, Ints

_EVERY = 2_000


def best_contiguous(values: Floats, needs: Ints) -> Ints:
    """Return the index where each run of the best partition starts.

    A run that is twice as long as its largest demand could be cut in two without loss, so runs are shorter than that.
    No run is shorter than the smallest demand, so as many ends as that are computed together.

    Parameters
    ----------
    values
        Ascending, at least as many as the largest demand.
    needs
        How long a run each value asks for.
    """
    count = len(values)
    least, most = int(needs.min()), int(needs.max())
    cost = np.full(count + 1, np.inf)
    cost[0] = 0.0
    back = np.zeros(count + 1, dtype=np.int64)
    for turn, first in enumerate(range(least, count + 1, least)):
        progress.check()
        if turn % _EVERY == 0:
            progress.report(first / (count + 1), "progress.grouping.search")
        ends = np.arange(first, min(first + least, count + 1))
        low = max(0, first - 2 * most + 1)
        starts = np.arange(low, int(ends[-1]) - least + 1)
        length = ends[:, None] - starts
        total = cost[starts] + spread(values, low, ends, starts, length)
        asked = largest_need(needs, low, ends, starts) if most > least else least
        total = np.where(length >= asked, total, np.inf)
        chosen = total.argmin(axis=1)
        cost[ends] = total[np.arange(len(ends)), chosen]
        back[ends] = starts[chosen]
    group_starts = []
    at = count
    while at > 0:
        at = int(back[at])
        group_starts.append(at)
    return np.array(group_starts[::-1], dtype=np.int64)


def spread(values: Floats, low: int, ends: Ints, starts: Ints, length: Ints) -> Floats:
    """Return the sum of squares about the mean of every run, shape (ends, starts)."""
    window = values[low : int(ends[-1])]
    # Centred on the spot: sums of squares of far-off values would lose their last digits.
    window = window - window[len(window) // 2]
    first = np.concatenate([[0.0], np.cumsum(window)])
    second = np.concatenate([[0.0], np.cumsum(window * window)])
    sums = first[ends - low][:, None] - first[starts - low]
    squares = second[ends - low][:, None] - second[starts - low]
    return np.asarray(np.maximum(squares - sums * sums / np.maximum(length, 1), 0.0))


def largest_need(needs: Ints, low: int, ends: Ints, starts: Ints) -> Ints:
    """Return the largest demand inside every run, shape (ends, starts)."""
    window = np.arange(low, int(ends[-1]))
    inside = np.where(window < ends[:, None], needs[low : int(ends[-1])], 0)
    from_start = np.maximum.accumulate(inside[:, ::-1], axis=1)[:, ::-1]
    return np.asarray(from_start[:, starts - low])
