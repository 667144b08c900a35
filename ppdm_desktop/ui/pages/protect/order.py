"""Whether the steps of a chain can stand in their order, in words. No widgets here."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from ppdm_desktop.engine.errors import PpdmError
from ppdm_desktop.engine.recipe.models import StepSection
from ppdm_desktop.engine.release.candidate.step_order import misplaced_step
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
        The step in the way, and the move that mends it.
    """

    sentence: str
    place: int
    by: int


def order_problem(steps: tuple[StepSection, ...]) -> OrderProblem | None:
    """Say in words when a step stands after one that leaves no record as it was."""
    try:
        wrong = misplaced_step(steps)
    except PpdmError as error:
        return OrderProblem(explain(error, window=True), 0, 0)
    if wrong is None:
        return None
    sentence = _tr(
        "This order cannot run. \u201c{method}\u201d works on each record, but \u201c{earlier}\u201d before it leaves "
        "no record as it was. Move \u201c{method}\u201d before it, or switch one of the two off."
    ).format(method=wrong.method.title, earlier=wrong.earlier.title)
    return OrderProblem(sentence, wrong.place, wrong.earlier_place - wrong.place)
