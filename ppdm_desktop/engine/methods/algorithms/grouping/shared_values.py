"""Recounts the promise of microaggregation: how many records share each released value."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.identifiability.classes import classes_of_codes
from ppdm_desktop.engine.methods.algorithms.grouping.centres import group_sums
from ppdm_desktop.engine.methods.algorithms.grouping.grouped_columns import Ranked
from ppdm_desktop.engine.methods.algorithms.grouping.units import people_in_groups


def shared_by(released_codes: Sequence[Ints], present: Bools, who: Ints | None = None) -> Ints:
    """Return for each record how many records show the same in every column in which it has a value.

    Parameters
    ----------
    released_codes
        The released texts by code, one array a column: what a reader sees, not only its value.
    present
        Which values are there, (records, columns).
    who
        The person of each record, where several can be one person's: people are counted then.
    """
    rows = len(present)
    counts = np.zeros(rows, dtype=np.int64)
    patterns = classes_of_codes(list(present.T.astype(np.int64)), rows)
    for number in range(patterns.count):
        here = patterns.ids == number
        pattern = np.flatnonzero(present[int(np.argmax(here))]).tolist()
        if not pattern:
            continue
        whole = present[:, pattern].all(axis=1)
        alike = classes_of_codes([released_codes[column][whole] for column in pattern], int(whole.sum()))
        shared = np.zeros(rows, dtype=np.int64)
        shared[whole] = people_in_groups(alike.ids, None if who is None else who[whole], alike.count)[alike.ids]
        counts[here] = shared[here]
    return counts


def off_centre(ranked: Ranked, released_values: Ints, how: str, step: int) -> int:
    """Return how many released values cannot be the centre of those who share them, up to half a step.

    Groups with equal centres show one value; the mean of both is then still within half a step.
    """
    truth, released = ranked.values[ranked.known], released_values[ranked.known]
    if not len(truth):
        return 0
    order = np.lexsort((truth, released))
    values, starts, sizes = np.unique(released[order], return_index=True, return_counts=True)
    if how == "mean":
        sums = group_sums(truth[order], starts)
        wrong = np.abs(2 * sums - 2 * sizes * values) > sizes * step
    else:
        low, high = truth[order][starts], truth[order][starts + sizes - 1]
        wrong = (2 * values < 2 * low - step) | (2 * values > 2 * high + step)
    return int(sizes[wrong.astype(np.bool_)].sum())
