"""What learners get back by learning from reconstructed distributions, on the synthetic people of Agrawal & Srikant.

All six numbers get two-phase noise as large as their spread. Each learner is measured on the original, on the released
values, and on records reconstructed in the three ways of the paper (global, by class, local), cross-validated as in
the program and tested on true records. Means over keys; "keys" is the standard deviation of a run over them, "folds"
half the 95 % interval that the folds of one run give.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.progress import silent
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.release.candidate.column_pairing import compared
from ppdm_desktop.engine.release.candidate.model import Prepared
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.measures.analyses import known_noise
from ppdm_desktop.engine.release.measures.noise_reconstruction import noise_systems
from ppdm_desktop.engine.samples.registry import find_sample
from ppdm_desktop.engine.utility.models.crossval import cross_validate
from ppdm_desktop.engine.utility.models.features import number_names, paired_records
from ppdm_desktop.engine.utility.models.learner import Learner
from ppdm_desktop.engine.utility.models.mlp import Network
from ppdm_desktop.engine.utility.models.naive_bayes import NaiveBayes
from ppdm_desktop.engine.utility.models.nearest import NearestNeighbours
from ppdm_desktop.engine.utility.models.reconstructed import Way, learners_reconstructing
from ppdm_desktop.engine.utility.models.suite import Reconstructable, leaf_size
from ppdm_desktop.engine.utility.models.tasks import tasks_of
from ppdm_desktop.engine.utility.models.tree import DecisionTree

NUMBERS = ("Salary", "Commission", "Age", "Hvalue", "Hyears", "Loan")
NAMES = ("Elevel", "Car", "Zipcode", "Group")
WAYS: tuple[Way, ...] = ("global", "by-class", "local")
TARGET = "Group"


def prepared(folder: Path, function: int, rows: int, seed: int) -> Prepared:
    """Prepare the sample for one step of noise."""
    path = folder / "people.csv"
    path.write_bytes(find_sample("agrawal").make({"rows": rows, "seed": seed, "function": function}))
    columns: dict[str, Any] = {name: {"role": "confidential", "kind": "numeric"} for name in NUMBERS}
    columns |= {name: {"role": "other", "kind": "nominal"} for name in NAMES}
    recipe = {
        "recipe": 1,
        "input": {"one_row_per_person": True},
        "columns": columns,
        "utility": {"targets": [TARGET]},
        "steps": [{"method": "two-phase-noise", "columns": list(NUMBERS), "parameters": {"snr": 1.0}}],
        "release": {"type": "internal"},
    }
    return prepare(path, parse_recipe(recipe), silent())


def measured(ready: Prepared, seed: int) -> dict[tuple[str, str], tuple[float, float]]:
    """Return share and half interval by (learner, what it learned from), for the noise of one key."""
    candidate = run_candidate(ready, Key.from_seed(seed), silent())
    sides = compared(candidate)
    place = [column.name for column in sides.before].index(TARGET)
    before, after = ([each for each in side if each.name != TARGET] for side in (sides.before, sides.after))
    pair = paired_records(before, after)
    (task,) = tasks_of(sides.before[place], sides.after[place])
    systems = noise_systems(candidate, known_noise(candidate))
    leaf = leaf_size(len(pair[0]))
    found: dict[tuple[str, str], tuple[float, float]] = {}
    for name, learner in learners(leaf).items():
        plain = cross_validate(task, learner, *pair, sides.twins, silent())
        found[name, "original"] = _read(plain.original)
        found[name, "released"] = _read(plain.released_true_labels)
        for way in WAYS:
            if way == "local" and learner.id != "decision-tree":
                continue
            noisy = Reconstructable(way, systems).among(number_names(before, after))
            assert noisy is not None
            (second,) = learners_reconstructing(way, noisy, {learner.id: learner}, leaf, silent()).values()
            scores = cross_validate(task, learner, *pair, sides.twins, silent(), released_learner=second, known=plain)
            found[name, way] = _read(scores.released_true_labels)
    return found


def learners(leaf: int) -> dict[str, Learner]:
    """Return the learners by what they are called here."""
    return {
        "tree": DecisionTree(leaf),
        "naive Bayes": NaiveBayes(),
        "5 nearest": NearestNeighbours(5),
        "perceptron": Network(),
    }


def _read(figure: Figure) -> tuple[float, float]:
    return float(figure.value or 0), (float(figure.high or 0) - float(figure.low or 0)) / 2


def main() -> None:
    """Print a line for each function and learner as it comes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=3000)
    parser.add_argument("--keys", type=int, default=3)
    parser.add_argument("--functions", type=int, nargs="+", default=[1, 2, 3, 4, 5])
    given = parser.parse_args()
    ways = ("original", "released", *WAYS)
    print(f"{given.rows:,} records, {given.keys} keys; share told rightly, ± keys (± folds)")
    print("| function | learner | " + " | ".join(ways) + " |", flush=True)
    print("|" + "---|" * (len(ways) + 2), flush=True)
    for function in given.functions:
        with tempfile.TemporaryDirectory() as folder:
            ready = prepared(Path(folder), function, given.rows, function)
            runs = [measured(ready, key) for key in range(given.keys)]
        for learner in learners(1):
            cells = []
            for way in ways:
                if (learner, way) not in runs[0]:
                    cells.append("as by class")
                    continue
                shares = np.array([run[learner, way][0] for run in runs])
                folds = float(np.mean([run[learner, way][1] for run in runs]))
                keys = float(shares.std(ddof=1)) if len(shares) > 1 else float("nan")
                cells.append(f"{shares.mean():.3f} ± {keys:.3f} (± {folds:.3f})")
            print(f"| {function} | {learner} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
