"""People who keep several rows on the command line: assess, release, its documents, verify."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cases import case_text
from support import Command

from ppdm_desktop.engine.recipe.load import read_recipe
from tests.golden.people import visits_csv

RECIPE = case_text("several-rows-recipe.toml")


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    source, recipe = tmp_path / "visits.csv", tmp_path / "visits.toml"
    source.write_text(visits_csv(), encoding="utf-8")
    recipe.write_text(RECIPE, encoding="utf-8")
    return source, recipe


def test_assess_counts_people_in_words_and_in_json(command: Command, files: tuple[Path, Path]) -> None:
    source, recipe = files
    told = command("assess", source, "--recipe", recipe)
    assert told.code == 0, told.err
    found = json.loads(command("assess", source, "--recipe", recipe, "--json").out)
    assert (found["rows"], found["people"], found["records"]) == (2_864, 2_000, 2_000)
    assert (found["judged_by"], found["uniquely_identifiable"], found["collectively_identifiable"]) == (
        "one_row",
        8,
        12,
    )
    assert (found["one_row"]["unique"], found["all_rows"]["unique"], found["k"]) == (8, 119, 1)


def test_inspect_proposes_who_is_a_person(tmp_path: Path, command: Command, files: tuple[Path, Path]) -> None:
    source, _ = files
    told = command("inspect", source, "--write-recipe", tmp_path / "first.toml")
    words = "“person_nbr” probably shows whose row it is: 2,864 rows of 2,000 people."
    assert words in told.out
    first = (tmp_path / "first.toml").read_text(encoding="utf-8")
    assert '#person = "person_nbr"' in first
    given, confirmed = first.replace('#person = "', 'person = "'), tmp_path / "confirmed.toml"
    confirmed.write_text(given, encoding="utf-8")
    assert read_recipe(confirmed).input.person == ("person_nbr",)
    found = json.loads(command("inspect", source, "--json").out)["person"]
    assert (found["column"], found["rows"], found["people"], found["without_id"]) == ("person_nbr", 2_864, 2_000, 0)


def test_rows_in_the_order_of_the_source_are_judged_together(command: Command, files: tuple[Path, Path]) -> None:
    source, recipe = files
    recipe.write_text(RECIPE + "shuffle_rows = false\n", encoding="utf-8")
    found = json.loads(command("assess", source, "--recipe", recipe, "--json").out)
    assert found["judged_by"] == "all_rows"
    assert found["all_rows"]["unique_with_several"] == 116
    assert found["uniquely_identifiable"] == found["all_rows"]["unique"]
