"""Chains in the window: steps switched on and off, orders that cannot run, and what each step left on Compare."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from protect_support import at_step
from PySide6.QtCore import Qt
from ui_support import Person

from ppdm_desktop.engine.recipe.models import StepSection
from ppdm_desktop.engine.release.candidate.step_order import misplaced_step
from ppdm_desktop.ui.pages.protect.chain import order_problem

CONTROL = Qt.KeyboardModifier.ControlModifier


def chain(person: Person) -> list[tuple[str, bool]]:
    return [(step.method, step.enabled) for step in person.session.decisions.recipe.steps]


def with_steps(window: Any, dialogs: Any, folder: Path, *methods: str) -> Person:
    person = at_step(window, dialogs, folder, "protect")
    for method in methods:
        person.click(f"method_{method}")
        person.click("button_use_method")
    return person


@pytest.mark.thorough
def test_a_step_that_is_off_is_skipped_by_the_run_and_keeps_its_settings(
    window: Any, dialogs: Any, tmp_path: Path
) -> None:
    person = with_steps(window, dialogs, tmp_path, "bayes-swap", "generalize")
    person.click("step_1")
    person.type("param_proportion", "30")
    person.tick("check_step_1", on=False)
    person.click("button_add_to_queue")
    (entry,) = person.session.candidates
    assert [step.method.id for step in entry.candidate.steps] == ["generalize"]
    assert entry.recipe.steps[0].parameters == {"proportion": 0.3}
    person.tick("check_step_2", on=False)


@pytest.mark.thorough
def test_an_order_that_cannot_run_is_said_before_anything_is_queued(window: Any, dialogs: Any, tmp_path: Path) -> None:
    person = with_steps(window, dialogs, tmp_path, "condensation", "generalize")
    words = person.see("strip_order").text.text()
    assert "This order is not possible" in words
    assert "switch one of the two off" in words
    assert not person.see("button_add_to_queue").isEnabled()
    person.tick("check_step_1", on=False)
    assert not person.sees("strip_order")
    assert person.see("button_add_to_queue").isEnabled()
    person.tick("check_step_1")
    person.click("button_move_step")
    assert chain(person) == [("generalize", True), ("condensation", True)]
    assert not person.sees("strip_order")
    person.press(Qt.Key.Key_Z, CONTROL)
    assert person.sees("strip_order")
    assert not person.session.candidates


def test_the_window_and_the_engine_refuse_the_same_orders() -> None:
    regenerate, later = StepSection(method="data-reconstruction"), StepSection(method="suppress")
    off = later.model_copy(update={"enabled": False})
    for steps, wrong in (
        ((later, regenerate), None),
        ((regenerate, off), None),
        ((regenerate, later), 1),
        ((regenerate, off, regenerate), 2),
    ):
        found, said = misplaced_step(steps), order_problem(steps)
        assert (found.place if found else None) == wrong
        assert (said.place if said else None) == wrong
        if said is not None:
            assert said.place + said.by == 0
