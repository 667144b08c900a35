"""Who is a person here: answered on page Open, counted on every page after it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtWidgets import QLabel
from ui_support import Person, decide_roles, make_all_pages

from ppdm_desktop.engine.progress import silent
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.recipe.models import ColumnSection, InputSection, Recipe, ReduceSection
from ppdm_desktop.engine.release.candidate.pipeline import prepare_reading
from ppdm_desktop.engine.table.reading import read_source
from ppdm_desktop.ui.pages.levels.people import reasons
from ppdm_desktop.ui.state.levels_found import find_levels
from ppdm_desktop.ui.state.person_answer import Answer, answer_of, answered
from ppdm_desktop.ui.state.project import write_project
from ppdm_desktop.ui.state.reading import Opened, begin, options_with, read_file, read_saved, take_again
from ppdm_desktop.ui.state.session import Session, State
from tests.golden.people import visits_csv

ROLES = {
    "quasi-identifier": ("region", "sex", "age"),
    "confidential": ("outcome",),
    "identifier": ("person_nbr", "visit_id"),
}
COUNTED = "2,864 rows of 2,000 people. 467 people have more than one row, at most 40."


@pytest.fixture
def person(window: Any, dialogs: Any, tmp_path: Path) -> Person:
    path = tmp_path / "visits.csv"
    path.write_text(visits_csv(), encoding="utf-8")
    person = Person(window, dialogs)
    window.open_path(path)
    person.settle()
    return person


def given(person: Person) -> Any:
    return person.session.decisions.recipe.input


def test_a_column_that_repeats_like_people_is_proposed(person: Person) -> None:
    assert not person.sees("combo_reduce")
    person.click("answer_person_1")
    assert given(person).person == ("person_nbr",)
    # Nothing is left out unless somebody says so.
    assert given(person).reduce is None
    assert person.words("text_people") == COUNTED
    assert not person.sees("answer_person_1")


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


def test_columns_may_stand_for_people(window: Any, dialogs: Any, tmp_path: Path) -> None:
    path = tmp_path / "pay.csv"
    names = ["ABe", "CDi", "EFo", "GHu", "IKa", "LMe", "NOi", "PQo", "RSu", "TUa"]
    rows = [
        [f"2024-{month:02d}-01", *(str(2_000 + 9 * number + month) for number in range(10))] for month in range(1, 13)
    ]
    path.write_text("\n".join(",".join(row) for row in [["month", *names], *rows]), encoding="utf-8")
    person = Person(window, dialogs)
    window.open_path(path)
    person.settle()
    person.click("answer_0_1")
    assert given(person).columns_are_people is True
    assert not person.sees("answer_0_1")
    person.click("answer_0_0")
    assert given(person).columns_are_people is False
    assert not person.sees("question_0")


def test_two_columns_together_say_whose_row_it_is(window: Any, dialogs: Any, tmp_path: Path) -> None:
    """Case numbers that each clinic gives anew: by the case alone different people would be one."""
    rng = np.random.default_rng(2)
    rows = [(f"clinic {rng.integers(3)}", f"{rng.integers(40)}", f"{rng.integers(9)}") for _ in range(300)]
    path = tmp_path / "cases.csv"
    path.write_text("\n".join(["clinic,case,ward", *(",".join(row) for row in rows)]) + "\n", encoding="utf-8")
    person = Person(window, dialogs)
    window.open_path(path)
    person.settle()
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
    session.decide_recipe("more", input=more)
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


@pytest.mark.thorough
def test_risk_counts_people(person: Person) -> None:
    person.choose("combo_person", "person_nbr")
    person.choose("combo_reduce", "first")
    session = person.session
    decide_roles(session, ROLES)
    session.decide_recipe("who", release=session.decisions.recipe.release.model_copy(update={"type": "research"}))
    person.window.go_to("levels")
    person.settle()
    shown = {label.text() for label in person.window.findChildren(QLabel) if label.isVisible()}
    assert "All 2,000 people have the Basic level." in shown
    person.window.go_to("risk")
    person.settle()
    assert person.window.current == "risk"
    assert session.assessment is not None
    assert session.assessment.risk.records == 2000
    assert session.assessment.document["people"] == 2000
    on_the_command_line = prepare_reading(session.decisions.path, session.reading, session.decisions.recipe)
    assert on_the_command_line.table.rows == 2000
    # Another answer makes the figures those of another table.
    person.window.go_to("open")
    person.tick("check_one_row_per_person")
    assert session.state("risk") in (State.STALE, State.READY)
    person.window.go_to("risk")
    person.settle()
    assert session.assessment.risk.records == 2864


@pytest.mark.thorough
def test_people_who_keep_their_rows_are_counted_by_both_measures(person: Person) -> None:
    person.choose("combo_person", "person_nbr")
    session = person.session
    decide_roles(session, ROLES)
    session.decide_recipe("who", release=session.decisions.recipe.release.model_copy(update={"type": "research"}))
    person.window.go_to("levels")
    person.settle()
    shown = {label.text() for label in person.window.findChildren(QLabel) if label.isVisible()}
    assert "All 2,000 people have the Basic level." in shown
    person.window.go_to("risk")
    person.settle()
    found = session.assessment
    assert found is not None
    assert (found.risk.records, found.risk.rows, found.risk.alone) == (2000, 2864, 8)
    beside = person.words("label_beside")
    assert "119 people would be unique. Of the 467 people with several rows, 111 would be unique." in beside
    make_all_pages(person.window)
    page = person.window.findChild(object, "page_risk")
    counted = page.counts.shown
    assert counted.changes.before.alone == 8
    assert counted.changes.before.records == 2000
    assert counted.pairs.alone.max() <= 8
    assert max(each.alone for each in counted.sets.sets) == 8
    page.heat.show_filter("below")
    assert page.heat.filter.currentText() == f"In groups smaller than 5: {found.risk.judged.below(5)}"
    page._on_alone_by(("region", "age", "sex"))
    assert person.see("card_people").title.text().startswith("8 people are unique from")
    # The order of the source lets somebody put a person's rows together: then that measure is the headline.
    session.decide_recipe("order", release=session.decisions.recipe.release.model_copy(update={"shuffle_rows": False}))
    page.measure()
    person.settle()
    assert session.assessment.risk.alone == session.assessment.risk.all_rows.alone > 119
    assert "By one row alone, 8 of 2,000 people would be unique" in person.words("label_beside")


def test_nobody_with_several_rows_has_one_measure(person: Person) -> None:
    session = person.session
    decide_roles(session, ROLES)
    session.decide_recipe("who", release=session.decisions.recipe.release.model_copy(update={"type": "research"}))
    person.window.go_to("risk")
    person.settle()
    assert session.assessment is not None
    assert not person.sees("label_beside")


def test_households_are_asked_for_and_told(person: Person) -> None:
    assert not person.sees("combo_household")
    person.choose("combo_person", "person_nbr")
    decide_roles(person.session, ROLES | {"other": ("unit",)})
    person.choose("combo_household", "unit")
    assert given(person).household == "unit"
    # The columns that the arrow keys passed by are what they were.
    assert person.session.with_role("quasi-identifier") == ["region", "sex", "age"]
    assert person.session.with_role("confidential") == ["outcome"]
    assert person.session.decisions.recipe.columns["unit"].role == "identifier"
    person.choose("combo_reduce", "last")
    assert (given(person).household, given(person).reduce.by) == ("unit", "last")
    person.choose("combo_reduce", "all")
    assert (given(person).household, given(person).reduce) == ("unit", None)
    session = person.session
    session.decide_recipe("who", release=session.decisions.recipe.release.model_copy(update={"type": "research"}))
    person.window.go_to("risk")
    person.settle()
    assert "20 of 20 households are unique" in person.words("label_beside")
    person.window.go_to("open")
    person.choose("combo_person", "")
    assert (given(person).person, given(person).household) == (None, None)


@pytest.mark.thorough
def test_a_column_is_made_the_same_within_people(person: Person) -> None:
    session = person.session
    make_all_pages(person.window)
    page = person.window.findChild(object, "page_columns")
    person.window.go_to("columns")
    person.settle()
    assert not person.sees("label_within_person")
    person.window.go_to("open")
    person.choose("combo_person", "person_nbr")
    decide_roles(session, ROLES)
    person.window.go_to("columns")
    person.settle()
    page.panel.show_column("sex")
    assert not person.sees("button_within_person")
    page.panel.show_column("age")
    assert person.words("label_within_person") == "43 people have different values in their rows."
    reading = session.reading
    person.click("button_within_person")
    assert given(person).repair["age"].within_person == "first"
    page.panel.show_column("age")
    assert person.words("label_within_person").endswith("43 people had different values before.")
    # It comes after reading: the file is not read again.
    assert session.reading is reading
    prepared = prepare_reading(session.decisions.path, reading, session.decisions.recipe)
    assert [(each.column, each.people) for each in prepared.made_same] == [("age", 43)]
    assert prepared.complete.input.repair["age"].within_person == "first"
    person.window.go_to("open")
    person.settle()
    shown = {label.text() for label in person.window.findChildren(QLabel) if label.isVisible()}
    assert "“age”: all rows of a person now have the person’s first value." in shown
    person.choose("combo_person", "")
    assert given(person).repair == {}


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
    reading = read_source(path, InputSection(), silent())
    return reading, recipe, find_levels(reading, recipe, None, silent())


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
    assert dict(zip([level.name for level in found.levels.levels], found.alone, strict=True)) == {
        "normal": 0,
        "cautious": 1,
        "paranoid": 1,
    }
    codes, texts = reasons(found)
    assert [texts[code] for code in codes] == [
        "“wish” is “paranoid”",
        "“wish” is “paranoid”",
        "the level for everyone",
        "the level for everyone",
        "“wish” is “cautious”",
    ]


# --- without a window ------------------------------------------------------------------------------------


def test_an_answer_keeps_how_single_columns_are_made() -> None:
    recipe = parse_recipe(
        {
            "recipe": 1,
            "input": {
                "person": ["p", "q"],
                "order_by": "day",
                "reduce": {"by": "first", "rows": "n", "columns": {"v": "mean"}},
            },
            "columns": {"p": {"role": "left-out"}},
        }
    )
    assert answer_of(recipe.input) == Answer(columns=("p", "q"), by="first")
    last = answered(recipe, Answer(columns=("p", "q"), by="last"))
    assert last.input.reduce == ReduceSection(by="last", rows="n", columns={"v": "mean"})
    assert last.input.order_by == "day"
    assert {name: each.role for name, each in last.columns.items()} == {"p": "left-out", "q": "identifier"}
    other = answered(last, Answer(columns=("p",), by="first"))
    assert (other.input.reduce, other.input.order_by) == (ReduceSection(by="first"), None)
    every = answered(last, Answer(columns=("p", "q")))
    assert (every.input.person, every.input.reduce, every.input.order_by) == (("p", "q"), None, None)
    nobody = answered(other, Answer())
    assert (nobody.input.person, nobody.input.reduce, nobody.input.order_by) == (None, None, None)


def test_people_are_counted_where_their_rows_become_one(tmp_path: Path) -> None:
    reading, recipe, found = levels_of_rows(tmp_path, reduce={"by": "first"})
    assert found.levels is not None
    assert [found.levels.levels[code].name for code in found.levels.codes] == ["paranoid", "normal", "cautious"]
    assert found.rule_counts == [2]
    assert found.picked == (1,)
    assert {each.text: each.people for each in found.texts} == {"normal": 2, "paranoid": 1, "cautious": 1}
    assert found.raised == 2
    codes, texts = reasons(found)
    assert [texts[code] for code in codes] == ["“wish” is “paranoid”", "the level for everyone", "“wish” is “cautious”"]
    basis = found.basis
    assert basis.fits(reading, recipe)
    other = recipe.model_copy(update={"input": recipe.input.model_copy(update={"person": None, "reduce": None})})
    assert not basis.fits(reading, other)


def test_what_the_recipe_says_of_the_number_of_rows_survives_a_project(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("id,q\na,1\na,2\nb,1\n", encoding="utf-8")
    session = Session()
    begin(session, read_file(path)(silent()))
    recipe = answered(session.decisions.recipe, Answer(columns=("id",), by="first"))
    reduce = ReduceSection(by="first", rows="n")
    section = ColumnSection(role="confidential", kind="numeric")
    session.decide_recipe(
        "rows", input=recipe.input.model_copy(update={"reduce": reduce}), columns={**recipe.columns, "n": section}
    )
    write_project(tmp_path / "it.ppdm", session, "open")
    again = Session()
    opened = read_saved(tmp_path / "it.ppdm")(silent())
    assert isinstance(opened, Opened)
    begin(again, opened)
    assert again.decisions.recipe.input.person == ("id",)
    assert again.decisions.recipe.input.reduce == reduce
    assert again.decisions.recipe.columns["n"] == section
    take_again(again, read_file(path, options_with(again.decisions.recipe.input, "missing", ("", "2")))(silent()))
    assert again.decisions.recipe.columns["n"] == section
    assert again.reading is not None
    assert prepare_reading(path, again.reading, again.decisions.recipe).table.column("n").role == "confidential"
