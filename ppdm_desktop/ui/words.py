"""Counts, shares and times as every page writes them."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLocale


def _tr(text: str) -> str:
    return QCoreApplication.translate("Words", text)


def count(value: float) -> str:
    """Write a count in the user's manner."""
    return QLocale().toString(round(value))


def percent(share: float | None) -> str:
    """Write a share with one decimal; a share that is not nothing never reads 0.0."""
    if share is None:
        return "–"
    if 0 < abs(share) < 0.0005:
        return _tr("under 0.1 %")
    return f"{100 * share:.1f} %"


def of_hundred(share: float) -> str:
    """Write a share as "37 of 100"; never 0 or 100 unless exact."""
    rounded = round(100 * share)
    if rounded == 0 and share > 0:
        return _tr("fewer than 1 of 100")
    if rounded == 100 and share < 1:
        return _tr("over 99 of 100")
    return _tr("{n} of 100").format(n=rounded)


def about_time(seconds: float) -> str:
    """Write a length of time that is only known roughly: "about 20 s", "about 3 min"."""
    if seconds < 55:
        return _tr("about {n} s").format(n=max(5 * round(seconds / 5), 5))
    return _tr("about {n} min").format(n=max(round(seconds / 60), 1))


def time_left(seconds: float) -> str:
    """Write a remaining time, rounded."""
    if seconds < 60:
        return _tr("{n} s left").format(n=max(round(seconds), 1))
    return _tr("{n} min left").format(n=round(seconds / 60))
