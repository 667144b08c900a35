"""The drawing of the map: labels overlap nothing, keys reach every mark, any number of marks is drawn."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtTest import QTest
from scene_support import numbers, plot_words, svg_texts

from ppdm_desktop.engine.report.drawing import percent
from ppdm_desktop.engine.report.scene.model import Scene
from ppdm_desktop.ui.charts.plot import PlotView
from ppdm_desktop.ui.charts.plot_overlay import Wanted, place_labels
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.pages.compare.map.logic import KINDS, MapAxes, MapPoint, map_scene

BOX = QRectF(0, 0, 400, 300)


@pytest.mark.parametrize("count", [1, 12, 60])
def test_no_label_lies_on_a_mark_or_another_label_or_leaves_the_drawing(count: int) -> None:
    draw = random.Random(count)
    places = [QPointF(draw.uniform(10, 390), draw.uniform(10, 290)) for _ in range(count)]
    marks = [QRectF(place.x() - 6, place.y() - 6, 12, 12) for place in places]
    found = place_labels([Wanted(place, QSizeF(24, 14), 6) for place in places], marks, [], BOX, 3)
    shown = [rect for rect in found if rect is not None]
    assert found[0] is not None
    assert len(shown) > count * 0.6
    assert all(BOX.contains(rect) for rect in shown)
    assert not any(rect.intersects(mark) for rect in shown for mark in marks)
    assert not any(one.intersects(other) for one, other in combinations(shown, 2))


@pytest.fixture
def chart(qapp: object) -> Iterator[PlotView]:
    made = PlotView(name="chart_map", label="Map", wide=440, high=420)
    made.resize(500, 420)
    made.show()
    made.activateWindow()
    yield made
    made.close()
    made.deleteLater()


def point(n: int, risk: float, use: float, *, frontier: bool = False) -> MapPoint:
    return MapPoint(f"C{n}", f"C{n}", risk, use, KINDS[n % 3], f"C{n} does something", frontier)


AXES = MapAxes("risk", "use", 20.0, "limit 20%")
NAMES = ("released", "with reasons", "stopped", "original", "frontier")


def scene_of(points: Sequence[MapPoint], axes: MapAxes = AXES, current: str = "C0") -> Scene:
    cells = [(each.label, percent(each.risk / 100), percent(each.use / 100)) for each in points]
    return map_scene(points, axes, "A sentence", cells=cells, names=NAMES, current=current)


def test_every_writer_of_the_map_has_the_same_numbers(chart: PlotView) -> None:
    draw = random.Random(2)
    points = [point(n, draw.uniform(0, 60), draw.uniform(40, 100), frontier=n < 3) for n in range(9)]
    points.append(MapPoint("", "Original", 61.0, 100.0, "original", "Original"))
    scene = scene_of(points)
    chart.resize(900, 420)
    chart.set_scene(scene, "C0")
    assert numbers(svg_texts(scene)) == numbers(plot_words(chart))
    line, *marks = chart.held_arrays()
    assert len(line[0]) == 3
    held = {(percent(x), percent(y)) for xs, ys in marks for x, y in zip(xs.tolist(), ys.tolist(), strict=True)}
    assert held == {row.cells[1:] for row in scene.rows}
    assert sum(len(xs) for xs, _ in marks) == len(scene.rows) == 10


def test_the_keys_reach_every_mark_and_enter_opens(chart: PlotView) -> None:
    chart.set_scene(scene_of([point(n, 10.0 * n, 90.0 - n) for n in range(4)], current="C1"), "C1")
    opened: list[str] = []
    chart.opened.connect(opened.append)
    chart.setFocus()
    chart.point_to(None)
    seen = []
    for _ in range(4):
        QTest.keyClick(chart, Qt.Key.Key_Right)
        assert chart.pointed is not None
        seen.append(chart.pointed.key)
        QTest.keyClick(chart, Qt.Key.Key_Return)
    assert seen == opened == ["C2", "C3", "C0", "C1"]
    QTest.keyClick(chart, Qt.Key.Key_Up)
    assert chart.pointed is not None
    assert chart.pointed.key == "C0", "upwards by usefulness"


def test_each_click_at_a_crowded_place_opens_the_next_and_zoom_takes_it_apart(chart: PlotView) -> None:
    points = [point(0, 10.0, 80.0), point(1, 10.4, 80.3), point(2, 40.0, 60.0)]
    scene = scene_of(points)
    chart.set_scene(scene, "C0")
    opened: list[str] = []
    chart.opened.connect(opened.append)
    at = chart.place(0.10, 0.80).toPoint()
    QTest.mouseClick(chart, Qt.MouseButton.LeftButton, pos=at)
    chart.set_scene(scene, "C1")
    QTest.mouseClick(chart, Qt.MouseButton.LeftButton, pos=at)
    assert opened == ["C1", "C0"]
    assert len(chart.overlay.label_places(chart.plot_rect(), [], [])) == 2
    for _ in range(4):
        chart.zoom(1.5, QPointF(at))
    assert len(chart.near(chart.place(0.10, 0.80))) == 1
    assert [text for text, _ in chart.overlay.label_places(chart.plot_rect(), [], [])] == ["C0", "C1"]
    seen = chart.view_range
    chart.set_scene(scene_of(points, current="C1"), "C1")
    theme().changed.emit()
    assert chart.view_range == seen, "to open one of them does not zoom out"
    chart.set_scene(scene_of([*points, point(3, 60.0, 50.0)]), "C0")
    (left, right), _ = chart.view_range
    assert left == 0.0
    assert right == pytest.approx(0.66), "other axes are seen whole"
