"""Several releases of one source: what lining them up takes away from the protection.

Independent noise falls with the square root of the number of releases; the share of swaps that
a vote among releases undoes grows with it. An intruder needs columns that tell which rows belong
together, which releases of one source usually have.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ppdm_desktop.engine.arrays import Floats, Ints

MOST_VALUES = 6


def error_left(signal_to_noise: float, releases: int) -> float:
    """Return the error of the best linear guess from several noisy copies, in noise standard deviations.

    Parameters
    ----------
    signal_to_noise
        Variance of the values over that of the noise of one release; 0 for a constant column,
        where the mean is the best guess and has no error.
    releases
        Number of independent releases, at least 1.
    """
    if signal_to_noise <= 0:
        return 0.0
    return math.sqrt(1.0 / (releases + 1.0 / signal_to_noise))


def averaged(releases: Sequence[Floats], noise_variance: float) -> Floats:
    """Return the best linear guess at one column from several noisy copies of it, row by row.

    Parameters
    ----------
    releases
        The same column of each release, rows lined up.
    noise_variance
        Variance of the noise of one release; it is independent between releases.
    """
    middle = np.mean(np.stack(releases), axis=0)
    left = noise_variance / len(releases)
    seen = float(middle.var(ddof=1))
    kept = max(seen - left, 0.0) / seen if seen > 0 else 0.0
    return np.asarray(middle.mean() + kept * (middle - middle.mean()))


def shows_less_than_chance(kept: float, categories: int) -> bool:
    """Say whether a release shows a true value less often than each false one, so that votes tell what it is not.

    With more categories than `MOST_VALUES` there is next to nothing to gain from that.
    """
    return categories <= MOST_VALUES and kept * categories < 1


def voted(releases: Sequence[Ints], categories: int, kept: float = 1.0) -> Ints:
    """Return the likeliest category of each row: the commonest among several releases, the first's where equal.

    Where swapping shows the truth less often than chance (``kept``, as in `vote_right`) the rarest is
    the likeliest.
    """
    votes = np.zeros((len(releases[0]), categories), dtype=np.float64)
    rows = np.arange(len(releases[0]))
    for place, codes in enumerate(releases):
        known = codes >= 0
        votes[rows[known], codes[known]] += 1.0 + (0.5 if place == 0 else 0.0)
    against = shows_less_than_chance(kept, categories)
    return np.asarray(votes.argmin(axis=1) if against else votes.argmax(axis=1), dtype=np.int64)


def vote_right(kept: float, releases: int, categories: int = 2) -> float:
    """Return the chance that the best guess from the votes of independent swaps is right.

    An intruder who knows the method knows whether a release shows the truth more or less often than
    chance, and takes the value with most votes or with fewest.

    Parameters
    ----------
    kept
        Chance that one release shows the true value; every other value is shown as often as the next.
    releases
        Number of releases; of several values that are as likely each is taken with like chance.
    categories
        Number of values, counted up to `MOST_VALUES` (more of them split the wrong votes further).
    """
    values = min(categories, MOST_VALUES)
    shown = np.stack(np.meshgrid(*[np.arange(values)] * releases, indexing="ij"), axis=-1).reshape(-1, releases)
    chance = np.where(shown == 0, kept, (1 - kept) / max(values - 1, 1)).prod(axis=1)
    votes = np.stack([(shown == value).sum(axis=1) for value in range(values)], axis=1)
    best = votes.min if shows_less_than_chance(kept, categories) else votes.max
    top = votes == best(axis=1, keepdims=True)
    return float((chance * top[:, 0] / top.sum(axis=1)).sum())
