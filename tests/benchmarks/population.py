"""Does the interval of the chance of a match hold, where the whole population is known?

    .venv/bin/python -m tests.benchmarks.population --samples 100

The 48,842 people of UCI Adult stand for the population. Samples of five fractions are drawn, their people looked for
by five sets of columns. Printed for each: how often interval and bounds held, the mean error of the chance, and how
well the order tells who is unique outside (AUC; .5 is a coin). Last the same with unequal chances, 1 to 10.
"""

from __future__ import annotations

import argparse
import csv
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Floats, Ints
from ppdm_desktop.engine.identifiability.beyond_the_file import log_rarity
from ppdm_desktop.engine.identifiability.classes import classes_of_codes
from ppdm_desktop.engine.release.measures.outside import match_chance

PERSONAL = ("age", "sex", "race", "marital-status")
KEY_SETS = (
    PERSONAL,
    (*PERSONAL, "education"),
    (*PERSONAL, "education", "occupation"),
    ("age", "education", "occupation", "workclass", "hours-per-week"),
    (*PERSONAL, "education", "occupation", "workclass", "relationship", "native-country"),
)
FRACTIONS = (0.01, 0.02, 0.05, 0.10, 0.20)


@dataclass(frozen=True)
class Trial:
    """What one sample showed: whether interval and bounds held, the error of the figure, and the AUC of the order."""

    held: bool
    bounds_held: bool
    error: float
    order: float


def population() -> dict[str, Ints]:
    """Return the codes of each column of Adult, shape (people,)."""
    folder = Path(os.environ.get("PPDM_DATA") or Path(__file__).resolve().parents[3] / "shared" / "data")
    people: list[dict[str, str]] = []
    for name in ("adult_train.csv", "adult_test.csv"):
        with (folder / name).open(encoding="utf-8", newline="") as file:
            people += csv.DictReader(file, skipinitialspace=True)
    names = {name for key_set in KEY_SETS for name in key_set}
    return {name: np.unique([person[name] for person in people], return_inverse=True)[1] for name in names}


def auc(usual: Floats, is_unique: Bools) -> float:
    """Return how often a person who is unique outside stands out more than one who is not."""
    ranks = np.argsort(np.argsort(-usual, kind="stable"), kind="stable")
    positives, negatives = int(is_unique.sum()), int((~is_unique).sum())
    return float((ranks[is_unique].sum() - positives * (positives - 1) / 2) / max(positives * negatives, 1))


def trial(codes: list[Ints], sample: Ints, odds: Floats | float, *, ordered: bool) -> Trial:
    """Return what a sample shows of the population that it was drawn from."""
    inside = [column[sample] for column in codes]
    classes = classes_of_codes(inside, len(sample))
    unique = classes.size_of_record == 1
    outside = classes_of_codes(codes, len(codes[0])).size_of_record[sample[unique]]
    chance = match_chance(classes, odds)
    assert chance.value is not None
    true = float(unique.sum() / outside.sum())
    (low, high), (least, most) = chance.interval, chance.unique_outside
    order = auc(log_rarity(inside, len(sample))[unique], outside == 1) if ordered else float("nan")
    return Trial(low <= true <= high, least <= (outside == 1).mean() <= most, chance.value / true - 1, order)


def trials(codes: list[Ints], fraction: float, samples: int) -> Iterator[Trial]:
    """Yield a trial for each sample of a fraction of the population."""
    people = len(codes[0])
    for seed in range(samples):
        draws = np.random.default_rng([seed, round(1000 * fraction)])
        sample = np.sort(draws.choice(people, round(fraction * people), replace=False))
        yield trial(codes, sample, people / len(sample) - 1, ordered=seed < 10)


def shown(name: str, results: list[Trial]) -> None:
    """Print a line of the table."""
    held, bounds = (100 * np.mean([getattr(result, key) for result in results]) for key in ("held", "bounds_held"))
    error, order = (np.nanmean([getattr(result, key) for result in results]) for key in ("error", "order"))
    print(f"{name:32} interval {held:5.1f} %  bounds {bounds:5.1f} %  error {100 * error:+5.1f} %  order {order:.2f}")


def main() -> None:
    """Draw the samples and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--samples", type=int, default=100, help="for each set of columns and fraction")
    given = parser.parse_args()
    columns, everything = population(), []
    for number, key_set in enumerate(KEY_SETS, start=1):
        for fraction in FRACTIONS:
            results = list(trials([columns[name] for name in key_set], fraction, given.samples))
            everything += results
            shown(f"set {number}, {len(key_set)} columns, {fraction:.0%}", results)
    shown("all", everything)
    codes = [columns[name] for name in KEY_SETS[2]]
    for name in ("weighted", "as if equal"):
        results = []
        for seed in range(given.samples):
            draws = np.random.default_rng([seed, 1])
            share = np.where(columns["sex"] == 0, 0.01, 0.1)  # a stratum that is drawn ten times as often
            sample = np.flatnonzero(draws.random(len(share)) < share)
            odds = 1 / share[sample] - 1 if name == "weighted" else len(share) / len(sample) - 1
            results.append(trial(codes, sample, odds, ordered=seed < 10))
        shown(f"unequal chances, {name}", results)


if __name__ == "__main__":
    main()
