"""What data reconstruction promises, counted in the exported file by hand and by pycanon; early end; verify."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pandas as pd
from gate_cases import check
from hypothesis import given
from hypothesis import strategies as st
from number_support import CHECKS
from pycanon import anonymity
from reconstruction_support import PATIENTS
from support import export_or_reject, reasons_for, write_lines
from thoroughness import examples

from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.methods.base.declaration import all_methods
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import parse_recipe, read_recipe
from ppdm_desktop.engine.release.candidate.model import Candidate, match_source_columns
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.measures.utility import measure
from ppdm_desktop.engine.release.verify import verify

QUASI = ["age", "marital status"]
SECRET = "test result"
HEAD = [*QUASI, "blood pressure", "blood type", SECRET, "level"]
GROUPS = {"": 3, "normal": 3, "cautious": 6}
REFUSALS = (
    "error.reconstruction.no-cells",
    "error.reconstruction.too-few",
    "error.reconstruction.no-class",
    "error.step.unfit-kind",
)
ROW = st.tuples(
    st.one_of(st.just(""), st.integers(18, 80).map(str)),
    st.sampled_from(["single", "married", "divorced", "widowed", ""]),
    st.integers(90, 170).map(str),
    st.sampled_from(["A", "B", "AB", "O"]),
    st.sampled_from(["negative", "positive", "unclear", ""]),
    st.sampled_from(["", "normal", "cautious"]),
)


def recipe(parameters: dict[str, object], type: str = "internal") -> dict[str, Any]:
    return {
        "recipe": 1,
        "input": {"one_row_per_person": True},
        "columns": {
            "age": {"role": "quasi-identifier", "kind": "numeric"},
            "marital status": {"role": "quasi-identifier", "kind": "nominal"},
            "blood pressure": {"role": "other", "kind": "numeric"},
            "blood type": {"role": "other", "kind": "nominal"},
            SECRET: {"role": "confidential", "kind": "nominal"},
            "level": {"role": "privacy-level"},
        },
        "privacy": {"levels": {"normal": {"group": 3}, "cautious": {"group": 6}}},
        "steps": [{"method": "data-reconstruction", "parameters": parameters}],
        "release": {"type": type},
    }


def patients(folder: Path) -> Path:
    lines = PATIENTS.strip().split("\n")[1:]
    write_lines(folder / "source.csv", HEAD, ([*line.split(","), ""] for line in lines))
    return folder / "source.csv"


def made(source: Path, document: dict[str, Any], seed: int) -> Candidate:
    prepared = prepare(source, parse_recipe(document), need_type=True)
    return run_candidate(prepared, Key.from_seed(seed))


def exported(candidate: Candidate, out: Path) -> tuple[pd.DataFrame, dict[str, Any]]:
    export_or_reject(candidate, out, reasons_for((*CHECKS, "level-readback", "row-order")))
    frame = pd.read_csv(out / "release" / "data.csv", dtype=str, keep_default_na=False)
    return frame, json.loads((out / "internal" / "report.json").read_text(encoding="utf-8"))


@examples(12)
@given(
    rows=st.lists(ROW, min_size=14, max_size=60),
    seed=st.integers(0, 2**40),
    k=st.integers(2, 7),
    classifier=st.sampled_from(["tree", "naive-bayes", "both"]),
)
def test_the_exported_file(rows: list[tuple[str, ...]], seed: int, k: int, classifier: str) -> None:
    parameters = {"k": k, "classifier": classifier, "population": 6, "generations": 3}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_lines(folder / "source.csv", HEAD, rows)
        try:
            frame, report = exported(made(folder / "source.csv", recipe(parameters), seed), folder / "out")
        except (InputError, RecipeError) as refused:
            if refused.id not in REFUSALS:
                raise
            return
    asked = max(k, *(GROUPS[row[-1]] for row in rows))
    assert list(frame.columns) == HEAD[:-1]
    assert len(frame) == len(rows)
    assert anonymity.k_anonymity(frame, QUASI) >= asked
    assert anonymity.l_diversity(frame, QUASI, [SECRET]) >= 2
    cells: dict[tuple[str, str], list[tuple[str, ...]]] = {}
    for line in frame.itertuples(index=False, name=None):
        cells.setdefault(line[:2], []).append(line[2:])
    true = {row[2:5] for row in rows}
    for (_, _), shown in cells.items():
        assert len(shown) >= asked
        assert len({line[-1] for line in shown}) >= 2
        assert set(shown) <= true
        assert "" not in {line[-1] for line in shown}
    step = report["steps"][0]
    assert step["guarantee"] == {**step["guarantee"], "kind": "file+original", "holds": True}
    assert step["correspondence"] == "none"
    assert all(each["met"] for each in report["verdict"]["levels"])
    assert step["detail"]["cells"]["cells"] == len(cells)


def test_a_search_ended_early_is_the_recipe_it_writes(tmp_path: Path) -> None:
    source = patients(tmp_path)
    told: list[float] = []
    progress = Progress(figures=lambda doing, figures: watch(figures["generation"]))

    def watch(generation: float) -> None:
        told.append(generation)
        if generation == 4:
            progress.finish_early()

    candidate = progress.run(made, source, recipe({"generations": 30}), 5)
    assert told == [0, 1, 2, 3, 4]
    assert candidate.steps[0].settings.values["generations"] == 4
    assert {note.id for note in candidate.steps[0].result.notes} >= {"note.reconstruction.ended-early"}
    frame, report = exported(candidate, tmp_path / "early")
    assert report["steps"][0]["parameters"]["generations"] == 4
    kept = read_recipe(tmp_path / "early" / "internal" / "recipe.toml")
    assert kept.steps[0].parameters["generations"] == 4
    assert verify(tmp_path / "early", source).result == "identical"
    # The same asked for from the start: the same bytes and the same recipe; one round more is another.
    again, second = exported(made(source, recipe({"generations": 4}), 5), tmp_path / "again")
    assert again.equals(frame)
    assert second["recipe_sha256"] == report["recipe_sha256"]
    whole = made(source, recipe({"generations": 30}), 5)
    assert whole.prepared.recipe_sha256 != candidate.prepared.recipe_sha256
    assert whole.prepared.draws_sha256 == candidate.prepared.draws_sha256
    other = made(source, recipe({"generations": 30, "mutation": 0.03}), 5)
    assert other.prepared.draws_sha256 != candidate.prepared.draws_sha256


def test_a_release_is_green_and_verified(tmp_path: Path) -> None:
    source = patients(tmp_path)
    candidate = made(source, recipe({}), 3)
    assert check(candidate, "class-size").status == "not-applicable"
    # Seven people's own lines are copied: blood pressure and type tell the rest of them, age and family do not.
    assert check(candidate, "certain-disclosure").status == "green"
    told = check(candidate, "certain-by-all")
    assert (told.status, told.hits, told.of) == ("amber", 7, 7)
    assert check(candidate, "levels-met").status == "green"
    assert candidate.is_shuffled
    assert not candidate.rows_correspond
    _, report = exported(candidate, tmp_path / "out")
    fitness = report["steps"][0]["detail"]["fitness"]
    assert fitness["best"] >= fitness["start"]
    assert len(fitness["by_generation"]) == fitness["generations"] + 1
    assert all(column["changed"]["value"] is None for column in report["columns"])
    for text in (tmp_path / "out" / "release").glob("*.*"):
        assert "fitness" not in text.read_text(encoding="utf-8")
    assert verify(tmp_path / "out", source).result == "identical"


def test_ranges_are_compared_with_ranges_and_recipients_are_told_of_copies(tmp_path: Path) -> None:
    candidate = made(patients(tmp_path), recipe({}), 3)
    sides = match_source_columns(candidate)
    ages = {column.name: column for column in sides.before}["age"]
    assert set(ages.values()) >= set(candidate.released.column("age").values())
    measured = {column.name: column for column in measure(candidate).columns}
    assert measured["age"].total_variation.value is not None
    assert measured["age"].total_variation.value < 0.5
    exported(candidate, tmp_path / "out")
    note = (tmp_path / "out" / "release" / "release-note.html").read_text(encoding="utf-8")
    assert "equal rows are copies of one record" in note
    dictionary = (tmp_path / "out" / "release" / "data-dictionary.csv").read_text(encoding="utf-8")
    assert dictionary.count(str(all_methods()["data-reconstruction"].recipients_learn)) == 5
