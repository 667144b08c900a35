"""Forms groups by repeated cuts along the direction in which records differ most.

Every cut leaves on either side at least as many records as the largest demand on that side. All parts of one depth are
cut together, so the cost is n log n with few passes.
"""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Floats, Ints, find_first_largest, on_grid

_NEVER = np.iinfo(np.int64).max
_BATCH, _BATCH_CELLS = 4_096, 1 << 20
# From as many columns on, parts with fewer records than columns are cut by the records' products:
# texts written as many columns of noughts and ones would take most of the time otherwise.
_WIDE = 16
_MANY, _LONG = 20_000, 200
"""Numbers of records, and of records per part on average, beyond which the products of a part's columns are computed as
one product of matrices; its sums are added in another order.
"""


def pca_tree_groups(points: Floats, needs: Ints) -> Ints:
    """Return the index of each record's group; every group is at least as large as each of its members demands.

    Parts are cut at the middle or, if that would make a part too small, at the nearest position that does not. If all
    members of a part demand the same size, the part is cut at a multiple of this size, so that groups are as small as
    allowed.

    Parameters
    ----------
    points
        Standardised values, shape (records, columns); at least as many records as the largest demand.
    needs
        The group size that each record demands, from 1 on.
    """
    return cut_groups(points, needs, np.zeros(len(points), dtype=np.int64))


