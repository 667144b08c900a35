"""The paper's grouping for large tables: in blocks of near records, each grouped by itself.

The procedure's time grows with the square of the number of records. A few records that ask for
much among many that ask for little are what it serves best: there its groups, made in
blocks, leave a quarter to a third fewer squares than cutting the table or gathering the
strictest first.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.methods.algorithms.condensation.paper import paper_groups
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.tie_breaking import first_greatest, on_grid

BLOCK = 2_000
"""Records of a block at most; more where a record asks for more than a quarter of that."""


def paper_groups_in_blocks(points: Floats, needs: Ints, progress: Progress) -> tuple[Ints, int]:
    """Return each record's group, 0 and up, and how often the procedure had to be helped.

    Parameters
    ----------
    points
        Standardised values, (records, columns); at least as many records as the largest demand.
    needs
        How large a group each record asks for, 1 or more.
    progress
        Reports and stops.
    """
    found = np.empty(len(points), dtype=np.int64)
    made = repairs = done = 0
    for rows in _blocks(points, max(BLOCK, 4 * int(needs.max())), progress):
        part = progress.part(done / len(points), (done + len(rows)) / len(points))
        block = paper_groups(points[rows], needs[rows], part)
        found[rows] = block.group + made
        made += int(block.group.max()) + 1
        repairs += block.repairs
        done += len(rows)
    return found, repairs


def _blocks(points: Floats, limit: int, progress: Progress) -> Iterator[Ints]:
    """Halve along the direction of largest variance until no block is above the limit.

    Blocks hold half the limit or more, and so as many records as anybody asks for.
    """
    waiting = [np.arange(len(points))]
    while waiting:
        progress.check()
        rows = waiting.pop()
        if len(rows) <= limit:
            yield rows
            continue
        centred = points[rows] - points[rows].mean(axis=0)
        axis = np.linalg.eigh(centred.T @ centred)[1][:, -1]
        axis = axis if axis[first_greatest(np.abs(axis), axis=0)] > 0 else -axis
        longest = max(float(np.square(centred).sum(axis=1).max()) ** 0.5, 1.0)
        order = np.argsort(on_grid(centred @ axis, longest), kind="stable")
        middle = len(rows) // 2
        waiting += [np.sort(rows[order[middle:]]), np.sort(rows[order[:middle]])]
