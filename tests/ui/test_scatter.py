"""The drawing of the map: labels overlap nothing, keys reach every mark, any number of marks is drawn."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from itertools import combinations

import pytest
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtTest import QTest

from ppdm_desktop.ui.charts.candidate_map.axes import limit_label
from ppdm_desktop.ui.charts.candidate_map.chart import ScatterMap
from ppdm_desktop.ui.charts.candidate_map.points import MapAxes, MapPoint
from ppdm_desktop.ui.charts.label_layout import Wanted, group_points, place_labels

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


def test_a_label_keeps_off_the_line_where_it_can() -> None:
    line = QLineF(100, 100, 300, 100)
    (found,) = place_labels([Wanted(QPointF(100, 100), QSizeF(30, 14), 6)], [], [line], BOX, 3)
    assert found is not None
    assert not QRectF(100, 99, 200, 2).intersects(found)


def test_marks_at_one_place_share_a_label() -> None:
    assert group_points([QPointF(1, 1), QPointF(50, 50), QPointF(3, 2)], 5) == [[0, 2], [1]]


@pytest.fixture
def chart(qapp: object) -> Iterator[ScatterMap]:
    made = ScatterMap(name="chart_map", words="Map")
    made.resize(500, 420)
    made.show()
    yield made
    made.close()
    made.deleteLater()


def point(n: int, risk: float, use: float, *, frontier: bool = False) -> MapPoint:
    return MapPoint(f"C{n}", f"C{n}", risk, use, "released", f"C{n} does something", frontier)


AXES = MapAxes("risk", "use", 20.0, "limit 20")


@pytest.mark.parametrize("count", [0, 1, 60])
def test_any_number_of_marks_is_drawn(chart: ScatterMap, count: int) -> None:
    draw = random.Random(1)
    points = [point(n, draw.uniform(0, 60), draw.uniform(40, 100), frontier=n < 3) for n in range(count)]
    chart.set_points(points, AXES, "A sentence", "C0")
    image = chart.grab().toImage()
    colours = {image.pixelColor(x, y).name() for x in range(0, 500, 3) for y in range(0, 420, 3)}
    assert (len(colours) > 4) == bool(count)
    assert chart.accessibleDescription().startswith("A sentence")


@pytest.mark.parametrize(("lowest", "starts"), [(60.0, False), (1.0, True)])
def test_the_map_knows_whether_its_scale_starts_at_0(chart: ScatterMap, lowest: float, starts: bool) -> None:
    chart.set_points([point(0, 10, lowest), point(1, 20, 90)], AXES, "A sentence", "C0")
    assert chart.starts_at_zero is starts


def test_marks_of_one_place_are_drawn_although_nothing_spans_the_axes(chart: ScatterMap) -> None:
    chart.set_points([point(n, 0.0, 100.0) for n in range(5)], MapAxes("risk", "use"), "Same", "C2")
    box = chart._box()
    places = {(round(at.x()), round(at.y())) for at in (chart._place(each, box) for each in chart.points)}
    assert len(places) == 1
    ((x, y),) = places
    assert box.contains(QPointF(x, y))
    assert chart.grab().toImage().pixelColor(x, y).name() != chart.grab().toImage().pixelColor(x + 60, y - 20).name()


@pytest.mark.parametrize("uses", [[100.0], [97.0, 100.0], [40.0, 99.0], [0.0]])
def test_there_is_little_room_above_all_there_is(chart: ScatterMap, uses: list[float]) -> None:
    chart.set_points([point(n, 10.0, use) for n, use in enumerate(uses)], AXES, "A sentence", "C0")
    _right, low, high = chart._span()
    assert low <= min(uses)
    assert max(uses) < high
    assert high - 100.0 <= 0.15 * (100.0 - low) + 1e-9


def test_no_line_of_the_grid_runs_through_the_words_of_the_limit(chart: ScatterMap) -> None:
    # The scale begins just below 94, so that its line lies where the words stand.
    chart.set_points([point(n, 10.0 * n, 95.8 + 1.4 * n) for n in range(4)], AXES, "A sentence", "C0")
    image, box = chart.grab().toImage(), chart._box()
    rect = limit_label(chart._axes, chart._span(), box)
    assert rect is not None
    end = math.floor(rect.right()) - 1  # the last whole pixel: at its edge the ground is blended
    ground = {image.pixelColor(end, y).name() for y in range(round(rect.top()) + 1, round(rect.bottom()))}
    assert len(ground) == 1


def test_the_keys_reach_every_mark_and_enter_opens(chart: ScatterMap) -> None:
    chart.set_points([point(n, 10.0 * n, 90.0 - n) for n in range(4)], AXES, "A sentence", "C1")
    opened: list[str] = []
    chart.opened.connect(opened.append)
    chart.setFocus()
    chart._point_to(None)
    seen = []
    for _ in range(4):
        QTest.keyClick(chart, Qt.Key.Key_Right)
        assert chart.pointed is not None
        seen.append(chart.pointed.key)
        QTest.keyClick(chart, Qt.Key.Key_Return)
    assert seen == opened == ["C2", "C3", "C0", "C1"]
