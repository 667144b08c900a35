"""Group sizes beside the demanded levels, and the words of a step's proof, on Compare."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from protect_support import ROLES, small_csv
from ui_support import Person, find, go_through

from ppdm_desktop.engine.recipe.models import Condition, Rule, StepSection


@pytest.mark.thorough
def test_the_chart_holds_the_groups_of_the_run(window: Any, dialogs: Any, tmp_path: Path) -> None:
    person = Person(window, dialogs)
    go_through(person, small_csv(tmp_path), ROLES, until="protect")
    session = person.session
    rules = (Rule(where=(Condition(column="city", equals="Bonn"),), level="cautious"),)
    session.decide_recipe("rules", privacy=session.decisions.recipe.privacy.model_copy(update={"rules": rules}))
    session.add_step(StepSection(method="condensation"))
    person.settle()
    person.click("button_add_to_queue")
    person.click("button_next")
    find(window, "tabs_compare").setCurrentIndex(2)
    person.settle()
    entry = session.candidates[0]
    detail = entry.judged.report.steps[0].detail
    rows = find(window, "table_group_sizes_1_figures").model().rows
    assert [row[0] for row in rows] == ["5 to 9 · Basic", "10 and more · Raised"]
    assert sum(int(row[2]) for row in rows) == sum(each["records"] for each in detail["sizes"]) == 60
    assert sum(int(row[1]) for row in rows) == detail["groups"]
