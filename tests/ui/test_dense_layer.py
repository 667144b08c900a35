"""Records and cells that pyqtgraph draws: where they are painted, and how wheel, pointer and keys move them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from optional import existing
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from ppdm_desktop.engine.arrays import Floats
from ppdm_desktop.engine.report.scene.svg import draw
from ppdm_desktop.ui.charts.density import MOST_POINTS, DensityChart, build_clouds, cloud_scenes
from ppdm_desktop.ui.charts.drawn_view import DrawnView
from ppdm_desktop.ui.charts.matrix_row import cells_scene
from ppdm_desktop.ui.look.theme import theme


def chart_of(qtbot: Any, x: Floats, y: Floats) -> DensityChart:
    chart = DensityChart(name="d", label="w")
    qtbot.addWidget(chart)
    chart.set_scenes(
        cloud_scenes(existing(build_clouds((x, y), (x, y))), ("x", "y"), ("Before", "After"), ""), "Title", ""
    )
    chart.resize(900, 300)
    chart.show()
    chart.activateWindow()
    return chart


@pytest.fixture
def corner(qtbot: Any) -> Iterator[DensityChart]:
    """Return a chart of 400 records at the lower left, and one at the upper right."""
    spread = np.random.default_rng(2).uniform(0, 1, (2, 400))
    chart = chart_of(qtbot, np.append(spread[0], 10.0), np.append(spread[1], 10.0))
    yield chart
    chart.close()


def inked(plot: DrawnView, x: float, y: float) -> bool:
    """Return whether the pixel at a share of the inside of the axes (from the left, from below) has a colour."""
    image, inside = plot.grab().toImage(), plot._find_plot_area()
    at, blank = (
        QPointF(inside.left() + across * inside.width(), inside.bottom() - up * inside.height()).toPoint()
        for across, up in ((x, y), (0.6, 0.7))
    )
    return bool(image.pixelColor(at) != image.pixelColor(blank))


def place(plot: DrawnView, value: float) -> tuple[float, float]:
    """Return at which shares of the inside a record with twice the same value is painted."""
    x, y = plot.axes
    return (value - x.low) / (x.high - x.low), (value - y.low) / (y.high - y.low)


def test_all_records_are_points_and_none_is_in_the_drawing_below(qtbot: Any) -> None:
    x, y = np.random.default_rng(4).normal(40, 12, (2, MOST_POINTS))
    chart = chart_of(qtbot, x, y)
    for plot in chart.plots:
        (item,) = existing(plot._layer).items
        assert np.array_equal(np.column_stack(item.getData()), np.column_stack([x, y]))
        assert "h.1" not in existing(plot._drawing).svg("")
        assert draw(existing(plot.scene)).parts != existing(plot._drawing).parts, "the saved picture has the records"
    before, after = (existing(plot._layer).items[0].opts for plot in chart.plots)
    assert before["size"] == after["size"]
    assert (before["symbol"], after["symbol"]) == ("s", "o")


def test_a_record_is_painted_where_the_axes_say(corner: DensityChart) -> None:
    plot = corner.plots[0]
    assert inked(plot, *place(plot, 10.0))
    for _ in range(3):
        plot.zoom(1.5, plot._find_plot_area().topRight())
        assert inked(plot, *place(plot, 10.0))
    plot.zoom(0.01)
    assert plot.axes == (existing(plot.scene).x, existing(plot.scene).y)
    theme().changed.emit()
    assert inked(plot, *place(plot, 10.0))


def test_a_chart_without_dense_marks_frames_its_row_although_an_earlier_one_had_such_marks(qtbot: Any) -> None:
    chart = image_of(qtbot, 30)
    assert chart._layer is not None
    names, values = ["a", "b"], np.array([[1.0, 2.0], [3.0, 4.0]])
    chart.set_scene(cells_scene("t", (names, names), values, [["1", "2"], ["3", "4"]], (2.0,), "risk"))
    chart.point_at("0:0")
    framed = chart.grab().toImage()
    chart.set_current_row(None)
    assert framed != chart.grab().toImage()


def test_the_wheel_zooms_at_the_pointer_and_dragging_moves_both_sides(corner: DensityChart) -> None:
    plot, partner = corner.plots
    plot.setFocus()
    inside = plot._find_plot_area()
    across, up = place(plot, 10.0)
    at = QPointF(inside.left() + across * inside.width(), inside.bottom() - up * inside.height())
    event = QWheelEvent(
        at, QPointF(plot.mapToGlobal(at.toPoint())), QPoint(), QPoint(0, 480),
        Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(plot, event)
    x, y = plot.axes
    whole = existing(plot.scene).x
    assert x.high - x.low == pytest.approx((whole.high - whole.low) / 1.5**2)
    assert place(plot, 10.0) == pytest.approx((across, up)), "the record under the pointer stays there"
    QTest.mousePress(plot, Qt.MouseButton.LeftButton, pos=at.toPoint())
    QTest.mouseMove(plot, (at + QPointF(30, -20)).toPoint())
    assert plot.axes[0].low == pytest.approx(x.low - 30 / plot._find_plot_area().width() * (x.high - x.low), rel=0.02)
    assert plot.axes[1].low == pytest.approx(y.low - 20 / plot._find_plot_area().height() * (y.high - y.low), rel=0.02)
    assert partner.axes == plot.axes
    QTest.mouseMove(plot, (at + QPointF(4_000, -4_000)).toPoint())
    assert plot.axes[0].low == whole.low, "there is nothing beyond the ends"
    QTest.mouseRelease(plot, Qt.MouseButton.LeftButton, pos=at.toPoint())
    moved = plot.axes
    QTest.mouseMove(plot, at.toPoint())
    assert plot.axes == moved, "released"


def image_of(qtbot: Any, columns: int) -> DrawnView:
    """Return an image of so many named rows and columns, each cell of which has its row's number as its value."""
    plot = DrawnView(name="image", label="Image")
    qtbot.addWidget(plot)
    names = [f"n{index}" for index in range(columns)]
    values = np.repeat(np.arange(float(columns))[:, None], columns, axis=1)
    texts = [[str(int(value)) for value in row] for row in values]
    plot.set_scene(cells_scene("t", (names, names), values, texts, (columns / 2,), "risk", as_image=True))
    plot.resize(700, 700)
    plot.show()
    plot.activateWindow()
    return plot


