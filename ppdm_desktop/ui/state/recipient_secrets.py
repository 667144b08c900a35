"""Secrets of recipients that were drawn or opened in this window (no Qt here)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ppdm_desktop.engine.methods.base.declaration import Method
from ppdm_desktop.engine.methods.base.parameters import RecipientParameter
from ppdm_desktop.engine.methods.base.registry import all_methods
from ppdm_desktop.engine.randomness import RecipientSecret
from ppdm_desktop.engine.recipe.models import Recipe


def recipient_of(method: Method) -> RecipientParameter | None:
    """Return the parameter by which a method asks for a recipient's secret."""
    return next((each for each in method.parameters if isinstance(each, RecipientParameter)), None)


def marks_wanted(recipe: Recipe) -> Iterator[str]:
    """Return the marks of the secrets that a recipe's codes are made with."""
    for step in recipe.steps:
        method = all_methods().get(step.method)
        asked = recipient_of(method) if method is not None and step.enabled else None
        if asked is not None and step.parameters.get(asked.name):
            yield str(step.parameters.get(asked.mark, ""))


def secret_for(recipe: Recipe, opened: Mapping[str, RecipientSecret]) -> RecipientSecret | None:
    """Return the open secret that a recipe's codes are made with, None where it is not open or none is needed."""
    return next((opened[mark] for mark in marks_wanted(recipe) if mark in opened), None)
