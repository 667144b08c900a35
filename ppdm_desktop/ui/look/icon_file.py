"""Where an icon lies, for the style sheet, which wants a path; all others draw icons by ``theme().pixmap``."""

from __future__ import annotations

from importlib import resources


def icon_url(name: str) -> str:
    """Return an icon's file as a style sheet names it."""
    path = resources.files("ppdm_desktop.resources") / "icons" / f"{name}.svg"
    return f'url("{str(path).replace(chr(92), "/")}")'
