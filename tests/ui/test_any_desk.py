"""The window at desks with a small screen, a redirected folder, a disk that keeps no rights, sharper pixels."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from protect_support import at_step
from PySide6.QtCore import QRect, QSize, Qt
from ui_support import find

from ppdm_desktop.engine.wording.texts import Note, render
from ppdm_desktop.ui.app import open_on
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.pages.release import where
from ppdm_desktop.ui.state.gate_rows import suggested_folder


@pytest.mark.parametrize("room", [QRect(0, 0, 1093, 574), QRect(0, 30, 1366, 700), QRect(10, 0, 1000, 640)])
def test_a_small_screen_is_filled_and_not_exceeded(window: Any, room: QRect) -> None:
    window.setWindowState(Qt.WindowState.WindowNoState)
    open_on(window, room)
    assert window.windowState() & Qt.WindowState.WindowMaximized
    window.setWindowState(Qt.WindowState.WindowNoState)
    assert window.width() <= room.width()
    assert window.height() <= room.height()


def test_a_screen_with_room_shows_the_usual_size(window: Any) -> None:
    open_on(window, QRect(0, 0, 1920, 1040))
    assert not window.windowState() & Qt.WindowState.WindowMaximized
    assert window.size() == QSize(theme().px(1280), theme().px(800))
    open_on(window, QRect(0, 0, 1920, 1040), (1000, 700))
    assert window.size() == QSize(1000, 700), "as it was left"


@pytest.mark.skipif(sys.platform == "win32", reason="a link to a folder asks there for rights that few have")
def test_the_release_goes_beside_the_source_as_it_was_spelt(tmp_path: Path) -> None:
    """Windows would turn a drive that stands for a share into the share, which people do not know."""
    (tmp_path / "share").mkdir()
    (tmp_path / "drive").symlink_to(tmp_path / "share", target_is_directory=True)
    source = tmp_path / "drive" / "people.csv"
    source.write_text("x", "utf-8")
    assert suggested_folder(source, tmp_path, ()).parent == tmp_path / "drive"
    # A folder of the program's own is recognised by either name.
    assert suggested_folder(source, tmp_path, (tmp_path / "share",)).parent == tmp_path
    assert suggested_folder(source, tmp_path, (tmp_path / "drive",)).parent == tmp_path


@pytest.mark.thorough
def test_a_folder_that_others_can_read_is_said_beside_its_name(
    window: Any, dialogs: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Path] = []

    def note(folder: Path) -> Note | None:
        asked.append(folder)
        return Note("note.export.remote") if folder.name == "others" else None

    monkeypatch.setattr(where, "rights_note", note)
    person = at_step(window, dialogs, tmp_path, "release")
    label = find(window, "label_place")
    assert label.isHidden()
    person.type("edit_folder", str(tmp_path / "others"))
    assert not label.isHidden()
    assert label.text().startswith(render("note.export.remote", {}).sentence)
    many = len(asked)
    window.session.decide("x", keep_key=False)
    assert len(asked) == many, "the system is asked once of each place"
    person.type("edit_folder", str(tmp_path / "own"))
    assert label.isHidden()
