"""The map of candidates as a person uses it: the frontier, the sentence, the keys, delete."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from protect_support import at_step
from ui_support import Person, wait_until

from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.models import StepSection


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
