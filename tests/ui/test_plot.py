"""A drawn scene: what it says, and how keys, pointer and wheel go through it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from optional import existing
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from scene_support import numbers

from ppdm_desktop.engine.report.charts import Bar, bars_scene
from ppdm_desktop.engine.report.charts_usefulness import curves_scene
from ppdm_desktop.engine.report.scene.model import Scene, Steps
from ppdm_desktop.engine.report.scene.svg import draw
from ppdm_desktop.ui.charts.card import ChartCard
from ppdm_desktop.ui.charts.drawn_view import DrawnView, crop_scene
from ppdm_desktop.ui.charts.numbers import plain_number
from ppdm_desktop.ui.charts.parts import PartsRow, parts_scene
from ppdm_desktop.ui.models.rows_model import RowsModel
from ppdm_desktop.ui.pages.compare.analyses.logic import LearnerRow, TaskResult, learners_scene

EDGES = np.linspace(10, 90, 41)


def curves() -> Scene:
    middle = (EDGES[1:] + EDGES[:-1]) / 2
    shapes = [np.exp(-(((middle - at) / wide) ** 2)) for at, wide in ((40, 12), (42, 20), (40, 13))]
    shares = [(each / each.sum()).tolist() for each in shapes]
    names: Any = (("original", "original"), ("released", "released"), ("third", "worked out"))
    drawn = [(role, name, each) for (role, name), each in zip(names, shares, strict=True)]
    return curves_scene("Title", "Small print", "A sentence", "age", EDGES.tolist(), 1_000, drawn)


@pytest.fixture
def plot(qtbot: Any) -> Iterator[DrawnView]:
    made = DrawnView(name="plot", label="Plot")
    qtbot.addWidget(made)
    made.set_scene(curves())
    made.show()
    made.resize(640, 300)
    made.activateWindow()
    yield made
    made.close()


def test_keys_go_from_cell_to_cell_and_the_name_says_each(plot: DrawnView) -> None:
    scene = existing(plot.scene)
    plot.setFocus()
    said = []
    for _ in range(len(scene.rows)):
        QTest.keyClick(plot, Qt.Key.Key_Right)
        row = existing(plot.pointed)
        said.append(row.text)
        assert plot.accessibleName() == f"{row.text}. Plot"
    assert said == [row.text for row in scene.rows]
    QTest.keyClick(plot, Qt.Key.Key_Left)
    assert plot.pointed is scene.rows[-2]
    plot.clearFocus()
    assert plot.current is None
    assert plot.accessibleName() == "Plot"


def span(plot: DrawnView) -> float:
    x, _ = plot.axes
    return x.high - x.low


def test_keys_zoom_into_a_tail_from_0_up_and_back(plot: DrawnView) -> None:
    scene = existing(plot.scene)
    plot.setFocus()
    plot.set_current_row(len(scene.rows) - 2)
    for _ in range(5):
        QTest.keyClick(plot, Qt.Key.Key_Plus)
    x, y = plot.axes
    assert span(plot) < 15
    assert x.low < existing(scene.rows[-2].at)[0] < x.high
    seen = [
        height
        for mark in scene.series
        if isinstance(mark, Steps)
        for height, start, end in zip(mark.heights, mark.edges, mark.edges[1:], strict=False)
        if end > x.low and start < x.high
    ]
    part = crop_scene(scene, x, y)
    assert part.y.low == 0.0
    assert max(seen) <= part.y.high <= max(seen) * 1.2
    before = span(plot)
    QTest.keyClick(plot, Qt.Key.Key_Minus)
    assert span(plot) > before
    QTest.keyClick(plot, Qt.Key.Key_0)
    assert plot.axes == (scene.x, scene.y)
    for _ in range(3):
        QTest.keyClick(plot, Qt.Key.Key_Minus)
    assert plot.axes == (scene.x, scene.y), "there is nothing beyond the ends"


def wheel(plot: DrawnView) -> bool:
    event = QWheelEvent(
        QPointF(300, 150), QPointF(plot.mapToGlobal(QPoint(300, 150))), QPoint(), QPoint(0, 240),
        Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(plot, event)
    return event.isAccepted()


def test_the_wheel_zooms_only_while_the_plot_has_the_focus(plot: DrawnView) -> None:
    plot.clearFocus()
    assert not wheel(plot), "the page scrolls"
    assert span(plot) == 80
    plot.setFocus()
    assert wheel(plot)
    assert span(plot) < 70


# --- charts of labelled rows ----------------------------------------------------------------------


def shares() -> Scene:
    before, after = [Bar(0.125), Bar(0.5), Bar(None)], [Bar(0.25), Bar(0.31), Bar(0.01)]
    names = ["first", "second", "third"]
    return bars_scene("Shares", "", names, [("original", "original", before), ("released", "released", after)])


def means() -> Scene:
    before, after = [Bar(38.5), Bar(41.0)], [Bar(39.25), Bar(40.5)]
    series = (("original", "original", before), ("released", "released", after))
    limits = [("everyone", 39.0)]
    return bars_scene("Means", "", ["a", "b"], series, limits=limits, format_number=plain_number, dotted=True)  # type: ignore[arg-type]


def parts() -> Scene:
    rows = [
        PartsRow("alone", (7.0, 3.0), ("7 unique", "10"), 1, key="one"),
        PartsRow("others", (0.0, 45.0), ("0 unique", "45"), 3, key="two"),
        PartsRow("many", (250.0,), ("0 unique", "250"), 4, alarming=False, key="three"),
    ]
    return parts_scene("Parts", "", rows, (1, "limit 5"))


def learners() -> Scene:
    share = Bar(0.8, 0.75, 0.85)
    rows = (
        LearnerRow("A tree", share, Bar(0.7, 0.66, 0.74), Bar(0.72), 0.62, "amber", "Less useful"),
        LearnerRow("Neighbours", share, Bar(0.79, 0.74, 0.84), Bar(0.77), 0.62, "passed", "Kept"),
        LearnerRow("A network", share, Bar(None), Bar(None), 0.64, "not-run", "Not measured"),
    )
    return learners_scene(TaskResult("Pay", "its value", "Learners", rows, (), "", ""), "the release")


SCENES = (shares, means, parts, learners)


def shown(qtbot: Any, scene: Scene, width: int = 520) -> DrawnView:
    view = DrawnView(name="chart", label="Rows", opens="Shows them")
    qtbot.addWidget(view)
    view.set_scene(scene)
    view.resize(width, view.sizeHint().height())
    view.show()
    return view


def of_scene(scene: Scene) -> set[str]:
    """Return the numbers of the rows and of the lines through them, without those of the scale."""
    return numbers([*(cell for row in scene.rows for cell in row.cells), *(rule.text for rule in scene.rules)])


@pytest.mark.parametrize("make", SCENES, ids=lambda make: make.__name__)
@pytest.mark.parametrize("width", [None, 640.0, 300.0, 170.0])
def test_the_numbers_of_the_rows_are_written_at_every_width(make: Callable[[], Scene], width: float | None) -> None:
    scene = make()
    drawing = draw(scene, width)
    root = ElementTree.fromstring(drawing.svg("sans-serif"))
    words = list(root.iter("{http://www.w3.org/2000/svg}text"))
    scaled = any(mark.dotted or any(mark.spans) for mark in scene.bars)
    ticks = numbers(said for most in range(1, 9) for _, said in scene.x.ticks(most)) if scaled else set()
    assert numbers(text.text or "" for text in words) - ticks == of_scene(scene) - ticks
    for text in words:
        letters, x = len(text.text or "") * 0.4 * float(text.get("font-size", 12)), float(text.get("x", 0))
        left = {"start": x, "middle": x - letters / 2, "end": x - letters}[text.get("text-anchor", "start")]
        assert left >= -1, text.text
        assert left + letters <= drawing.width + 1, text.text
    assert all(top >= 0 and top + high <= drawing.height for _, top, _, high in drawing.boxes)
    assert len(drawing.boxes) == len(scene.rows)


@pytest.mark.parametrize("make", SCENES, ids=lambda make: make.__name__)
def test_keys_read_every_row_and_the_pointer_says_the_same(qtbot: Any, make: Callable[[], Scene]) -> None:
    scene = make()
    view = shown(qtbot, scene)
    heard = []
    for _ in scene.rows:
        QTest.keyClick(view, Qt.Key.Key_Down)
        heard.append(view.accessibleName())
    assert heard == [f"{row.text}. Rows" for row in scene.rows]
    QTest.keyClick(view, Qt.Key.Key_Home)
    assert view.current == 0
    QTest.keyClick(view, Qt.Key.Key_End)
    QTest.keyClick(view, Qt.Key.Key_Up)
    assert view.current == len(scene.rows) - 2
    QTest.mouseMove(view, view.row_rect(0).center().toPoint())
    QTest.mouseMove(view, view.row_rect(1).center().toPoint())
    assert view.toolTip() == f"{scene.rows[1].text}. Shows them"
    assert scene.title in view.accessibleDescription()


def test_a_row_with_a_key_is_opened_by_enter_and_by_a_click(qtbot: Any) -> None:
    view = shown(qtbot, parts())
    opened: list[str] = []
    view.opened.connect(opened.append)
    QTest.keyClick(view, Qt.Key.Key_Down)
    QTest.keyClick(view, Qt.Key.Key_Down)
    QTest.keyClick(view, Qt.Key.Key_Return)
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=view.row_rect(2).center().toPoint())
    assert opened == ["two", "three"]


# --- t turns a chart into its table and back, wherever the keys are, and they go on in what is seen then ---


@pytest.fixture
def card(qtbot: Any) -> Iterator[ChartCard]:
    outer = QWidget()
    qtbot.addWidget(outer)
    model = RowsModel(("Group", "Share"))
    chart = DrawnView(name="chart", label="Shares")
    made = ChartCard("shares", chart, model, label="Shares")
    # A row whose name begins with the letter: the table would go there in place of turning.
    chart.set_scene(bars_scene("Shares", "", ["One", "Two"], [("original", "original", [Bar(0.1), Bar(0.9)])]))
    model.set_rows([("One", "10%"), ("Two", "90%")])
    QVBoxLayout(outer).addWidget(made)
    outer.show()
    outer.activateWindow()
    QApplication.processEvents()
    chart.setFocus()
    yield made
    outer.hide()


def test_t_turns_there_and_back_and_the_keys_stay_within(card: ChartCard) -> None:
    assert card.chart.hasFocus()
    for _ in range(2):
        QTest.keyClick(existing(QApplication.focusWidget()), Qt.Key.Key_T)
        assert (card.table.isVisible(), card.chart.isVisible()) == (True, False)
        assert card.table.hasFocus()
        QTest.keyClick(existing(QApplication.focusWidget()), Qt.Key.Key_T)
        assert (card.table.isVisible(), card.chart.isVisible()) == (False, True)
        assert card.chart.hasFocus()
    assert card.table.currentIndex().row() <= 0, "the letter searched for nothing"
