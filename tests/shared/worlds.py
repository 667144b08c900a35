"""Worlds whose truth is known: simulated populations, the releases made of them, and what is true of each.

Tests hold the verdict against them (`tests/properties/test_verdict_worlds.py`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
from scipy.stats import beta
from support import write_columns

from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.attacks.class_belief import Observations, Values
from ppdm_desktop.engine.attacks.noise_belief import beliefs_behind_noise
from ppdm_desktop.engine.attacks.noisy_column import LevelNoise, NoisyColumn
from ppdm_desktop.engine.attacks.people_belief import belief_in_classes
from ppdm_desktop.engine.attacks.swap_belief import SMALLEST_POOL, SPLIT_BY_SCORE, Swapped, observe_swapped_rows
from ppdm_desktop.engine.identifiability.classes import Classes
from ppdm_desktop.engine.noise.kernels import NoiseLaw
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.disclosure.released import Released
from ppdm_desktop.engine.release.disclosure.singled_out import SingledOutCounts, count_singled_out
from ppdm_desktop.engine.table.people import People
from tests.golden import verdict_belief as oracle

NOISE_WORLDS, CLASS_WORLDS, SWAP_WORLDS, PICKED_WORLDS = 200, 20, 20, 12
K_MIN = 5
POPULATION = 300_000
LAWS = ("normal", "uniform", "lognormal", "exponential", "many zeros", "Poisson", "two humps")


def _upper_end(right: int, of: int) -> float:
    """Return the upper end of the two-sided 95 % Clopper-Pearson interval of ``right`` / ``of``."""
    return 1.0 if right >= of else float(beta.ppf(0.975, right + 1, of - right))


@dataclass(frozen=True)
class NoiseWorld:
    """A sample of a population, released with noise.

    Attributes
    ----------
    law, snr
        Which population, and the variance of the truth over that of the noise.
    people
        How many are in it.
    able
        How many somebody who knows the law of the whole population guesses right, on average.
    right
        How many are guessed right under each prior that the verdict tries.
    """

    law: str
    snr: float
    people: int
    able: float
    right: dict[str, int]

    def bound(self, *priors: str) -> float:
        """Return "at most x of y", by the worse of some priors, over what that somebody is able to."""
        right = max(self.right[prior] for prior in priors or self.right)
        return self.people * _upper_end(right, self.people) / max(self.able, 1.0)


def noise_worlds(count: int = NOISE_WORLDS) -> Iterator[NoiseWorld]:
    """Draw populations, release a sample of each and guess (verdict page, section 10)."""
    rng = np.random.default_rng(11)
    for world in range(count):
        n, snr = int(rng.choice([300, 1_000, 3_000])), float(rng.choice([0.5, 1, 2]))
        zeros, sigma, mean = rng.uniform(0.3, 0.9), rng.uniform(0.2, 0.9), rng.uniform(2, 12)
        people = np.round(_law(world % len(LAWS), rng, POPULATION, zeros, sigma, mean))
        low = np.floor(np.quantile(people, 0.0001))
        high = min(np.ceil(np.quantile(people, 0.9995)), low + 790)
        people = np.clip(people, low, high)
        truth = np.clip(np.round(_law(world % len(LAWS), rng, n, zeros, sigma, mean)), low, high)
        sd = float(truth.std() / np.sqrt(snr))
        shown = np.round(truth + rng.normal(0, sd, n))
        grid, _, _, kernel, at = oracle.kernels(shown, sd, 1.0, 1.0, low, high)
        law = np.bincount((people - low).astype(int), minlength=len(grid)) / len(people)
        half = oracle.windows(grid, law, 1.0)
        within = (np.abs(grid[:, None] - grid[None]) <= half[:, None]).astype(np.float32)
        able = (oracle.posterior(kernel, law).astype(np.float32) @ within.T).max(1)[at].sum()
        level = (LevelNoise(NoiseLaw("gaussian", sd), 1.0),)
        column = NoisyColumn(truth, shown, np.zeros(n, dtype=np.int64), level, 1.0, float(low), float(high))
        right = {}
        for prior, belief in beliefs_behind_noise(column).items():
            own_within = np.abs(belief.grid[:, None] - belief.grid[None]) <= belief.half[:, None]
            guess = (belief.rows.astype(np.float32) @ own_within.T.astype(np.float32)).argmax(1)[belief.row_index]
            right[prior] = int((np.abs(belief.grid[guess] - truth) <= belief.half[guess] + belief.slack).sum())
        yield NoiseWorld(LAWS[world % len(LAWS)], snr, n, float(able), right)


def _law(kind: int, rng: np.random.Generator, m: int, zeros: float, sigma: float, mean: float) -> Floats:
    laws = (
        lambda: rng.normal(100, 15, m),
        lambda: rng.uniform(0, 100, m),
        lambda: 50 * rng.lognormal(0, sigma, m),
        lambda: rng.exponential(40, m),
        lambda: np.where(rng.random(m) < zeros, 0, rng.normal(80, 15, m)),
        lambda: rng.poisson(mean, m) * 1.0,
        lambda: np.where(rng.random(m) < 0.5, rng.normal(40, 6, m), rng.normal(80, 6, m)),
    )
    return np.asarray(laws[kind]())


def certain_by_hand(tells: Sequence[Sequence[Fraction]], truth: Ints, ids: Ints) -> list[bool]:
    """Say of each person whether they are certain, one by one and in whole fractions (verdict page, 2.1 and 2.5)."""
    people, values = len(truth), len(tells[0])
    held = Counter(truth.tolist())
    members = defaultdict(list)
    for person, group in enumerate(ids.tolist()):
        members[group].append(person)
    found = []
    for person in range(people):
        mates = members[int(ids[person])]
        best: tuple[Fraction, bool, bool] | None = None
        for value in range(values):
            seen = sum((tells[mate][value] for mate in mates), Fraction(0))
            if seen == 0:
                continue
            prior = (Fraction(held[value]) - tells[person][value]) / (people - 1)
            prior = min(max(prior, Fraction(0)), Fraction(1))
            belief = seen / len(mates)
            control = (seen - tells[person][value] + K_MIN * prior) / (len(mates) - 1 + K_MIN)
            left = Fraction(int(belief < 1)) if control == 1 else (1 - belief) / (1 - control)
            if best is None or left < best[0]:
                best = left, value == truth[person], belief == 1
        assert best is not None
        found.append(best[1] and (best[2] or best[0] <= Fraction(1, 20)))
    return found


@dataclass(frozen=True)
class Counted:
    """Who is certain: as the verdict has it, and counted one by one in whole fractions; and who is guessed right.

    ``right`` and ``able`` are of a swap: the people guessed right by the verdict's belief, and by somebody who knows
    who was drawn of each pool.
    """

    ours: list[bool]
    by_hand: list[bool]
    right: int = 0
    able: Fraction = Fraction(0)


def class_world(world: int) -> Counted:
    """Draw people in classes of equal details, nothing of whose values is changed."""
    rng = np.random.default_rng(100 + world)
    values = int(rng.integers(2, 6))
    truth = rng.choice(values, 150, p=rng.dirichlet(np.full(values, 0.7)))
    ids = np.unique(rng.integers(0, int(rng.integers(5, 120)), 150), return_inverse=True)[1].reshape(-1)
    tells = [[Fraction(int(value == own)) for value in range(values)] for own in truth.tolist()]
    names = tuple(map(str, range(values)))
    observations, classes = Observations.counted(truth, truth, values, np.ones(150)), Classes(ids, int(ids.max()) + 1)
    everybody = People.identity(len(ids))
    belief = belief_in_classes(Values.of_categories(truth, names), observations, classes, K_MIN, everybody)
    return Counted(belief.uncertainty()[0].certain.tolist(), certain_by_hand(tells, truth, ids))


def swap_world(world: int) -> Counted:
    """Draw a swap; everybody is unique, each value is shown by enough people to be a pool, by too few to be split."""
    rng = np.random.default_rng(200 + world)
    # In every third world next to nobody is changed, so that most are certain, and for good reason.
    values, kept = int(rng.integers(2, 5)), float(rng.uniform(0, 1)) if world % 3 else 0.98
    truth = np.repeat(np.arange(values), 80)
    shown = np.where(rng.random(len(truth)) < kept, truth, rng.permutation(truth))
    sizes = np.bincount(shown, minlength=values)
    assert SMALLEST_POOL <= sizes.min() <= sizes.max() < SPLIT_BY_SCORE
    ids = np.arange(len(truth))
    observations = observe_swapped_rows(Swapped(truth, shown, values, ids, len(ids), lambda rows: np.zeros(len(rows))))
    drawn = [
        [Fraction(int(((shown == own) & (truth == value)).sum()), int(sizes[own])) for value in range(values)]
        for own in range(values)
    ]
    mine = observations.shares.toarray()[observations.of][:, :values]
    assert np.allclose(mine, [[float(share) for share in drawn[own]] for own in shown.tolist()])
    everybody, names = People.identity(len(ids)), tuple(map(str, range(values)))
    belief = belief_in_classes(
        Values.of_categories(truth, names), observations, Classes(ids, len(ids)), K_MIN, everybody
    )
    return Counted(
        belief.uncertainty()[0].certain.tolist(),
        certain_by_hand([drawn[own] for own in shown.tolist()], truth, ids),
        int((mine.argmax(axis=1) == truth).sum()),
        sum((max(share) * int(sizes[own]) for own, share in enumerate(drawn)), Fraction(0)),
    )


def picked_world(world: int, folder: Path) -> tuple[SingledOutCounts, dict[str, int]]:
    """Return who can be picked out of a release, by the verdict and from the lines of the file.

    Nobody else shows the same values: counted column by column as they were released.
    """
    rng, rows = np.random.default_rng(300 + world), 200
    width = int(rng.integers(2, 30))
    columns = {
        "age": rng.integers(20, 20 + width, rows),
        "town": rng.integers(0, 4, rows),
        "car": rng.integers(0, 6, rows),
        "ill": rng.integers(0, 3, rows),
        "drug": rng.integers(0, 4, rows),
    }
    path = folder / "people.csv"
    write_columns(path, columns)
    roles = {"age": "quasi-identifier", "town": "quasi-identifier", "car": "other"}
    swapped = bool(world % 2)
    document = {
        "recipe": 1,
        "input": {"one_row_per_person": True},
        "columns": {name: {"role": roles.get(name, "confidential"), "kind": "nominal"} for name in columns},
        "steps": [{"method": "random-swap", "columns": ["ill"]}] if swapped else [],
        "release": {"type": "research"},
    }
    made = run_candidate(prepare(path, parse_recipe(document), need_type=True), Key.from_seed(world))
    found = count_singled_out(Released(made, made.final, made.prepared.table.column))
    lines = list(zip(*(made.final.column(name).values() for name in columns), strict=True))

    true = [shown == str(value) for shown, value in zip(made.final.column("ill").values(), columns["ill"], strict=True)]

    def alone(*names: str) -> int:
        places = [list(columns).index(name) for name in names]
        keys = [tuple(line[place] for place in places) for line in lines]
        times = Counter(keys)
        # Nobody is found by a value that is somebody else's.
        return sum(1 for key, own in zip(keys, true, strict=True) if times[key] == 1 and (own or "ill" not in names))

    # A swap that found few people to change leaves a column by which the others are still found.
    secrets = ("ill", "drug") if sum(true) > 0.9 * rows else ("drug",)
    one = [alone("age", "town", "car", *(each for each in secrets if each != left)) for left in secrets]
    by_all_but_secret = alone("age", "town", "car")
    return found, {
        "people": rows,
        "by_others": alone("age", "town"),
        "by_all_but_secret": by_all_but_secret,
        "by_all": alone("age", "town", "car", *secrets),
        "by_all_but_one": max(*one, by_all_but_secret),
    }
