"""Trying a range as a person does: on Protect, in the tab of Compare, stopped, continued, used and taken back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from ui_support import FakeDialogs, Person, go_through

from ppdm_desktop.engine.recipe.models import StepSection
from ppdm_desktop.engine.release.sweep.curves import curves_of, propose_value
from ppdm_desktop.engine.release.sweep.texts import describe_proposal
from ppdm_desktop.engine.samples import sample_files

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
        drawn = [(values[each.index], each.mean, each.low, each.high) for each in panel.points]
        assert drawn == [(each.value, each.mean, each.low, each.high) for each in curves[id].points]
    assert chart.panels[1].limit == pytest.approx(1 / 3)
    assert chart.axis.at == pytest.approx((0.1, 0.4, 0.8))
    assert chart.axis.labels == ("10%", "40%", "80%")
    proposal = propose_value(tried.rows)
    words = {0.1: "10%", 0.4: "40%", 0.8: "80%"}
    said = describe_proposal(proposal, lambda value: words[value])  # type: ignore[index]
    assert card.title.text() == " ".join(sentence.format() for sentence in said)
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
