"""What a person does on each page, by clicks and keys alone."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit
from support import reason_for
from ui_support import Person

from ppdm_desktop.cli.main import run
from ppdm_desktop.ui.state.session import Session

LETTERS = {
    "identifier": Qt.Key.Key_I,
    "quasi-identifier": Qt.Key.Key_Q,
    "confidential": Qt.Key.Key_C,
    "other": Qt.Key.Key_O,
    "left-out": Qt.Key.Key_X,
    "privacy-level": Qt.Key.Key_L,
}


def open_file(person: Person, path: Path) -> None:
    person.dialogs.will("open_file", path)
    person.click("button_choose_file")
    leave_people_open(person.session)


def leave_people_open(session: Session) -> None:
    """Answer that it is not known whether each row is another person; then the page lets go on."""
    session.settled.add(("person", ""))
    session.changed()


def give_roles(person: Person, roles: Mapping[str, Sequence[str]]) -> None:
    """Give each column its role: click its row, press its letter."""
    names = [line.name for line in person.see("table_columns").model().lines]
    given = {name: role for role, columns in roles.items() for name in columns}
    for row, name in enumerate(names):
        person.click_row("table_columns", row, 1)
        person.press(LETTERS[given.get(name, "other")])
    assert not person.session.unconfirmed()


def to_the_queue(person: Person, method: str = "bayes-swap") -> None:
    """Put a method into the chain, where it is not yet, and add the candidate to the queue."""
    if not person.session.decisions.recipe.steps:
        if person.sees("button_build_own"):
            person.click("button_build_own")
        person.click(f"method_{method}")
        person.click("button_use_method")
    person.click("button_add_to_queue")


def write_reasons(person: Person) -> list[str]:
    """Write a reason into every field that asks for one; return the causes that asked."""
    fields = person.window.findChild(object, "list_gate").findChildren(QLineEdit)
    names = [field.objectName() for field in fields if field.isVisible()]
    causes = [name.removeprefix("reason_") for name in names if name.startswith("reason_")]
    for cause in causes:
        person.type(f"reason_{cause}", reason_for(cause))
    return causes


def release_with_reasons(person: Person) -> None:
    """Write every reason that is asked for, and then the release."""
    write_reasons(person)
    person.click("button_write_release")
    assert person.sees("panel_done")


def from_columns_to_release(person: Person, roles: Mapping[str, Sequence[str]], kind: str) -> None:
    give_roles(person, roles)
    person.click("button_next")
    assert person.window.current == "levels"
    person.click(f"type_{kind}")
    person.click("button_next")
    assert person.window.current == "risk"
    assert "people" in person.words("label_headline")
    person.click("button_next")
    assert person.window.current == "protect"
    to_the_queue(person)
    person.click("button_next")
    assert person.window.current == "compare"
    person.click("button_choose_candidate")
    person.click("button_next")
    assert person.window.current == "release"


def write_release(person: Person, out: Path, recipe: Path) -> None:
    person.type("edit_folder", str(out))
    write_reasons(person)
    person.dialogs.will("save_file", recipe)
    person.click("fold_files")
    person.click("button_save_recipe")
    person.click("button_write_release")
    person.see("panel_done")


def same_as_the_command_line(source: Path, recipe: Path, out: Path, again: Path) -> None:
    """Release again with the saved recipe and the kept key; every file to hand over must be the same."""
    key = out / "internal" / "release.key"
    code = run(["release", str(source), "--recipe", str(recipe), "--out", str(again), "--key-file", str(key)])
    assert code == 0
    assert hashes(out / "release") == hashes(again / "release")
    assert len(hashes(out / "release")) >= 3


def hashes(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


def decide(person: Person, roles: Mapping[str, Sequence[str]]) -> None:
    """Confirm what is clear, then give each column that is still open, or has another role, its own by a letter.

    Few whole numbers are numbers.
    """
    if person.see("button_confirm_clear").isEnabled():
        person.click("button_confirm_clear")
    given = {name: role for role, columns in roles.items() for name in columns}
    for row, line in enumerate(person.see("table_columns").model().lines):
        section = person.session.decisions.recipe.columns.get(line.name)
        if line.name in given and (section is None or section.role != given[line.name]):
            person.click_row("table_columns", row, 1)
            person.press(LETTERS[given[line.name]])
    while person.sees("question_codes"):
        person.click("button_numbers")
    assert set(person.session.unconfirmed()) <= set(given)
