"""Condensation in the window: its form, its rows beside the original, its figures in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from protect_support import at_step
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from ui_support import Person, find

from ppdm_desktop.engine.methods.base.registry import find_method
from ppdm_desktop.engine.recipe.models import StepSection
from ppdm_desktop.ui.models.diff_model import STATE_ROLE
from ppdm_desktop.ui.state.diff import CHANGED
from ppdm_desktop.ui.widgets.form.form import MethodForm


@pytest.fixture
def person(window: Any, dialogs: Any, tmp_path: Path) -> Person:
    """At Compare with one finished run that condenses the table."""
    person = at_step(window, dialogs, tmp_path, "protect")
    person.session.add_step(StepSection(method="condensation"))
    person.click("button_add_to_queue")
    person.click("button_next")
    assert window.current == "compare"
    return person


@pytest.mark.thorough
def test_made_up_rows_stand_beside_the_original_without_marks(person: Person) -> None:
    assert len(person.session.candidates) == 1
    tabs = person.see("tabs_compare")
    QTest.mouseClick(tabs.tabBar(), Qt.MouseButton.LeftButton, pos=tabs.tabBar().tabRect(1).center())
    person.settle()
    original, released = person.see("table_diff_original"), person.see("table_diff_released")
    assert original.model().rowCount() == released.model().rowCount() > 0
    # No cell is marked as changed: F8 leads from group to group.
    assert not any(
        released.model().index(row, column).data(STATE_ROLE) == CHANGED
        for row in range(released.model().rowCount())
        for column in range(released.model().columnCount())
    )


def test_the_class_is_chosen_among_the_treated_columns(qtbot: Any) -> None:
    form = MethodForm()
    qtbot.addWidget(form)
    form.show_method(find_method("condensation"))
    form.set_values({}, [("age", "numeric", ""), ("town", "nominal", "")], ["age", "town"])
    row = form.row("class")
    box = find(form, "param_class")
    assert [box.itemData(at) for at in range(box.count())] == ["", "age", "town"]
    told: list[tuple[str, object]] = []
    form.changed.connect(lambda name, value: told.append((name, value)))
    box.setCurrentIndex(2)
    box.activated.emit(2)
    assert told == [("class", "town")]
    form.set_values({"class": "gone"}, [("age", "numeric", "")], ["age"])
    assert box.currentData() == "gone"
    assert not row.reset.isHidden()
    form.set_values({}, [("age", "numeric", "")], ["age"])
    assert box.currentData() == ""
