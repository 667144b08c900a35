"""A release of a file of SPSS: the same as that of the text with the same values, with labels in the dictionary."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pandas as pd
import pyreadstat
import pytest

from ppdm_desktop.cli.main import run
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


@pytest.mark.thorough
def test_a_column_that_is_renamed_leaves_its_label_behind(source: tuple[Path, Path], tmp_path: Path) -> None:
    path, recipe = source
    text = recipe.read_text("utf-8").replace("[columns.", '[input.names]\n"Location" = "State"\n\n[columns.', 1)
    recipe.write_text(text.replace('[columns."Location"]', '[columns."State"]').replace('"Location"', '"State"', 99)
                      .replace('"State" = "State"', '"Location" = "State"'), "utf-8")  # fmt: skip
    out = tmp_path / "out"
    assert run(["release", str(path), "--recipe", str(recipe), "--out", str(out), *SEEDED]) == 0
    assert b"State of residence" not in (out / "release" / "data-dictionary.csv").read_bytes()
