"""The drawing of the map: labels overlap nothing, keys reach every mark, any number of marks is drawn."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any
from xml.etree import ElementTree

import pytest
from optional import existing
from PySide6.QtCore import QRectF, Qt
from PySide6.QtTest import QTest

from ppdm_desktop.engine.report.drawing import percent
from ppdm_desktop.engine.report.scene.model import Scene
from ppdm_desktop.engine.report.scene.svg import draw
from ppdm_desktop.ui.charts.drawn_view import DrawnView, crop_scene
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.pages.compare.map.logic import KINDS, MapAxes, MapPoint, map_scene

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def chart(qtbot: Any) -> Iterator[DrawnView]:
    made = DrawnView(name="chart_map", label="Map", high=300)
    qtbot.addWidget(made)
    made.resize(500, 420)
    made.show()
    made.activateWindow()
    yield made
    made.close()


def point(n: int, risk: float, use: float, *, frontier: bool = False) -> MapPoint:
    return MapPoint(f"C{n}", f"C{n}", risk, use, KINDS[n % 3], f"C{n} does something", frontier)


AXES = MapAxes("risk", "use", 20.0, "limit 20%")
NAMES = ("released", "with reasons", "stopped", "original", "frontier")


def scene_of(points: Sequence[MapPoint], axes: MapAxes = AXES, current: str = "C0") -> Scene:
    cells = [(each.label, percent(each.risk / 100), percent(each.use / 100)) for each in points]
    return map_scene(points, axes, "A sentence", cells=cells, names=NAMES, current=current)


@pytest.mark.parametrize("count", [1, 12, 60])
def test_no_label_lies_on_a_mark_or_another_label_or_leaves_the_drawing(count: int) -> None:
    chance = random.Random(count)
    points = [point(n, chance.uniform(0, 60), chance.uniform(40, 100)) for n in range(count)]
    drawing = draw(scene_of(points), 500.0, height=300.0)
    grounds = [
        QRectF(*(float(part.get(key, 0)) for key in ("x", "y", "width", "height")))
        for part in ElementTree.fromstring(drawing.svg("sans-serif")).iter(f"{SVG}rect")
        if part.get("class") == "ground"
    ]
    marks = [QRectF(*box) for box in drawing.boxes]
    assert len(grounds) > count * 0.5
    assert all(QRectF(0, 0, drawing.width, drawing.height).contains(rect) for rect in grounds)
    inner = [rect.adjusted(0.1, 0.1, -0.1, -0.1) for rect in grounds]  # written with one decimal
    assert not any(rect.intersects(mark) for rect in inner for mark in marks)
    assert not any(first.intersects(second) for first, second in combinations(inner, 2))


def test_the_keys_reach_every_mark_and_enter_opens(chart: DrawnView) -> None:
    chart.set_scene(scene_of([point(n, 10.0 * n, 90.0 - n) for n in range(4)], current="C1"), "C1")
    opened: list[str] = []
    chart.opened.connect(opened.append)
    chart.setFocus()
    chart.set_current_row(None)
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


def labels(chart: DrawnView) -> set[str]:
    """Return the labels of the marks that are seen."""
    scene = crop_scene(existing(chart.scene), *chart.axes)
    root = ElementTree.fromstring(draw(scene, 500.0, height=300.0, is_part=True).svg("sans-serif"))
    return {text.text or "" for text in root.iter(f"{SVG}text") if (text.text or "").startswith("C")}


def test_each_click_at_a_crowded_place_opens_the_next_and_zoom_takes_it_apart(chart: DrawnView) -> None:
    points = [point(0, 10.0, 80.0), point(1, 10.4, 80.3), point(2, 40.0, 60.0)]
    scene = scene_of(points)
    chart.set_scene(scene, "C0")
    opened: list[str] = []
    chart.opened.connect(opened.append)
    at = chart.row_rect(0).center()
    QTest.mouseClick(chart, Qt.MouseButton.LeftButton, pos=at.toPoint())
    chart.set_scene(scene, "C1")
    QTest.mouseClick(chart, Qt.MouseButton.LeftButton, pos=at.toPoint())
    assert opened == ["C1", "C0"]
    assert labels(chart) == {"C0, C1", "C2"}
    for _ in range(4):
        chart.zoom(1.5, at)
    assert labels(chart) == {"C0", "C1"}
    seen = chart.axes
    chart.set_scene(scene_of(points, current="C1"), "C1")
    theme().changed.emit()
    assert chart.axes == seen, "to open one of them does not zoom out"
    chart.set_scene(scene_of([*points, point(3, 60.0, 50.0)]), "C0")
    x, _ = chart.axes
    assert x.low == 0.0
    assert x.high == pytest.approx(0.66), "other axes are seen whole"
