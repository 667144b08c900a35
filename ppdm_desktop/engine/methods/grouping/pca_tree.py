"""Groups by cutting again and again along the direction in which records differ most.

Every cut leaves on either side at least as many records as the strictest of that side asks
for. All parts of one depth are cut together, so the cost is n log n with few passes.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ppdm_desktop.engine.progress import Progress

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

_NEVER = np.iinfo(np.int64).max


def pca_tree_groups(points: Floats, needs: Ints, progress: Progress) -> Ints:
    """Return each record's group, every group at least as large as each member asks for.

    Parts are cut at the middle, or where that would leave somebody short, at the nearest
    place that does not. Where all members of a part ask for the same, it is cut at a multiple
    of that, so that groups come out as small as allowed.

    Parameters
    ----------
    points
        Standardised values, (records, columns); at least as many records as the largest need.
    needs
        How large a group each record asks for, 1 and up.
    progress
        Reports and stops.
    """
    return cut_groups(points, needs, np.zeros(len(points), dtype=np.int64), progress)


def cut_groups(points: Floats, needs: Ints, group: Ints, progress: Progress) -> Ints:
    """Cut the groups there are for as long as everybody's need allows; numbered 0 and up.

    Parameters
    ----------
    points, needs, progress
        As in `pca_tree_groups`.
    group
        The groups to start from, 0 and up without gaps; each meets the needs of its members.
    """
    found = group.copy()
    made = int(group.max(initial=-1)) + 1
    rows = np.argsort(group, kind="stable")
    sizes = np.bincount(group, minlength=made)
    number = np.arange(made)
    whole = max(len(points), 1)
    while True:
        rows, sizes, number = _cuttable(rows, sizes, number, needs)
        if not len(rows):
            return found
        progress.report(1 - float(sizes.max()) / whole, "progress.grouping.search")
        part = np.repeat(np.arange(len(sizes)), sizes)
        along = _leading_projection(points[rows], part, sizes, progress)
        order = np.argsort(along, kind="stable")
        order = order[np.argsort(part[order], kind="stable")]
        rows = rows[order]
        left = _cuts(needs[rows], part, sizes)
        cut = left > 0
        fresh = made + np.cumsum(cut) - 1
        made += int(np.count_nonzero(cut))
        place = np.arange(len(rows)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        behind = (place >= left[part]) & cut[part]
        found[rows[behind]] = fresh[part[behind]]
        # A part that could not be cut is done; the others go on as two.
        rows = rows[cut[part]]
        sizes = np.column_stack([left[cut], sizes[cut] - left[cut]]).reshape(-1)
        number = np.column_stack([number[cut], fresh[cut]]).reshape(-1)


def _cuttable(rows: Ints, sizes: Ints, number: Ints, needs: Ints) -> tuple[Ints, Ints, Ints]:
    """Return the parts that might be cut: at least twice their least need."""
    if not len(rows):
        return rows, sizes, number
    starts = np.cumsum(sizes) - sizes
    least = np.minimum.reduceat(needs[rows], starts)
    keep = sizes >= np.maximum(2 * least, 2)
    return rows[np.repeat(keep, sizes)], sizes[keep], number[keep]


def _leading_projection(points: Floats, part: Ints, sizes: Ints, progress: Progress) -> Floats:
    """Return each record's place along the leading eigenvector of its part's covariance."""
    starts = np.cumsum(sizes) - sizes
    width = points.shape[1]
    centred = np.empty_like(points)
    for at in range(width):
        means = np.add.reduceat(points[:, at], starts) / sizes
        centred[:, at] = points[:, at] - means[part]
    if width == 1:
        return centred[:, 0]
    spread = np.empty((len(sizes), width, width))
    for one in range(width):
        progress.check()
        for other in range(one, width):
            products = np.add.reduceat(centred[:, one] * centred[:, other], starts)
            spread[:, one, other] = spread[:, other, one] = products
    along = np.zeros(len(part))
    axes = _leading(spread, progress)
    for at in range(width):
        along += centred[:, at] * axes[part, at]
    return along


def _leading(spread: Floats, progress: Progress) -> Floats:
    """Return the leading eigenvector of each matrix, its largest component positive."""
    found = np.empty(spread.shape[:2])
    for first in range(0, len(spread), 4_096):
        progress.check()
        vectors = np.linalg.eigh(spread[first : first + 4_096])[1][:, :, -1]
        largest = np.abs(vectors).argmax(axis=1)
        signs = np.where(vectors[np.arange(len(vectors)), largest] < 0, -1.0, 1.0)
        found[first : first + 4_096] = vectors * signs[:, None]
    return found


def _cuts(needs: Ints, part: Ints, sizes: Ints) -> Ints:
    """Return how many records of each part go to its left side; 0 where no cut is allowed."""
    starts = np.cumsum(sizes) - sizes
    most, least = np.maximum.reduceat(needs, starts), np.minimum.reduceat(needs, starts)
    place = np.arange(len(needs)) - starts[part]
    above = int(needs.max()) + 1
    # Parts lie one behind the other: shifted apart, one running maximum serves them all.
    before = np.maximum.accumulate(needs + part * above) - part * above
    back = (len(sizes) - 1 - part) * above
    behind = np.maximum.accumulate((needs + back)[::-1])[::-1] - back
    asked_left = np.concatenate([[0], before[:-1]])
    allowed = (place > 0) & (place >= asked_left) & (sizes[part] - place >= behind)
    uneven = np.where(allowed, np.abs(2 * place - sizes[part]), _NEVER)
    best = np.minimum.reduceat(uneven, starts)
    hits = np.flatnonzero((uneven == best[part]) & allowed)
    left = np.zeros(len(sizes), dtype=np.int64)
    # Written from the back, so that of two places equally far the first one stays.
    left[part[hits[::-1]]] = place[hits[::-1]]
    same = (most == least) & (sizes >= 2 * most)
    left[same] = ((sizes[same] // most[same] + 1) // 2) * most[same]
    return left
