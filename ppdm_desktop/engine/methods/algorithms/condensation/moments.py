"""Statistics of condensed groups: size, mean and centred covariance; adding a record, merging and splitting.

C. C. Aggarwal and P. S. Yu, On Variable Constraints in Privacy Preserving Data Mining, SIAM SDM 2005, sections 2 and
3. The paper stores raw sums of values and of products; a covariance computed from these is lost to rounding where
values are large compared with their spread, so centred covariances are stored here. All functions work on plain
arrays, for one group or many at a time, and change nothing in place. Covariances have the divisor n. The paper's
footnote has two slips: the width of a uniform distribution with variance l is a = sqrt(12 l), and half of such a
distribution lies a/4 = sqrt(12 l)/4 from the middle.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Floats, Ints, find_first_largest


@dataclass(frozen=True, eq=False)
class GroupMoments:
    """Statistics of groups: sizes, means, covariances and demanded group sizes.

    Attributes
    ----------
    n
        int64, shape (groups,): number of records.
    mean
        Mean of each column, shape (groups, d).
    covariance
        Shape (groups, d, d), centred, divisor n.
    pmax
        int64, shape (groups,): largest group size that any member asks for.
    psum
        Shape (groups,): sum of the group sizes that members ask for (the paper's Ps).
    """

    n: Ints
    mean: Floats
    covariance: Floats
    pmax: Ints
    psum: Floats


def group_moments(points: Floats, group: Ints, needs: Ints) -> GroupMoments:
    """Return size, mean and covariance of every group, and the largest and the sum of its members' demands.

    Covariances divide by the number of records, not by one less.

    Parameters
    ----------
    points
        Values of the records, shape (records, d).
    group
        Each record's group, 0 and up without gaps.
    needs
        The group size that each record asks for.
    """
    count = int(group.max(initial=-1)) + 1
    records, width = points.shape
    n = np.bincount(group, minlength=count).astype(np.int64)
    offset = points.mean(axis=0) if records else np.zeros(width)
    near = points - offset
    shift = (
        np.stack([np.bincount(group, near[:, j], count) for j in range(width)], 1) if width else np.zeros((count, 0))
    )
    shift = shift / n[:, None]
    near -= shift[group]
    covariance = np.empty((count, width, width))
    for i in range(width):
        for j in range(i, width):
            covariance[:, i, j] = np.bincount(group, near[:, i] * near[:, j], count) / n
            covariance[:, j, i] = covariance[:, i, j]
    pmax = np.zeros(count, dtype=np.int64)
    np.maximum.at(pmax, group, needs)
    return GroupMoments(n, offset + shift, covariance, pmax, np.bincount(group, needs, count).astype(np.float64))


def insert_record(n: Ints | int, mean: Floats, covariance: Floats, point: Floats) -> tuple[Ints, Floats, Floats]:
    """Return size, mean and covariance of one or many groups after adding one record to each.

    With d = x - m: C becomes (n C + n/(n+1) d d') / (n+1), and m becomes m + d/(n+1). For many groups all arrays have
    a leading dimension for the groups.

    ``covariance`` divides by n, not n - 1.
    """
    size = np.asarray(n, dtype=np.int64)
    more = (size + 1)[..., None]
    step = point - mean
    outer = step[..., :, None] * step[..., None, :]
    old = size[..., None, None]
    return size + 1, mean + step / more, (old * covariance + outer * (old / (old + 1))) / (old + 1)


def insert_incomplete_record(
    n: int, known_counts: Ints, mean: Floats, covariance: Floats, point: Floats, has: Bools
) -> tuple[Floats, Floats]:
    """Return mean and covariance of one group after adding a record with some missing values.

    Missing values count as the group's mean of the known ones. With k known values of a column its mean moves by
    d/(k+1) and its sum of squares grows by d^2 k/(k+1), exactly (so a column without known values takes the value as
    its mean); products of two columns take the geometric mean of both shares, which keeps every variance at 0 or above.

    Parameters
    ----------
    n
        Number of records before.
    known_counts
        Shape (d,): number of known values of each column before.
    mean, covariance
        Mean and covariance before, shapes (d,) and (d, d).
    point, has
        Shape (d,): the record, and which of its values are not missing.
    """
    step = np.where(has, point - mean, 0.0)
    weighted = step * np.sqrt(known_counts / (known_counts + 1))
    return mean + step / (known_counts + 1), (n * covariance + np.outer(weighted, weighted)) / (n + 1)


Part = tuple[int, Ints, Floats, Floats]


def merge_moments(first: Part, second: Part) -> tuple[Floats, Floats]:
    """Return the mean and the covariance of two groups together.

    A column known in neither group keeps the first group's mean.

    Parameters
    ----------
    first, second
        Each group's number of records, number of known values of each column (shape (d,)), mean and covariance, in
        which missing values count as the mean.
    """
    (n, first_known, mean, covariance), (more, also, middle, spread) = first, second
    both = np.maximum(first_known + also, 1)
    step = middle - mean
    weighted = step * np.sqrt(first_known * also / both)
    together = (n * covariance + more * spread + np.outer(weighted, weighted)) / (n + more)
    return mean + step * (also / both), together


def orient_eigenvectors(vectors: Floats) -> Floats:
    """Return eigenvectors (columns of the last two dimensions) with signs that make one component positive.

    It is the one with the largest absolute value; if several are equally large, the first.
    """
    largest = find_first_largest(np.abs(vectors), axis=-2)[..., None, :]
    signs = np.where(np.take_along_axis(vectors, largest, axis=-2) < 0, -1.0, 1.0)
    return np.asarray(vectors * signs)


def compute_axes(covariance: Floats) -> tuple[Floats, Floats]:
    """Return eigenvalues (rising, never below 0) and eigenvectors of one or many covariances.

    Eigenvectors are columns, each with its largest component positive.
    """
    values, vectors = np.linalg.eigh(covariance)
    return np.maximum(values, 0.0), orient_eigenvectors(vectors)


@dataclass(frozen=True, eq=False)
class Half:
    """One part of a split group: size, mean, covariance, and sum of the group sizes that its members ask for."""

    n: int
    mean: Floats
    covariance: Floats
    psum: float


def split_moments(n: int, mean: Floats, covariance: Floats, psum: float, first: int) -> tuple[Half, Half]:
    """Return the statistics of both parts of a group cut across its longest axis, along which it counts as uniform.

    With a = sqrt(12 l) the width along the leading eigenvector e (l is its eigenvalue), and f = first/n: the parts'
    means are m - (a/2)(1-f) e and m + (a/2) f e, their variances along e are f^2 l and (1-f)^2 l. Together they have
    the mean and the covariance of the whole, because f^3 + (1-f)^3 + 3 f (1-f) = 1; for f = 1/2 this is the paper's
    split. The sum of demands is divided like the records, without rounding.

    Parameters
    ----------
    n, mean, covariance, psum
        Size, mean, covariance and sum of demanded group sizes of the group.
    first
        Number of records of the first part, 1 to n - 1.

    Raises
    ------
    ValueError
        When a part would have no record.
    """
    if not 0 < first < n:
        raise ValueError("both parts need a record")
    values, vectors = compute_axes(covariance)
    longest, along = float(values[-1]), vectors[:, -1]
    share = first / n
    half = np.sqrt(12.0 * longest) / 2.0
    outer = np.outer(along, along)
    return (
        Half(first, mean - half * (1 - share) * along, covariance - longest * (1 - share**2) * outer, psum * share),
        Half(
            n - first,
            mean + half * share * along,
            covariance - longest * (1 - (1 - share) ** 2) * outer,
            psum * (1 - share),
        ),
    )


def average_covariance(n: Ints, covariance: Floats) -> Floats:
    """Return the mean of the groups' covariances, weighted by their records; shape (d, d)."""
    return np.asarray(np.einsum("g,gij->ij", n / n.sum(), covariance))


# --- logarithms ---------------------------------------------------------------------------

_NEAR = 2.0
"""Standard deviations from an end of the range within which a group's values would often cross it."""
_LEAST_PRODUCT = 0.05
"""Smallest mean of a product of two distances from ends that counts, as a share of the product of their means."""


@dataclass(frozen=True, eq=False)
class Logarithms:
    """Statistics of groups in which some columns are replaced by the logarithm of the distance from a range's end.

    Attributes
    ----------
    mean, covariance
        Mean and covariance of each group; the mean of a replaced column is the logarithm of the mean distance.
    end
        The end from which distances are measured, shape (groups, d).
    side
        Shape (groups, d): 1 where values lie above the end, -1 where they lie below it, 0 where the column is not
        replaced.
    """

    mean: Floats
    covariance: Floats
    end: Floats
    side: Floats

    def undo(self, made: Floats, of_group: Ints) -> Floats:
        """Return records with logarithms turned back into values, shape (rows, d).

        ``made`` has the records as drawn from these statistics, and ``of_group`` each record's group.
        """
        side = self.side[of_group]
        return np.where(side == 0, made, self.end[of_group] + side * np.exp(np.where(side == 0, 0.0, made)))


def move_to_logarithms(mean: Floats, covariance: Floats, low: Floats, high: Floats) -> Logarithms:
    """Return statistics in which columns close to an end of their range become logarithms of the distance from it.

    A column is close to an end in a group whose mean lies inside the range and less than two standard deviations away
    from the nearer end. The mean becomes the logarithm of its distance from the end. Covariances are those of lognormal
    distances: log(1 + c / (m n)) for mean distances m and n (the sign of c changes for each upper end; the quotient
    counts as at least -0.95), and c / m with a column that is not replaced. The result also has the ends, and 1 for a
    lower and -1 for an upper end; both are 0 where a column is not replaced.

    Parameters
    ----------
    mean, covariance
        Means and covariances of the groups, shapes (groups, d) and (groups, d, d).
    low, high
        Ends of the columns' ranges, shape (d,), infinite where a column has no end.
    """
    side = np.where(mean - low <= high - mean, 1.0, -1.0)
    end = np.where(side > 0, low, high)
    distance = side * (mean - end)
    is_near = (distance > 0) & (distance < _NEAR * np.sqrt(np.maximum(np.einsum("gii->gi", covariance), 0.0)))
    distance, side = np.where(is_near, distance, 1.0), np.where(is_near, side, 0.0)
    share = np.where(is_near, side / distance, 1.0)
    relative = covariance * share[:, :, None] * share[:, None, :]
    both = is_near[:, :, None] & is_near[:, None, :]
    return Logarithms(
        np.where(is_near, np.log(distance), mean),
        np.where(both, np.log1p(np.maximum(relative, _LEAST_PRODUCT - 1)), relative),
        np.where(is_near, end, 0.0),
        side,
    )
