"""What an intruder believes about the value of one person, and how much uncertainty the release leaves.

A *belief* b is the probability that an intruder who has seen the release gives to a value; the *control* a is the same
without this person's own rows. A common value is believed of everyone, so what counts is the remaining uncertainty:
the uncertainty ratio (1 - b) / (1 - a), the least over all values that might be guessed. A ratio of 0.1 means that the
person's rows removed nine tenths of the uncertainty.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ppdm_desktop.engine.arrays import GRID, Bools, Floats, on_grid

NEARLY_CERTAIN = 1 / 20
"""Ratio at and below which a right belief counts as near-certain: 19 of 20 parts of the uncertainty are gone."""
CONFIRMED = 1 - 1e-9
"""Belief from which on only one value is possible."""
SURE_BEFORE = 1e-12
"""Uncertainty at and below which an intruder without the person's rows is sure already."""
FEWEST_WORST_CASE = 20
MOST_HOLDERS = 0.12
"""A value, or a tail of a distribution, that more than this share holds is no rare secret."""
RARE_CATEGORY = 0.10
TAILS = (0.01, 0.05, 0.10)
NAMED = 0.5
"""Belief from which on a person is named as a holder of a rare secret."""
SHOWN_RECALL = 0.25
FEWEST_HOLDERS = 5
"""Least number of people in a class who hold the value that nearly everybody there has."""
MOST_ELSEWHERE = 0.5
"""A class is not revealing by a value that a larger share of all other people holds."""
ONE_SECRET = 0.9
"""Least belief in one value, and least share of a class's people with that belief, for the class to reveal it."""


@dataclass(frozen=True, eq=False)
class Uncertainty:
    """The uncertainty that the release leaves about each person's value.

    Attributes
    ----------
    ratio
        Uncertainty ratio (1 - belief) / (1 - control) of each person, shape (people,); 1 where the release reveals
        nothing.
    right
        Whether the guess with the lowest ratio is right, shape (people,).
    confirmed
        Whether that guess is the only one possible, shape (people,).
    """

    ratio: Floats
    right: Bools
    confirmed: Bools

    @classmethod
    def unchanged(cls, people: int) -> Uncertainty:
        """Return the uncertainty about this number of people of whom the release reveals nothing."""
        return cls(np.ones(people), *np.zeros((2, people), np.bool_))

    @property
    def certain(self) -> Bools:
        """Flags of people whose value can be guessed rightly, nearly without doubt, because of the release.

        The guess is the only one possible, or the uncertainty is at most a twentieth (``NEARLY_CERTAIN``) of what it is
        without the person's rows. A guess that is about as sure without these rows does not count, unless it is the
        only one possible.
        """
        return np.asarray(self.right & (self.confirmed | (self.ratio <= NEARLY_CERTAIN + GRID)))

    @property
    def certain_but_wrong(self) -> Bools:
        """Flags of people about whose value an intruder is as sure as in `certain`, but guesses wrongly."""
        return np.asarray(~self.right & (self.confirmed | (self.ratio <= NEARLY_CERTAIN + GRID)))

    def short_of(self, demanded: float | Floats) -> Bools:
        """Return flags of people whose value is guessed right with an uncertainty ratio of at most 1 / ``demanded``.

        ``demanded`` is one number, or a number for each person.
        """
        return np.asarray(self.right & (self.ratio <= 1.0 / demanded + GRID))

    def least(self, uncertainty: Uncertainty) -> Uncertainty:
        """Return for each person the entry with the lower uncertainty ratio, from this object or from the other.

        For equal ratios it is this object's entry. ``confirmed`` is also True where either object has a right guess
        that is the only one possible.
        """
        mine = self.ratio <= uncertainty.ratio + GRID
        return Uncertainty(
            np.where(mine, self.ratio, uncertainty.ratio),
            np.where(mine, self.right, uncertainty.right),
            (self.confirmed & self.right)
            | (uncertainty.confirmed & uncertainty.right)
            | np.where(mine, self.confirmed, uncertainty.confirmed),
        )


def uncertainty_ratio(belief: Floats, control: Floats) -> Floats:
    """Return the remaining uncertainty (1 - belief) / (1 - control), elementwise, in the shape of the arguments.

    The belief is the probability that an intruder gives to a value, the control the same without the person's own rows:
    0.9 and 0.5 give 0.2. The ratio is below 1 where the release reveals something and above 1 where it misleads. Where
    the control is 1, nothing can be revealed: the result is 0 for a belief of 1, else 1.
    """
    residual, before = 1.0 - belief, 1.0 - control
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = residual / before
    return np.where(before <= SURE_BEFORE, np.where(residual <= 1 - CONFIRMED, 0.0, 1.0), ratio)


