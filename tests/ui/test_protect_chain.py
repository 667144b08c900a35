"""Chains in the window: steps switched on and off, orders that cannot run, and what each step left on Compare."""

from __future__ import annotations

from ui_support import Person

from ppdm_desktop.engine.recipe.models import StepSection
from ppdm_desktop.engine.release.candidate.step_order import misplaced_step
from ppdm_desktop.ui.pages.protect.chain import order_problem


def chain(person: Person) -> list[tuple[str, bool]]:
    return [(step.method, step.enabled) for step in person.session.decisions.recipe.steps]


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
        assert (found.index if found else None) == wrong
        assert (said.index if said else None) == wrong
        if said is not None:
            assert said.index + said.by == 0
