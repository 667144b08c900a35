"""Texts survive from source to release; drawn numbers and decimal commas go all the way."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from gate_cases import evidence_of, recipe_of
from support import reasons_for

from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.gate import all_checks
from ppdm_desktop.engine.release.verify import verify
from ppdm_desktop.engine.release.writing.export import export

REASONS = reasons_for(all_checks())


def candidate_of(path: Path, recipe: dict[str, Any]) -> Candidate:
    prepared = prepare(path, parse_recipe(recipe), need_type=True)
    return run_candidate(prepared, Key(bytes(range(32)), "system"))


@pytest.mark.parametrize("format", ["csv", "xlsx", "sav", "dta"])
def test_drawn_numbers_with_a_decimal_comma(tmp_path: Path, format: str) -> None:
    source = tmp_path / "wages.csv"
    rows = [f"{'ab'[i % 2]};{20 + i % 30},{i % 10}" for i in range(60)]
    source.write_text("\n".join(["Q;Wage", *rows]) + "\n", encoding="utf-8")
    wage = {
        "role": "c",
        "kind": "numeric",
        "bounds": [0, 100],
        "bins": {"method": "equal-frequency", "count": 3, "release": "draw"},
    }
    recipe = recipe_of(
        {"Q": "q", "Wage": wage},
        "internal",
        input={"decimal": ",", "delimiter": ";", "one_row_per_person": True},
        steps=[{"method": "random-swap"}],
        release={"format": format},
    )
    candidate = candidate_of(source, recipe)
    evidence = evidence_of(candidate)
    assert evidence.is_drawn("Wage")
    assert evidence.judged.column("Wage").labels_ordered
    assert all("," in text for text in evidence.exported.column("Wage").values())
    out = tmp_path / "out"
    done = export(candidate, out, accepts=REASONS)
    statuses = {check.id: check.status for check in done.checks}
    assert statuses["written-back"] == "green"
    assert statuses["levels-met"] == "green"
    assert statuses["release-text"] == "green"
    utility = {column["name"]: column for column in done.report["utility"]["columns"]}
    assert utility["Wage"]["mean_before"]["value"] == pytest.approx(34.95, abs=0.5)
    assert verify(out, source).result == "identical"
    if format == "csv":
        text = (out / "release/data.csv").read_text(encoding="utf-8")
        assert next(csv.reader(io.StringIO(text))) == ["Q", "Wage"]
