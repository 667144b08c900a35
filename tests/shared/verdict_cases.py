"""Texts of checks, for what is shown of them."""

from __future__ import annotations

from ppdm_desktop.engine.release.gate.base import all_checks
from ppdm_desktop.engine.release.gate.results import VerdictText


def text_of(id: str, status: str) -> VerdictText:
    """Return the first text that a check has for a status; its first of all, where it never comes to that."""
    texts = all_checks()[id].texts()
    return next((text for text in texts if text.status == status), VerdictText(status, texts[0].id))
