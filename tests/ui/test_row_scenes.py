"""Charts of labelled rows: every writer has the same numbers, keys and pointer read them, and no word is cut."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from scene_support import numbers

from ppdm_desktop.engine.report.bars import Bar, bars_scene
from ppdm_desktop.engine.report.scene.model import Scene
from ppdm_desktop.engine.report.scene.svg import draw
from ppdm_desktop.ui.charts.drawn_view import DrawnView
from ppdm_desktop.ui.charts.numbers import plain_number
from ppdm_desktop.ui.charts.parts import PartsRow, parts_scene
from ppdm_desktop.ui.pages.compare.analyses.logic import LearnerRow, TaskShown, learners_scene


def shares() -> Scene:
    before, after = [Bar(0.125), Bar(0.5), Bar(None)], [Bar(0.25), Bar(0.31), Bar(0.01)]
    names = ["first", "second", "third"]
    return bars_scene("Shares", "", names, [("original", "original", before), ("released", "released", after)])


def means() -> Scene:
    before, after = [Bar(38.5), Bar(41.0)], [Bar(39.25), Bar(40.5)]
    series = (("original", "original", before), ("released", "released", after))
    limits = [("everyone", 39.0)]
    return bars_scene("Means", "", ["a", "b"], series, limits=limits, shown=plain_number, dotted=True)  # type: ignore[arg-type]


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
    return learners_scene(TaskShown("Pay", "its value", "Learners", rows, (), "", ""), "the release")


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
    return numbers([*(cell for row in scene.rows for cell in row.cells), *(rule.words for rule in scene.rules)])


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
    assert heard == [f"{row.words}. Rows" for row in scene.rows]
    QTest.keyClick(view, Qt.Key.Key_Home)
    assert view.current == 0
    QTest.keyClick(view, Qt.Key.Key_End)
    QTest.keyClick(view, Qt.Key.Key_Up)
    assert view.current == len(scene.rows) - 2
    QTest.mouseMove(view, view.row_rect(0).center().toPoint())
    QTest.mouseMove(view, view.row_rect(1).center().toPoint())
    assert view.toolTip() == f"{scene.rows[1].words}. Shows them"
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
