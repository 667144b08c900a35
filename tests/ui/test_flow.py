"""From Open to Release by clicks and keys alone, and the same bytes from the command line.

Nothing here calls into the program: ``Person`` clicks, types and looks. What the session holds is only read,
to compare. Two ways: with the mouse, and with the keyboard alone.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from flow_support import (
    LETTERS,
    from_columns_to_release,
    open_file,
    same_as_the_command_line,
    write_release,
)
from PySide6.QtCore import Qt
from ui_support import FakeDialogs, Person

from ppdm_desktop.engine.samples import sample_files
from ppdm_desktop.ui.state.session import State

CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def person(window: Any, dialogs: FakeDialogs) -> Person:
    return Person(window, dialogs)


# --- all goes well ----------------------------------------------------------------------


def test_the_sample_from_open_to_release(person: Person, tmp_path: Path) -> None:
    source = tmp_path / "people.csv"
    source.write_bytes(sample_files("life-insurance")[0])
    before = source.read_bytes()
    open_file(person, source)
    assert person.window.current == "open"
    person.tick("check_one_row_per_person")
    person.click("button_next")
    assert person.window.current == "columns"
    roles = {"quasi-identifier": ("Age", "Gender", "Location"), "confidential": ("Amount",)}
    from_columns_to_release(person, roles, "research")
    out, recipe = tmp_path / "out", tmp_path / "saved.toml"
    write_release(person, out, recipe)
    person.click("button_verify")
    assert "identical" in person.see("strip_result").text.text().lower()
    person.click("button_open_folder")
    assert person.dialogs.shown == [out / "release"]
    assert source.read_bytes() == before
    same_as_the_command_line(source, recipe, out, tmp_path / "again")
    assert all(person.session.state(step) is State.DONE for step in ("open", "columns", "risk", "compare", "release"))


@pytest.mark.thorough
def test_the_keyboard_is_enough(person: Person, tmp_path: Path) -> None:
    """No mouse at all: shortcuts, Tab and Enter."""
    source = tmp_path / "people.csv"
    source.write_bytes(sample_files("life-insurance")[0])
    person.dialogs.will("open_file", source)
    person.press(Qt.Key.Key_O, CONTROL)
    assert person.window.current == "open"
    person.see("check_one_row_per_person").setFocus()
    person.press(Qt.Key.Key_Space)
    person.press(Qt.Key.Key_Return, CONTROL)
    assert person.window.current == "columns"
    person.see("table_columns").setFocus()
    for row, role in enumerate(("quasi-identifier", "quasi-identifier", "quasi-identifier", "confidential")):
        if row:
            person.press(Qt.Key.Key_Down)
        person.press(LETTERS[role])
    person.press(Qt.Key.Key_Return, CONTROL)
    assert person.window.current == "levels"
    person.press(Qt.Key.Key_3, CONTROL)
    person.see("type_public").setFocus()
    person.press(Qt.Key.Key_Space)
    assert person.session.decisions.recipe.release.type == "public"
    person.press(Qt.Key.Key_Right)
    assert person.session.decisions.recipe.release.type == "public-high-harm"
    person.press(Qt.Key.Key_4, CONTROL)
    assert person.window.current == "risk"
    person.press(Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert person.window.current == "levels"
    person.press(Qt.Key.Key_F1)
    assert person.sees("drawer_help")
    person.press(Qt.Key.Key_Escape)
    assert not person.sees("drawer_help")
    while person.session.can_undo is not None:
        person.press(Qt.Key.Key_Z, CONTROL)
    assert person.session.with_role("confidential") == [] or person.session.unconfirmed()
    while person.session.can_redo is not None:
        person.press(Qt.Key.Key_Y, CONTROL)
    assert person.session.with_role("confidential") == ["Amount"]
    person.dialogs.will("save_file", tmp_path / "kept.ppdm")
    person.press(Qt.Key.Key_S, CONTROL)
    assert "Amount" in (tmp_path / "kept.ppdm").read_text("utf-8")
