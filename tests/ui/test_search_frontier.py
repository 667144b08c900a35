"""Comparing the searches of a swap on Protect: drawn, read, taken away when what it was made from changes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from protect_support import at_step
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from swap_support import few_temperatures
from ui_support import Person, find, wait_until

from ppdm_desktop.engine.recipe.models import StepSection
from ppdm_desktop.ui.charts.search_frontier import SearchFrontier
from ppdm_desktop.ui.state.search_frontier import SearchPoint, chart_points, frontier_sentences, table_rows


def point(search: str, divergence: float, success: float, high: float) -> dict[str, Any]:
    attack = {"success": success, "control": high - 0.02, "high": high, "people": 500}
    return {"search": search, "divergence": divergence, "bayes": attack, "boosting": None, "within_control": True}


def calibration(*extra: dict[str, Any], temperature: float | None = 0.1, kept: float = 0.75) -> dict[str, Any]:
    points = [point("calibrated", 0.1, 0.70, 0.75), point("random", 0.4, 0.7, 0.75), point("exact", 0.2, 0.9, 0.8)]
    return {"temperature": temperature, "kept": kept, "frontier": [*points, *extra]}


def said_of(found: dict[str, Any]) -> str:
    return ". ".join(frontier_sentences("Pay", found))


def test_the_sentence_names_both_costs_of_the_step() -> None:
    said = said_of(calibration())
    assert "75%" in said
    assert "70%" in said
    assert "73%" in said  # without the record
    assert "no more than chance" in said


def test_a_step_of_another_search_is_named_beside_the_calibrated_one() -> None:
    said = said_of(calibration(point("as-set", 0.3, 0.9, 0.8)))
    assert "25%" in said
    assert "10 percentage points" in said or "10 points" in said
    assert "The calibrated search keeps 75%" in said
    assert [each.own for each in chart_points(calibration(point("as-set", 0.3, 0.9, 0.8)))] == [True] + 3 * [False]


def test_where_privacy_wins_it_is_said() -> None:
    assert "chooses at random" in said_of(calibration(temperature=None))
    assert "chooses at random" not in said_of(calibration())
    assert "as a random choice, or more" in said_of(calibration(point("as-set", 0.5, 0.7, 0.8)))


def test_the_table_has_the_same_figures() -> None:
    rows = table_rows(calibration())
    assert [row[0] for row in rows] == ["calibrated", "random choice", "exact search"]
    assert [row[1] for row in rows] == ["75%", "0%", "50%"]
    assert [row[-1] for row in rows] == ["no", "no", "yes"]
    assert rows[0][5:7] == ("–", "–")


@pytest.fixture
def chart(qtbot: Any) -> SearchFrontier:
    made = SearchFrontier(name="chart", words="Searches")
    qtbot.addWidget(made)
    made.resize(480, 230)
    points = [
        SearchPoint("one", 0.1, -0.05, "w1", True),
        SearchPoint("two", 0.4, 0.0, "w2", False),
        SearchPoint("three", 0.2, 0.1, "w3", False),
        SearchPoint("four", 0.2, 0.1, "w4", False),
    ]
    made.set_points(points, "A sentence")
    return made


def test_points_stand_where_their_figures_say_and_names_do_not_cover_one_another(chart: SearchFrontier) -> None:
    one, two, three, _ = (chart.place_of(each) for each in chart.points)
    assert one.x() < two.x() < three.x()
    assert two.y() < three.y() < one.y()
    boxes = [box for _, box in chart.labels()]
    assert not any(a.intersects(b) for place, a in enumerate(boxes) for b in boxes[:place])
    assert all(box.left() >= 0 and box.right() <= chart.width() for box in boxes)
    chart.show()
    assert not chart.grab().isNull()


@pytest.mark.parametrize("gained", [-0.02, -0.005, 0.005, 0.02])
def test_no_name_stands_on_the_dashed_line(chart: SearchFrontier, gained: float) -> None:
    near = SearchPoint("rounds of the paper", 0.3, gained, "w", False)
    chart.set_points([*chart.points[:3], near], "A sentence")
    assert [chart.points[place].name for place, box in chart.labels() if box.left() < chart.edge < box.right()] == []


def test_the_keys_go_from_point_to_point_and_a_reader_hears_it(chart: SearchFrontier) -> None:
    assert chart.accessibleDescription() == "A sentence. one: w1. two: w2. three: w3. four: w4"
    heard = []
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_End, Qt.Key.Key_Left, Qt.Key.Key_Home):
        QTest.keyClick(chart, key)
        heard.append(chart.accessibleName())
    assert [each.split(": ")[1] for each in heard] == ["one, w1", "two, w2", "four, w4", "three, w3", "one, w1"]
    QTest.mouseClick(chart, Qt.MouseButton.LeftButton, pos=chart.place_of(chart.points[1]).toPoint())
    assert chart.current == 1


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    few_temperatures(monkeypatch)


def with_swap(window: Any, dialogs: Any, folder: Path, **parameters: Any) -> Person:
    person = at_step(window, dialogs, folder, "protect")
    step = StepSection(method="bayes-swap", profile="safe", parameters=parameters)
    person.window.session.decide_recipe("test", steps=(step,))
    return person


def test_a_person_compares_the_searches_and_a_change_takes_them_away(
    window: Any, dialogs: Any, tmp_path: Path, few: None
) -> None:
    person = with_swap(window, dialogs, tmp_path)
    part = window._pages["protect"].frontier_part
    assert part.isVisible()
    assert part.card.isHidden()
    person.click("button_compare_searches")
    wait_until(lambda: part.found is not None)
    assert not part.card.isHidden()
    shown = part.card.title.text()
    assert shown == part.chart.accessibleDescription()[: len(shown)]
    assert {"calibrated", "random choice", "exact search", "rounds of the paper"} == {
        each.name for each in part.chart.points
    }
    person.click("button_as_table_frontier")
    assert find(window, "table_frontier_figures").isVisible()
    step = window.session.decisions.recipe.steps[0]
    window.session.decide_recipe("test", steps=(step.model_copy(update={"parameters": {"group_share": 0.4}}),))
    assert part.found is None
    assert part.card.isHidden()


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


def test_other_methods_have_no_searches_to_compare(window: Any, dialogs: Any, tmp_path: Path) -> None:
    person = at_step(window, dialogs, tmp_path, "protect")
    person.window.session.decide_recipe("test", steps=(StepSection(method="random-swap"),))
    assert window._pages["protect"].frontier_part.isHidden()
