"""Check whether the order of the steps is possible, and say why not; no widget here."""

from __future__ import annotations

from dataclasses import dataclass

from ppdm_desktop.engine.errors import PpdmError
from ppdm_desktop.engine.recipe.models import StepSection
from ppdm_desktop.engine.release.candidate.step_order import (
    AFTER_NO_ROWS,
    BESIDE_NO_ROWS,
    NOT_FIRST,
    UNDOES_GROUPS,
    misplaced_step,
)
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.texts import explain
from ppdm_desktop.engine.wording.values import Term


@dataclass(frozen=True)
class OrderProblem:
    """Why the steps cannot run in their order.

    Attributes
    ----------
    sentence
        What is wrong and what to do.
    place
        Index of the step that has to move.
    by
        By how many positions it has to move; 0 if no move helps.
    """

    sentence: str
    place: int
    by: int


def order_problem(steps: tuple[StepSection, ...]) -> OrderProblem | None:
    """Return the first problem with the order of the steps, None if there is none."""
    try:
        wrong = misplaced_step(steps)
    except PpdmError as error:
        return OrderProblem(explain(error, window=True), 0, 0)
    if wrong is None:
        return None
    sentence = {
        AFTER_NO_ROWS: lazy(
            "This order is not possible. “{method}” needs the original records, but “{earlier}” replaces them. "
            "Put “{method}” first, or switch one of the two off."
        ),
        NOT_FIRST: lazy(
            "This order is not possible. “{method}” must be the first step, but “{earlier}” comes before it. "
            "Put “{method}” first, or switch one of the two off."
        ),
        BESIDE_NO_ROWS: lazy(
            "These steps cannot be combined. “{method}” shows which rows belong to the same person, but “{earlier}” "
            "generates artificial rows. Switch one of the two off."
        ),
        UNDOES_GROUPS: lazy(
            "This order is not possible. “{method}” would undo the groups that “{earlier}” made. "
            "Put “{method}” first, or switch one of the two off."
        ),
    }[wrong.reason].said(method=Term(wrong.method.title), earlier=Term(wrong.earlier.title))
    by = wrong.earlier_place - wrong.place if wrong.can_be_moved else 0
    return OrderProblem(sentence, wrong.place, by)
