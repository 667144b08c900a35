"""What uniqueness in a sample says of the people it was drawn from.

All figures rest on the sizes of equivalence classes and on the odds of each person not to be drawn, o = (1 - p)/p:
for N people and n of them in the file p = n/N, for survey weights o = w - 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.figure import Z_95
from ppdm_desktop.engine.identifiability.classes import Classes

_DANKAR = 0.1  # up to this sampling fraction Dankar's rule takes Pitman's model
_SURE = 1 - 1e-9  # above it a share of a class counts as all of it


@dataclass(frozen=True)
class MatchChance:
    """The chance that a person with the details of somebody unique in the file is that person, with its interval.

    Skinner & Elliot, A measure of disclosure risk for microdata, JRSS B 64(4), 2002. The variance was derived for this
    program: under Bernoulli sampling the error of ``expected`` has just this expectation, whatever the population is.

    Attributes
    ----------
    counts
        How many classes have one, two and three people.
    pairs, triples
        Sums over the classes of two of (o_a + o_b), and over those of three of 2(o_a·o_b + o_a·o_c + o_b·o_c).
    squares
        Sum over the classes of two of (o_a + o_b) squared.
    pair_odds, triple_odds
        Mean of the terms of ``pairs`` and ``triples``, by which Poisson's ends of a count are scaled.
    """

    counts: tuple[int, int, int]
    pairs: float
    triples: float
    squares: float
    pair_odds: float
    triple_odds: float

    @property
    def expected(self) -> float:
        """Expected number of people in the population who have the details of people unique in the file."""
        return self.counts[0] + self.pairs

    @property
    def value(self) -> float | None:
        """The chance; None where nobody is unique."""
        return self.counts[0] / self.expected if self.counts[0] else None

    @property
    def spread(self) -> float:
        """Half of the 95 % interval of ``expected`` by its variance."""
        return Z_95 * math.sqrt(self.pairs + self.squares + self.triples)

    @cached_property
    def _pair_ends(self) -> tuple[float, float]:
        """Ends of the exact 95 % interval of ``pairs`` by Poisson's law."""
        low, high = poisson_interval(self.counts[1])
        return low * self.pair_odds, high * self.pair_odds

    @property
    def interval(self) -> tuple[float, float]:
        """Ends of the 95 % interval of the chance; somebody has to be unique."""
        unique, (least, most) = self.counts[0], self._pair_ends
        low = unique / max(self.expected + self.spread, unique + most)
        return low, unique / max(unique, min(self.expected - self.spread, unique + least))

    @property
    def unique_outside(self) -> tuple[float, float]:
        """Bounds of the share of the unique people who are unique in the population too; somebody has to be unique."""
        unique, (least, most) = self.counts[0], self._pair_ends
        mean_low = max(min(least, self.pairs - self.spread), 0.0) / unique
        mean_high = max(most, self.pairs + self.spread) / unique
        second_high = poisson_interval(self.counts[2])[1] * self.triple_odds / unique
        low = min(max(1 - mean_high, 0.0), 1.0)
        return low, 1 - mean_low**2 / (mean_low + second_high) if mean_low else 1.0


def match_chance(classes: Classes, odds: Floats | float) -> MatchChance:
    """Return the chance of a right match from classes of people and each person's odds not to be drawn.

    Parameters
    ----------
    classes
        Of people with equal details.
    odds
        Shape (people,), or one number for all; 0 where everybody is in the file.
    """
    of_person = np.broadcast_to(np.asarray(odds, dtype=np.float64), classes.ids.shape)
    total = np.bincount(classes.ids, of_person, minlength=classes.count)
    squared = np.bincount(classes.ids, of_person**2, minlength=classes.count)
    of_pair = total[classes.sizes == 2]
    # 2(ab + ac + bc) = (a + b + c)² - a² - b² - c²
    of_triple = (total**2 - squared)[classes.sizes == 3]
    mean = float(of_person.mean()) if len(of_person) else 0.0
    return MatchChance(
        counts=(int((classes.sizes == 1).sum()), len(of_pair), len(of_triple)),
        pairs=float(of_pair.sum()),
        triples=float(of_triple.sum()),
        squares=float((of_pair**2).sum()),
        pair_odds=float(of_pair.mean()) if len(of_pair) else 2 * mean,
        triple_odds=float(of_triple.mean()) if len(of_triple) else 6 * mean**2,
    )


def poisson_interval(count: int) -> tuple[float, float]:
    """Return the ends of the exact 95 % interval of a Poisson mean, given one count."""
    from scipy.special import chdtri  # late: SciPy takes longer to load than most commands to run

    low = float(chdtri(2 * count, 0.975)) / 2 if count else 0.0
    return low, float(chdtri(2 * count + 2, 0.025)) / 2


