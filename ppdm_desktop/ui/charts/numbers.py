"""Numbers of any size as a chart writes them: four digits that count, thousands grouped."""

from __future__ import annotations

from PySide6.QtCore import QLocale


def points(share: float) -> str:
    """Write a change of a share in points of 100 with its sign; what rounds to nothing has none."""
    words = f"{100 * share:+.1f}"
    return "0.0" if words in ("+0.0", "-0.0") else words.replace("-", "−")


def plain_number(value: float) -> str:
    """Write a number in the user's manner: 38.58, 1,078, 0.0023."""
    if abs(value) >= 1000:
        words = QLocale().toString(round(value)) if abs(value) < 1e15 else f"{value:.4g}"
    else:
        words = QLocale().toString(float(f"{value:.4g}"), "g", 6)
    return words.replace("-", "−")


def strength(value: float | None) -> str:
    """Write the strength of a tie with two decimals and a real minus sign; a dash where there is none."""
    if value is None or value != value:
        return "–"
    return f"{value:.2f}".replace("-0.00", "0.00").replace("-", "−")


def signed(value: float | None) -> str:
    """Write a change of strength with its sign; what rounds to nothing has none."""
    if value is None or value != value:
        return "–"
    words = f"{value:+.2f}"
    return "0.00" if words in ("+0.00", "-0.00") else words.replace("-", "−")
