"""Trying guessable keys: a key made from a short number is found by trying all numbers.

An intruder who knows the source rows of a few people, and true values of theirs that are released unchanged, can
recognise the right key: under it the released rows are in the key's order. A key of 256 bits from the operating
system cannot be tried.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from ppdm_desktop.engine import progress

LOG2_CHANCE_ENOUGH = 40.0
"""The test is conclusive if a wrong key passes it with a chance of at most 2 to the power of minus this."""


def search_seeds(seeds: Sequence[int], fits: Callable[[int], bool]) -> int | None:
    """Return the first number whose key fits what is known; None if none fits.

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
    """Return how many known people are enough to recognise a key for certain; None if all of them are not.

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
