"""Classifiers that learn from statistics of groups alone: nearest group, and a mixture of Gaussians.

C. C. Aggarwal and P. S. Yu, SIAM SDM 2005, section 1: condensed statistics can be used directly, without new records.
Each group counts as one Gaussian weighted by its number of records; names and labels are known as counts. Covariances
of small groups are shrunk towards the covariance within all groups (J. H. Friedman, Regularized Discriminant
Analysis, JASA 84, 1989): a group of n records in d columns keeps n/(n + d) of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.tie_breaking import GRID, first_greatest, first_least

RIDGE = 1e-3
"""Added to the variance along every axis, in variances of the whole table."""


@dataclass(frozen=True, eq=False)
class GroupStatistics:
    """The statistics of groups that a learner may use.

    Attributes
    ----------
    n
        int64, shape (groups,): records.
    mean, covariance
        Shapes (groups, d) and (groups, d, d), in standard deviations of the whole table.
    names
        For each nominal column how often each name occurs in each group, shape (groups, names).
    labels
        Shape (groups, classes): how often each label occurs; or how many of the group are expected to have it.
    """

    n: Ints
    mean: Floats
    covariance: Floats
    names: tuple[Floats, ...]
    labels: Floats


def nearest_group(groups: GroupStatistics, points: Floats, codes: Sequence[Ints]) -> Ints:
    """Return for each record the commonest label of the nearest group, int64, shape (records,).

    Another name adds 1 to the squared distance. Among equally common labels the one commoner in all groups counts,
    then the first.

    Parameters
    ----------
    groups
        At least one.
    points
        Shape (records, d), in the units of the means; 0 where missing.
    codes
        For each nominal column the index of each record's name, -1 where no group shows it.
    """
    progress.check()
    square, length = (groups.mean**2).sum(axis=1), (points**2).sum(axis=1)[:, None]
    apart = length + square[None, :] - 2.0 * points @ groups.mean.T
    for share, code in zip(_shares(groups), codes, strict=True):
        progress.check()
        is_known = code >= 0
        draw = np.where(is_known[:, None], share[:, np.maximum(code, 0)].T, 0.0)
        # Half the squared distance between an indicator and the group's shares.
        apart += 0.5 * (1.0 + (share**2).sum(axis=1)[None, :] - 2.0 * draw)
    return np.asarray(_commonest(groups)[first_least(apart, length + square.max() + len(codes) + 1)])


def gaussian_mixture(groups: GroupStatistics, points: Floats, codes: Sequence[Ints]) -> Ints:
    """Return for each record the most probable label; parameters as those of `nearest_group`.

    The probability of a label is the sum over the groups of weight times density times its share in the group; names
    count as independent within a group, each with one record more than seen.
    """
    rows, width = points.shape
    log = np.tile(np.log(groups.n / groups.n.sum()), (rows, 1))
    pooled = np.einsum("g,gij->ij", groups.n / groups.n.sum(), groups.covariance)
    for group in range(len(groups.n)):
        progress.report(group / len(groups.n), "doing.models")
        keeps = groups.n[group] / (groups.n[group] + width) if width else 1.0
        covariance = keeps * groups.covariance[group] + (1 - keeps) * pooled + RIDGE * np.eye(width)
        root = np.linalg.cholesky(covariance)
        white = np.linalg.solve(root, (points - groups.mean[group]).T)
        log[:, group] -= 0.5 * (white**2).sum(axis=0) + np.log(np.diag(root)).sum()
    for counts, code in zip(groups.names, codes, strict=True):
        share = (counts + 1.0) / (counts.sum(axis=1, keepdims=True) + counts.shape[1])
        log += np.where((code >= 0)[:, None], np.log(share[:, np.maximum(code, 0)].T), 0.0)
    weight = np.exp(log - log.max(axis=1, keepdims=True))
    labels = groups.labels / np.maximum(groups.labels.sum(axis=1, keepdims=True), 1e-12)
    return first_greatest(weight @ labels, weight.sum(axis=1, keepdims=True))


def _shares(groups: GroupStatistics) -> list[Floats]:
    """Return for each nominal column the share of each name in each group, shape (groups, names)."""
    return [counts / np.maximum(counts.sum(axis=1, keepdims=True), 1.0) for counts in groups.names]


def _commonest(groups: GroupStatistics) -> Ints:
    """Return the commonest label of each group; of equally common ones that commonest in all groups, then the first."""
    size = np.maximum(groups.labels.sum(axis=1, keepdims=True), 1.0)
    is_commonest = groups.labels >= groups.labels.max(axis=1, keepdims=True) - GRID * size
    whole = groups.labels.sum(axis=0)
    return first_greatest(np.where(is_commonest, whole, -1.0), max(float(whole.sum()), 1.0))
