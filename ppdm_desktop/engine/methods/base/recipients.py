"""Recipients whose kept secrets are used by a recipe's steps."""

from __future__ import annotations

from collections.abc import Iterator

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.methods.base.declaration import Method
from ppdm_desktop.engine.methods.base.parameters import RecipientParameter
from ppdm_desktop.engine.methods.base.registry import all_methods
from ppdm_desktop.engine.recipe.models import Recipe


def recipient_of(method: Method) -> RecipientParameter | None:
    """Return the parameter by which a method names a recipient; None if it has none."""
    return next((parameter for parameter in method.parameters if isinstance(parameter, RecipientParameter)), None)


def marks_wanted(recipe: Recipe) -> Iterator[str]:
    """Yield the marks of the secrets for a recipe's codes; an empty mark where none is known yet."""
    for step in recipe.steps:
        method = all_methods().get(step.method)
        asked = recipient_of(method) if method is not None and step.enabled else None
        if asked is not None and step.parameters.get(asked.name):
            yield str(step.parameters.get(asked.mark, ""))


def check_is_asked_for(recipe: Recipe, file: str | None = None) -> None:
    """Refuse a recipient's secret that no step of the recipe would use.

    Parameters
    ----------
    recipe
        Its steps.
    file
        The secret's file, for the message.

    Raises
    ------
    InputError
        When no step that is switched on names a recipient.
    """
    if next(marks_wanted(recipe), None) is None:
        raise InputError("error.recipient.not-asked", file=file)
