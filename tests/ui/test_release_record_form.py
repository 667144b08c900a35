"""Languages of the documents and the fields of the release record, filled in as a person does on Release."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from protect_support import at_step, small_csv
from PySide6.QtCore import Qt
from ui_support import FakeDialogs, Person

from ppdm_desktop.engine.wording.catalogue import set_language

FIELDS = {
    "dataset": "Kundenliste 2026",
    "controller": "Beispiel Versicherung AG",
    "purpose": "Tarifforschung",
    "legal_basis": "Art. 6 Abs. 1 Buchst. f",
    "recipient": "Hochschule Beispiel, Vertrag 17",
    "dpo": "D. Beauftragte",
    "categories_of_persons": "Kundinnen und Kunden",
    "retention": "Zehn Jahre",
    "measures": "Verschlüsselte Platte",
    "incident": "Die Beauftragte, am selben Tag",
    "approver": "A. Leiterin",
    "review_date": "2027-11-30",
}


def fill_in(person: Person) -> None:
    """Fill in every field of the record."""
    if not person.sees("card_record"):
        person.click("fold_record")
    for key, text in FIELDS.items():
        person.type(f"record_{key}", text)
    person.click("record_special_categories_yes")


def answered(person: Person) -> bool | None:
    """What was said of data of article 9."""
    given: bool | None = person.session.decisions.recipe.operator.special_categories
    return given


@pytest.mark.thorough
def test_the_fields_are_asked_once_for_a_project_and_can_be_undone(
    make_window: Callable[..., Any], dialogs: FakeDialogs, tmp_path: Path
) -> None:
    person = at_step(make_window(), dialogs, tmp_path, "release")
    candidate, judged = person.session.chosen, person.session.chosen.judged
    fill_in(person)
    person.click("record_special_categories_no")
    assert answered(person) is False
    person.press(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert answered(person) is True
    person.type("record_dpo", " ")
    assert person.session.decisions.recipe.operator.dpo is None
    # Nothing of it is drawn, or judged, again.
    assert person.session.chosen is candidate
    assert candidate.judged is judged
    assert not person.session.is_stale(candidate.basis)
    dialogs.will("save_file", tmp_path / "kept.ppdm")
    person.press(Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    person.window.close()

    other = Person(make_window(), dialogs)
    dialogs.will("open_file", tmp_path / "kept.ppdm")
    other.click("button_open_project")
    given = other.session.decisions.recipe.operator
    assert {key: getattr(given, key) for key in FIELDS} == {**FIELDS, "dpo": None}
    assert given.special_categories is True


@pytest.mark.parametrize(("spoken", "written"), [("de", "de"), ("en", "en"), ("qps", "en")])
def test_a_new_project_writes_in_the_windows_language(
    make_window: Callable[..., Any], dialogs: FakeDialogs, tmp_path: Path, spoken: str, written: str
) -> None:
    person = Person(make_window(), dialogs)
    set_language(spoken)
    person.window.open_path(small_csv(tmp_path))
    person.settle()
    release = person.session.decisions.recipe.release
    assert (release.note_language, release.report_language) == (written, written)
