"""A plot: what it says, how keys and the wheel go through it, and that pyqtgraph holds what the scene has."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from optional import existing
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from scene_support import numbers, plot_words, svg_texts

from ppdm_desktop.engine.report.curves import curves_scene
from ppdm_desktop.engine.report.drawing import percent
from ppdm_desktop.engine.report.scene.model import Row, Scene, Steps
from ppdm_desktop.engine.report.scene.svg import as_file
from ppdm_desktop.ui.charts.plot import PlotView

EDGES = np.linspace(10, 90, 41)


def curves() -> Scene:
    middle = (EDGES[1:] + EDGES[:-1]) / 2
    shapes = [np.exp(-(((middle - at) / wide) ** 2)) for at, wide in ((40, 12), (42, 20), (40, 13))]
    shares = [(each / each.sum()).tolist() for each in shapes]
    names: Any = (("original", "original"), ("released", "released"), ("third", "worked out"))
    drawn = [(role, name, each) for (role, name), each in zip(names, shares, strict=True)]
    return curves_scene("Title", "Small print", "A sentence", "age", EDGES.tolist(), 1_000, drawn)


@pytest.fixture
def plot(qtbot: Any) -> Iterator[PlotView]:
    made = PlotView(name="plot", label="Plot")
    qtbot.addWidget(made)
    made.resize(640, 300)
    made.set_scene(curves())
    made.show()
    made.activateWindow()
    yield made
    made.close()


def test_every_writer_has_the_same_numbers(plot: PlotView) -> None:
    scene = existing(plot.scene)
    assert numbers(svg_texts(scene)) == numbers(plot_words(plot))
    held = plot.held_arrays()
    assert len(held) == 3
    for place, (edges, heights) in enumerate(held):
        np.testing.assert_array_equal(edges, EDGES)
        assert [percent(float(each)) for each in heights] == [row.cells[place + 1] for row in scene.rows]
    assert as_file("T", [scene], "s") == as_file("T", [curves()], "s")


def row_at(plot: PlotView) -> Row | None:
    return plot.pointed


def test_keys_go_from_cell_to_cell_and_the_line_says_each(plot: PlotView) -> None:
    scene = existing(plot.scene)
    plot.setFocus()
    said = []
    for _ in range(len(scene.rows)):
        QTest.keyClick(plot, Qt.Key.Key_Right)
        row = existing(row_at(plot))
        said.append(row.words)
        assert plot.accessibleName() == f"{row.words}. A sentence"
    assert said == [row.words for row in scene.rows]
    QTest.keyClick(plot, Qt.Key.Key_Left)
    assert row_at(plot) is scene.rows[-2]
    plot.clearFocus()
    assert row_at(plot) is None
    assert plot.accessibleName() == "A sentence"


def test_keys_zoom_into_a_tail_from_0_up_and_back(plot: PlotView) -> None:
    scene = existing(plot.scene)
    plot.setFocus()
    plot.point_to(len(scene.rows) - 2)
    for _ in range(5):
        QTest.keyClick(plot, Qt.Key.Key_Plus)
    (left, right), (low, high) = plot.view_range
    assert right - left < 15
    assert left < scene.rows[-2].at[0] < right  # type: ignore[index] # it has a place
    seen = [
        height
        for mark in scene.series
        if isinstance(mark, Steps)
        for height, start, end in zip(mark.heights, mark.edges, mark.edges[1:], strict=False)
        if end > left and start < right
    ]
    assert low == 0.0
    assert max(seen) <= high <= max(seen) * 1.2
    QTest.keyClick(plot, Qt.Key.Key_Minus)
    assert plot.view_range[0][1] - plot.view_range[0][0] > right - left
    QTest.keyClick(plot, Qt.Key.Key_0)
    assert plot.view_range[0] == (10.0, 90.0)
    assert plot.view_range[1] == pytest.approx((0.0, scene.y.high))
    for _ in range(3):
        QTest.keyClick(plot, Qt.Key.Key_Minus)
    assert plot.view_range[0] == (10.0, 90.0), "there is nothing beyond the ends"


def wheel(plot: PlotView) -> bool:
    event = QWheelEvent(
        QPointF(300, 150), QPointF(plot.mapToGlobal(QPoint(300, 150))), QPoint(), QPoint(0, 240),
        Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(plot, event)
    return event.isAccepted()


def test_the_wheel_zooms_only_while_the_plot_has_the_focus(plot: PlotView) -> None:
    plot.clearFocus()
    assert not wheel(plot), "the page scrolls"
    assert plot.view_range[0] == (10.0, 90.0)
    plot.setFocus()
    assert wheel(plot)
    assert plot.view_range[0][1] - plot.view_range[0][0] < 70


def test_no_reference_to_none_is_lost_while_a_plot_is_drawn(plot: PlotView) -> None:
    plot.setFocus()
    for _ in range(3):  # what is made once is made
        plot.zoom(1.5)
        plot.grab()
        plot.zoom_out()
    gc.collect()  # garbage of other tests, collected while this one counts, would look like a loss
    before = sys.getrefcount(None)
    for _ in range(20):
        plot.zoom(1.5)
        plot.grab()
        plot.zoom_out()
    # Some are gained with each axis that pyqtgraph paints, which harms nobody; at none left the interpreter aborts.
    assert sys.getrefcount(None) - before > -10
