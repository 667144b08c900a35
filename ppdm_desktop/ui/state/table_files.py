"""File name patterns and names of the table formats, for dialogs and texts."""

from __future__ import annotations

from ppdm_desktop.engine.table.reading.registry import list_format_titles, list_readable_suffixes


def name_patterns(*more: str) -> str:
    """Return the patterns of a file dialog, "*.csv *.xlsx …", for all readable suffixes and ``more`` (".toml")."""
    return " ".join(f"*{suffix}" for suffix in (*list_readable_suffixes(), *more))


def format_names() -> str:
    """Return the names of all readable file formats, joined by commas."""
    return ", ".join(list_format_titles())
