"""What is lost is said in the columns' own words, and usefulness orders versions by it (example of broken pairs)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from optional import existing

from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.verdict.usefulness import usefulness_of
from ppdm_desktop.engine.report.model import UsefulnessEntry

PASSENGERS = 891


def measured(
    folder: Path, columns: Mapping[str, Mapping[str, Any]], rows: list[tuple[Any, ...]], *steps: Any
) -> UsefulnessEntry:
    path = folder / "table.csv"
    path.write_text("\n".join([",".join(columns), *(",".join(map(str, row)) for row in rows)]) + "\n")
    document = {"recipe": 1, "columns": columns, "steps": steps, "release": {"type": "research"}}
    candidate = run_candidate(prepare(path, parse_recipe(document)), Key.from_seed(1))
    return usefulness_of(candidate)


def titanic(folder: Path, *steps: Any) -> UsefulnessEntry:
    """Measure invented passengers: fare goes by class, survival by sex and class."""
    draw = np.random.default_rng(4)
    place = draw.choice([1, 2, 3], PASSENGERS, p=[0.24, 0.21, 0.55])
    sex = draw.choice(["male", "female"], PASSENGERS, p=[0.65, 0.35])
    fare = np.round(draw.lognormal(4.6 - 0.75 * place, 0.35), 2)
    survived = draw.random(PASSENGERS) < np.where(sex == "female", 1.05 - 0.2 * place, 0.45 - 0.12 * place)
    age = np.clip(np.round(draw.normal(38 - 5 * place, 12)), 1, 80).astype(int)
    port = draw.choice(["S", "C", "Q"], PASSENGERS, p=[0.7, 0.2, 0.1])
    columns = {
        "class": {"role": "quasi-identifier", "kind": "ordinal"},
        "sex": {"role": "quasi-identifier", "kind": "nominal"},
        "age": {"role": "quasi-identifier", "kind": "numeric"},
        "port": {"role": "quasi-identifier", "kind": "nominal"},
        "fare": {"role": "confidential", "kind": "numeric"},
        "survived": {"role": "confidential", "kind": "nominal"},
    }
    rows = list(zip(place, sex, age, port, fare, np.where(survived, "yes", "no"), strict=True))
    return measured(folder, columns, rows, *steps)


def test_a_version_of_true_values_is_more_useful_than_one_with_broken_pairs(tmp_path: Path) -> None:
    true = titanic(tmp_path, {"method": "generalize", "columns": ["age"], "parameters": {"width": 10}})
    for step in ({"method": "condensation"}, {"method": "random-swap"}, {"method": "two-phase-noise"}):
        broken = titanic(tmp_path, step)
        assert existing(broken.useful.value) < existing(true.useful.value), step
        assert true.believable.value == 1.0
        assert step["method"] != "two-phase-noise" or existing(broken.believable.value) < 1.0
        if step["method"] == "condensation":  # by single columns alone it would come first
            assert existing(broken.columns.value) > existing(true.columns.value)
