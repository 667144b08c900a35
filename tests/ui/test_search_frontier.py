"""Comparing the searches of a swap on Protect: drawn, read, taken away when what it was made from changes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from protect_support import at_step
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from ui_support import Person, find, let_work, wait_until

from ppdm_desktop.engine.recipe.models import StepSection
from ppdm_desktop.engine.report.swap_frontier import SearchMark, searches_scene
from ppdm_desktop.ui.charts.plot import PlotView

MARKS = (
    SearchMark("released", "one", 0.1, -0.05, "one: w1"),
    SearchMark("third", "two", 0.4, 0.0, "two: w2"),
    SearchMark("stopped", "three", 0.2, 0.1, "three: w3"),
    SearchMark("stopped", "four", 0.2, 0.1, "four: w4"),
)


@pytest.fixture
def chart(qtbot: Any) -> PlotView:
    made = PlotView(name="chart", label="Searches", high=260, wide=420)
    qtbot.addWidget(made)
    made.resize(480, 260)
    made.set_scene(searches_scene("A sentence", "", MARKS))
    made.show()
    let_work(10)
    return made


def test_the_keys_go_from_point_to_point_and_a_reader_hears_it(chart: PlotView) -> None:
    assert chart.accessibleDescription() == "one: w1. two: w2. three: w3"
    heard = []
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left):
        QTest.keyClick(chart, key)
        assert chart.pointed is not None
        heard.append(chart.pointed.words)
        assert chart.accessibleName().startswith(heard[-1])
    assert heard == ["one: w1", "two: w2", "three: w3", "two: w2"]


def with_swap(window: Any, dialogs: Any, folder: Path, **parameters: Any) -> Person:
    person = at_step(window, dialogs, folder, "protect")
    step = StepSection(method="bayes-swap", profile="safe", parameters=parameters)
    person.window.session.decide_recipe("test", steps=(step,))
    return person


@pytest.mark.thorough
def test_a_person_compares_the_searches_and_a_change_takes_them_away(window: Any, dialogs: Any, tmp_path: Path) -> None:
    person = with_swap(window, dialogs, tmp_path)
    part = window._pages["protect"].frontier_part
    assert part.isVisible()
    assert part.card.isHidden()
    person.click("button_compare_searches")
    wait_until(lambda: part.found is not None)
    assert not part.card.isHidden()
    shown = part.card.title.text()
    assert shown == part.chart.scene.title
    assert {"calibrated", "random choice", "exact search", "rounds of the paper"} == {
        row.cells[0] for row in part.chart.scene.rows
    }
    person.click("button_as_table_frontier")
    assert find(window, "table_frontier_figures").isVisible()
    step = window.session.decisions.recipe.steps[0]
    window.session.decide_recipe("test", steps=(step.model_copy(update={"parameters": {"group_share": 0.4}}),))
    assert part.found is None
    assert part.card.isHidden()


@pytest.mark.thorough
def test_it_can_be_cancelled_and_a_refusal_is_said(window: Any, dialogs: Any, tmp_path: Path) -> None:
    person = with_swap(window, dialogs, tmp_path)
    part = window._pages["protect"].frontier_part
    part.start.click()
    assert part.is_running
    find(window, "button_cancel_searches").click()
    wait_until(lambda: not part.is_running)
    assert part.found is None
    step = StepSection(method="bayes-swap", parameters={"search": "calibrated", "selection_noise": 0.5})
    window.session.decide_recipe("test", steps=(step,))
    person.click("button_compare_searches")
    wait_until(lambda: not part.is_running)
    assert find(window, "strip_searches").isVisible()
    window.session.decide_recipe("test", steps=(StepSection(method="mondrian"),))
    assert not find(window, "strip_searches").isVisible()
