"""A scrolling area ends what Qt would do within itself until the stack is full."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from ppdm_desktop.ui.widgets.scrolling import Area


class Contrary(QWidget):
    """Content that asks for another height whenever it has the one it asked for."""

    def hasHeightForWidth(self) -> bool:
        """Return that the height follows from the width."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return one height or another."""
        return 1200 if self.height() != 1200 else 1100


def test_content_that_contradicts_itself_is_shown_all_the_same(qtbot: QtBot) -> None:
    inside = Contrary()
    policy = inside.sizePolicy()
    policy.setHeightForWidth(True)
    inside.setSizePolicy(policy)
    area = Area(inside)
    qtbot.addWidget(area)
    area.resize(400, 300)
    area.show()
    for width in (410, 420, 400):
        area.resize(QSize(width, 300))
        qtbot.wait(10)
    assert inside.height() in (1100, 1200)
    assert area.verticalScrollBar().maximum() > 0
