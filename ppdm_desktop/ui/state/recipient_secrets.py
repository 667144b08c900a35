"""Secrets of recipients that were created or opened in this window (no Qt here)."""

from __future__ import annotations

from collections.abc import Mapping

from ppdm_desktop.engine.methods.base.recipients import marks_wanted
from ppdm_desktop.engine.randomness import RecipientSecret
from ppdm_desktop.engine.recipe.models import Recipe


def secret_for(recipe: Recipe, opened: Mapping[str, RecipientSecret]) -> RecipientSecret | None:
    """Return the secret that a recipe needs for its codes; None if it is not open or none is needed.

    ``opened`` are the secrets opened so far, by their marks.
    """
    return next((opened[mark] for mark in marks_wanted(recipe) if mark in opened), None)
