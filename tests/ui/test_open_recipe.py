"""A recipe opened for the file that is open: what fits is taken, what does not is said, undo takes it back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from cases import case_text
from ui_support import FakeDialogs, Person

from ppdm_desktop.engine.samples import sample_files


@pytest.fixture
def person(window: Any, dialogs: FakeDialogs, tmp_path: Path) -> Person:
    """With the life insurance example open."""
    source = tmp_path / "life-insurance.csv"
    source.write_bytes(sample_files("life-insurance")[0])
    found = Person(window, dialogs)
    found.open(source)
    return found


RECIPE = case_text("open-recipe-recipe.toml")


def open_recipe(person: Person, path: Path) -> None:
    """Open a recipe for the file that is open, as a person does on page Open."""
    person.window.show_page("open")
    person.dialogs.will("open_file", path)
    person.click("button_open_recipe")


def written(tmp_path: Path, text: str = RECIPE) -> Path:
    path = tmp_path / "some.toml"
    path.write_text(text, encoding="utf-8")
    return path


def said(person: Person) -> str:
    return str(person.see("strip_recipe").text.text())


def test_what_does_not_fit_is_said(person: Person, tmp_path: Path) -> None:
    text = RECIPE.replace("[columns.Gender]", '[columns.Shoe]\nrole = "other"\n[columns.Sex]')
    text = text.replace("Amount]", "Sum]").replace('["Amount"]', '["Sum"]')
    text = text.replace(
        '[[steps]]\nmethod = "suppress"',
        """[privacy]
column = "Level"
[[privacy.rules]]
where = { column = "Shoe", equals = "44" }
level = "cautious"
[[steps]]
method = "suppress"
columns = ["Age", "Sex"]""",
    )
    open_recipe(person, written(tmp_path, text))
    words = said(person)
    assert person.see("strip_recipe").property("strip") == "amber"
    for line in (
        "Columns of the recipe that are not in this file: “Shoe”, “Sex” and “Sum”.",
        "The recipe takes protection levels from “Level”, which is not in this file.",
        "1 rule for protection levels names a missing column and is not used.",
        "leaves out “Sex”.",
        "is switched off: its columns are not in this file.",
        "Please decide these columns on the Columns page",
    ):
        assert line in words, line
    recipe = person.session.decisions.recipe
    assert [(step.columns, step.enabled) for step in recipe.steps] == [(("Age",), True), (None, False)]
    assert recipe.privacy.column is None
    assert recipe.privacy.rules == ()
    assert {"Gender", "Amount"} <= set(person.session.unconfirmed())
    # A step that is off has nothing to try.
    assert person.session.decisions.to_try is None
    assert "The range of values that it proposes does not fit this file." in words
    person.click("button_recipe_close")
    assert not person.sees("strip_recipe")


def test_row_numbers_of_another_file_are_not_used(person: Person, tmp_path: Path) -> None:
    rows = '[privacy]\n[[privacy.rows]]\nrows = ["3-4"]\nlevel = "cautious"\n'
    start = f'recipe = 1\n[input]\none_row_per_person = true\nsha256 = "{"0" * 64}"\n'
    text = start + RECIPE.partition("one_row_per_person = true\n")[2].replace("[[steps]]", rows + "[[steps]]", 1)
    open_recipe(person, written(tmp_path, text))
    assert person.session.decisions.recipe.privacy.rows == ()
    # Of the file they were written for they are.
    own = text.replace("0" * 64, person.session.reading.account.sha256)
    open_recipe(person, written(tmp_path, own))
    assert "Its row numbers" not in said(person)
    assert len(person.session.decisions.recipe.privacy.rows) == 1
