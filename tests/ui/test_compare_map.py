"""The map of candidates as a person uses it: the frontier, the sentence, the keys, delete."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from protect_support import at_step
from ui_support import Person

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
        person.session.add_candidate(
            person.session.decisions.recipe.model_copy(update={"steps": steps}), Key.fresh(), "", title
        )
    window.findChild(object, "page_protect").queue.start_next()
    person.settle()
    assert [entry.status for entry in person.session.candidates] == ["done"] * 4
    person.click("button_next")
    assert window.current == "compare"
    return person
