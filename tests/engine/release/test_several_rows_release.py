"""Recipes whose people keep several rows, from file to candidate: what steps are told of them, and what they do."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gate_cases import check, evidence_of, make_candidate, recipe_of
from optional import existing
from several_rows_support import VISIT_ROLES, checked_with, least_alike
from support import KEY_FILE, reasons_for

from ppdm_desktop.engine.methods.base.declaration import find_method
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.candidate.one_row import state_row_count
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.gate.base import all_checks
from ppdm_desktop.engine.release.measures.assess import assess
from ppdm_desktop.engine.release.reporting.build import describe_input
from ppdm_desktop.engine.release.verify import verify
from ppdm_desktop.engine.release.verify_figure import verify_figure
from ppdm_desktop.engine.release.writing.export import export
from tests.golden.people import visits_csv

ROLES = {
    "visit_id": "identifier",
    "region": "quasi-identifier",
    "sex": "quasi-identifier",
    "age": "quasi-identifier",
    "days": "confidential",
    "unit": "other",
    "outcome": "confidential",
}


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("visits") / "visits.csv"
    path.write_text(visits_csv(), encoding="utf-8")
    return path


def candidate(source: Path, *steps: dict[str, Any], shuffle_rows: bool = True) -> Candidate:
    """The candidate of a recipe that names who is a person."""
    recipe = parse_recipe(
        {
            "recipe": 1,
            "input": {"person": "person_nbr"},
            "columns": {name: {"role": role} for name, role in ROLES.items()},
            "steps": list(steps),
            "release": {"type": "research", "shuffle_rows": shuffle_rows},
        }
    )
    return run_candidate(prepare(source, recipe, need_type=True), Key.from_seed(1))


SUPPRESS = {"method": "suppress", "parameters": {"most": 1.0}}


def test_where_a_step_gives_codes_all_rows_of_a_person_leave(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(find_method("suppress")), "tells_rows_apart", True)
    found = candidate(source, SUPPRESS)
    people = existing(found.released.people)
    assert (people.linked, people.in_order) == (True, False)
    assert (found.released.rows, people.count) == (2_864 - 958, 2_000 - 329)
    assert found.prepared.original.people is not None
    assert found.prepared.original.people.linked


def test_rows_in_the_order_of_the_source_are_put_together_in_their_order(source: Path) -> None:
    found = candidate(source, SUPPRESS, shuffle_rows=False)
    people = existing(found.released.people)
    assert (people.linked, people.in_order) == (True, True)
    before = found.prepared.original
    assert before.people is not None
    alike = least_alike(checked_with(before), before.people)
    stay = [person for person in before.people.of_row.tolist() if alike[person] >= 5]
    assert (found.released.rows, people.count) == (len(stay), len(set(stay)))
    assert min(least_alike(checked_with(found.released), people).values()) >= 5


def test_steps_follow_one_another_person_by_person(source: Path) -> None:
    noise = {"method": "two-phase-noise", "columns": ["days"], "parameters": {"bounds": {"days": [0, 20]}}}
    found = candidate(source, {"method": "mondrian"}, noise)
    assert all(step.recount.guarantee.holds for step in found.steps)
    assert found.steps[1].result.detail["columns"]["days"]["drawn_for"] == "rows"
    people = existing(found.final.people)
    assert np.array_equal(people.sizes, np.bincount(people.of_row))
    assert min(least_alike(checked_with(found.final), people).values()) >= 5


# --- releases of people whose several rows became one each: what is judged, said, written and verified ---


VISITS = {name: role for name, role in VISIT_ROLES.items() if name != "person_nbr"}
ONE_ROW = {
    "person": "person_nbr",
    "reduce": {"by": "last", "rows": "Visits", "columns": {"days": "mean", "outcome": "most-frequent"}},
}


def visits_candidate(folder: Path, given: Any = ONE_ROW, roles: Any = VISITS, **more: Any) -> Candidate:
    path = folder / "visits.csv"
    path.write_text(visits_csv(), encoding="utf-8")
    document = recipe_of(roles, "internal", input=given, **more)
    prepared = prepare(path, parse_recipe(document), need_type=True)
    return run_candidate(prepared, Key(bytes.fromhex(KEY_FILE), "system"))


STEPS = [
    {"method": "suppress", "columns": ["region", "sex", "age", "Visits"]},
    {"method": "random-swap", "columns": ["outcome"]},
]


def test_a_release_of_visits_holds_people_and_is_verified(tmp_path: Path) -> None:
    candidate = visits_candidate(tmp_path, steps=STEPS)
    assert candidate.prepared.table.rows == 2000
    out = tmp_path / "out"
    export(candidate, out, accepts=reasons_for(all_checks()))
    report = json.loads((out / "internal/report.json").read_text("utf-8"))
    assert report["input"]["rows_read"] == 2864
    assert report["input"]["people"] == {
        "columns": ["person_nbr"],
        "count": 2000,
        "with_several": 467,
        "most_rows": 40,
        "without_id": 0,
        "rows": 2864,
        "household": None,
    }
    assert report["input"]["reduce"] == {"order_by": None, **ONE_ROW["reduce"]}  # type: ignore[dict-item]
    assert (report["input"]["person_column"], report["input"]["persons"]) == ("person_nbr", 2000)
    assert report["verdict"]["people"] == 2000
    released = report["release"]["rows"]
    assert 1000 < released < 2000
    data = (out / "release/data.csv").read_text("utf-8").splitlines()
    assert len(data) == released + 1
    assert data[0] == "region,sex,age,days,outcome,Visits"
    statuses = {each["id"]: each["status"] for each in report["verdict"]["checks"]}
    assert statuses["people-counted"] == statuses["rows-read"] == statuses["written-back"] == "green"
    assert statuses["release-text"] == statuses["metadata"] == "green"
    assert verify(out, candidate.prepared.path).result == "identical"
    for id in ("people-counted", "class-size", "rows-read"):
        assert verify_figure(out, candidate.prepared.path, id).result == "identical", id
    note = (out / "release/release-note.html").read_text("utf-8")
    assert re.search(r"Some people had several rows\. [^<]*\nAll rows together: <span class=\"v\">2,864</span>\.", note)
    assert "person_nbr" not in note
    with (out / "release/data-dictionary.csv").open(encoding="utf-8", newline="") as file:
        notes = {row["name"]: row["note"] for row in csv.DictReader(file)}
    assert notes["Visits"].startswith("This is the number of rows that each person had. ")
    assert notes["days"] == "From each person’s rows: mean. It was not changed otherwise."
    assert notes["outcome"].startswith("From each person’s rows: most common value. ")
    assert notes["sex"].startswith("From each person’s rows: value in the last row. ")


def test_rows_without_an_id_want_a_reason(tmp_path: Path) -> None:
    columns = {"p": ["a", "a", "", "b"], "q": ["1", "1", "2", "2"]}
    candidate = make_candidate(
        tmp_path / "in", columns, {"p": "i", "q": "q"}, input={"person": "p", "reduce": {"by": "first"}}
    )
    found = check(candidate, "people-counted")
    assert (found.status, found.figure.value) == ("amber", 3)  # type: ignore[union-attr]


def test_twelve_rows_of_a_hundred_and_twenty_people_are_a_hundred_and_twenty_people(tmp_path: Path) -> None:
    """Every person is alone; each with twelve rows looks like one of twelve, until their rows are one."""
    columns = {
        "patient": [f"P{place // 12}" for place in range(1440)],
        "zip": [str(10_000 + place // 12) for place in range(1440)],
        "answer": [("yes", "no", "none")[(place + place // 12) % 3] for place in range(1440)],
    }
    roles = {"patient": "i", "zip": "q", "answer": "c"}
    rows = make_candidate(tmp_path / "rows", columns, roles, "public", input={"one_row_per_person": True})
    assert check(rows, "class-size").figure.value == 12  # type: ignore[union-attr]
    given = {"person": "patient", "reduce": {"by": "first"}}
    people = make_candidate(tmp_path / "people", columns, roles, "public", input=given)
    assert people.released.rows == 120
    assert check(people, "class-size").figure.value == 1  # type: ignore[union-attr]
    assert check(people, "class-size").status == "red"
    assert describe_input(people.prepared).records == 120
    assert assess(people.prepared)["uniquely_identifiable"] == 120


@pytest.mark.parametrize(("way", "status"), [("first", "red"), ("last", "red"), ("most-frequent", "red")])
def test_a_copy_of_an_identifier_from_another_row_is_found(tmp_path: Path, way: str, status: str) -> None:
    columns = {
        "p": [f"P{place // 2}" for place in range(200)],
        "visit": [f"V{place}" for place in range(200)],
        "copy": [f"V{place}" for place in range(200)],
    }
    given = {"person": "p", "reduce": {"by": "first", "columns": {"copy": way}}}
    roles = {"p": "i", "visit": "i", "copy": "o"}
    assert check(make_candidate(tmp_path / "in", columns, roles, input=given), "identifiers-gone").status == status


def test_values_of_ones_own_are_no_identifier(tmp_path: Path) -> None:
    columns = {
        "p": [f"P{place // 2}" for place in range(200)],
        "value": [str(1000 + 17 * place) for place in range(200)],
    }
    given = {"person": "p", "reduce": {"by": "first", "columns": {"value": "mean"}}}
    candidate = make_candidate(
        tmp_path / "in", columns, {"p": "i", "value": {"role": "c", "kind": "numeric"}}, input=given
    )
    assert check(candidate, "identifiers-gone").status == "green"


def test_a_small_number_of_further_rows_is_not_told(tmp_path: Path) -> None:
    columns = {"p": [*(f"P{each}" for each in range(40)), "P7"], "q": ["1"] * 41}
    given = {"person": "p", "reduce": {"by": "first"}}
    candidate = make_candidate(tmp_path / "in", columns, {"p": "i", "q": "q"}, input=given)
    people = candidate.prepared.reduced
    assert people is not None
    assert state_row_count(people, 5) == "more rows than people"
    assert state_row_count(people, 1) == "41"
    evidence = evidence_of(candidate)
    assert b"more rows than people" in evidence.texts.note
    assert check(evidence, "release-text").status == "green"
