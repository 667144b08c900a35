"""Details of the Compare page: remarks, signs of numbers, and the room that figures take."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtGui import QFontMetrics

from ppdm_desktop.engine.report.curves import curves_scene
from ppdm_desktop.engine.wording.texts import all_texts
from ppdm_desktop.ui.charts.plot import PlotView
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.pages.compare.charts.cards import StepCard
from ppdm_desktop.ui.pages.compare.steps import StepWordsOf, _step


def test_a_remark_made_twice_is_said_once() -> None:
    id = next(each for each, text in all_texts().items() if each.startswith("note.") and "{" not in text.sentence)
    note = SimpleNamespace(id=id, arguments={})
    guarantee = SimpleNamespace(kind="file", holds=True, checked=1)
    step = SimpleNamespace(
        index=1,
        method="none",
        parameters={},
        guarantee=guarantee,
        columns=("a",),
        promise="",
        detail={},
        notes=[note] * 2,
    )
    found = _step(step, [], {})  # type: ignore[arg-type]
    assert len(found.notes) == 1


def test_a_range_below_zero_has_a_real_minus_sign() -> None:
    scene = curves_scene("", "", "", "weight", [-14.5, -11.5], 1_000, [("original", "original", [1.0])])
    assert scene.rows[0].cells == ("−14.5 to −11.5", "100%")


@pytest.mark.parametrize("room", [120, 240, 900])
def test_an_axis_has_as_many_numbers_as_stand_beside_each_other(qtbot: Any, room: int) -> None:
    metrics, plot = QFontMetrics(theme().font(0.85)), PlotView(name="p", words="w")
    qtbot.addWidget(plot)
    plot.resize(room, 200)
    plot.set_scene(curves_scene("", "", "", "age", [17.0, 90.0], 1_000, [("original", "o", [1.0])]))
    plot.show()
    words = [said for _, said in plot._ticks["bottom"]]
    assert sum(metrics.horizontalAdvance(each) for each in words) <= plot.plot_rect().width()
    assert len(words) >= {120: 2, 240: 4, 900: 8}[room]


def test_the_words_of_a_steps_figures_keep_their_room_at_large_text(qtbot: Any) -> None:
    card = StepCard(StepWordsOf(1, "Step", "", True, "", (("Records that stand alone", "3"),), (), ()))
    qtbot.addWidget(card)
    card.resize(2_000, 400)
    card.show()
    before = theme().scale
    small = card._grid.columnMinimumWidth(0)
    try:
        theme().set_scale(2.0)
        assert card._grid.columnMinimumWidth(0) > 1.8 * small
        card.resize(700, 400)
        assert card._grid.columnMinimumWidth(0) <= 350, "the page is not made wider for them"
    finally:
        theme().set_scale(before)
