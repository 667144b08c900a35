"""A release of a file of SPSS: the same as that of the text with the same values, with labels in the dictionary."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pandas as pd
import pyreadstat
import pytest
from gate_cases import evidence_of, recipe_of
from support import reasons_for

from ppdm_desktop.cli.main import run
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.gate.base import all_checks
from ppdm_desktop.engine.release.verify import verify
from ppdm_desktop.engine.release.writing.export import export
from ppdm_desktop.engine.samples import sample_files

CODES = {"Low": 1, "Med": 2, "High": 3}
LABELS = {
    "Age": "Group of age at the last birthday",
    "Gender": None,
    "Location": "State of residence",
    "Amount": "Sum insured, graded",
}
SEEDED = ("--seed", "7", "--accept", "keys-and-draws=the people of this sample are invented")
SECRET = "collected in ward seven"


@pytest.fixture
def source(tmp_path: Path) -> tuple[Path, Path]:
    """The bundled sample as a file of SPSS, its last column as labelled codes with one that means missing."""
    data, recipe = sample_files("life-insurance")
    rows = list(csv.DictReader(io.StringIO(data.decode())))
    frame = pd.DataFrame(rows)
    frame["Amount"] = [CODES[each["Amount"]] for each in rows]
    path = tmp_path / "people.sav"
    names: dict[int | float, str] = {**{code: name for name, code in CODES.items()}, 9: "refused"}
    pyreadstat.write_sav(
        frame,
        str(path),
        file_label=SECRET,
        note=[SECRET],
        column_labels=LABELS,
        variable_value_labels={"Amount": names},
        missing_ranges={"Amount": [9]},
    )
    written = tmp_path / "people.recipe.toml"
    written.write_text(recipe.replace('encoding = "utf-8"\ndelimiter = ","\n', ""), "utf-8")
    return path, written


@pytest.mark.thorough
def test_a_labelled_file_is_released_as_its_text_would_be(source: tuple[Path, Path], tmp_path: Path) -> None:
    path, recipe = source
    out = tmp_path / "out"
    assert run(["release", str(path), "--recipe", str(recipe), "--out", str(out), *SEEDED]) == 0
    with (out / "release" / "data.csv").open(encoding="utf-8", newline="") as file:
        released = list(csv.DictReader(file))
    assert len(released) == 16
    assert {each["Amount"] for each in released} <= set(CODES)
    with (out / "release" / "data-dictionary.csv").open(encoding="utf-8", newline="") as file:
        described = {each["name"]: each["original_header"] for each in csv.DictReader(file)}
    assert described == {name: label or name for name, label in LABELS.items()}
    for file_ in (out / "release").rglob("*"):
        assert not file_.is_file() or SECRET.encode() not in file_.read_bytes()
    report = json.loads((out / "internal" / "report.json").read_text("utf-8"))
    assert report["input"]["format"] == "spss"
    assert "pyreadstat" in report["program"]["libraries"]
    assert "pyarrow" not in report["program"]["libraries"]
    assert "openpyxl" not in report["program"]["libraries"]
    assert run(["verify", str(out), "--input", str(path)]) == 0


# --- texts survive from source to release; drawn numbers and decimal commas go all the way --------


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
        assert next(csv.reader(io.StringIO(text), delimiter=";")) == ["Q", "Wage"]
