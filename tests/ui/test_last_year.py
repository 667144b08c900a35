"""Last year's project as the start for a new file, in the window."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cases import case_text
from ui_support import FakeDialogs, Person

from ppdm_desktop.engine.samples import sample_files
from ppdm_desktop.ui.state.project import write_project

REASON = "Only the board of the hospital sees these figures."
RECIPE = case_text("open-recipe-recipe.toml") + f'[accept.found]\nreason = "{REASON}"\n'
KEYS = {"Age": "Age", "Gender": "Sex", "Location": "location (2026)", "Amount": "Amount"}


def test_a_new_year_starts_where_the_last_one_ended(window: Any, dialogs: FakeDialogs, tmp_path: Path) -> None:
    person = Person(window, dialogs)
    text = sample_files("life-insurance")[0].decode()
    last, recipe, project = tmp_path / "last.csv", tmp_path / "some.toml", tmp_path / "last.ppdm"
    last.write_text(text, encoding="utf-8")
    recipe.write_text(RECIPE, encoding="utf-8")
    person.open(last)
    dialogs.will("open_file", recipe)
    person.click("button_open_recipe")
    write_project(project, person.session, "open", window.context.ledger)

    lines = text.splitlines()
    new = tmp_path / "new.csv"
    new.write_text("\n".join([",".join(KEYS.values()), *lines[2:], lines[1].replace(",Med", ",Top")]), encoding="utf-8")
    person.session.saved = person.session.decisions
    person.open(new)
    window.show_page("open")
    dialogs.will("open_file", project)
    person.click("button_start_like")
    rows = {row[1]: row[2:] for row in person.see("table_last_year").model().rows}
    assert {name: row[0] for name, row in rows.items()} == KEYS
    assert [row[1] for row in rows.values()] == ["same name", "similar values", "similar name", "same name"]
    assert "Top" in rows["Amount"][2]
    decisions = person.session.decisions
    assert {name: section.role for name, section in decisions.recipe.columns.items()} == {
        "Age": "quasi-identifier",
        "Sex": "quasi-identifier",
        "location (2026)": "quasi-identifier",
        "Amount": "confidential",
    }
    # The order does not know a value: the column has to be decided again.
    assert person.session.unconfirmed() == ["Amount"]
    assert (decisions.recipe.accept, person.session.last_reasons) == ({}, {"found": REASON})
    assert [step.method for step in decisions.recipe.steps] == ["suppress", "random-swap"]
    person.click("check_last_year_Gender")
    assert set(person.session.unconfirmed()) == {"Amount", "Sex"}
    person.click("check_last_year_Gender")
    assert person.session.unconfirmed() == ["Amount"]
    person.session.undo()
    person.settle()
    assert not person.sees("card_last_year")
    assert person.session.decisions.recipe.steps == ()
