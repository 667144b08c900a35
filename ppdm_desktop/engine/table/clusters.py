"""Optimal one-dimensional k-means by dynamic programming: no random start.

In one dimension clusters are runs of the sorted values, and the best start of the last run moves only forward with its
end; so each further cluster costs m log m (divide and conquer).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Floats, Ints


def best_clusters(values: Floats, clusters: int) -> Ints:
    """Return the cluster of each value in an optimal k-means, numbered from the smallest values up, shape (values,).

    Equal values share a cluster. Fewer clusters come out where there are fewer values.

    Parameters
    ----------
    values
        Numbers in any order, shape (values,).
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
        progress.report((made - 2) / wanted, "progress.grouping.search")
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
    """Running sums of weights, values and squares about the mean, for the spread of any run of sorted values."""

    weight: Floats
    first: Floats
    second: Floats

    @classmethod
    def of(cls, values: Floats, weights: Floats) -> _Sums:
        """Return the running sums of sorted values, shape (values,), with their weights.

        Each sum has shape (values + 1,) and begins with 0.
        """
        centred = values - np.average(values, weights=weights)
        parts = (weights, weights * centred, weights * centred * centred)
        return cls(*(np.concatenate([[0.0], np.cumsum(part)]) for part in parts))

    def spread(self, start: Ints, end: Ints) -> Floats:
        """Return the weighted sum of squares about the mean of the values from each start up to each end (exclusive).

        ``start`` and ``end`` are indices; an empty run gives 0.
        """
        weight = self.weight[end] - self.weight[start]
        first = self.first[end] - self.first[start]
        second = self.second[end] - self.second[start]
        return np.asarray(np.maximum(second - first * first / np.maximum(weight, 1.0), 0.0))


def _add_one_cluster(cost: Floats, made: int, sums: _Sums, count: int) -> tuple[Floats, Ints]:
    """Return the least costs of clustering with one cluster more, and where the last cluster begins.

    Both arrays have shape (count + 1,): entry j is about the first j values in ``made`` clusters. Below ``made`` the
    cost is infinite and the start 0. ``cost`` holds the same costs for ``made`` - 1 clusters.
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
