"""The registry of methods, which finds every module of this package that registers one."""

from __future__ import annotations

from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.methods.base.declaration import Method
from ppdm_desktop.engine.methods.base.families import Family
from ppdm_desktop.engine.registry import Registry
from ppdm_desktop.engine.wording.values import Quoted, Term

METHODS: Registry[Method] = Registry("ppdm_desktop.engine.methods")
register = METHODS.register


def all_methods() -> dict[str, Method]:
    """Return every method by id, sorted by id."""
    return METHODS.all()


def find_method(id: str) -> Method:
    """Return the method with this id.

    Raises
    ------
    RecipeError
        When no method has this id; the nearest is named.
    """
    methods = all_methods()
    if id not in methods:
        near = METHODS.nearest(id)
        raise RecipeError(
            "error.recipe.unknown-method-near" if near else "error.recipe.unknown-method",
            args={"method": Quoted(id), "known": Term(", ".join(methods)), "near": Quoted(near)},
        )
    return methods[id]


def methods_of(family: Family) -> tuple[Method, ...]:
    """Return the methods with which versions of a family are planned, first choice first."""
    methods = (method for method in all_methods().values() if method.family is family)
    return tuple(sorted(methods, key=lambda method: method.order))


def find_step_method(id: str) -> Method | None:
    """Return the method of a report's step id; None for an id that no method of this version has.

    The step that adds records to an earlier release has its own id, and belongs to the method of that release.
    """
    return next((method for method in all_methods().values() if id in method.step_titles), None)


def step_title(id: str) -> str:
    """Return the title of a report's step; its id where no method of this version has it."""
    method = find_step_method(id)
    return id if method is None else str(method.step_titles[id])
