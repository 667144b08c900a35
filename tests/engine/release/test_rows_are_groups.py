"""Rows that are groups of people: judged by how many people each stands for, and refused where they are people."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cases import case_rows
from gate_cases import evidence_of, make_candidate

from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.release.gate.base import find_check
from ppdm_desktop.engine.release.measures.assess import assess, describe_groups

NUMBER: dict[str, Any] = {"role": "c", "kind": "numeric"}
WORD: dict[str, Any] = {"role": "q", "kind": "nominal"}
COUNT: dict[str, Any] = {"role": "o", "kind": "numeric"}


@pytest.mark.parametrize(("id", "type", "first", "changes", "expected"), case_rows("rows-are-groups-a-table-of-groups"))
def test_a_table_of_groups(
    tmp_path: Path, id: str, type: str, first: dict[str, str], changes: dict[str, Any], expected: str
) -> None:
    """Thirty wards are a group each; what they earn is an average."""
    columns = {
        "ward": [f"w{row}" for row in range(30)],
        "count": ["60"] * 30,
        "pay": [str(3_000 + 7 * row) for row in range(30)],
        "top": ["5000"] * 30,
        "ill": [str(5 + row) for row in range(30)],
    }
    if "answer" in first:
        columns["answer"] = ["often"] * 30
    for name, value in first.items():
        columns[name][0] = value
    roles = {"ward": WORD, "count": COUNT, "pay": NUMBER, "top": {**NUMBER, "role": "l"}, "ill": NUMBER}
    roles |= {"answer": {**WORD, "role": "c"}} if "answer" in columns else {}
    roles |= {name: role for name, role in changes.items() if name in roles}
    keys = {name: value for name, value in changes.items() if name not in roles}
    candidate = make_candidate(tmp_path, columns, roles, type, input={"rows": "groups", **keys})
    assert find_check(id).run(evidence_of(candidate)).status == expected


RNG = np.random.default_rng(5)
GRID_OF_GROUPS = [(ward, band, year) for ward in range(10) for band in range(4) for year in range(3)]


@pytest.mark.parametrize(
    ("dimensions", "more", "expected"),
    [
        ([(row // 50,) for row in range(200)], [], ("red", "amber")),
        ([tuple(row) for row in RNG.integers(0, (60, 70), (300, 2))], [], ("red", "amber")),
        ([tuple(row) for row in RNG.integers(0, (10, 9), (60, 2))], [], ("red", "amber")),
        ([tuple(row) for row in RNG.integers(0, (60, 70), (300, 2))], RNG.integers(1, 5, 300), ("red", "amber")),
        ([cell[:2] for cell in GRID_OF_GROUPS[::3]], [], ("green", "green")),
        ([cell[:2] for cell in GRID_OF_GROUPS], [cell[2] for cell in GRID_OF_GROUPS], ("green", "green")),
        ([(ward, ward // 6, ward // 12) for ward in range(60)], [], ("green", "green")),
        ([cell for place, cell in enumerate(GRID_OF_GROUPS) if place % 3], [], ("green", "green")),
        ([(*cell[:2], "" if cell[1] else cell[0]) for cell in GRID_OF_GROUPS], [], ("red", "amber")),
    ],
    ids=[
        *("class sizes", "sparse", "some repeated", "sparse, a score"),
        *("groups", "years", "district and region", "some left out", "repeated beside empty cells"),
    ],
)
def test_groups_have_each_combination_once_and_fill_many(
    tmp_path: Path, dimensions: list[tuple[Any, ...]], more: Any, expected: tuple[str, str]
) -> None:
    columns = {f"d{place}": [str(cell) for cell in cells] for place, cells in enumerate(zip(*dimensions, strict=True))}
    rows = len(dimensions)
    roles = dict.fromkeys(columns, WORD) | {"count": COUNT, "pay": NUMBER, "more": COUNT}
    columns |= {"count": ["50"] * rows, "pay": [str(3_000 + 7 * row) for row in range(rows)]}
    columns |= {"more": [str(value) for value in more]} if len(more) else {}
    roles = {name: roles[name] for name in columns}
    for type, status in zip(("public", "research"), expected, strict=True):
        candidate = make_candidate(tmp_path, columns, roles, type, input={"rows": "groups"})
        assert find_check("people-counted").run(evidence_of(candidate)).status == status


@pytest.mark.parametrize(
    "section",
    [{"rows": "groups", "one_row_per_person": True}, {"rows": "groups", "person": "a"}, {"people_count": "a"}],
)
def test_contradicting_answers_are_refused(section: dict[str, Any]) -> None:
    with pytest.raises(RecipeError):
        parse_recipe({"recipe": 1, "input": section})


@pytest.mark.parametrize(
    ("counted", "said"),
    [(True, "3 groups of 100 people by “count”. The smallest has 20."), (False, "No column counts")],
)
def test_nobody_is_counted_as_a_row(tmp_path: Path, counted: bool, said: str) -> None:
    columns = {"ward": ["a", "b", "c"], "count": ["20", "30", "50"], "pay": ["1", "2", "3"]}
    roles = {"ward": WORD, "count": {**COUNT, "role": "o" if counted else "l"}, "pay": NUMBER}
    candidate = make_candidate(tmp_path, columns, roles, input={"rows": "groups"})
    found = assess(candidate.prepared)
    assert not {"records", "risk", "k"} & set(found)
    assert said in describe_groups(found)
    assert b"Each row is a group of people" in evidence_of(candidate).texts.note