def test_a_zoomed_image_names_its_cells_and_keys_move_it(qtbot: Any) -> None:
    plot = image_of(qtbot, 150)
    assert ">n7<" not in existing(plot._drawing).svg(""), "150 names do not fit"
    plot.setFocus()
    plot.point_at("7:9")
    for _ in range(5):
        QTest.keyClick(plot, Qt.Key.Key_Plus)
    assert all(name in existing(plot._drawing).svg("") for name in (">n7<", ">n9<"))
    box = plot.row_rect(existing(plot.current))
    assert plot._find_plot_area().contains(box.center())
    assert plot._find_rows_at(box.center()) == [plot.current]
    assert plot.grab().toImage().pixelColor(box.center().toPoint()).lightnessF() > 0.9, "the lower band"
    for _ in range(80):
        QTest.keyClick(plot, Qt.Key.Key_Down)
    assert existing(plot.pointed).key == "87:9"
    box = plot.row_rect(existing(plot.current))
    assert plot._find_plot_area().contains(box.center())
    assert plot.grab().toImage().pixelColor(box.center().toPoint()).lightnessF() < 0.3, "the higher band"
    QTest.keyClick(plot, Qt.Key.Key_0)
    assert plot.axes == (existing(plot.scene).x, existing(plot.scene).y)
    for key, cell in ((Qt.Key.Key_Home, "0:0"), (Qt.Key.Key_End, "149:149")):
        QTest.keyClick(plot, key)
        assert existing(plot.pointed).key == cell
