"""Parts in lines: where they break, what is hidden, and two files in one sitting at every text size."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from protect_support import ROLES, small_csv
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QVBoxLayout, QWidget
from ui_support import Person, go_through

from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.widgets.flow import Flow


class Part(QWidget):
    """A part of one size."""

    def __init__(self, wide: int, high: int = 20) -> None:
        super().__init__()
        self._size = QSize(wide, high)

    def sizeHint(self) -> QSize:
        return self._size

    def minimumSizeHint(self) -> QSize:
        return self._size

    def grow(self, wide: int) -> None:
        self._size.setWidth(wide)
        self.updateGeometry()


@pytest.fixture
def holder(qtbot: Any) -> QWidget:
    found = QWidget()
    QVBoxLayout(found).setContentsMargins(0, 0, 0, 0)
    qtbot.addWidget(found)
    return found


def shown(holder: QWidget, qtbot: Any, *parts: QWidget, width: int) -> Flow:
    flow = Flow(gap=8)
    for part in parts:
        flow.add(part)
    layout = holder.layout()
    assert isinstance(layout, QVBoxLayout)
    layout.addWidget(flow)
    layout.addStretch(1)
    holder.resize(width, 300)
    holder.show()
    qtbot.waitExposed(holder)
    return flow


def places(*parts: QWidget) -> list[tuple[int, int]]:
    return [(part.x(), part.y()) for part in parts]


def test_a_part_that_hides_shows_or_grows_moves_the_others(holder: QWidget, qtbot: Any) -> None:
    first, second, third = Part(100), Part(100), Part(100)
    second.hide()
    gap = theme().px(8)
    flow = shown(holder, qtbot, first, second, third, width=250)
    assert not second.isVisible()
    assert places(first, third) == [(0, 0), (100 + gap, 0)]
    second.show()
    qtbot.waitUntil(lambda: third.y() == 20 + gap and flow.height() == 40 + gap)
    first.hide()
    qtbot.waitUntil(lambda: third.y() == 0)
    third.grow(200)
    qtbot.waitUntil(lambda: third.y() == 20 + gap)
    assert third.width() == 200


@pytest.mark.thorough
def test_two_files_in_one_sitting_at_every_text_size(window: Any, dialogs: Any, tmp_path: Path) -> None:
    """The second file's pages are laid out anew; parts that the bindings had lost ended the program here."""
    person = Person(window, dialogs)
    go_through(person, small_csv(tmp_path), ROLES, until="release")
    other = tmp_path / "other"
    other.mkdir()
    dialogs.will("ask", "open")
    go_through(person, small_csv(other, 66), ROLES, until="release")
    for scale in (2.0, 1.0):
        theme().set_scale(scale)
        for look in ("dark", "light"):
            theme().set_appearance(look)
            assert not window.grab().isNull()
