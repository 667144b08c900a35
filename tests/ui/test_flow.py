"""From Open to Release by clicks and keys alone, and the same bytes from the command line.

Nothing here calls into the program: ``Person`` clicks, types and looks. What the session holds is only read,
to compare. Three ways: all goes well, a workbook with several sheets, and everything goes wrong.
"""

from __future__ import annotations

import csv
import os
import threading
from pathlib import Path
from typing import Any

import pytest
from flow_support import (
    LETTERS,
    decide,
    from_columns_to_release,
    give_roles,
    open_file,
    same_as_the_command_line,
    to_the_queue,
    write_reasons,
    write_release,
)
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from ui_support import FakeDialogs, Person, wait_until

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.release.candidate.pipeline import run_candidate
from ppdm_desktop.engine.samples import sample_files
from ppdm_desktop.ui.state import candidate_queue as candidates
from ppdm_desktop.ui.state.session import State
from tests.golden.people import personnel

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
    assert "exactly the same data" in person.see("strip_result").text.text().lower()
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


# --- everything goes wrong --------------------------------------------------------------


@pytest.mark.thorough
def test_everything_goes_wrong_and_nothing_is_lost(
    person: Person, make_window: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, bad = tmp_path / "people.csv", tmp_path / "broken.xlsx"
    source.write_bytes(sample_files("life-insurance")[0])
    bad.write_bytes(b"PK\x03\x04" + b"\x00" * 200)
    before = source.read_bytes()

    # A bad file: a sentence in the page, and nothing is open.
    open_file(person, bad)
    assert person.window.current == "welcome"
    assert "broken.xlsx" in told(person)
    assert [person.session.reading] == [None]

    # A cancelled dialog changes nothing.
    person.dialogs.will("open_file", None)
    person.click("button_choose_file")
    assert [person.session.reading] == [None]

    # A good file, then a bad one on top: the good one stays.
    open_file(person, source)
    give_up = person.session.decisions
    person.window.go_to("welcome")
    open_file(person, bad)
    assert "broken.xlsx" in told(person)
    assert person.session.decisions == give_up
    assert person.session.reading is not None

    # Decide, measure, and let a run fail: the others go on, and the sentence stands in its row.
    person.press(Qt.Key.Key_2, CONTROL)
    give_roles(person, {"quasi-identifier": ("Age", "Gender", "Location"), "confidential": ("Amount",)})
    person.click("button_next")
    person.click("type_research")
    person.click("button_next")
    person.click("button_next")
    assert person.window.current == "protect"
    decided = person.session.decisions

    def failing(*arguments: Any) -> Any:
        raise RuntimeError("Ann Marker, 30-39")

    monkeypatch.setattr(candidates, "run_candidate", failing)
    to_the_queue(person)
    (failed,) = person.session.candidates
    assert failed.status == "failed"
    assert failed.error
    assert "Marker" not in failed.error
    assert person.session.decisions.recipe.columns == decided.recipe.columns

    # A run that is cancelled leaves nothing.
    begun = threading.Event()

    def endless(prepared: Any, key: Any, **_more: Any) -> Any:
        while True:
            begun.set()
            progress.check()
            threading.Event().wait(0.002)

    monkeypatch.setattr(candidates, "run_candidate", endless)
    person.click("button_add_to_queue", settle=False)
    wait_until(begun.is_set)
    person.click("button_cancel_candidate")
    assert [entry.status for entry in person.session.candidates] == ["failed", "cancelled"]

    # Closing while a run is under way asks; staying keeps everything.
    begun.clear()
    person.click("button_add_to_queue", settle=False)
    wait_until(begun.is_set)
    person.dialogs.will("ask", "stay")
    person.window.close()
    assert person.window.isVisible()
    assert person.dialogs.asked[-1].default == "stay"
    person.click("button_cancel_candidate")

    # The disk is full while the release is written: nothing half-written, and writing again works.
    monkeypatch.setattr(candidates, "run_candidate", run_candidate)
    person.click("button_add_to_queue")
    person.click("button_next")
    person.click("button_choose_candidate")
    person.click("button_next")
    out = tmp_path / "out"
    person.type("edit_folder", str(out))
    write_reasons(person)
    listing = set(tmp_path.iterdir())
    with pytest.MonkeyPatch.context() as disk:
        disk.setattr(os, "fsync", full)
        person.click("button_write_release")
    assert told(person).count("\n") >= 2, "what happened, what is on disk, what to do"
    assert not out.exists()
    assert {path.name for path in set(tmp_path.iterdir()) - listing} <= {"settings"}
    person.click("button_write_release")
    assert (out / "release").is_dir()

    # The disk is full while the project is saved: said, and the decisions are still there.
    with pytest.MonkeyPatch.context() as disk:
        disk.setattr(os, "fsync", full)
        person.dialogs.will("save_file", tmp_path / "kept.ppdm")
        person.dialogs.will("ask", "ok")
        person.press(Qt.Key.Key_S, CONTROL)
    assert not (tmp_path / "kept.ppdm").exists()
    person.dialogs.will("save_file", tmp_path / "kept.ppdm")
    person.click("button_save_project")

    # Closing now asks nothing; another window opens the project where it was.
    kept = person.session.decisions
    person.window.close()
    assert not person.window.isVisible()
    other = Person(make_window(), person.dialogs)
    other.dialogs.will("open_file", tmp_path / "kept.ppdm")
    other.click("button_open_project")
    assert other.session.decisions.recipe.columns == kept.recipe.columns
    assert other.session.decisions.confirmed == kept.confirmed
    assert [entry.status for entry in other.session.candidates].count("again") >= 1
    assert source.read_bytes() == before


def full(descriptor: int) -> None:
    raise OSError(28, "No space left on device")


def told(person: Person) -> str:
    """Return what the page says went wrong."""
    page = person.window.findChild(object, f"page_{person.window.current}")
    strips = [each for each in page.findChildren(object) if "fail" in each.objectName() and each.isVisible()]
    assert strips, "nothing is said of the failure"
    return " ".join(each.accessibleName() for each in strips)


# --- ordinary files from opening to a verified release, nothing edited outside, by clicks and keys alone ---


def verified(person: Person, source: Path, folder: Path) -> Path:
    """Write the release with its reasons, verify it, and make it again on the command line."""
    out, recipe, before = folder / "out", folder / "saved.toml", source.read_bytes()
    write_release(person, out, recipe)
    person.click("button_verify")
    assert "exactly the same data" in person.see("strip_result").text.text().lower()
    assert source.read_bytes() == before
    same_as_the_command_line(source, recipe, out, folder / "again")
    return out / "release"


def with_method(person: Person, method: str) -> None:
    """Run one method as it is offered, take its candidate, and go on to Release."""
    assert person.window.current == "protect"
    to_the_queue(person, method)
    person.click("button_next")
    person.click("button_choose_candidate")
    person.click("button_next")
    assert person.window.current == "release"


@pytest.mark.thorough
def test_a_payroll_workbook_that_is_mended_on_the_way(person: Person, tmp_path: Path) -> None:
    source = tmp_path / "payroll.xlsx"
    personnel(source)
    open_file(person, source)
    assert not person.see("button_next").isEnabled(), "a sum has to be answered"
    for name in (
        "button_apply_repair_0",  # the sum
        "button_apply_clear_repairs",
        "button_apply_repair_0",  # the note below the table
        "button_apply_repair_0_0",  # day first
        "button_apply_repair_0",  # k.A. means missing
    ):
        person.click(name)
    assert person.session.reading.table.rows == 800
    person.tick("check_one_row_per_person")
    person.click("button_next")
    decide(person, {"privacy-level": ("Schutzwunsch",)})
    person.click("button_confirm_column")
    person.click("button_next")
    person.click("type_internal")
    meant = {"low": "normal", "": "normal", "normal": "cautious", "Normal": "cautious"}
    assert not person.see("button_next").isEnabled(), "no word is silently basic"
    model = person.see("table_level_texts").model()
    for row in range(model.rowCount()):
        word = str(model.index(row, 0).data())
        person.choose(f"level_text_{row}", meant.get("" if word == "Empty" else word, "extra-cautious"))
    person.click("button_next")
    person.click("button_next")
    with_method(person, "mondrian")
    released = verified(person, source, tmp_path)
    rows = rows_of(released)
    assert len(rows) == 800
    assert not {"Pers.-Nr.", "Name", "E-Mail", "Schutzwunsch"} & set(rows[0])
    assert round(sum(float(row["Gehalt (EUR)"]) for row in rows if row["Gehalt (EUR)"] != "k.A."), 2) == 3601649.17


def rows_of(released: Path) -> list[dict[str, str]]:
    """Read the data file without the program."""
    with (released / "data.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def said(page: Any) -> list[str]:
    """Return what the visible labels of a page say."""
    return [label.text() for label in page.findChildren(QLabel) if label.isVisible()]
