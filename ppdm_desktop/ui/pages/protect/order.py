"""Whether the steps of a chain can stand in their order, in words. No widgets here."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from ppdm_desktop.engine.errors import PpdmError
from ppdm_desktop.engine.recipe.models import StepSection
from ppdm_desktop.engine.release.candidate.step_order import (
    AFTER_NO_ROWS,
    BESIDE_NO_ROWS,
    NOT_FIRST,
    misplaced_step,
)
from ppdm_desktop.engine.texts import explain


def _tr(text: str) -> str:
    return QCoreApplication.translate("Protect", text)


@dataclass(frozen=True)
class OrderProblem:
    """Why a chain cannot run in its order.

    Attributes
    ----------
    sentence
        What is wrong and what to do.
    place, by
        The step in the way, and the move that mends it; 0 where none does.
    """

    sentence: str
    place: int
    by: int


def order_problem(steps: tuple[StepSection, ...]) -> OrderProblem | None:
    """Say in words when a step cannot stand where it stands."""
    try:
        wrong = misplaced_step(steps)
    except PpdmError as error:
        return OrderProblem(explain(error, window=True), 0, 0)
    if wrong is None:
        return None
    sentence = {
        AFTER_NO_ROWS: _tr(
            "This order cannot run. \u201c{method}\u201d works on each record, but \u201c{earlier}\u201d before it "
            "leaves no record as it was. Move \u201c{method}\u201d before it, or switch one of the two off."
        ),
        NOT_FIRST: _tr(
            "This order cannot run. \u201c{method}\u201d stands before all other steps, and \u201c{earlier}\u201d is "
            "before it. Move \u201c{method}\u201d to the front, or switch one of the two off."
        ),
        BESIDE_NO_ROWS: _tr(
            "These steps cannot run together. \u201c{method}\u201d tells whose row each is, and \u201c{earlier}\u201d "
            "makes up rows that are nobody's. Switch one of the two off."
        ),
    }[wrong.reason].format(method=wrong.method.title, earlier=wrong.earlier.title)
    by = wrong.earlier_place - wrong.place if wrong.can_be_moved else 0
    return OrderProblem(sentence, wrong.place, by)
