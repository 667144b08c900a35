"""The quality of a grouping: the sum of squares within groups, and whether everybody's demand is met."""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.arrays import Floats, Ints


def within_ssq(points: Floats, group: Ints) -> float:
    """Return the sum of squared distances of records to the mean of their group.

    Parameters
    ----------
    points
        (records, columns).
    group
        Group of each record, 0 and up; numbers nobody has are allowed.
    """
    sizes = np.maximum(np.bincount(group), 1)
    total = 0.0
    for values in points.T:
        means = np.bincount(group, values) / sizes
        total += float(((values - means[group]) ** 2).sum())
    return total


def check_sizes(group: Ints, needs: Ints) -> bool:
    """Return whether every record's group has at least as many members as the record demands."""
    return bool((np.bincount(group)[group] >= needs).all()) if len(group) else True


def packed(group: Ints) -> Ints:
    """Return the groups renumbered from 0 without gaps, in the order of their numbers."""
    _, numbers = np.unique(group, return_inverse=True)
    return np.asarray(numbers.reshape(-1), dtype=np.int64)
