"""Which steps may stand together, and in which order.

A step that generates records leaves none that a later one could look up. A step that tells whose row each is comes
before all others, and stands beside none that generates records. A step that forms groups comes after all others that
change what others may know.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from ppdm_desktop.engine.methods.base.declaration import Method
from ppdm_desktop.engine.methods.base.registry import find_method
from ppdm_desktop.engine.recipe.models import StepSection


@dataclass(frozen=True, eq=False)
class Misplaced:
    """A step that cannot stand where it stands.

    Attributes
    ----------
    place, method
        The step, by its 0-based place in the recipe.
    earlier_place, earlier
        The step in its way, which mostly stands before it.
    reason
        Why: ``AFTER_NO_ROWS``, ``NOT_FIRST``, ``BESIDE_NO_ROWS`` or ``UNDOES_GROUPS``, which are ids of texts.
    """

    place: int
    method: Method
    earlier_place: int
    earlier: Method
    reason: str

    @property
    def can_be_moved(self) -> bool:
        """Whether another place in the chain would do."""
        return self.reason != BESIDE_NO_ROWS


AFTER_NO_ROWS, NOT_FIRST = "error.step.after-no-rows", "error.step.not-first"
BESIDE_NO_ROWS, UNDOES_GROUPS = "error.step.beside-no-rows", "error.step.undoes-groups"


def misplaced_step(steps: Sequence[StepSection], quasi: Collection[str] = ()) -> Misplaced | None:
    """Return the first enabled step that cannot stand where it stands.

    It needs levels or records after a step that keeps neither, or tells whose row each is after a step that does
    not, or in a chain that generates records, or changes what others may know after a step that formed groups by it.

    Parameters
    ----------
    steps
        The chain.
    quasi
        Names of the columns that others may know, where they are settled.

    Raises
    ------
    RecipeError
        When a method is not known.
    """
    chain = [(index, find_method(section.method)) for index, section in enumerate(steps) if section.enabled]
    generating = _first(chain, lambda method: method.correspondence != "record")
    first_other = _first(chain, lambda method: not method.tells_rows_apart)
    earlier: tuple[int, Method] | None = None
    groups: tuple[int, Method] | None = None
    for index, method in chain:
        if groups is not None and _changes_what_others_know(method, steps[index], quasi):
            return Misplaced(index, method, *groups, UNDOES_GROUPS)
        if method.holds_groups:
            groups = (index, method)
        if method.tells_rows_apart:
            if generating is not None:
                return Misplaced(index, method, *generating, BESIDE_NO_ROWS)
            if first_other is not None and first_other[0] < index:
                return Misplaced(index, method, *first_other, NOT_FIRST)
        if earlier is not None and (method.reads_levels or method.correspondence == "record"):
            return Misplaced(index, method, *earlier, AFTER_NO_ROWS)
        if method.correspondence != "record":
            earlier = (index, method)
    return None


def _first(chain: Sequence[tuple[int, Method]], wanted: Callable[[Method], bool]) -> tuple[int, Method] | None:
    """Return the first step whose method is wanted, with its index in the recipe."""
    return next(((index, method) for index, method in chain if wanted(method)), None)


def _changes_what_others_know(method: Method, step: StepSection, quasi: Collection[str]) -> bool:
    if method.protects == "both" and method.correspondence == "record":
        return step.columns is None or not set(quasi).isdisjoint(step.columns)
    return method.protects in ("identity", "both")
