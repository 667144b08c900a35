"""`leave-out-rows`: nobody who stays is alone with their empty cells, or in a group of one confidential value."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from gate_cases import check, make_candidate
from hypothesis import given
from hypothesis import strategies as st

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.methods.leave_out_rows import rows_with_rare_gaps
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.wording.texts import render

ROLES = {"town": "q", "age": "o", "ill": "c"}
STEP = {"method": "leave-out-rows", "columns": ["town", "age", "ill"]}


def columns(gaps: list[str]) -> dict[str, list[str]]:
    """Forty people, of whom the first few left the cells empty whose first letters are given."""
    rows = gaps + [""] * (40 - len(gaps))
    return {
        "town": ["" if "t" in gap else "ab"[place % 2] for place, gap in enumerate(rows)],
        "age": ["" if "a" in gap else "cd"[place % 2] for place, gap in enumerate(rows)],
        "ill": ["" if "i" in gap else "xyz"[place % 3] for place, gap in enumerate(rows)],
    }


@pytest.mark.parametrize(
    ("gaps", "left_out"), [(["a", "a"], 0), (["a", "a", "ai"], 1), (["a", "i"], 2), (["t", "t", "a", "a"], 0)]
)
def test_people_with_a_pattern_of_their_own_are_left_out(tmp_path: Path, gaps: list[str], left_out: int) -> None:
    candidate = make_candidate(tmp_path, columns(gaps), ROLES, steps=[STEP])
    assert candidate.final.rows == 40 - left_out
    without = check(make_candidate(tmp_path / "b", columns(gaps), ROLES), "rare-values")
    assert (without.status == "amber") == (left_out > 0)
    assert check(candidate, "rare-values").status == "green"


@given(st.lists(st.tuples(*[st.booleans()] * 3), min_size=1, max_size=30))
def test_no_pattern_is_left_alone(empty: list[tuple[bool, ...]]) -> None:
    names = ("a", "b", "c")
    made = tuple(
        Column.from_texts(name, ["" if row[place] else "x" for row in empty]) for place, name in enumerate(names)
    )
    rare = rows_with_rare_gaps(Table(made, np.arange(len(empty))), names)
    assert rare.tolist() == [any(row) and empty.count(row) == 1 for row in empty]


def of_towns(ill: str) -> dict[str, list[str]]:
    """Ten people of town a, ten of town b, and 380 of town c, with an illness each."""
    return {
        "town": ["a"] * 10 + ["b"] * 10 + ["c"] * 380,
        "age": ["c", "d"] * 200,
        "ill": [value.strip() for value in ill],
    }


@pytest.mark.parametrize(
    ("most", "ill", "left_out"),
    [
        (0.9, "x" * 9 + "y" + "y" * 9 + "x" + "xy" * 190, 20),  # nine in ten of the first groups
        (0.95, "x" * 9 + "y" + "y" * 9 + "x" + "xy" * 190, 0),
        (0.9, "x" * 8 + "y " + "xy" * 195, 0),  # an empty cell is no value
        (0.5, "x" * 10 + "xxxyz" * 78, 0),  # half of all people have it: no secret
    ],
)
def test_groups_of_one_confidential_value_are_left_out(tmp_path: Path, most: float, ill: str, left_out: int) -> None:
    step = {"method": "leave-out-rows", "columns": ["town"], "parameters": {"most": most}}
    candidate = make_candidate(tmp_path, of_towns(ill), ROLES, steps=[step])
    assert candidate.final.rows == 400 - left_out
    assert ("a" in candidate.final.column("town").categories) == (left_out == 0)
    assert candidate.steps[0].recount.guarantee.holds
    done, others = candidate.steps[0], candidate.steps[0].before.take(np.arange(400 - left_out))
    planted = done.method.recount(done.before, others, done.settings, done.result.detail)
    assert planted.guarantee.holds == (left_out == 0), "as many rows are gone, but not these"


@pytest.mark.parametrize(
    "ill",
    [
        "y" * 10 + "x" * 390,  # only the rare value can be the reason
        "y" * 10 + "xy" * 195,
        "y" * 20 + "xy" * 190,
        "y" * 10 + "z" * 10 + "xxxyz" * 76,  # whichever of them it is, it is not what most have
    ],
)
def test_nobody_is_left_out_whose_absence_tells_the_value(tmp_path: Path, ill: str) -> None:
    """Who knows that somebody of town a is in the source, and finds no town a, would know what they have."""
    step = {"method": "leave-out-rows", "columns": ["town"], "parameters": {"most": 0.9}}
    with pytest.raises(InputError) as refused:
        make_candidate(tmp_path, of_towns(ill), ROLES, steps=[step])
    assert refused.value.id == "error.leave-out-rows.one-value"
    assert "ill" in render(refused.value.id, refused.value.arguments).sentence


def test_no_more_than_one_record_in_twenty_is_left_out(tmp_path: Path) -> None:
    values = {"town": ["a"] * 6 + ["b"] * 94, "age": ["c", "d"] * 50, "ill": ["x"] * 6 + ["x", "y"] * 47}
    step = {"method": "leave-out-rows", "columns": ["town"], "parameters": {"most": 0.9}}
    with pytest.raises(InputError):
        make_candidate(tmp_path, values, ROLES, steps=[step])
