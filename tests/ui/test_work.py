"""The line of work under way: how far, in words, and Cancel that is used once."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from ppdm_desktop.ui.widgets.work import WorkLine


def test_cancel_is_used_once_until_work_begins_anew(qtbot: Any) -> None:
    line = WorkLine(job="baking", label="Progress of the baking")
    qtbot.addWidget(line)
    told = []
    line.cancelled.connect(lambda: told.append(True))
    line.show()
    line.begin()
    line.show_share(0.4)
    assert line.share == 0.4
    assert line.button.objectName() == "button_cancel_baking"
    for _ in range(2):
        QTest.mouseClick(line.button, Qt.MouseButton.LeftButton)
    assert (told, line.is_stopping) == ([True], True)
    line.begin()
    assert not line.is_stopping
    assert line.share == 0
