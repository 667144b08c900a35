"""Reads the bundled templates and style sheets."""

from __future__ import annotations

from functools import cache
from importlib import resources


@cache
def template_source(name: str) -> str:
    """Return the text of a bundled template or style sheet by its file name, read once."""
    return (resources.files("ppdm_desktop.resources") / "templates" / name).read_text(encoding="utf-8")
