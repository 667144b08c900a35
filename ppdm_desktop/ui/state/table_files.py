"""Which files hold a table, for dialogs and for people."""

from __future__ import annotations

from ppdm_desktop.engine.table.reading.registry import suffixes, titles


def name_patterns(*more: str) -> str:
    """Return the patterns of a file dialog's filter: tables by their usual endings, and ``more`` endings."""
    return " ".join(f"*{suffix}" for suffix in (*suffixes(), *more))


def format_names() -> str:
    """Return what people call the formats that are read."""
    return ", ".join(titles())
