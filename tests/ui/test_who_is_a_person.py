"""Who is a person here: answered on page Open, counted on every page after it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ui_support import Person, decide_roles

from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.recipe.models import InputSection, Recipe
from ppdm_desktop.engine.release.candidate.pipeline import prepare_reading
from ppdm_desktop.engine.table.reading import read_source
from ppdm_desktop.ui.pages.levels.page import find_level_reasons
from ppdm_desktop.ui.state.level_counts import find_levels
from tests.golden.people import visits_csv

COUNTED = "2,864 rows of 2,000 people. 467 people have more than one row, at most 40."


@pytest.fixture
def person(window: Any, dialogs: Any, tmp_path: Path) -> Person:
    path = tmp_path / "visits.csv"
    path.write_text(visits_csv(), encoding="utf-8")
    person = Person(window, dialogs)
    person.open(path)
    return person


def given(person: Person) -> Any:
    return person.session.decisions.recipe.input


def test_the_answer_is_one_decision_that_can_be_undone(person: Person) -> None:
    before = person.session.decisions
    person.choose("combo_person", "person_nbr")
    assert person.words("text_people") == COUNTED
    person.session.undo()
    assert person.session.decisions == before
    assert not person.sees("combo_reduce")
    person.session.redo()
    person.choose("combo_reduce", "last")
    assert given(person).reduce.by == "last"
    person.tick("check_one_row_per_person")
    assert (given(person).one_row_per_person, given(person).person, given(person).reduce) == (True, None, None)
    person.tick("check_quota")
    assert (given(person).one_row_per_person, given(person).quota) == (True, True)
    person.choose("combo_person", "person_nbr")
    assert not given(person).quota
    assert not person.sees("check_quota")
    assert not given(person).one_row_per_person
    assert not person.see("check_one_row_per_person").isChecked()
    person.tick("check_rows_are_groups")
    person.choose("combo_people_count", "days")
    assert (given(person).rows, given(person).people_count, given(person).person) == ("groups", "days", None)
    person.choose("combo_person", "person_nbr")
    assert (given(person).rows, given(person).people_count) == (None, None)
    assert not person.sees("combo_people_count")
    person.choose("combo_person", "")
    assert (given(person).one_row_per_person, given(person).person, given(person).reduce) == (False, None, None)


def test_two_columns_together_say_whose_row_it_is(window: Any, dialogs: Any, tmp_path: Path) -> None:
    """Case numbers that each clinic gives anew: by the case alone different people would be one."""
    rng = np.random.default_rng(2)
    rows = [(f"clinic {rng.integers(3)}", f"{rng.integers(40)}", f"{rng.integers(9)}") for _ in range(300)]
    path = tmp_path / "cases.csv"
    path.write_text("\n".join(["clinic,case,ward", *(",".join(row) for row in rows)]) + "\n", encoding="utf-8")
    person = Person(window, dialogs)
    person.open(path)
    assert not person.sees("combo_person_2")
    person.choose("combo_person", "case")
    assert f"300 rows of {len({row[1] for row in rows})} people" in person.words("text_people")
    second = person.see("combo_person_2")
    assert [second.itemText(place) for place in range(second.count())] == [
        "this column alone",
        "together with clinic",
        "together with ward",
    ]
    person.choose("combo_reduce", "first")
    person.choose("combo_person_2", "clinic")
    assert given(person).person == ("case", "clinic")
    assert given(person).reduce.by == "first"
    people = len({row[:2] for row in rows})
    assert f"300 rows of {people} people" in person.words("text_people")
    columns = person.session.decisions.recipe.columns
    assert {columns[name].role for name in ("clinic", "case")} == {"identifier"}
    session = person.session
    decide_roles(session, {"quasi-identifier": ("ward",), "identifier": ("clinic", "case")})
    assert prepare_reading(session.decisions.path, session.reading, session.decisions.recipe).table.rows == people
    person.choose("combo_person_2", "")
    assert given(person).person == ("case",)
    session.undo()
    assert given(person).person == ("case", "clinic")
    # A recipe may name more of them: they stay together.
    more = given(person).model_copy(update={"person": ("case", "clinic", "ward")})
    session.decide_recipe(input=more)
    person.settle()
    assert person.see("combo_person_2").currentText() == "together with clinic + ward"
    person.choose("combo_person", "ward")
    assert given(person).person == ("ward",)


def test_a_column_that_would_be_released_becomes_an_identifier(person: Person) -> None:
    decide_roles(person.session, {"quasi-identifier": ("person_nbr",)})
    person.choose("combo_person", "person_nbr")
    assert person.session.decisions.recipe.columns["person_nbr"].role == "identifier"
    person.session.undo()
    assert person.session.decisions.recipe.columns["person_nbr"].role == "quasi-identifier"


def levels_of_rows(folder: Path, **read: object) -> tuple[Any, Recipe, Any]:
    """Return the reading, the recipe, and the levels of three people with a level column, a rule and picked rows."""
    path = folder / "rows.csv"
    path.write_text("id,q,wish\na,1,normal\na,2,paranoid\nb,1,normal\nb,1,normal\nc,3,cautious\n", encoding="utf-8")
    roles = {"id": "identifier", "q": "quasi-identifier", "wish": "privacy-level"}
    recipe = parse_recipe(
        {
            "recipe": 1,
            "input": {"person": "id", "sha256": "0" * 64, **read},
            "columns": {name: {"role": role} for name, role in roles.items()},
            "privacy": {
                "rules": [{"where": {"column": "q", "equals": "1"}, "level": "normal"}],
                "rows": [{"rows": ["2-3"], "level": "normal"}],
            },
        }
    )
    reading = read_source(path, InputSection())
    return reading, recipe, find_levels(reading, recipe, None)


def test_a_level_holds_in_all_rows_of_a_person(tmp_path: Path) -> None:
    _, _, found = levels_of_rows(tmp_path)
    assert found.levels is not None
    assert [found.levels.levels[code].name for code in found.levels.codes] == [
        "paranoid",
        "paranoid",
        "normal",
        "normal",
        "cautious",
    ]
    assert {level.name: people for level, people in zip(found.levels.levels, found.people, strict=True)} == {
        "normal": 1,
        "cautious": 1,
        "paranoid": 1,
    }
    assert sum(found.levels.sources.values()) == 3
    assert (found.rule_counts, found.picked, found.raised, found.basis.people) == ([2], (1,), 2, 3)
    assert found.people_without_rule == 1
    assert {each.text: each.people for each in found.texts} == {"normal": 2, "paranoid": 1, "cautious": 1}
    # Who is alone at their level: a by their second row, c; b shares a row with a.
    assert dict(zip([level.name for level in found.levels.levels], found.unique_people, strict=True)) == {
        "normal": 0,
        "cautious": 1,
        "paranoid": 1,
    }
    codes, texts = find_level_reasons(found)
    assert [texts[code] for code in codes] == [
        "“wish” is “paranoid”",
        "“wish” is “paranoid”",
        "Everyone has at least this level",
        "Everyone has at least this level",
        "“wish” is “cautious”",
    ]
