"""Values written coarser are looked for in the words of the release; known truth is 1 / records that look alike."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cases import case_rows
from gate_cases import make_candidate
from optional import existing

from ppdm_desktop.engine.identifiability.classes import equivalence_classes
from ppdm_desktop.engine.release.attack_audit.base import audit, pair_released_columns
from ppdm_desktop.engine.release.attack_audit.truth_in_release import to_released_texts
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.report.model import AttackEntry
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.ranges import range_ends
from ppdm_desktop.engine.utility.whole_table import Compared

ROWS = 200
RNG = np.random.default_rng(17)
AGE = RNG.integers(18, 90, ROWS)
CITY = RNG.choice(["Delft", "Bonn", "Ghent", "Lille"], ROWS)
ILL = np.where(RNG.random(ROWS) < 0.7, np.where(AGE > 50, "gout", "flu"), RNG.choice(["gout", "flu"], ROWS))
COLUMNS = {"Age": [str(age) for age in AGE], "City": [str(city) for city in CITY], "Ill": [str(ill) for ill in ILL]}
ROLES = {"Age": {"role": "q", "kind": "numeric"}, "City": "q", "Ill": "c"}


def made(folder: Path, *steps: Any) -> Candidate:
    return make_candidate(folder, COLUMNS, ROLES, steps=list(steps))


def attack(candidate: Candidate, id: str) -> AttackEntry:
    return next(entry for entry in audit(candidate) if entry.id == id)


STEPS = {
    "by one rule": {"method": "generalize", "columns": ["Age"], "parameters": {"width": 2}},
    "by wide ranges": {"method": "generalize", "columns": ["Age"], "parameters": {"width": 20}},
    "by groups": {"method": "mondrian", "parameters": {"k": 4}},
}


@pytest.mark.parametrize("name", STEPS)
def test_people_are_linked_as_often_as_classes_are_small(tmp_path: Path, name: str) -> None:
    candidate = made(tmp_path, STEPS[name])
    classes = equivalence_classes(candidate.final.with_role("quasi-identifier"), ROWS)
    linked = attack(candidate, "linkage")
    assert linked.success.value == pytest.approx(classes.count / ROWS)
    assert linked.sampled == ROWS
    alone = attack(candidate, "singling-out")
    assert alone.success.value == (classes.size_of_record == 1).mean()


@pytest.mark.parametrize("rows", ["one", "several"])
def test_hidden_cells_protect_nobody_whom_another_column_shows(tmp_path: Path, rows: str) -> None:
    """One group shows its place and one hides it; a column beside it that everybody has alone picks all out."""
    columns = {
        "Sex": ["f"] * 40 + ["m"] * 40,
        "Place": ["N"] * 40 + ["N", "S", "E", "W"] * 10,
        "Tattoo": [f"t{n}" for n in range(80)],
        "Ill": [str(each) for each in ILL[:80]],
    }
    roles = {"Sex": "q", "Place": "q", "Tattoo": "o", "Ill": "c"}
    step = {"method": "mondrian", "columns": ["Sex", "Place"], "parameters": {"k": 30}}
    more: dict[str, Any] = {}
    if rows == "several":
        columns = {"Who": [str(n) for n in range(80)] * 2, **{name: values * 2 for name, values in columns.items()}}
        roles, more = {"Who": "i", **roles}, {"input": {"person": "Who"}}
    candidate = make_candidate(tmp_path, columns, roles, steps=[step], **more)
    assert set(candidate.final.column("Place").values()) == {"N", "*"}
    found = [entry for entry in audit(candidate) if entry.id == "singling-out"]
    assert [existing(entry.success.value) for entry in found] == [0.0, 1.0]


def test_guessing_in_ranges_is_as_good_as_guessing_in_single_years(tmp_path: Path) -> None:
    bare, narrow = made(tmp_path), made(tmp_path, STEPS["by one rule"])
    wide = made(tmp_path, {"method": "generalize", "columns": ["Age"], "parameters": {"width": 40}})
    gains = [existing(attack(candidate, "inference").advantage.value) for candidate in (bare, narrow, wide)]
    assert gains[0] >= gains[1] - 0.05 > gains[2]
    assert gains[1] > 0.05


def test_a_swapped_or_noisy_value_is_never_written_in_released_words(tmp_path: Path) -> None:
    steps = (
        {"method": "random-swap", "columns": ["Ill"]},
        {"method": "generalize", "columns": ["Age"], "parameters": {"width": 20}},
    )
    candidate = made(tmp_path, *steps)
    before, after = pair_released_columns(candidate, ["Ill"])
    assert before[0].values() == COLUMNS["Ill"]
    assert before[0].values() != after[0].values()


def as_compared(before: Column, after: Column) -> Compared:
    """Two columns, row beside row."""
    return Compared((before,), (after,), np.arange(len(before), dtype=np.int64))


def numbers(values: Sequence[str]) -> Column:
    return Column.from_texts("Age", values, kind="numeric", role="quasi-identifier")


def words(values: Sequence[str]) -> Column:
    return Column.from_texts("Age", values, role="quasi-identifier")


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    case_rows("released-words-words-are-recognised-in-a-file-of-unknown", lists=True),
)
def test_words_are_recognised_in_a_file_of_unknown_making(
    tmp_path: Path, before: Sequence[str], after: Sequence[str], expected: Sequence[str]
) -> None:
    both = to_released_texts(made(tmp_path), as_compared(numbers(before), words(after)))
    assert both.before[0].values() == expected


@pytest.mark.parametrize("gone", ["*", ""])
def test_a_column_of_which_nothing_is_left_is_not_looked_at(tmp_path: Path, gone: str) -> None:
    both = to_released_texts(made(tmp_path), as_compared(numbers(["30", "31", "41"]), words([gone] * 3)))
    assert both.before[0].values() == [gone] * 3
    both = to_released_texts(made(tmp_path), as_compared(numbers(["30", "31", ""]), numbers([gone.strip("*")] * 3)))
    assert both.before[0].missing.all()


def test_names_that_hold_the_name(tmp_path: Path) -> None:
    before, after = words(["Bonn", "Bonn", "Delft"]), words(["{Bonn, Ghent}", "{Bonn}", "{Delft, Bonn}"])
    both = to_released_texts(made(tmp_path), as_compared(before, after))
    assert both.before[0].values() == after.values()


@pytest.mark.parametrize(("text", "ends"), case_rows("released-words-ranges-are-read"))
def test_ranges_are_read(text: str, ends: tuple[Any, ...] | None) -> None:
    assert range_ends(text) == ends
