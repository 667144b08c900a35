"""The Risk page's pairs, smallest sets, limits and what-if: what would be is what a release then shows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from ui_support import Person, find, on_risk

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.identifiability.risk import table_risk
from ppdm_desktop.engine.identifiability.what_if import LEFT_OUT, RARE, Change
from ppdm_desktop.engine.methods.base.declaration import METHODS, Family
from ppdm_desktop.engine.methods.generalize import Generalize
from ppdm_desktop.engine.recipe.models import BinsSection, ColumnSection, StepSection
from ppdm_desktop.ui.pages.risk.what_if.logic import (
    can_be_generalised,
    version_steps,
)

ROWS = """age,town,job,income
31,Oslo,cook,low
32,Oslo,cook,low
33,Oslo,nurse,high
44,Bergen,nurse,high
45,Bergen,smith,low
79,Oslo,judge,
"""
ROLES = {"quasi-identifier": ("age", "town", "job"), "confidential": ("income",)}


@pytest.fixture
def person(window: Any, dialogs: Any, tmp_path: Path) -> Person:
    return on_risk(window, dialogs, tmp_path, ROWS, ROLES)


def row_of(person: Person, column: str) -> Any:
    page = find(person.window, "page_risk")
    return next(row for row in page.changes.rows if row.change.column == column)


def cells(person: Person) -> list[list[str]]:
    (mark,) = person.see("heat_pairs").scene.marks
    return [list(row) for row in mark.texts]


# --- pairs, sets, limits ----------------------------------------------------------------


def test_pairs_are_a_triangle_and_a_cell_lists_the_people_behind_it(person: Person) -> None:
    page = find(person.window, "page_risk")
    assert cells(person) == [["6", ""], ["6", "4"]]
    page.pairs.map.opened.emit("1:1")
    person.settle()
    people = person.see("table_people").model()
    rows = [people.headerData(row, Qt.Orientation.Vertical) for row in range(people.rowCount())]
    assert rows == ["4", "5", "6", "7"]
    assert [people.headerData(column, Qt.Orientation.Horizontal) for column in range(2)] == ["town", "job"]


# --- what would be ----------------------------------------------------------------------


def test_ticked_changes_become_a_version_of_true_values_that_can_be_undone(person: Person) -> None:
    age = row_of(person, "age")
    age.slider.setValue(age.slider.maximum() - 1)
    assert age.change.way == "width"
    person.tick(age.box.objectName())
    person.tick(row_of(person, "town").box.objectName())
    would_be = find(person.window, "page_risk").changes.would_be
    person.click("button_use_whatif")
    assert person.window.current == "protect"
    (version,) = find(person.window, "part_versions").versions
    assert version.family is Family.TRUE_VALUES
    assert [(step.method, step.columns) for step in version.steps] == [
        ("leave-out", ("town",)),
        ("generalize", ("age",)),
    ]
    person.click("button_see_1")
    (entry,) = person.session.candidates
    assert table_risk(entry.candidate.final).unique_people == would_be.risk.unique_people
    person.click("button_undo")
    assert person.session.decisions.wanted == ()


def test_a_failure_while_looking_is_said(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_original: object, changes: list[Change]) -> None:
        while len(changes) > 1:
            progress.check()
        raise ZeroDivisionError

    monkeypatch.setattr("ppdm_desktop.ui.pages.risk.what_if.card.assess_with_changes", fails)
    person.tick(row_of(person, "age").box.objectName())
    assert "ZeroDivisionError" in person.words("label_whatif")
    assert not person.see("button_use_whatif").isEnabled()
    assert person.words("gauge_alone_figure") == "6 of 6"
    for column in ("town", "job"):
        row_of(person, column).box.setChecked(True)
    person.settle()
    assert person.words("label_whatif").startswith("Keep at least one"), "said also after the work was stopped"


# --- as decisions -----------------------------------------------------------------------


def test_changes_become_the_steps_of_a_version(monkeypatch: pytest.MonkeyPatch) -> None:
    changes = [
        Change("age", "width", 10, ("a",)),
        Change("job", RARE, 0.05, ("a",)),
        Change("day", "months", 12, ("a",)),
        Change("sex", LEFT_OUT),
    ]
    broader = {"width": {"age": 10}, "rare": {"job": 0.05}, "months": {"day": 12}}
    assert version_steps(changes) == (
        StepSection(method="leave-out", columns=("sex",)),
        StepSection(method="generalize", columns=("age", "job", "day"), parameters=broader),
    )
    assert version_steps([]) == ()

    class Broaden(Generalize):
        id, order = "broaden", -1

    monkeypatch.setitem(METHODS._entries, Broaden.id, Broaden())
    (step,) = version_steps(changes[:1])
    assert step.method == Broaden.id, "the first method that declares it"


def test_columns_whose_numbers_are_drawn_in_their_bins_are_only_left_out() -> None:
    drawn = BinsSection(method="equal-width", count=4, release="draw")
    assert not can_be_generalised(ColumnSection(role="quasi-identifier", bins=drawn))
    assert can_be_generalised(ColumnSection(role="quasi-identifier"))
    assert can_be_generalised(None)
