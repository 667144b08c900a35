"""How much protection is lost when an intruder combines several releases of one source.

Independent noise falls with the square root of the number of releases; the share of swaps that a vote among releases
undoes grows with it. An intruder needs columns that link the rows of different releases, which releases of one source
usually have.
"""

from __future__ import annotations

import math

import numpy as np

MOST_VALUES = 6


def compute_averaged_error(signal_to_noise: float, releases: int) -> float:
    """Return the RMS error of the best linear guess at a value from several noisy releases of it, in SDs of the noise.

    For a ratio of 1 and 3 releases it is the root of 1 / (3 + 1) = 0.5.

    Parameters
    ----------
    signal_to_noise
        Variance of the values over that of the noise of one release; 0 or less for a constant column, where the mean is
        the best guess and has no error.
    releases
        Number of independent releases, at least 1.
    """
    if signal_to_noise <= 0:
        return 0.0
    return math.sqrt(1.0 / (releases + 1.0 / signal_to_noise))


def shows_less_than_chance(keep_rate: float, categories: int) -> bool:
    """Return whether a randomised release shows a person's true value less often than each of the false ones.

    Then an intruder guesses the value that is shown least often. With more than 6 categories (`MOST_VALUES`) the
    result is False, because such a guess gains next to nothing.

    Parameters
    ----------
    keep_rate
        Chance that one release shows the true value.
    categories
        Number of values that the column can take.
    """
    return categories <= MOST_VALUES and keep_rate * categories < 1


def compute_vote_success(keep_rate: float, releases: int, categories: int = 2) -> float:
    """Return the chance that the best guess at a value from what several independently swapped releases show is right.

    An intruder who knows the method knows whether a release shows the truth more or less often than chance. They take
    the value with the fewest votes where it does so less often and there are at most 6 categories, and the value with
    the most votes otherwise. With one release of two categories and ``keep_rate`` 0.2 the chance is 0.8.

    Parameters
    ----------
    keep_rate
        Chance that one release shows the true value; every other value is shown as often as the next.
    releases
        Number of releases. Among tied values the guess is drawn with equal chances.
    categories
        Number of values, counted up to 6 (`MOST_VALUES`): more categories would only split the wrong votes further.
    """
    values = min(categories, MOST_VALUES)
    votes_cast = np.stack(np.meshgrid(*[np.arange(values)] * releases, indexing="ij"), axis=-1).reshape(-1, releases)
    chance = np.where(votes_cast == 0, keep_rate, (1 - keep_rate) / max(values - 1, 1)).prod(axis=1)
    votes = np.stack([(votes_cast == value).sum(axis=1) for value in range(values)], axis=1)
    best = votes.min if shows_less_than_chance(keep_rate, categories) else votes.max
    top = votes == best(axis=1, keepdims=True)
    return float((chance * top[:, 0] / top.sum(axis=1)).sum())
