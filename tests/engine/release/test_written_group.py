"""A group size that is written stands for the people whose level nobody chose; both numbers are said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gate_cases import make_candidate

from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.evaluate.evaluate import evaluate

ROWS = 96
PEOPLE = {
    "Area": [f"a{n % 3}" for n in range(ROWS)],
    "Pay": [str(1000 + (n * 37) % 89) for n in range(ROWS)],
    "Illness": [("flu", "cold")[(n * n) % 5 % 2] for n in range(ROWS)],
    "Wish": ["normal" if n < 8 else "" for n in range(ROWS)],
}
ROLES: dict[str, Any] = {
    "Area": "q",
    "Pay": {"role": "c", "kind": "numeric", "bounds": [0, 5000]},
    "Illness": "c",
}
STEPS: dict[str, dict[str, Any]] = {
    "microaggregation": {"columns": ["Pay"]},
    "condensation": {},
    "data-reconstruction": {},
}
KEY = {"microaggregation": "group", "condensation": "group", "data-reconstruction": "k"}
every_method = pytest.mark.parametrize("method", list(STEPS))


def made(folder: Path, method: str, size: int | None, type: str = "internal", **privacy: Any) -> Candidate:
    parameters: dict[str, Any] = {} if size is None else {KEY[method]: size}
    if method == "data-reconstruction":
        parameters |= {"generations": 1, "class": "Illness"}
    step = {"method": method, **STEPS[method], "parameters": parameters}
    columns = {name: values for name, values in PEOPLE.items() if name != "Wish" or "column" in privacy}
    roles = {name: ROLES[name] for name in columns if name != "Wish"}
    if "Wish" in columns:
        roles["Wish"] = "p"
    return make_candidate(folder, columns, roles, type, steps=[step], privacy=privacy)


def smallest(candidate: Candidate) -> int:
    """Count the smallest group from the outcome."""
    (step,) = candidate.steps
    if step.method.id == "microaggregation":
        return int(np.unique(step.result.table.column("Pay").codes, return_counts=True)[1].min())
    if step.result.row_groups is not None:
        return int(np.bincount(step.result.row_groups).min())
    return int(step.result.detail["k"])


@every_method
def test_three_is_three_where_the_type_allows_it(method: str, tmp_path: Path) -> None:
    candidate = made(tmp_path, method, 3)
    assert smallest(candidate) == 3
    detail = candidate.steps[0].result.detail
    assert (detail["asked"], detail["used"]) == (3, 3)
    assert not [note for note in candidate.steps[0].warnings if note.id.startswith("note.step.group")]
    report = evaluate(candidate).report
    assert [line.demanded for line in report.verdict.levels] == [3.0] * len(report.verdict.levels)
    assert all(line.met for line in report.verdict.levels)
    (levels,) = [check for check in report.verdict.checks if check.id == "levels-met"]
    assert "promise" not in levels.sentence.id
    assert report.steps[0].detail["asked"] == 3


@every_method
def test_the_least_of_the_type_is_used_and_said_before_the_run(method: str, tmp_path: Path) -> None:
    candidate = made(tmp_path, method, 3, "research")
    assert smallest(candidate) >= 5
    detail = candidate.steps[0].result.detail
    assert (detail["asked"], detail["used"]) == (3, 5)
    assert "note.step.group-raised" in {note.id for note in candidate.steps[0].warnings}


@every_method
def test_left_out_every_level_takes_its_own(method: str, tmp_path: Path) -> None:
    candidate = made(tmp_path, method, None)
    assert smallest(candidate) >= 5
    assert "asked" not in candidate.steps[0].result.detail


@every_method
@pytest.mark.parametrize(
    "privacy", [{"levels": {"normal": {"group": 6}}}, {"default": "cautious"}, {"default": 7}], ids=str
)
def test_a_level_that_the_owner_set_still_raises_it(method: str, privacy: dict[str, Any], tmp_path: Path) -> None:
    candidate = made(tmp_path, method, 3, **privacy)
    least = {"levels": 6, "default": 10 if privacy.get("default") == "cautious" else 7}[next(iter(privacy))]
    assert smallest(candidate) >= least
    assert candidate.steps[0].result.detail["used"] >= least
    assert "note.step.group-raised" in {note.id for note in candidate.steps[0].warnings}


def test_who_asked_for_the_basic_level_gets_it_and_the_others_what_is_written(tmp_path: Path) -> None:
    candidate = made(tmp_path, "microaggregation", 3, column="Wish")
    shown = candidate.steps[0].result.table.column("Pay").codes
    size = np.bincount(shown)[shown]
    asked = np.arange(ROWS) < 8
    assert size[asked].min() >= 5
    assert size[~asked].min() == 3
    assert all(line.met for line in evaluate(candidate).report.verdict.levels)


def test_a_rule_raises_those_it_finds(tmp_path: Path) -> None:
    rule = {"where": {"column": "Area", "equals": "a1"}, "level": "cautious"}
    candidate = made(tmp_path, "microaggregation", 3, rules=[rule])
    shown = candidate.steps[0].result.table.column("Pay").codes
    size, found = np.bincount(shown)[shown], np.array(PEOPLE["Area"]) == "a1"
    assert size[found].min() >= 10
    assert size.min() == 3
