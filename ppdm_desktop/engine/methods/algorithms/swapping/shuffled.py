"""Random order within groups, by one sort of whole numbers."""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.randomness import RandomStream

_WORD = 64


def shuffle_by_keys(keys: Ints, stream: RandomStream) -> Ints:
    """Return the indexes of the entries, int64, in an order that is sorted by key and random among equal keys.

    Parameters
    ----------
    keys
        Whole numbers from 0, far below 2**32, so that at least 32 random bits break ties; entries that draw the same
        bits keep their order.
    stream
        The random stream.
    """
    bits = int(keys.max(initial=0)).bit_length()
    random_words = stream.words(len(keys)) >> np.uint64(bits)
    high = keys.astype(np.uint64) << np.uint64(_WORD - bits) if bits else np.uint64(0)
    return np.argsort(random_words | high, kind="stable").astype(np.int64)


def rank_within(sorted_keys: Ints) -> Ints:
    """Return the rank of each entry within its run of equal keys, int64 from 0: 5, 5, 7 give 0, 1, 0."""
    if len(sorted_keys) == 0:
        return np.zeros(0, dtype=np.int64)
    starts = np.flatnonzero(np.r_[True, sorted_keys[1:] != sorted_keys[:-1]])
    lengths = np.diff(np.r_[starts, len(sorted_keys)])
    return np.asarray(np.arange(len(sorted_keys)) - np.repeat(starts, lengths))
