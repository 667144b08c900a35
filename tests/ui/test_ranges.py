"""Trying a range as a person does: on Protect, in the tab of Compare, stopped, continued, used and taken back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from protect_support import at_step
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from ui_support import FakeDialogs, Person, find, go_through, let_work, wait_until

from ppdm_desktop.engine.recipe.models import StepSection
from ppdm_desktop.engine.release.sweep.curves import curves_of, propose_value
from ppdm_desktop.engine.release.sweep.words import describe_proposal
from ppdm_desktop.engine.report.swap_frontier import SearchMark, searches_scene
from ppdm_desktop.engine.samples import sample_files
from ppdm_desktop.ui.charts.drawn_view import DrawnView

ROLES = {"quasi-identifier": ("Age", "Gender", "Location"), "confidential": ("Amount",)}


@pytest.fixture
def person(window: Any, dialogs: FakeDialogs, tmp_path: Path) -> Person:
    """At Protect with the life-insurance sample and one step that swaps at random."""
    path = tmp_path / "life-insurance.csv"
    path.write_bytes(sample_files("life-insurance")[0])
    found = Person(window, dialogs)
    go_through(found, path, ROLES, until="protect")
    found.session.add_step(StepSection(method="random-swap"))
    found.settle()
    return found


def choose_values(person: Person, values: str, keys: int = 2) -> None:
    person.click("button_range_open")
    person.choose("combo_range_setting", "proportion")
    person.see("spin_range_keys").setValue(keys)
    person.type("edit_range_values", values, enter=False)


def to_ranges(person: Person) -> None:
    person.click("button_range_look")
    assert person.window.current == "compare"
    assert person.see("tabs_compare").currentWidget().isAncestorOf(person.see("card_range"))


# --- the whole way --------------------------------------------------------------------------


@pytest.mark.thorough
def test_a_range_is_tried_looked_at_used_and_taken_back(person: Person) -> None:
    assert not person.sees("edit_range_values")
    assert person.session.why_not("compare") == "step.wait.run"
    choose_values(person, "10%; 40%; 80%")
    person.click("button_range_start")
    tried = person.session.tried
    assert (tried.status, len(tried.rows)) == ("done", 6)
    to_ranges(person)
    chart, card = person.see("chart_range"), person.see("card_range")
    # The curves are the engine's, to the last digit.
    curves = {str(each.measure): each for each in curves_of(tried.rows)}
    shown = [person.see(f"combo_range_{each}").current for each in ("above", "below")]
    assert shown == ["columns", "match"]
    values = tried.sweep.grid.values
    for id, panel in zip(shown, chart.panels, strict=True):
        drawn = [(values[each.place], each.mean, each.low, each.high) for each in panel.points]
        assert drawn == [(each.value, each.mean, each.low, each.high) for each in curves[id].points]
    assert chart.panels[1].limit == pytest.approx(1 / 3)
    assert chart.axis.at == pytest.approx((0.1, 0.4, 0.8))
    assert chart.axis.labels == ("10%", "40%", "80%")
    proposal = propose_value(tried.rows)
    words = {0.1: "10%", 0.4: "40%", 0.8: "80%"}
    assert card.title.text() == str(describe_proposal(proposal, lambda value: words[value]))  # type: ignore[index]
    assert chart.marked == (None if proposal.value is None else values.index(proposal.value))
    assert card.title.text() in chart.accessibleDescription()
    assert "10%" in chart.accessibleDescription()
    # Another value by the keys, and into the recipe.
    chart.plots[0].setFocus()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Right):
        person.press(key)
    assert "80%" in chart.plots[0].accessibleName()
    person.press(Qt.Key.Key_Return)
    assert person.see("combo_range_value").current == "2"
    person.click("button_range_use")
    assert person.session.decisions.recipe.steps[0].parameters == {"proportion": 0.8}
    assert not person.sees("strip_range_old")
    person.press(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert person.session.decisions.recipe.steps[0].parameters == {}
    # Anything else makes it old, and says so.
    person.session.set_column(["Gender"], role="other")
    person.settle()
    assert person.sees("strip_range_old")
    assert person.see("card_range").isVisible()


# --- comparing the searches of a swap on Protect --------------------------------------------------


MARKS = (
    SearchMark("released", "one", 0.1, -0.05, "one: w1"),
    SearchMark("third", "two", 0.4, 0.0, "two: w2"),
    SearchMark("stopped", "three", 0.2, 0.1, "three: w3"),
    SearchMark("stopped", "four", 0.2, 0.1, "four: w4"),
)


@pytest.fixture
def chart(qtbot: Any) -> DrawnView:
    made = DrawnView(name="chart", label="Searches")
    qtbot.addWidget(made)
    made.resize(480, 260)
    made.set_scene(searches_scene("A sentence", "", MARKS))
    made.show()
    let_work(10)
    return made


def test_the_keys_go_from_point_to_point_and_a_reader_hears_it(chart: DrawnView) -> None:
    assert chart.accessibleDescription() == "A sentence. one: w1; two: w2; three: w3"
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
    person.window.session.decide_recipe(steps=(step,))
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
    window.session.decide_recipe(steps=(step.model_copy(update={"parameters": {"group_share": 0.4}}),))
    assert part.found is None
    assert part.card.isHidden()
