"""Recipes whose people keep several rows, from file to candidate: what steps are told of them, and what they do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from optional import existing
from several_rows_support import least_alike, shown_by

from ppdm_desktop.engine.methods.base.registry import find_method
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
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


def test_the_golden_rows_leave(source: Path) -> None:
    found = candidate(source, SUPPRESS)
    people = existing(found.released.people)
    assert (found.released.rows, people.count) == (2_864 - 94, 2_000 - 64)
    assert not people.linked
    assert min(least_alike(shown_by(found.released), people).values()) >= 5


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
    alike = least_alike(shown_by(before), before.people)
    stay = [person for person in before.people.of_row.tolist() if alike[person] >= 5]
    assert (found.released.rows, people.count) == (len(stay), len(set(stay)))
    assert min(least_alike(shown_by(found.released), people).values()) >= 5


def test_steps_follow_one_another_person_by_person(source: Path) -> None:
    noise = {"method": "two-phase-noise", "columns": ["days"], "parameters": {"bounds": {"days": [0, 20]}}}
    found = candidate(source, {"method": "mondrian"}, noise)
    assert all(step.recount.guarantee.holds for step in found.steps)
    assert found.steps[1].result.detail["columns"]["days"]["drawn_for"] == "rows"
    people = existing(found.final.people)
    assert np.array_equal(people.sizes, np.bincount(people.of_row))
    assert min(least_alike(shown_by(found.final), people).values()) >= 5
