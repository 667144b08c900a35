"""From the fittest choice to the released rows: repair of one-class cells, and copies."""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.randomness import RandomStream


def made_diverse(chosen: Bools, cell: Ints, classes: Ints, stream: RandomStream) -> tuple[Bools, int]:
    """Return the choice without one-class cells, and how many records were exchanged for it.

    In a one-class cell of several chosen records one is replaced by a record of another class in that cell. A cell
    with one chosen record is given up. Freed places go to cells that show two classes already; where there is none,
    the largest cell gets its first two.

    Parameters
    ----------
    chosen
        bool, shape (records,): which may be chosen from and were.
    cell, classes
        int64, shape (records,): every record's cell and class; every cell holds two classes.
    """
    included = chosen.copy()
    rank = stream.permutation(len(chosen))
    for mixed_cell in _one_class_cells(included, cell, classes).tolist():
        inside = np.flatnonzero(cell == mixed_cell)
        mine = inside[included[inside]]
        candidates = inside[~included[inside] & (classes[inside] != classes[mine[0]])]
        included[mine[np.argmin(rank[mine])]] = False
        if len(mine) > 1:
            included[candidates[np.argmin(rank[candidates])]] = True
    lacking = int(chosen.sum() - included.sum())
    while lacking > 0:
        pool = np.flatnonzero(~included & np.isin(cell, np.unique(cell[included])))
        if len(pool):
            included[pool[np.argsort(rank[pool], kind="stable")[:lacking]]] = True
        else:
            closed = np.flatnonzero(~included)
            if lacking < 2 or not len(closed):
                break
            mixed_cell = int(np.bincount(cell[closed]).argmax())
            inside = closed[cell[closed] == mixed_cell]
            first = inside[np.argmin(rank[inside])]
            candidates = inside[classes[inside] != classes[first]]
            included[[first, candidates[np.argmin(rank[candidates])]]] = True
        lacking = int(chosen.sum() - included.sum())
    return included, int((included & ~chosen).sum()) + max(lacking, 0)


def _one_class_cells(chosen: Bools, cell: Ints, classes: Ints) -> Ints:
    """Return the cells whose chosen records all have the same class."""
    rows = np.flatnonzero(chosen)
    pairs = np.unique(np.stack([cell[rows], classes[rows]]), axis=1)
    cells, kinds = np.unique(pairs[0], return_counts=True)
    return np.asarray(cells[kinds == 1], dtype=np.int64)


def copies(records: Ints, rows: int, stream: RandomStream) -> Ints:
    """Return the record of each released row, in an order drawn by the key.

    All records stand equally often; the remaining rows go to records drawn at random, one each.

    Parameters
    ----------
    records
        The chosen records, at least one.
    rows
        Released rows.
    """
    often, rest = divmod(rows, len(records))
    lucky = stream.permutation(len(records))[:rest]
    copied = np.r_[np.repeat(records, often), records[lucky]]
    return np.asarray(copied[stream.permutation(rows)], dtype=np.int64)
