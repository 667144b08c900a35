"""The strip beside the tables: where rows are hidden, coarser, or show another value, and what it says in words."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from ppdm_desktop.ui.widgets.tables.minimap import Minimap


def test_a_click_jumps_below_the_line_of_signs(qtbot: Any) -> None:
    strip = Minimap("Rows")
    qtbot.addWidget(strip)
    strip.resize(60, 300)
    seen: list[float] = []
    strip.jumped.connect(seen.append)
    for y in (0, strip._compute_sign_height() + (300 - strip._compute_sign_height()) // 2, 299):
        QTest.mouseClick(strip, Qt.MouseButton.LeftButton, pos=QPoint(10, y))
    assert seen[0] == 0.0
    assert seen[1] == pytest.approx(0.5, abs=0.01)
    assert seen[2] > 0.99
