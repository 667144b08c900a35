"""How often the kit's 95 % interval of a corrected slope covers the truth, with noise as large as the spread.

Target: at least 93 of 100. Two truths are asked after: the slope in the file, whose rows stay and whose noise is
drawn again by another key; and the slope of the people the file is a sample of, where both are drawn again.
"""

from __future__ import annotations

import importlib.util
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from ppdm_desktop.engine.arrays import Floats
from ppdm_desktop.engine.progress import silent
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.release.candidate.model import Candidate, Prepared
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.measures.analysis_kit import noise_law
from ppdm_desktop.engine.report.public import analysis_kit

SLOPE = 2.0
NAMES = ("pay", "age", "years")
SETTINGS: dict[str, dict[str, Any]] = {
    "one column noisy": {"columns": ["age"], "parameters": {"snr": 1.0}},
    "all columns, matched noise": {"columns": list(NAMES), "parameters": {"snr": 1.0}},
    "all columns, separate noise": {"columns": list(NAMES), "parameters": {"snr": 1.0, "covariance": "independent"}},
    "even noise, separate": {
        "columns": list(NAMES),
        "parameters": {"snr": 1.0, "covariance": "independent", "noise": "uniform"},
    },
}


def kit_module(path: Path | None = None) -> ModuleType:
    """Return the kit's script as a module."""
    path = path or Path(analysis_kit.__file__).parents[4] / "resources" / analysis_kit.KIT / analysis_kit.SCRIPT
    spec = importlib.util.spec_from_file_location("noise_kit", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def people(rows: int, seed: int) -> Floats:
    """Return pay, age and years of employment, shape (rows, 3); of one year more of age, pay grows by ``SLOPE``."""
    rng = np.random.default_rng(seed)
    age = rng.normal(45, 12, rows)
    years = 0.4 * (age - 45) + rng.normal(10, 5, rows)
    pay = 100 + SLOPE * age + 3 * years + rng.normal(0, 15, rows)
    return np.column_stack([pay, age, years])


def prepared(folder: Path, values: Floats, step: dict[str, Any], levels: bool) -> Prepared:
    """Write a file of people and prepare it for one step of noise."""
    path = folder / "people.csv"
    names = ("normal", "paranoid")
    level = [names[int(each)] for each in np.arange(len(values)) % 20 == 0]
    lines = [",".join([*NAMES, "level"])]
    lines += [",".join([*(f"{value:.1f}" for value in row), name]) for row, name in zip(values.tolist(), level)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    columns: dict[str, Any] = {name: {"role": "confidential", "kind": "numeric"} for name in NAMES}
    for place, name in enumerate(NAMES):
        spread = values[:, place].std()
        middle = values[:, place].mean()
        columns[name]["bounds"] = [round(float(middle - 6 * spread), 1), round(float(middle + 6 * spread), 1)]
    columns["level"] = {"role": "privacy-level" if levels else "left-out"}
    recipe: dict[str, Any] = {
        "recipe": 1,
        "input": {"one_row_per_person": True},
        "columns": columns,
        "steps": [{"method": "two-phase-noise", **step}],
        "release": {"type": "internal"},
    }
    return prepare(path, parse_recipe(recipe), silent())


def slopes(kit: ModuleType, candidate: Candidate) -> tuple[Floats, Floats, Floats]:
    """Return the corrected slopes of pay with their low and high, from what a recipient has."""
    law = noise_law(candidate, "data.csv").model_dump(mode="json")
    w = np.column_stack([candidate.final.column(name).numbers for name in NAMES])
    found, low, high = kit.regression(w, kit.noise_covariance(law, list(NAMES)))
    return found[1:], low[1:], high[1:]


def uncorrected(candidate: Candidate) -> float:
    """Return the slope on age that the noisy values give as they are."""
    w = np.column_stack([candidate.final.column(name).numbers for name in NAMES])
    x = w[:, 1:] - w[:, 1:].mean(axis=0)
    return float(np.linalg.lstsq(x, w[:, 0] - w[:, 0].mean(), rcond=None)[0][0])


def covered(
    step: dict[str, Any], draws: int, rows: int, *, levels: bool, again: bool
) -> tuple[float, int, float, float]:
    """Return how often the interval covers the truth, how often there is none, the slope, and that of the noisy values.

    Where the noise is too strong the kit gives no interval; that covers nothing. Slopes are medians.

    Parameters
    ----------
    again
        Draw the people again as well, and ask after the slope they are drawn from.
    """
    kit = kit_module()
    hits, none, corrected, plain = 0, 0, [], []
    with tempfile.TemporaryDirectory() as folder:
        values = people(rows, 0)
        ready = prepared(Path(folder), values, step, levels)
        x = values[:, 1:] - values[:, 1:].mean(axis=0)
        truth = float(np.linalg.lstsq(x, values[:, 0] - values[:, 0].mean(), rcond=None)[0][0])
        for draw in range(draws):
            if again:
                ready, truth = prepared(Path(folder), people(rows, 1000 + draw), step, levels), SLOPE
            candidate = run_candidate(ready, Key.from_seed(draw), silent())
            plain.append(uncorrected(candidate))
            try:
                found, low, high = slopes(kit, candidate)
            except SystemExit:
                none += 1
                continue
            hits += bool(low[0] <= truth <= high[0])
            corrected.append(float(found[0]))
    return hits / draws, none, float(np.median(corrected)), float(np.median(plain))
