"""Whole ways to a release, from a workbook and from a saved project; the command line makes the same bytes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from protect_support import ROLES, small_csv
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit
from support import reason_for
from ui_support import FakeDialogs, Person, find, go_through

from ppdm_desktop.cli.main import run

FILES = ("data.csv", "data-dictionary.csv", "release-note.html")


def write(person: Person, folder: Path) -> None:
    """Choose what is shown, answer every check, save the recipe and write the release into ``out``."""
    person.click("button_choose_candidate")
    person.click("button_next")
    person.type("edit_folder", str(folder / "out"))
    for field in find(person.window, "list_gate").findChildren(QLineEdit):
        if field.isVisible():
            person.type(field.objectName(), reason_for(field.objectName().removeprefix("reason_")))
    person.dialogs.will("save_file", folder / "saved.toml")
    person.click("fold_files")
    person.click("button_save_recipe")
    person.click("button_write_release")
    assert person.sees("panel_done")
    person.click("button_verify")
    assert "Identical" in person.see("strip_result").text.text()


def written_again(source: Path, folder: Path) -> None:
    """Write the release again on the command line, and verify both."""
    key = folder / "out" / "internal" / "release.key"
    again = folder / "again"
    given = ["release", str(source), "--recipe", str(folder / "saved.toml"), "--key-file", str(key)]
    assert run([*given, "--out", str(again)]) == 0
    for name in FILES:
        assert (again / "release" / name).read_bytes() == (folder / "out" / "release" / name).read_bytes(), name
    for out in (folder / "out", again):
        assert run(["verify", str(out), "--input", str(source)]) == 0
    note = (again / "release" / "release-note.html").read_text(encoding="utf-8")
    assert not [
        word for word in (source.name, str(folder), "attack", "reason", key.read_text().strip()) if word in note
    ]


@pytest.mark.plans
@pytest.mark.thorough
def test_a_saved_project_goes_on_to_a_release(
    make_window: Callable[..., Any], dialogs: FakeDialogs, tmp_path: Path
) -> None:
    source = small_csv(tmp_path)
    person = Person(make_window(), dialogs)
    go_through(person, source, ROLES, until="protect")
    names = find(person.window, "part_versions").versions
    person.click("button_next", settle=False)
    # Nothing of a run is saved, so that none has to end.
    person.window.runner.stop_all()
    person.settle()
    assert len(person.session.candidates) == len(names) >= 2
    dialogs.will("save_file", tmp_path / "kept.ppdm")
    person.press(Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    person.window.close()

    other = Person(make_window(), dialogs)
    dialogs.will("open_file", tmp_path / "kept.ppdm")
    other.click("button_open_project")
    assert [entry.status for entry in other.session.candidates] == ["again"] * len(names)
    for step in ("risk", "protect"):
        other.window.go_to(step)
        other.settle()
    other.click("button_build_own")
    other.click("button_again_C2")
    assert [entry.name for entry in other.session.candidates if entry.status == "done"] == ["C2"]
    other.click("button_next")
    write(other, tmp_path)
    written_again(source, tmp_path)