def cut_groups(points: Floats, needs: Ints, group: Ints) -> Ints:
    """Return the groups after cutting each of them for as long as the demands allow; numbered from 0.

    A group is cut across the direction in which its records differ most, as evenly as the demands allow. The left part
    of a cut keeps the number of its group, and right parts get new numbers. ``group`` is not changed.

    Parameters
    ----------
    points, needs
        Standardised values, and the group size that each record demands.
    group
        The groups to start from, numbered from 0 without gaps; each meets the demands of its members.
    """
    cut_group = group.copy()
    made = int(group.max(initial=-1)) + 1
    rows = np.argsort(group, kind="stable")
    sizes = np.bincount(group, minlength=made)
    number = np.arange(made)
    whole, longest = max(len(points), 1), max(float(np.square(points).sum(axis=1).max(initial=0.0)) ** 0.5, 1.0)
    while True:
        rows, sizes, number = _select_cuttable_parts(rows, sizes, number, needs)
        if not len(rows):
            return cut_group
        progress.report(1 - float(sizes.max()) / whole, "progress.method.groups")
        part = np.repeat(np.arange(len(sizes)), sizes)
        along = _project_on_leading(points[rows], part, sizes)
        progress.check()
        order = np.argsort(on_grid(along, longest), kind="stable")
        progress.check()
        order = order[np.argsort(part[order], kind="stable")]
        rows = rows[order]
        progress.check()
        left = _count_left_records(needs[rows], part, sizes)
        progress.check()
        cut = left > 0
        fresh = made + np.cumsum(cut) - 1
        made += int(np.count_nonzero(cut))
        position = np.arange(len(rows)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        behind = (position >= left[part]) & cut[part]
        cut_group[rows[behind]] = fresh[part[behind]]
        # A part that could not be cut is done; the others go on as two.
        rows = rows[cut[part]]
        sizes = np.column_stack([left[cut], sizes[cut] - left[cut]]).reshape(-1)
        number = np.column_stack([number[cut], fresh[cut]]).reshape(-1)


def _select_cuttable_parts(rows: Ints, sizes: Ints, number: Ints, needs: Ints) -> tuple[Ints, Ints, Ints]:
    """Return the rows, sizes and numbers of the parts that might be cut: at least twice as large as their least demand.

    ``rows`` are sorted by part; sizes and numbers have one entry for each part.
    """
    if not len(rows):
        return rows, sizes, number
    starts = np.cumsum(sizes) - sizes
    least = np.minimum.reduceat(needs[rows], starts)
    keep = sizes >= np.maximum(2 * least, 2)
    return rows[np.repeat(keep, sizes)], sizes[keep], number[keep]


def _project_on_leading(points: Floats, part: Ints, sizes: Ints) -> Floats:
    """Return each record's coordinate along the direction in which its part differs most, float64, shape (records,).

    The direction is the leading eigenvector of the part's covariance; coordinates are relative to the part's mean.
    ``points`` are sorted by part, ``part`` is the part of each record.
    """
    starts = np.cumsum(sizes) - sizes
    width = points.shape[1]
    # Column by column in memory: most of the work is sums of products of two columns.
    points = np.asfortranarray(points)
    centred = np.empty_like(points)
    for at in range(width):
        progress.check()
        means = np.add.reduceat(points[:, at], starts) / sizes
        centred[:, at] = points[:, at] - means[part]
    if width == 1:
        return centred[:, 0]
    axes = np.empty((len(sizes), width))
    few = sizes < (width if width >= _WIDE else 0)
    for chosen, leading in ((~few, _find_leading_by_columns), (few, _find_leading_by_records)):
        if chosen.any():
            axes[chosen] = leading(np.asfortranarray(centred[chosen[part]]), sizes[chosen])
    along = np.zeros(len(part))
    for at in range(width):
        progress.check()
        along += centred[:, at] * axes[part, at]
    return along


def _find_leading_by_columns(centred: Floats, sizes: Ints) -> Floats:
    """Return the leading eigenvector of each part's covariance, shape (parts, columns), largest component positive.

    It has length 1, even for a part whose records are all equal. ``centred`` are the records less their part's mean,
    sorted by part, and ``sizes`` the number of records of each part.
    """
    starts = np.cumsum(sizes) - sizes
    width = centred.shape[1]
    spread = np.empty((len(sizes), width, width))
    if width >= _WIDE and len(centred) > max(_MANY, _LONG * len(sizes)):
        for number, (start, size) in enumerate(zip(starts.tolist(), sizes.tolist(), strict=True)):
            progress.check()
            part_rows = centred[start : start + size]
            np.matmul(part_rows.T, part_rows, out=spread[number])
        return _fix_signs(_find_top_eigenvectors(spread))
    for row in range(width):
        for column in range(row, width):
            progress.check()
            products = np.add.reduceat(centred[:, row] * centred[:, column], starts)
            spread[:, row, column] = spread[:, column, row] = products
    return _fix_signs(_find_top_eigenvectors(spread))


def _find_leading_by_records(centred: Floats, sizes: Ints) -> Floats:
    """Return the leading eigenvector of the covariance of each part that has fewer records than columns.

    It is computed from products of records: the leading eigenvector u of X X' belongs to the leading eigenvector X'u of
    X'X, and the first matrix is only as wide as there are records. For a part whose records are all equal it is zero.

    The result has shape (parts, columns), each with a positive largest component; ``centred`` are the records less
    their part's mean, sorted by part, and ``sizes`` the number of records of each part.
    """
    starts = np.cumsum(sizes) - sizes
    leading = np.empty((len(sizes), centred.shape[1]))
    for size in np.unique(sizes).tolist():
        which = np.flatnonzero(sizes == size)
        batch = max(1, _BATCH_CELLS // (size * centred.shape[1]))
        for first in range(0, len(which), batch):
            progress.check()
            chunk = which[first : first + batch]
            part_rows = centred[starts[chunk][:, None] + np.arange(size)]
            vectors = _find_top_eigenvectors(np.einsum("pik,pjk->pij", part_rows, part_rows))
            axes = np.einsum("pik,pi->pk", part_rows, vectors)
            length = np.sqrt((axes * axes).sum(axis=1, keepdims=True))
            leading[chunk] = np.divide(axes, length, out=np.zeros_like(axes), where=length > 0)
    return _fix_signs(leading)


def _find_top_eigenvectors(matrices: Floats) -> Floats:
    """Return the eigenvector of each matrix's largest eigenvalue, shape (matrices, columns), of length 1 and any sign.

    Matrices are symmetric, shape (matrices, columns, columns).
    """
    vectors = np.empty(matrices.shape[:2])
    for first in range(0, len(matrices), _BATCH):
        progress.check()
        vectors[first : first + _BATCH] = np.linalg.eigh(matrices[first : first + _BATCH])[1][:, :, -1]
    return vectors


def _fix_signs(vectors: Floats) -> Floats:
    """Return vectors of length 1 or 0 with signs such that the largest component (the first of equals) is positive."""
    largest = find_first_largest(np.abs(vectors))
    signs = np.where(vectors[np.arange(len(vectors)), largest] < 0, -1.0, 1.0)
    return vectors * signs[:, None]


def _count_left_records(needs: Ints, part: Ints, sizes: Ints) -> Ints:
    """Return how many records of each part go to the left side of its cut; 0 if no cut is allowed.

    Both sides must be as large as each of their members demands. The most even cut is taken, of equal ones the first;
    in a part whose members all demand the same, the most even one that leaves a multiple of this demand on the left
    side (of equal ones the one with the larger left side: 6 records that demand 2 give 4). ``needs`` and ``part`` are
    those of each record, sorted by part and along the cut.
    """
    starts = np.cumsum(sizes) - sizes
    most, least = np.maximum.reduceat(needs, starts), np.minimum.reduceat(needs, starts)
    position = np.arange(len(needs)) - starts[part]
    above = int(needs.max()) + 1
    # Parts lie one behind the other: shifted apart, one running maximum serves them all.
    before = np.maximum.accumulate(needs + part * above) - part * above
    back = (len(sizes) - 1 - part) * above
    behind = np.maximum.accumulate((needs + back)[::-1])[::-1] - back
    asked_left = np.concatenate([[0], before[:-1]])
    allowed = (position > 0) & (position >= asked_left) & (sizes[part] - position >= behind)
    uneven = np.where(allowed, np.abs(2 * position - sizes[part]), _NEVER)
    best = np.minimum.reduceat(uneven, starts)
    hits = np.flatnonzero((uneven == best[part]) & allowed)
    left = np.zeros(len(sizes), dtype=np.int64)
    # Written from the back, so that of two places equally far the first one stays.
    left[part[hits[::-1]]] = position[hits[::-1]]
    same = (most == least) & (sizes >= 2 * most)
    left[same] = ((sizes[same] // most[same] + 1) // 2) * most[same]
    return left
