"""Last year's decisions for this year's file: six pairs of files, and what is never carried."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from cases import case_rows, case_text

from ppdm_desktop.engine.recipe.carry_over import Match, Profile, fold_name, match_columns
from ppdm_desktop.engine.recipe.load import parse_recipe, to_document
from ppdm_desktop.engine.recipe.models import InputSection
from ppdm_desktop.engine.release.start_like import (
    Started,
    profiles_document,
    read_earlier_decisions,
    start_like,
)
from ppdm_desktop.engine.table.reading import read_source

KEY = bytes(range(32))
TOWNS = ["Ghent", "Delft", "Bonn", "Lille", "Basel", "Graz", "Turin", "Porto"]
RECIPE: dict[str, Any] = json.loads(case_text("start-like-recipe.json"))


def people(seed: int) -> list[dict[str, str]]:
    """Return 400 people, most of them those of any other seed."""
    rows = []
    for number in range(400):
        draw = random.Random(number if number < 320 else 1_000 * seed + number)
        rows.append(
            {
                "Person id": f"P{draw.randrange(10**6)}",
                "Age": str(draw.randrange(20, 80)),
                "Größe 2025": str(draw.randrange(150, 200)),
                "Town": draw.choices(TOWNS, [30, 20, 15, 12, 9, 7, 4, 3])[0],
                "Grade": draw.choices(["low", "mid", "high"], [5, 3, 2])[0],
                "Illness": draw.choices(["flu", "cold", "hiv", "none"], [4, 3, 1, 12])[0],
                "Admitted": f"2025-{draw.randrange(1, 13):02}-{draw.randrange(1, 29):02}",
                "Shielded": draw.choices(["n", "y"], [9, 1])[0],
            }
        )
    return rows


def write(path: Path, rows: list[dict[str, str]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


NEW_NAMES = {"Person id": "person_ID", "Größe 2025": "Groesse (2026)", "Town": "Wohnort", "Illness": "Diagnosis"}


def renamed(row: dict[str, str]) -> dict[str, str]:
    return {NEW_NAMES.get(name, name): value for name, value in row.items()}


def reordered(row: dict[str, str]) -> dict[str, str]:
    return dict(reversed(row.items()))


def new_category(row: dict[str, str]) -> dict[str, str]:
    old = int(row["Age"]) > 78
    return {**row, "Grade": "top" if old else row["Grade"], "Shielded": "maybe" if old else row["Shielded"]}


def changed_kind(row: dict[str, str]) -> dict[str, str]:
    return {**row, "Age": "old" if int(row["Age"]) > 50 else "young", "Admitted": row["Admitted"][:4] + " spring"}


def split_column(row: dict[str, str]) -> dict[str, str]:
    rest = {name: value for name, value in row.items() if name != "Town"}
    return {**rest, "Country": "EU" if row["Town"] < "D" else "CH", "Place": row["Town"][:2]}


ALL = {name: name for name in RECIPE["columns"]}
Change = Callable[[dict[str, str]], dict[str, str]]
PAIRS: dict[str, tuple[Change, Mapping[str, str], set[str]]] = {
    "same": (dict, ALL, set()),
    "renamed": (renamed, {**ALL, **NEW_NAMES}, set()),
    "reordered": (reordered, ALL, set()),
    "new category": (new_category, ALL, {"Grade", "Shielded"}),
    "changed kind": (changed_kind, {name: name for name in ALL if name not in ("Age", "Admitted")}, set()),
    "split column": (split_column, {name: name for name in ALL if name != "Town"}, set()),
}
"""(change of a row, new name of each earlier column that may be carried, columns that are to be confirmed)."""


def started(folder: Path, change: Change, **more: Any) -> Started:
    last = read_source(write(folder / "last.csv", people(1)), InputSection())
    project = folder / "last.ppdm"
    document = {"format": 1, "recipe": RECIPE, "profiles": profiles_document(last.table, KEY)}
    project.write_text(json.dumps(document), encoding="utf-8")
    source = write(folder / "new.csv", [change(row) for row in people(2)])
    return start_like(source, *read_earlier_decisions(project), more.pop("key", KEY), **more)


def carried(result: Started) -> dict[str, str]:
    return {row.match.old: row.match.new for row in result.rows if row.is_carried}


@pytest.mark.parametrize("pair", PAIRS)
def test_six_pairs_of_files(tmp_path: Path, pair: str) -> None:
    change, expected, to_confirm = PAIRS[pair]
    result = started(tmp_path, change)
    assert carried(result).items() <= expected.items(), "carried to the wrong column"
    assert len(carried(result)) >= 0.9 * len(expected)
    assert {row.match.new for row in result.rows if row.is_carried and row.differs} == to_confirm
    assert result.recipe.columns.keys() == set(carried(result).values())
    assert result.decided_only.columns.keys() == set(carried(result).values()) - to_confirm
    (step,) = result.recipe.steps
    wanted = [carried(result)[name] for name in ("Age", "Größe 2025", "Town") if name in carried(result)]
    assert step.columns == tuple(wanted)
    parse_recipe(to_document(result.recipe))


def test_what_is_carried_and_what_never(tmp_path: Path) -> None:
    result = started(tmp_path, renamed)
    recipe = result.recipe
    assert recipe.columns["Age"].bounds == (0, 120)
    assert (recipe.columns["Wohnort"].detail, recipe.columns["Age"].detail) == ("may-go", "keep")
    assert recipe.privacy.rules[0].where[0].column == "Diagnosis"
    assert (recipe.privacy.words, recipe.utility.targets) == ({"y": "high", "n": "normal"}, None)
    assert (recipe.privacy.rows, recipe.input.people, recipe.input.sha256, recipe.accept) == ((), (), None, {})
    assert not recipe.input.one_row_per_person
    assert result.reasons == {"found": RECIPE["accept"]["found"]["reason"]}
    operator = recipe.operator
    assert (operator.name, operator.note) == ("Ann", "Wards")
    assert (operator.approver, operator.review_date, operator.expires) == (None, None, None)
    assert (recipe.release.agreement, recipe.release.four_eyes, recipe.release.type) == (False, True, "research")


def test_a_person_may_undo_a_row_or_say_which_column_it_is(tmp_path: Path) -> None:
    result = started(tmp_path, renamed, undone=["Age"], chosen={"Grade": "Wohnort"})
    assert "Age" not in carried(result)
    assert "Age" not in result.recipe.columns
    assert [row.match.new for row in result.rows if row.match.old == "Grade"] == ["Wohnort"]


def test_on_another_computer_only_names_count(tmp_path: Path) -> None:
    result = started(tmp_path, renamed, key=b"x" * 32)
    assert carried(result).keys() == ALL.keys() - {"Town", "Illness"}


def test_a_recipe_has_no_contents(tmp_path: Path) -> None:
    source = write(tmp_path / "new.csv", people(2))
    result = start_like(source, parse_recipe(RECIPE), {}, None)
    assert carried(result) == ALL


@pytest.mark.parametrize(("first", "second", "are_alike"), case_rows("start-like-names-that-are-alike"))
def test_names_that_are_alike(first: str, second: str, are_alike: bool) -> None:
    assert (fold_name(first) == fold_name(second)) == are_alike


def profile(seed: int, kind: str = "nominal", changed: int = 0) -> Profile:
    hashes = [random.Random(seed + 100 * (index < changed)).randrange(2**31) + index for index in range(64)]
    return Profile(kind, 0.0, 3.0, "".join(f"{number:08x}" for number in hashes))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ({"a": profile(1)}, {"b": profile(1, changed=20)}, [("a", "b", "content")]),
        ({"a": profile(1)}, {"b": profile(1, changed=40)}, [("a", "", "gone")]),
        ({"a": profile(1)}, {"b": profile(1, "text")}, [("a", "", "gone")]),
        ({"a": profile(1)}, {"b": profile(1), "c": profile(1, changed=3)}, [("a", "", "asked")]),
        ({"a": profile(1), "b": profile(1, changed=3)}, {"c": profile(1)}, [("a", "", "asked"), ("b", "", "asked")]),
        (
            {"i 2023": None, "i 2024": None},
            {"i 2024": profile(1), "i 2025": profile(2)},
            [("i 2023", "", "gone"), ("i 2024", "i 2024", "same-name")],
        ),
        ({"x": None}, {"X ": profile(1), "x.": profile(2)}, [("x", "", "gone")]),
    ],
)
def test_columns_are_matched_one_to_one(old: Any, new: Any, expected: list[tuple[str, str, Any]]) -> None:
    assert match_columns(old, new) == tuple(Match(*match) for match in expected)
