"""Groups smaller than a member asks for are merged until none is left."""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.progress import Progress


def merge_to_size(points: Floats, needs: Ints, group: Ints, progress: Progress) -> tuple[Ints, int]:
    """Return groups as large as every member asks for, numbered 0 and up, and how many merges it took.

    While a group is too small, the smallest such group joins the group with which the sum
    of squares grows least: n1 n2 / (n1 + n2) |c1 - c2|^2 (Ward). Each merge leaves a
    group fewer, so it ends; it succeeds wherever there are as many records as the largest
    demand. Ties go to the lower number.

    Parameters
    ----------
    points
        Standardised values, (records, columns).
    needs
        How large a group each record asks for; none above the number of records.
    group
        Each record's group, 0 and up without gaps.
    progress
        Stops.
    """
    sizes = np.bincount(group)
    centres = np.zeros((len(sizes), points.shape[1]))
    np.add.at(centres, group, points)
    centres /= sizes[:, None]
    most = np.zeros(len(sizes), dtype=np.int64)
    np.maximum.at(most, group, needs)
    into = np.arange(len(sizes))
    merges = 0
    while True:
        progress.check()
        short = np.flatnonzero((sizes > 0) & (sizes < most))
        if not len(short):
            break
        one = int(short[sizes[short].argmin()])
        others = np.flatnonzero(sizes > 0)
        others = others[others != one]
        apart = ((centres[others] - centres[one]) ** 2).sum(axis=1)
        growth = sizes[others] * sizes[one] / (sizes[others] + sizes[one]) * apart
        other = int(others[growth.argmin()])
        total = sizes[one] + sizes[other]
        centres[other] += (centres[one] - centres[other]) * (sizes[one] / total)
        sizes[other], sizes[one] = total, 0
        most[other] = max(most[one], most[other])
        into[into == one] = other
        merges += 1
    return np.asarray(np.unique(into[group], return_inverse=True)[1].reshape(-1)), merges
