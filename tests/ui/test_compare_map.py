"""The map of candidates as a person uses it: the frontier, the sentence, the keys, delete."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from protect_support import at_step
from ui_support import Person, wait_until

from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.models import StepSection
from ppdm_desktop.engine.report.scene.model import Rule
from ppdm_desktop.engine.utility.frontier import flag_pareto_frontier
from ppdm_desktop.ui.pages.compare.map.logic import MapPoint, map_of


@pytest.fixture
def person(window: Any, dialogs: Any, tmp_path: Path) -> Person:
    """At Compare with four finished runs."""
    person = at_step(window, dialogs, tmp_path, "protect", rows=120)
    chains = [
        ("Targeted swap", (StepSection(method="bayes-swap"),)),
        ("Alike", (StepSection(method="mondrian"),)),
        ("Alike, large", (StepSection(method="mondrian", parameters={"k": 20}),)),
        ("Nothing", ()),
    ]
    for title, steps in chains:
        person.session.line_up(
            person.session.decisions.recipe.model_copy(update={"steps": steps}), Key.fresh(), "", title
        )
    window.findChild(object, "page_protect").queue.start_next()
    person.settle()
    assert [entry.status for entry in person.session.candidates] == ["done"] * 4
    person.click("button_next")
    assert window.current == "compare"
    return person


def chart(person: Person) -> Any:
    return person.see("chart_map")


def shown(person: Person) -> list[MapPoint]:
    """Return the marks by what the map was made of."""
    tab = person.see("tab_map")
    original = tab._scorecards.original(person.session)
    found = map_of(tab._placed, original, tab.map.risk.current, tab.map.use.current, tab.best).points
    scene = chart(person).scene
    assert [row.at for row in scene.rows] == [(point.risk / 100, point.use / 100) for point in found]
    assert [row.key for row in scene.rows] == [point.key for point in found]
    return found


def limit(person: Person) -> float | None:
    return next((100 * mark.at for mark in chart(person).scene.marks if isinstance(mark, Rule)), None)


@pytest.mark.thorough
def test_marks_are_where_the_reports_put_them_and_the_frontier_is_the_engines(person: Person) -> None:
    points = shown(person)
    assert [point.label.removeprefix("★ ") for point in points] == [*(f"Version {n}" for n in range(1, 5)), "Original"]
    for entry, point in zip(person.session.candidates, points, strict=False):
        found = entry.judged.report.verdict
        assert point.risk == pytest.approx(100 * found.check("linkage").judged_value)
        assert point.use == pytest.approx(100 * found.usefulness.useful.value)
        # The colour is the decision: red checks block, others want reasons.
        wanted = "blocked" if found.blocking else "released-with-reasons" if found.to_answer else "released"
        assert point.kind == wanted
    found = flag_pareto_frontier(np.array([point.risk for point in points]), np.array([point.use for point in points]))
    assert [point.frontier for point in points] == found.tolist()
    assert points[-1].kind == "original"
    original = person.session.candidates[0].judged.report.original
    assert points[-1].risk == pytest.approx(100 * original.check("linkage").judged_value)
    assert limit(person) == pytest.approx(100 / 3)
    assert "version" in person.see("card_map").title.text()
    # The swap leaves what others may know as it is: beyond the limit of the map, it is judged by groups.
    swapped = person.session.candidates[0].judged.report.verdict.check("linkage")
    assert swapped.status == "not-applicable"
    most = limit(person)
    assert most is not None
    assert points[0].risk > most
    assert person.sees("strip_not_on_map")
    person.choose("combo_map_risk", "certain")
    assert not person.sees("strip_not_on_map"), "no other risk has a limit on the map"


# --- renaming, deleting ---------------------------------------------------


@pytest.mark.thorough
def test_deleting_asks_and_the_safe_answer_keeps(person: Person) -> None:
    person.click_row("table_candidates", 1)
    person.dialogs.will("ask", "keep")
    person.click("button_delete_candidate")
    assert len(person.session.candidates) == 4
    asked = person.dialogs.asked[-1]
    assert asked.default == "keep"
    person.dialogs.will("ask", "delete")
    person.click("button_delete_candidate")
    assert [entry.name for entry in person.session.candidates] == ["C2", "C3", "C4"]
    assert person.see("table_candidates").model().rowCount() == 4
    wait_until(lambda: len(chart(person).scene.rows) == 4)
