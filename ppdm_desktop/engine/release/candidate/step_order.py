"""Which steps may follow one another: a step that makes records anew leaves none that a later one could look up."""

from __future__ import annotations

from collections.abc import Sequence
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
        The step before it that leaves no record as it was.
    """

    place: int
    method: Method
    earlier_place: int
    earlier: Method


def misplaced_step(steps: Sequence[StepSection]) -> Misplaced | None:
    """Return the first enabled step that needs levels or records after a step that keeps neither.

    Raises
    ------
    RecipeError
        When a method is not known.
    """
    earlier: tuple[int, Method] | None = None
    for place, section in enumerate(steps):
        if not section.enabled:
            continue
        method = find_method(section.method)
        if earlier is not None and (method.reads_levels or method.correspondence == "record"):
            return Misplaced(place, method, *earlier)
        if method.correspondence != "record":
            earlier = (place, method)
    return None
