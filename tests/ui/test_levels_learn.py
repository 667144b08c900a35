"""What an analyst learns at each level, on Privacy levels before any run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ui_support import Person, decide_roles

from ppdm_desktop.engine.methods.algorithms.noise_addition.covariance import preview_losses
from ppdm_desktop.engine.methods.base.declaration import find_method
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.models import Condition, Rule, StepSection
from ppdm_desktop.engine.release.candidate.pipeline import prepare_reading, run_candidate
from ppdm_desktop.ui.state.level_disclosure import format_loss

ROLES = {"quasi-identifier": ("town",), "confidential": ("income", "age")}
STEP = StepSection(method="two-phase-noise", columns=("income",))


def at_levels(window: Any, dialogs: Any, folder: Path, roles: Any = ROLES) -> Person:
    draws = np.random.default_rng(5)
    lines = ["town,income,age"]
    for row in range(400):
        lines.append(f"{'Oslo' if row % 3 else 'Bergen'},{1000 + round(draws.normal() * 100)},{20 + row % 40}")
    path = folder / "people.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    person = Person(window, dialogs)
    person.open(path)
    decide_roles(person.session, roles)
    for name in ("income", "age"):
        bounds = (0, 2000) if name == "income" else (0, 100)
        person.session.set_column([name], kind="numeric", bounds=bounds)
    window.go_to("levels")
    person.settle()
    return person


def test_the_figures_are_those_of_the_run_that_follows(window: Any, dialogs: Any, tmp_path: Path) -> None:
    person = at_levels(window, dialogs, tmp_path)
    session = person.session
    rules = (Rule(where=(Condition(column="town", equals="Bergen"),), level="paranoid"),)
    session.decide_recipe(privacy=session.decisions.recipe.privacy.model_copy(update={"rules": rules}))
    session.add_step(STEP.model_copy(update={"parameters": {"snr": 0.25}}))
    person.settle()
    model = person.see("table_learn").model()
    shown = {row[0]: row[1] for row in model.rows}
    assert model.columnCount() == 2
    prepared = prepare_reading(session.decisions.path, session.reading, session.decisions.recipe)
    candidate = run_candidate(prepared, Key.from_seed(1))
    levels = candidate.steps[0].result.detail["columns"]["income"]["levels"]
    assert [each["name"] for each in levels] == ["normal", "paranoid"]
    assert [shown["Basic"], shown["Very high"]] == [format_loss(each["privacy_loss"]) for each in levels]
    settings = find_method("two-phase-noise").settings(prepared.table, ("income",), {"snr": 0.25})
    assert [each.loss for each in preview_losses(prepared.table, settings)] == pytest.approx(
        [each["privacy_loss"] for each in levels]
    )
    person.click("button_undo")
    assert person.see("table_learn").model().columnCount() == 3
