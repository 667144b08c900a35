"""Which records stand out: the fewest that have to go so that all others have their class."""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.identifiability.classes import Classes


def standing_out(classes: Classes, demands: Ints) -> Bools:
    """Return the records whose class is too small for them, and stays so however few others go.

    A class keeps its least demanding members: the largest m of which each asks for at most m.
    No smaller number of records could go.

    Parameters
    ----------
    classes
        Classes of equal quasi-identifiers.
    demands
        Class each record asks for.
    """
    rows = len(demands)
    if not rows:
        return np.zeros(0, dtype=np.bool_)
    order = np.lexsort((demands, classes.ids))
    ids = classes.ids[order]
    starts = np.cumsum(classes.sizes) - classes.sizes
    rank = np.arange(rows) - starts[ids] + 1
    content = np.where(demands[order] <= rank, rank, 0)
    kept = np.maximum.reduceat(content, starts)
    found = np.empty(rows, dtype=np.bool_)
    found[order] = rank > kept[ids]
    return found


def with_company(out: Bools, classes: Classes, demands: Ints, blank: Bools) -> Bools | None:
    """Return the records to hide so that the hidden ones are a class that is large enough too.

    The hidden records look alike. Where they are too few for one of them, whole classes join
    them, the smallest first, ties by row.

    Parameters
    ----------
    out
        Records that stand out.
    classes, demands
        As for ``standing_out``.
    blank
        Records that show no quasi-identifier anyway.

    Returns
    -------
    The records to hide; None when all records together would be too few.
    """
    if not out.any():
        return out
    hidden = out | blank
    have, asked = int(hidden.sum()), int(demands[hidden].max())
    if have >= asked:
        return out
    rest = np.flatnonzero(~hidden)
    sizes = np.bincount(classes.ids[rest], minlength=classes.count)
    first = np.full(classes.count, len(out), dtype=np.int64)
    np.minimum.at(first, classes.ids[rest], rest)
    most = np.zeros(classes.count, dtype=np.int64)
    np.maximum.at(most, classes.ids[rest], demands[rest])
    there = np.flatnonzero(sizes)
    order = there[np.lexsort((first[there], sizes[there]))]
    enough = have + np.cumsum(sizes[order]) >= np.maximum(np.maximum.accumulate(most[order]), asked)
    if not enough.any():
        return None
    joined = order[: int(np.argmax(enough)) + 1]
    return np.asarray(out | (~hidden & np.isin(classes.ids, joined)))
