"""The heatmap of a small matrix: bands, keys, words, sizes, and what it refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest

from ppdm_desktop.ui.charts.drawn_view import DrawnView
from ppdm_desktop.ui.charts.matrix_row import cells_scene

EDGES = {
    "risk": (1, 5, 20, 50, 100, 200, 400),
    "amount": (0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8),
    "diverging": (-0.3, -0.1, -0.02, 0.02, 0.1, 0.3),
}


def made(
    qtbot: Any, values: Any, palette: str = "amount", names: list[str] | None = None, width: int = 600
) -> DrawnView:
    grid = np.asarray(values, dtype=float)
    names = names or [f"n{place}" for place in range(len(grid))]
    chart = DrawnView(name="heat", label="Pairs")
    qtbot.addWidget(chart)
    texts = [["" if np.isnan(each) else f"{each:.2f}" for each in row] for row in grid]
    sides = names, names[: grid.shape[1]]
    chart.set_scene(cells_scene("What it shows", sides, grid, texts, EDGES[palette], palette))  # type: ignore[arg-type]
    chart.resize(width, chart.heightForWidth(width))
    chart.show()
    chart.setFocus()
    return chart


def cell(chart: DrawnView, row: int, column: int) -> QRect:
    scene = chart.scene
    assert scene is not None
    place = next(place for place, line in enumerate(scene.rows) if line.key == f"{row}:{column}")
    return chart.row_rect(place).toRect()


def test_keys_move_and_choose_and_empty_cells_cannot_be_chosen(qtbot: Any) -> None:
    chart = made(qtbot, [[np.nan, np.nan], [0.4, np.nan], [0.1, 0.2]], names=["a", "b", "c"])
    opened: list[str] = []
    chart.opened.connect(opened.append)
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Up):
        QTest.keyClick(chart, key)
    assert chart.accessibleName() == "c with b: 0.20. Pairs"
    QTest.keyClick(chart, Qt.Key.Key_Return)
    QTest.keyClick(chart, Qt.Key.Key_Space)
    assert opened == ["2:1", "2:1"]
    first = cell(chart, 1, 0)
    for at in (first.center() - QPoint(0, first.height()), first.center()):
        QTest.mouseClick(chart, Qt.MouseButton.LeftButton, pos=at)
    assert opened[2:] == ["1:0"]
    chart.point_at("0:0")
    chart.clearFocus()
    assert chart.pointed is not None
    assert chart.pointed.key == "1:0"
