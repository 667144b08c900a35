"""Rules on the order of steps.

No step may look up records after a step that generates them. A step that assigns rows to persons comes first, and never
together with a step that generates records. A step that forms groups comes after all steps that change
quasi-identifiers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from ppdm_desktop.engine.methods.base.declaration import Method, find_method
from ppdm_desktop.engine.recipe.models import StepSection


@dataclass(frozen=True, eq=False)
class Misplaced:
    """A step that may not be at its position in the list of steps.

    Attributes
    ----------
    index, method
        The step's 0-based index in the recipe, and its method.
    earlier_index, earlier
        Index and method of the step it conflicts with, mostly an earlier one.
    reason
        Why: ``AFTER_NO_ROWS``, ``NOT_FIRST``, ``WITH_NO_ROWS`` or ``UNDOES_GROUPS``, which are ids of texts.
    """

    index: int
    method: Method
    earlier_index: int
    earlier: Method
    reason: str

    @property
    def can_be_moved(self) -> bool:
        """Whether the step would be valid at another position; False if there is a step that generates records."""
        return self.reason != WITH_NO_ROWS


AFTER_NO_ROWS, NOT_FIRST = "error.step.after-no-rows", "error.step.not-first"
WITH_NO_ROWS, UNDOES_GROUPS = "error.step.beside-no-rows", "error.step.undoes-groups"


def misplaced_step(steps: Sequence[StepSection], quasi: Collection[str] = ()) -> Misplaced | None:
    """Return the first enabled step that breaks a rule of order, and the one it conflicts with; None if all are valid.

    Indices in the result count all steps from 0, disabled ones too. A step breaks a rule

    - if it needs privacy levels or people's own records after a step that generates records and keeps neither,
    - if it shows which rows belong to one person (as codes do) and comes after a step of another kind, or in one recipe
      with a step that generates records,
    - if it changes quasi-identifiers after a step that formed groups by them.

    Parameters
    ----------
    steps
        The steps in their order.
    quasi
        Names of the quasi-identifiers, if they are known; without them a method that protects both identity and
        confidential values, record by record, breaks the last rule only if the step names no columns.

    Raises
    ------
    RecipeError
        When a method is not known.
    """
    chain = [(index, find_method(section.method)) for index, section in enumerate(steps) if section.enabled]
    generating = _find_first_step(chain, lambda method: method.correspondence != "record")
    first_other = _find_first_step(chain, lambda method: not method.tells_rows_apart)
    earlier: tuple[int, Method] | None = None
    groups: tuple[int, Method] | None = None
    for index, method in chain:
        if groups is not None and _changes_quasi_identifiers(method, steps[index], quasi):
            return Misplaced(index, method, *groups, UNDOES_GROUPS)
        if method.holds_groups:
            groups = (index, method)
        if method.tells_rows_apart:
            if generating is not None:
                return Misplaced(index, method, *generating, WITH_NO_ROWS)
            if first_other is not None and first_other[0] < index:
                return Misplaced(index, method, *first_other, NOT_FIRST)
        if earlier is not None and (method.reads_levels or method.correspondence == "record"):
            return Misplaced(index, method, *earlier, AFTER_NO_ROWS)
        if method.correspondence != "record":
            earlier = (index, method)
    return None


def _find_first_step(
    chain: Sequence[tuple[int, Method]], wanted: Callable[[Method], bool]
) -> tuple[int, Method] | None:
    """Return index and method of the first step whose method satisfies ``wanted``; None without one."""
    return next(((index, method) for index, method in chain if wanted(method)), None)


def _changes_quasi_identifiers(method: Method, step: StepSection, quasi: Collection[str]) -> bool:
    """Return whether a step changes quasi-identifiers.

    It does if its method protects identity, or identity and confidential values. A method that does both and keeps each
    row as one person's record does so only if one of the step's columns is a quasi-identifier, or if the step names no
    columns.
    """
    if method.protects == "both" and method.correspondence == "record":
        return step.columns is None or not set(quasi).isdisjoint(step.columns)
    return method.protects in ("identity", "both")
