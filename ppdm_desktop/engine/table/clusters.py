"""Optimal one-dimensional k-means by dynamic programming, without a random start.

In one dimension a cluster is a run of the sorted values. The best beginning of the last run never moves back when more
values are added, so each further cluster costs m log m for m values (divide and conquer).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Floats, Ints


def best_clusters(values: Floats, clusters: int) -> Ints:
    """Return the cluster number of each value in an optimal k-means, shape (values,).

    [1, 9, 2, 10] in two clusters gives [0, 1, 0, 1]: numbers count from 0, and cluster 0 has the smallest values. Equal
    values share a cluster, so there are fewer clusters where fewer different values exist.

    Parameters
    ----------
    values
        Numbers in any order, at least one, shape (values,).
    clusters
        Number of clusters wanted.
    """
    distinct, inverse, weights = np.unique(values, return_inverse=True, return_counts=True)
    wanted = min(clusters, len(distinct))
    sums = _Sums.of(distinct, weights.astype(np.float64))
    count = len(distinct)
    cost = sums.spread(np.zeros(count + 1, dtype=np.int64), np.arange(count + 1))
    layers = []
    for made in range(2, wanted + 1):
        progress.report((made - 2) / wanted, "progress.method.groups")
        cost, start = _add_one_cluster(cost, made, sums, count)
        layers.append(start)
    of_distinct = np.zeros(count, dtype=np.int64)
    end = count
    for number, start in zip(range(wanted - 1, 0, -1), reversed(layers)):
        of_distinct[int(start[end]) : end] = number
        end = int(start[end])
    return np.asarray(of_distinct[inverse.reshape(-1)])


@dataclass(frozen=True, eq=False)
class _Sums:
    """Cumulative sums of the weights, values and squares of sorted values, from which the spread of any run follows."""

    weight: Floats
    first: Floats
    second: Floats

    @classmethod
    def of(cls, values: Floats, weights: Floats) -> _Sums:
        """Return the cumulative sums of sorted values, which are centred on their mean first.

        ``values`` and ``weights`` have shape (values,), and the mean is the weighted one. Each sum (of weights,
        weighted values and weighted squares) has shape (values + 1,) and begins with 0.
        """
        centred = values - np.average(values, weights=weights)
        parts = (weights, weights * centred, weights * centred * centred)
        return cls(*(np.concatenate([[0.0], np.cumsum(part)]) for part in parts))

    def spread(self, start: Ints, end: Ints) -> Floats:
        """Return the weighted sum of squared deviations from the mean for each run of sorted values.

        The values 1 and 3, with weight 1 each, give 2. ``start`` and ``end`` are arrays of indices, the end being
        excluded; an empty run gives 0.
        """
        weight = self.weight[end] - self.weight[start]
        first = self.first[end] - self.first[start]
        second = self.second[end] - self.second[start]
        return np.asarray(np.maximum(second - first * first / np.maximum(weight, 1.0), 0.0))


def _add_one_cluster(cost: Floats, made: int, sums: _Sums, count: int) -> tuple[Floats, Ints]:
    """Return the least costs of dividing values into ``made`` clusters, and where the last cluster then begins.

    Entry j of both arrays, shape (count + 1,), is about the first j values; for j below ``made`` the cost is infinite
    and the beginning 0.

    Parameters
    ----------
    cost
        The same costs for ``made`` - 1 clusters.
    count
        The number of distinct values.
    """
    best = np.full(count + 1, np.inf)
    start = np.zeros(count + 1, dtype=np.int64)
    low, high = np.array([made]), np.array([count])
    least, most = np.array([made - 1]), np.array([count - 1])
    while len(low):
        middle = (low + high) // 2
        last = np.minimum(most, middle - 1)
        length = last - least + 1
        offsets = np.cumsum(length) - length
        part = np.repeat(np.arange(len(low)), length)
        tried = np.arange(int(length.sum())) - offsets[part] + least[part]
        total = cost[tried] + sums.spread(tried, middle[part])
        lowest = np.minimum.reduceat(total, offsets)
        hits = np.flatnonzero(total == lowest[part])
        chosen = tried[hits[np.searchsorted(part[hits], np.arange(len(low)))]]
        best[middle], start[middle] = lowest, chosen
        left, right = low < middle, middle < high
        low, high, least, most = (
            np.concatenate([low[left], middle[right] + 1]),
            np.concatenate([middle[left] - 1, high[right]]),
            np.concatenate([least[left], chosen[right]]),
            np.concatenate([chosen[left], most[right]]),
        )
    return best, start
