"""Compare as a person uses it: the figures, the choice, the locked tables, next change, charts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from protect_support import at_step
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from ui_support import Person, find

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.recipe.models import StepSection
from ppdm_desktop.engine.release.evaluate.scorecard import RISKS
from ppdm_desktop.ui.models.diff_model import STATE_ROLE
from ppdm_desktop.ui.state.diff import CHANGED
from ppdm_desktop.ui.work.tasks import TaskOutcome


@pytest.fixture
def person(window: Any, dialogs: Any, tmp_path: Path) -> Person:
    """At Compare with two finished runs: C1 swaps, C2 does nothing."""
    person = at_step(window, dialogs, tmp_path, "protect")
    person.session.add_step(StepSection(method="bayes-swap"))
    person.click("button_add_to_queue")
    person.click("button_step_remove_1")
    person.click("button_add_to_queue")
    person.click("button_next")
    assert window.current == "compare"
    return person


def tab(person: Person, place: int) -> None:
    tabs = person.see("tabs_compare")
    bar = tabs.tabBar()
    places = [bar.tabRect(index) for index in range(bar.count())]
    QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=places[place].center())
    assert tabs.currentIndex() == place
    assert [bar.tabRect(index) for index in range(bar.count())] == places, "no tab moves"
    person.settle()


def judged_anew(entry: Any, **changes: Any) -> None:
    """Give an entry another verdict, as a run would."""
    report = entry.judged.report
    verdict = report.verdict.model_copy(update=changes)
    entry.judged = replace(entry.judged, report=report.model_copy(update={"verdict": verdict}))


def test_the_share_found_is_rounded_up_as_on_release(person: Person) -> None:
    entry = person.session.candidates[0]
    changes = {"figure": Figure(0.01, high=0.0126, unit="share"), "limit": 0.09, "hits": 10, "of": 1_000}
    checks = [
        check.model_copy(update=changes) if check.id == RISKS["match"] else check
        for check in entry.judged.report.verdict.checks
    ]
    judged_anew(entry, checks=checks)
    person.session.changed()
    person.settle()
    assert person.see("table_candidates").model().rows[1][3] == "2%"


@pytest.mark.thorough
def test_a_verdict_on_something_else_is_never_shown(person: Person) -> None:
    first = person.session.candidates[0]
    for changes in ({"input_sha256": "another file"}, {"recipe_sha256": "another recipe"}):
        kept = first.judged
        judged_anew(first, **changes)
        person.session.changed()
        person.settle()
        assert person.sees("strip_being_judged")
        assert [row[0].split()[0] for row in person.see("table_candidates").model().rows[1:]] in (["Version"], ["★"])
        assert {row.key for row in person.see("chart_map").scene.rows} <= {"C2", ""}
        first.judged = kept
        person.session.changed()
        person.settle()
        assert not person.sees("strip_being_judged")
        assert person.see("table_candidates").model().rowCount() == 3


def test_f8_goes_from_change_to_change(person: Person) -> None:
    person.click_row("table_candidates", 1)
    tab(person, 1)
    released = person.see("table_diff_released")
    entry = person.session.candidates[0]
    changed = int(sum(check.value for check in [entry.judged.report.columns[2].changed]))
    places = []
    for _ in range(changed):
        person.press(Qt.Key.Key_F8)
        index = released.currentIndex()
        assert index.data(STATE_ROLE) == CHANGED
        assert str(index.data()).startswith("≠ ")
        places.append(index.row())
    assert places == sorted(set(places))
    person.press(Qt.Key.Key_F8)
    assert released.currentIndex().row() == places[0]
    person.press(Qt.Key.Key_F8, Qt.KeyboardModifier.ShiftModifier)
    assert released.currentIndex().row() == places[-1]
    person.click("button_next_change")
    assert released.currentIndex().row() == places[0]
    filters, diff = find(person.window, "tab_rows").filters, find(person.window, "tab_rows").diff
    filters.columns.set_current("2")
    filters.set_diff(replace(diff, released=replace(diff.released, columns=diff.released.columns[1:])))
    assert filters.columns.current == "1", "the same column"
    rows = find(person.window, "tab_rows")
    rows.show_entry(None)
    rows._on_diff(TaskOutcome("diff", 0, diff))
    assert entry.display_name in rows._titles[1].text(), "deleted while it was compared"
