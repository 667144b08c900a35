"""Values of a column that change places between records of the same class."""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.methods.algorithms.swapping.shuffled import shuffled_by
from ppdm_desktop.engine.randomness import RandomStream


def swapped_within(codes: Ints, classes: Ints, share: float, stream: RandomStream) -> Ints:
    """Return the codes after random pairs of records of one class have exchanged theirs.

    In every class ``2 * floor(share * n / 2)`` records change partners, so that the share of each
    value in each class stays exactly as it was (Zhu, Li & Wu 2009, step 1, for names).

    Parameters
    ----------
    codes, classes
        int64, shape (records,): value and class, -1 where missing (a class of its own).
    share
        Share of each class's records that take part, 0 .. 1.
    """
    order = shuffled_by(classes + 1, stream)
    sizes = np.bincount(classes + 1)
    starts = np.r_[0, np.cumsum(sizes)[:-1]]
    rank = np.arange(len(codes)) - np.repeat(starts, sizes)
    takes_part = rank < np.repeat(2 * np.floor(share * sizes / 2).astype(np.int64), sizes)
    chosen = order[takes_part]
    found = codes.copy()
    # Both ends of a pair stand side by side: every class takes part with an even number.
    found[chosen[0::2]] = codes[chosen[1::2]]
    found[chosen[1::2]] = codes[chosen[0::2]]
    return found