# --- for experts: models, and the risk of a person by weights ---------------------------------


def modelled_uniques(sizes: Ints, population: int) -> dict[str, float]:
    """Return the share of the unique people who are unique in the population, by ``zayatz``, ``pitman``, ``dankar``.

    Dankar's rule chooses between the models of the other two. Somebody has to be unique.

    Parameters
    ----------
    sizes
        Number of people in each class of the file.
    population
        Number of people the file was drawn from.
    """
    size, count = np.unique(sizes, return_counts=True)
    people, unique = int(sizes.sum()), int(count[0])
    zayatz = unique * people / population / float((count * _drawn_once(size, people, population)).sum())
    outside = pitman_uniques(size, count, population)
    share = {"zayatz": min(zayatz, 1.0), "pitman": min(outside * people / population / unique, 1.0)}
    return {**share, "dankar": share["pitman" if people / population <= _DANKAR else "zayatz"]}


def _drawn_once(size: Ints, people: int, population: int) -> Floats:
    """Return the chance that a population class of each size has exactly one of the people drawn (hypergeometric)."""
    from scipy.special import gammaln

    rest = population - size
    possible = rest >= people - 1
    left = np.where(possible, rest - people + 1, 0)
    logarithm = (
        np.log(size)
        + gammaln(rest + 1)
        - gammaln(people)
        - gammaln(left + 1)
        - (gammaln(population + 1) - gammaln(people + 1) - gammaln(population - people + 1))
    )
    return np.where(possible, np.exp(logarithm), 0.0)


def pitman_uniques(size: Ints, count: Ints, population: int) -> float:
    """Return the number of population uniques by the Ewens-Pitman law, fitted by maximum likelihood.

    Parameters
    ----------
    size, count
        Each class size of the file, and how many classes have it.
    population
        Number of people the file was drawn from.
    """
    from scipy.optimize import minimize
    from scipy.special import expit, gammaln

    classes, people = int(count.sum()), int((size * count).sum())

    def loss(parameters: Floats) -> float:
        """Return the negative log-likelihood of the logarithm of theta and the logit of alpha."""
        theta, alpha = math.exp(parameters[0]), float(np.clip(expit(parameters[1]), 1e-9, 1 - 1e-9))
        new = (classes - 1) * math.log(alpha) + gammaln(theta / alpha + classes) - gammaln(theta / alpha + 1)
        drawn = gammaln(theta + people) - gammaln(theta + 1)
        return -float(new - drawn + (count * (gammaln(size - alpha) - gammaln(1 - alpha))).sum())

    start = np.array([math.log(max(classes, 2)), 0.0])
    best = minimize(loss, start, method="Nelder-Mead", options={"xatol": 1e-6, "fatol": 1e-8, "maxiter": 2_000}).x
    theta, alpha = math.exp(best[0]), float(expit(best[1]))
    return math.exp(gammaln(theta + 1) - gammaln(theta + alpha) + alpha * math.log(population))


def individual_risk(sizes: Ints, weights: Floats) -> Floats:
    """Return the risk of each class by Benedetti & Franconi, as sdcMicro approximates it, shape (classes,).

    Parameters
    ----------
    sizes, weights
        Number of people in each class, and the sum of their weights; both of shape (classes,).
    """
    share = np.minimum(sizes / weights, _SURE)
    ratio, logarithm = share / (1 - share), -np.log(share)
    risk = np.where(sizes == 2, ratio - ratio**2 * logarithm, share / (sizes - (1 - share)))
    return np.where(sizes / weights > _SURE, 1 / sizes, np.where(sizes == 1, ratio * logarithm, risk))


# --- with a table of the whole population -----------------------------------------------------


def map_risk(in_file: Ints, in_table: Ints, people: Ints) -> dict[str, float]:
    """Return the risk by a table of the whole population (k-map), for an intruder who does not know who is in the file.

    ``journalist_max`` is the largest 1/F, where F people of the table have the details of a class, ``journalist_mean``
    its mean over classes and ``marketer`` over people; ``presence`` is the largest share of them who are in the file.

    Parameters
    ----------
    in_file, in_table
        For each class the number of people in the file and in the table who fit it, shape (classes,).
    people
        Released people who show the class; more may fit it where it has emptied cells.
    """
    chance = 1 / in_table
    return {
        "journalist_max": float(chance.max()),
        "journalist_mean": float(chance.mean()),
        "marketer": float((people * chance).sum() / people.sum()),
        "presence": float((in_file / in_table).max()),
    }
