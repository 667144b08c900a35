"""Recipients' secrets that were created or opened in this window (no Qt here)."""

from __future__ import annotations

from collections.abc import Mapping

from ppdm_desktop.engine.methods.base.recipients import list_needed_fingerprints
from ppdm_desktop.engine.randomness import RecipientSecret
from ppdm_desktop.engine.recipe.models import Recipe


def secret_for(recipe: Recipe, opened: Mapping[str, RecipientSecret]) -> RecipientSecret | None:
    """Return the opened secret from which a recipe makes pseudonyms for a recipient; None if none is needed or open.

    ``opened`` are the secrets opened so far, by the marks that recipes name them with.
    """
    return next((opened[mark] for mark in list_needed_fingerprints(recipe) if mark in opened), None)
