"""The secrets kept for recipients, by which a recipient gets the same codes and date shifts in every file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.methods.base.declaration import Method, all_methods
from ppdm_desktop.engine.methods.base.parameters import RecipientParameter, TextParameter
from ppdm_desktop.engine.methods.base.step import Settings
from ppdm_desktop.engine.randomness import StepStream
from ppdm_desktop.engine.recipe.models import Recipe
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.values import Name, Term

RECIPIENT, FINGERPRINT = "recipient", "recipient_sha256"
FINGERPRINT_PARAMETER = TextParameter(
    name=FINGERPRINT,
    label=lazy("Fingerprint of the recipient’s secret"),
    help=lazy("Shows whether a secret opened later is the one that was used for the release."),
    effect=lazy("It is filled in when the release is made. Another secret is then refused."),
    default="",
    pattern="[0-9a-f]{16}",
    wanted=lazy("a text of 16 hexadecimal digits"),
    advanced=True,
    computed_by_run=True,
)


def recipient_secret(settings: Settings, streams: StepStream) -> tuple[bytes | None, dict[str, Any]]:
    """Return the secret bytes kept for the step's recipient, and the parameters to add to the recipe.

    The second part is {"recipient_sha256": fingerprint of the secret}. It is empty if the recipe already has the
    fingerprint, or if the secret is only a stand-in for a trial. Where the step names no recipient, the result is None
    and an empty dict.

    Raises
    ------
    InputError
        When a recipient is named and no secret was opened.
    RecipeError
        When the recipe has the fingerprint of another secret, and this one is not a stand-in.
    """
    name, recorded = str(settings.values[RECIPIENT]), str(settings.values[FINGERPRINT])
    if not name:
        return None, {}
    if streams.recipient is None:
        raise InputError("error.recipient.needed", args={"recipient": Name(name)})
    if streams.recipient.is_stand_in:
        return streams.recipient.bytes_, {}
    fingerprint = streams.recipient.fingerprint
    if recorded and recorded != fingerprint:
        raise RecipeError(
            "error.recipient.other", args={"recipient": Name(name), "known": Term(recorded), "found": Term(fingerprint)}
        )
    return streams.recipient.bytes_, {} if recorded else {FINGERPRINT: fingerprint}


def recipient_of(method: Method) -> RecipientParameter | None:
    """Return the parameter in which a method's step names a recipient; None if the method has none."""
    return next((parameter for parameter in method.parameters if isinstance(parameter, RecipientParameter)), None)


def list_needed_fingerprints(recipe: Recipe) -> Iterator[str]:
    """Yield the fingerprint of the secret that each enabled step with a named recipient needs.

    They come in the order of the steps, one for each, also if several need the same secret. A fingerprint is an empty
    text where the recipe does not have it yet. Steps of unknown methods are skipped.
    """
    for step in recipe.steps:
        method = all_methods().get(step.method)
        asked = recipient_of(method) if method is not None and step.enabled else None
        if asked is not None and step.parameters.get(asked.name):
            yield str(step.parameters.get(asked.mark, ""))


def check_is_asked_for(recipe: Recipe, file: str | None = None) -> None:
    """Raise an error if a recipient's secret was opened that no enabled step of the recipe uses.

    Parameters
    ----------
    recipe
        The recipe to look through.
    file
        The secret's file, for the message.

    Raises
    ------
    InputError
        When no enabled step names a recipient.
    """
    if next(list_needed_fingerprints(recipe), None) is None:
        raise InputError("error.recipient.not-asked", file=file)