@dataclass(frozen=True)
class WorstCaseGroup:
    """The worst-case people, whose uncertainty ratio is lowest, and how often the guess about them is right.

    Attributes
    ----------
    people
        Number of these people: one in a hundred but at least twenty (all where there are fewer), and everyone tied
        with the last of them.
    right, control
        How many of them are guessed right from the release, and without their own rows.
    """

    people: int
    right: int
    control: int

    @property
    def share(self) -> float:
        """Share of the worst-case people who are guessed right, 0 to 1; 0 where there are no people."""
        return self.right / max(self.people, 1)

    @property
    def gain(self) -> float:
        """Share of the worst-case people guessed right from the release, less the share without their rows; -1 to 1."""
        return (self.right - self.control) / max(self.people, 1)


def measure_worst_case(uncertainty: Uncertainty, control_right: Bools) -> WorstCaseGroup:
    """Return how many people have the lowest uncertainty ratio, and for how many guess and control are right.

    Those are the lowest 1 % of people, but at least 20 (or everybody where there are fewer), and all who are tied with
    the last of them. All counts are 0 where there are no people.

    Parameters
    ----------
    uncertainty
        The remaining uncertainty about every person, shape (people,).
    control_right
        Whether the best guess without the person's own rows is right, shape (people,).
    """
    people = len(uncertainty.ratio)
    wanted = min(people, max(FEWEST_WORST_CASE, -(-people // 100)))
    if wanted == 0:
        return WorstCaseGroup(0, 0, 0)
    ratio = on_grid(uncertainty.ratio)
    last = np.partition(ratio, wanted - 1)[wanted - 1]
    below, tied = ratio < last, ratio == last
    # Everyone tied with the last one counts, as all people of a class do: to stand first in the file is no worse.
    chosen = below | tied
    count, right, control = (
        int(np.count_nonzero(chosen & which)) for which in (True, uncertainty.right, control_right)
    )
    return WorstCaseGroup(count, right, control)


@dataclass(frozen=True)
class RareSecret:
    """How well an intruder can name the people who hold one rare value.

    Attributes
    ----------
    secret
        The category, or the number at which a tail of numbers begins.
    above
        For a tail: whether it lies above that number; None for a category.
    holders, named, right
        Numbers of people who hold the value, who are named as holders, and who are named and hold it.
    is_named, holds
        Flags of people who are named as holders, and of those who are holders, each of shape (people,).
    """

    secret: str | float
    above: bool | None
    holders: int
    named: int
    right: int
    is_named: Bools = field(compare=False, repr=False, default_factory=lambda: np.zeros(0, np.bool_))
    holds: Bools = field(compare=False, repr=False, default_factory=lambda: np.zeros(0, np.bool_))

    @property
    def share(self) -> float:
        """Share of the people named as holders who really are holders, 0 to 1; 0 where nobody is named."""
        return self.right / max(self.named, 1)

    @property
    def recall(self) -> float:
        """Share of the people with the rare value whom the attack names, 0 to 1; 0 where nobody has it."""
        return self.right / self.holders if self.holders else 0.0

    def among(self, people: Bools) -> RareSecret:
        """Return the result counted again among the flagged people only (bool, shape (people,))."""
        return measure_rare_secret(self.secret, self.is_named & people, self.holds & people, above=self.above)


def measure_rare_secret(secret: str | float, named: Bools, holds: Bools, *, above: bool | None = None) -> RareSecret:
    """Return how well the holders of one rare value are named, from flags of people named and of true holders.

    ``named`` and ``holds`` have shape (people,). ``above`` tells whether a tail of numbers lies above ``secret``; None
    for a category.
    """
    count, right = int(named.sum()), int((named & holds).sum())
    return RareSecret(secret, above, int(holds.sum()), count, right, named, holds)


def worst_secret(rare_secrets: Sequence[RareSecret]) -> RareSecret | None:
    """Return the rare value with the largest share of true holders among those named, None where there is none.

    Only values of which at least a quarter of the holders are named are compared; if there are none, all are. Of
    values with equal shares, the one with most holders named is returned.
    """
    likely = [secret for secret in rare_secrets if secret.recall >= SHOWN_RECALL]
    return max(likely or rare_secrets, key=lambda secret: (secret.share, secret.right), default=None)


def half_widths(guesses: Floats, values: Floats, weights: Floats, step: float) -> Floats:
    """Return for each guess how far the true number may lie from it and still count as guessed right.

    It is the largest of half a step, a twentieth of the standard deviation, and a tenth of the guess's distance from
    the median: with median 100, standard deviation 20 and step 1 it is 1 for a guess of 100 and 3 for a guess of 130.
    The tenth is the 10 % of the p %-rule of official statistics.

    Parameters
    ----------
    guesses
        The guessed numbers, shape (guesses,).
    values, weights
        The distribution that spread and median are taken from, rising values and weights that sum to 1, shape
        (values,).
    step
        Distance of neighbouring numbers that the column can take.
    """
    middle = float(values[min(int(np.searchsorted(weights.cumsum(), 0.5 - GRID)), len(values) - 1)])
    mean = float(weights @ values)
    spread = math.sqrt(max(float(weights @ np.square(values)) - mean**2, 0.0))
    wide = np.maximum(max(step / 2, spread / 20), np.abs(guesses - middle) / 10)
    return np.asarray(wide + 1e-9 * max(step, 1e-300))
