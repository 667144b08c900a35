"""Trying guessable keys: a key made from a short number is found by counting.

An intruder who knows where a few people stand in the source, and true values of theirs that are
released untouched, can tell the right key from all others: under it the released rows stand
where the key's order puts them. A key of 256 bits from the operating system cannot be tried.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from ppdm_desktop.engine import progress

LOG2_CHANCE_ENOUGH = 40.0
"""A wrong key passes the test by chance once in 2 to this power, or the test proves nothing."""


def search_seeds(seeds: Sequence[int], fits: Callable[[int], bool]) -> int | None:
    """Return the first number whose key fits what is known, None where none of them does.

    Parameters
    ----------
    seeds
        Numbers to try, in this order.
    fits
        Whether the release looks as it would under the key of a number.
    """
    for tried, seed in enumerate(seeds):
        progress.report(tried / len(seeds), "doing.audit")
        if fits(seed):
            return seed
    return None


def people_needed(chances_alike: Sequence[float]) -> int | None:
    """Return how many known people tell a key for certain, None where all of them do not.

    Parameters
    ----------
    chances_alike
        For each known person, the chance that a record taken blindly shows the same values.
    """
    bits = 0.0
    for count, chance in enumerate(chances_alike, start=1):
        bits += -math.log2(chance) if chance > 0 else LOG2_CHANCE_ENOUGH
        if bits >= LOG2_CHANCE_ENOUGH:
            return count
    return None
