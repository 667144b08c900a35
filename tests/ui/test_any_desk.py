"""The window at desks with a small screen, a redirected folder, a disk that keeps no rights, sharper pixels."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from protect_support import at_step
from PySide6.QtCore import QRect, QSize, Qt
from ui_support import find

from ppdm_desktop.ui.app import set_first_size
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.state.gate_rows import suggested_folder

SHARP = """
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.widgets.level_choice import level_icon
app = QApplication([])
ratio, px = app.devicePixelRatio(), theme().px
square, bars = QSize(px(18), px(18)), QSize(px(18), px(13))
for room, icon in ((square, theme().icon("check", "passed", 18)), (bars, level_icon(2))):
    assert icon.actualSize(room) == room, (ratio, icon.actualSize(room), room)
    drawn = icon.pixmap(room, ratio)
    assert drawn.devicePixelRatio() == ratio, "its own pixels, and none that are stretched"
    assert drawn.size() == room * ratio, (ratio, drawn.size())
"""


@pytest.mark.parametrize("room", [QRect(0, 0, 1093, 574), QRect(0, 30, 1366, 700), QRect(10, 0, 1000, 640)])
def test_a_small_screen_is_filled_and_not_exceeded(window: Any, room: QRect) -> None:
    window.setWindowState(Qt.WindowState.WindowNoState)
    set_first_size(window, room)
    assert window.windowState() & Qt.WindowState.WindowMaximized
    window.setWindowState(Qt.WindowState.WindowNoState)
    assert window.width() <= room.width()
    assert window.height() <= room.height()


def test_a_screen_with_room_shows_the_usual_size(window: Any) -> None:
    set_first_size(window, QRect(0, 0, 1920, 1040))
    assert not window.windowState() & Qt.WindowState.WindowMaximized
    assert window.size() == QSize(theme().px(1280), theme().px(800))
    set_first_size(window, QRect(0, 0, 1920, 1040), (1000, 700))
    assert window.size() == QSize(1000, 700), "as it was left"
    set_first_size(window, QRect(0, 0, 1920, 1040), (1920, 1040))
    assert window.windowState() & Qt.WindowState.WindowMaximized


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


def test_the_list_on_open_asks_for_icons_of_the_size_they_have(window: Any, dialogs: Any, tmp_path: Path) -> None:
    at_step(window, dialogs, tmp_path, "open")
    listed = find(window, "list_read_report")
    for scale in (1.0, 1.5):
        theme().set_scale(scale)
        room = listed.iconSize()
        assert room == QSize(theme().px(18), theme().px(18))
        assert listed.item(0).icon().actualSize(room) == room


@pytest.mark.parametrize("scale", ["1", "1.25", "1.5", "2"])
def test_icons_have_their_size_at_every_sharpness(scale: str) -> None:
    environment = {**os.environ, "QT_SCALE_FACTOR": scale, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run([sys.executable, "-c", SHARP], capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
