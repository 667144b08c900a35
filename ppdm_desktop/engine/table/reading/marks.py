"""Texts that often mean "missing"."""

from __future__ import annotations

MARKS = (
    "?", "NA", "N/A", "n/a", "na", "#N/A", "NULL", "Null", "null", "None", "none", "NaN", "nan",
    "-", "--", "---", ".", "..", "*", "missing", "Missing", "MISSING", "unknown", "Unknown", "UNKNOWN",
    "not available", "not applicable", "k.A.", "k. A.", "n.v.t.", "s/o", "n.d.", " ", "  ",
)  # fmt: skip
"""They are only suggested: NA is a country, Null a surname."""
