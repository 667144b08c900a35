"""Whether a cluster analysis finds the same groups in the release as in the original.

Three figures are computed, because the paper's figure does not notice wrong memberships: equality of cluster sizes
(Vijayarani & Tamilarasi 2011, section 4), the share of records that stay in their cluster when clusters are matched as
well as possible, and the adjusted Rand index (Hubert & Arabie 1985).
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import partial
from typing import Annotated

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import GRID, Floats, Ints
from ppdm_desktop.engine.figure import SHARE_OF_RECORDS, Figure, Measure
from ppdm_desktop.engine.one_thread import one_thread
from ppdm_desktop.engine.result_cache import RESULTS, hash_arrays
from ppdm_desktop.engine.table.clusters import best_clusters
from ppdm_desktop.engine.wording.catalogue import lazy, untranslated

MOST_ROWS = 20_000
"""More records than this are sampled."""
STARTS = 5
NOT_SOURCE_ROWS = lazy("released rows are not source rows")
_EXACT = untranslated("best clusters of one column (dynamic programming)")
_K_MEANS = untranslated(
    "k-means, the best of {n} fixed starts; columns in standard deviations of the original", n=STARTS
)


@dataclass(frozen=True)
class ClusterAgreement:
    """How far the clusters before and after agree; each figure is a share from 0 to 1 (``ari`` can be below 0).

    Attributes
    ----------
    k
        Number of clusters that the analysis looks for.
    by_sizes
        The paper's figure: 1 - sum |n_j - n'_j| / 2n over the sizes in falling order.
    matched
        Share of records in corresponding clusters, under the best one-to-one correspondence of clusters.
    ari
        Adjusted Rand index: 1 for the same clusters, about 0 for unrelated ones.
    """

    k: int
    by_sizes: Annotated[
        Figure,
        Measure(lazy("Sizes match"), "percent"),
    ]
    matched: Annotated[
        Figure,
        Measure(lazy("Records still in the same group"), "people"),
    ]
    ari: Annotated[Figure, Measure(lazy("Pairs (ARI)"))]


def cluster_agreement(before: Floats, after: Floats, k: int, *, paired: bool = True, seed: int = 0) -> ClusterAgreement:
    """Return how far the clusters of two versions of some columns agree, as three figures.

    They are the agreement of the clusters' sizes, the share of records that stay in their cluster, and the adjusted
    Rand index. All are absent where either version has fewer than ``k`` complete records. If records are not paired,
    only the first is computed, and the others are absent. If a version has more than 20,000 rows, a random sample is
    clustered; a note says so where the release was sampled.

    Parameters
    ----------
    before, after
        Values of shape (records, columns) or (records,), NaN where missing. Of paired versions a record with a missing
        value in either is left out of both; otherwise each version leaves out its own incomplete records.
    k
        Number of clusters, at least 2.
    paired
        Whether row i of both versions is the same person; if not, their numbers of rows may differ.
    seed
        Seed of the sample and of the random starts; equal seeds give equal figures.

    Raises
    ------
    ValueError
        When ``k`` is below 2, the numbers of columns differ, or paired versions have different numbers of rows.
    """
    if k < 2:
        raise ValueError("k must be at least 2")
    first, second = _to_points(before), _to_points(after)
    if first.shape[1] != second.shape[1] or (paired and len(first) != len(second)):
        raise ValueError("both versions need the same columns, and paired ones the same rows")
    first, second, total = _drop_incomplete(first, second, paired=paired)
    if min(len(first), len(second)) < k:
        absent = Figure.absent(lazy("needs at least {k} records without gaps", k=k))
        return ClusterAgreement(k, absent, absent, absent)
    first, second = _sample_rows(first, second, paired=paired, seed=seed)
    first_labels, second_labels = _find_clusters(first, second, k, seed, paired=paired)
    method = _EXACT if first.shape[1] == 1 else _K_MEANS
    note = None
    if len(second) < total:
        note = lazy("{n} of {all} records, drawn at random", n=len(second), all=total)

    def figure(value: float, unit: str) -> Figure:
        """Return a value as a figure with the number of records, the clustering method and the note on the sample."""
        return Figure(value, n=len(second), unit=unit, method=method, note=note)

    sizes = figure(agreement_by_sizes(first_labels, second_labels), "share")
    if not paired:
        absent = Figure.absent(NOT_SOURCE_ROWS)
        return ClusterAgreement(k, sizes, absent, absent)
    counts = contingency(first_labels, second_labels)
    return ClusterAgreement(
        k, sizes, figure(matched_share(counts), SHARE_OF_RECORDS), figure(adjusted_rand(counts), "index up to 1")
    )


def contingency(first: Ints, second: Ints) -> Floats:
    """Return the number of records in each pair of clusters, float64, shape (clusters before, clusters after)."""
    shape = int(first.max(initial=-1)) + 1, int(second.max(initial=-1)) + 1
    return np.bincount(first * shape[1] + second, minlength=shape[0] * shape[1]).reshape(shape).astype(np.float64)


def agreement_by_sizes(first: Ints, second: Ints) -> float:
    """Return how equal the cluster sizes are: 1 less half the sum of differences in share, from 0 to 1 (1: equal).

    Clusters are compared in falling order of size, whoever is in them: sizes 60 and 40 against 50 and 50 give 0.9.
    ``first`` and ``second`` are the cluster numbers, from 0, of the records before and after; the numbers of records
    may differ, but none may be 0.
    """
    places = max(int(first.max(initial=0)), int(second.max(initial=0))) + 1
    shares = (np.sort(np.bincount(labels, minlength=places))[::-1] / len(labels) for labels in (first, second))
    first_shares, second_shares = shares
    return float(1 - np.abs(first_shares - second_shares).sum() / 2)


def matched_share(counts: Floats) -> float:
    """Return the share of records, 0 to 1, that are in corresponding clusters before and after.

    Clusters are made to correspond one to one so that this share is largest (Kuhn 1955); where one version has more
    clusters, some correspond to none. ``counts`` has the number of records in each pair of clusters, as from
    ``contingency``, at least one in all.
    """
    from scipy.optimize import linear_sum_assignment  # late: only measuring needs SciPy

    rows, columns = linear_sum_assignment(counts, maximize=True)
    return float(counts[rows, columns].sum() / counts.sum())


def adjusted_rand(counts: Floats) -> float:
    """Return the adjusted Rand index of a table of counts of records by both clusterings, shape (r, c).

    It is 1 where they agree, about 0 where they agree by chance only, and can be negative. It is also 1 where both have
    a single cluster, or where neither has a cluster of two records.
    """
    pairs = float((counts * (counts - 1)).sum() / 2)
    sums = counts.sum(axis=1), counts.sum(axis=0)
    first_pairs, second_pairs = (float((totals * (totals - 1)).sum() / 2) for totals in sums)
    total = float(counts.sum())
    expected = first_pairs * second_pairs / (total * (total - 1) / 2) if total > 1 else 0.0
    most = (first_pairs + second_pairs) / 2
    return 1.0 if most == expected else (pairs - expected) / (most - expected)


# --- parts ------------------------------------------------------------------------------


def _to_points(values: Floats) -> Floats:
    """Return values as points, shape (records, dimensions); a single column becomes one dimension."""
    points = np.asarray(values, dtype=np.float64)
    return points[:, None] if points.ndim == 1 else points


def _drop_incomplete(first: Floats, second: Floats, *, paired: bool) -> tuple[Floats, Floats, int]:
    """Return both versions without records that have a NaN, and how many records of the second are kept.

    With ``paired`` a record that is incomplete in either version is left out of both.
    """
    here, there = (np.asarray(~np.isnan(points).any(axis=1)) for points in (first, second))
    if paired:
        here = there = np.asarray(here & there)
    return first[here], second[there], int(np.count_nonzero(there))


def _sample_rows(first: Floats, second: Floats, *, paired: bool, seed: int) -> tuple[Floats, Floats]:
    """Return both versions, each reduced to 20,000 random rows if it has more; the same rows if they are paired.

    Rows stay in order; the same ``seed`` draws the same rows.
    """
    generator = np.random.default_rng(seed)
    picked = [
        np.sort(generator.choice(len(points), MOST_ROWS, replace=False)) if len(points) > MOST_ROWS else slice(None)
        for points in (first, second)
    ]
    return first[picked[0]], second[picked[0] if paired else picked[1]]


def _find_clusters(first: Floats, second: Floats, k: int, seed: int, *, paired: bool) -> tuple[Ints, Ints]:
    """Return the cluster of each record before and after, 0 .. k-1, each of shape (records,).

    A single column is divided optimally; several columns are divided by k-means after division by the original's
    standard deviations. If the versions are paired, the clusters of each also serve as a start for the other. Cluster
    numbers of the two versions need not correspond. There are fewer clusters where a version has fewer than ``k``
    different points.
    """
    if first.shape[1] == 1:
        to_first, to_second = progress.parts(1.0, 1.0)
        return to_first.run(best_clusters, first[:, 0], k), to_second.run(best_clusters, second[:, 0], k)
    # One scale for both, so that a release is not forgiven for stretching a column.
    spread = first.std(axis=0)
    first, second = (points / np.where(spread > 0, spread, 1.0) for points in (first, second))
    labels, best = _k_means(first, k, seed)
    if not paired:
        return labels, _k_means(second, k, seed)[0]
    # Each version's clusters are a start for the other too: a poorer start must not pass for a change.
    released_labels, _ = _k_means(second, k, seed, _compute_cluster_means(second, labels))
    again, spread_again = _k_means(first, k, seed, _compute_cluster_means(first, released_labels), starts=0)
    return (again, released_labels) if spread_again < best * (1 - GRID) else (labels, released_labels)


def _compute_cluster_means(points: Floats, labels: Ints) -> Floats:
    """Return the mean point of each non-empty cluster, in the order of their numbers, shape (clusters, columns).

    ``points`` has shape (points, columns), and ``labels`` the cluster number of each point.
    """
    _, cluster, counts = np.unique(labels, return_inverse=True, return_counts=True)
    sums = [np.bincount(cluster.reshape(-1), weights=column) for column in points.T]
    return np.asarray(np.column_stack(sums) / counts[:, None], dtype=np.float64)


def _k_means(
    points: Floats, k: int, seed: int, start: Floats | None = None, *, starts: int = STARTS
) -> tuple[Ints, float]:
    """Return the cluster of each point by k-means, the best of several starts, and its sum of squared distances.

    Fewer clusters come back where there are fewer than ``k`` different points. ``start`` holds cluster means, tried in
    addition to ``starts`` random starts, or alone where ``starts`` is 0; of equally good results the first is returned.
    Unless ``starts`` is 0, a ``start`` without exactly ``k`` clusters (or as many as there are different points) is
    ignored. Results are kept and used again for equal points.
    """
    k = min(k, len(np.unique(points, axis=0)))
    tried: list[Floats | None] = [None] * starts
    if start is not None and (len(start) == k or not tried):
        tried.append(start)
    best: Floats | None = None
    for number, means in enumerate(tried):
        progress.check()
        # The original's clusters are those of every candidate's original.
        key = ("k-means", k, seed + number, hash_arrays(points, *(() if means is None else (means,))))
        outcome = RESULTS.get(key, partial(_run_one_start, points, k, seed + number, means))
        if best is None or outcome[0] < best[0] * (1 - GRID):
            best = outcome
    assert best is not None
    return best[1:].astype(np.int64), float(best[0])


def _run_one_start(points: Floats, k: int, seed: int, means: Floats | None) -> Floats:
    """Return the result of k-means from one start: its sum of squared distances, then the cluster of each point.

    It starts from ``means``, whose number then replaces ``k``, or from k-means++ with ``seed`` where ``means`` is None.
    The result is one array of shape (points + 1,).
    """
    from sklearn.cluster import KMeans  # late: takes longer to load than most commands to run
    from sklearn.exceptions import ConvergenceWarning

    with one_thread(), warnings.catch_warnings():
        # A start that ends with fewer clusters is no fault: another one is better, or there are no more.
        warnings.simplefilter("ignore", ConvergenceWarning)
        if means is None:
            model = KMeans(k, init="k-means++", n_init=1, random_state=seed).fit(points)
        else:
            model = KMeans(len(means), init=means, n_init=1, random_state=seed).fit(points)
    return np.append(float(model.inertia_), model.labels_.astype(np.float64))
