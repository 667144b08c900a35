"""Counts, shares and times as every page writes them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QCoreApplication, QLocale

from ppdm_desktop.engine.texts import Note, Text, render
from ppdm_desktop.engine.wording.values import Share

_GROUPED_FROM = 1_000
_LONG_NAME = 24
_LONG_BEGINNING = 8
_BETWEEN_WORDS = " _-./:"


def _tr(text: str) -> str:
    return QCoreApplication.translate("Words", text)


def count(value: float) -> str:
    """Write a count in the user's manner."""
    return QLocale().toString(round(value))


def counted(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of an engine's sentence with large counts and shares written in the user's manner.

    Small counts stay numbers: words that go with them, as in "1 row" and "2 rows", hang on that.
    """
    return {name: _counted(value) for name, value in arguments.items()}


def _counted(value: Any) -> Any:
    if isinstance(value, int) and abs(value) >= _GROUPED_FROM:
        return count(value)
    if isinstance(value, Share):
        return value.written(count)
    return Note(value.id, counted(value.arguments)) if isinstance(value, Note) else value


def said(note: Note) -> Text:
    """Return what the engine has to say, with counts and shares written in the user's manner."""
    return render(note.id, counted(note.arguments))


def shorten_common_prefix(names: Sequence[str]) -> list[str]:
    """Write names where there is little room: long ones leave out the words that all of them begin with."""
    long = [name for name in names if len(name) > _LONG_NAME]
    begin = os.path.commonprefix(long) if len(long) > 1 else ""
    cut = max((begin.rfind(between) + 1 for between in _BETWEEN_WORDS), default=0)
    if cut < _LONG_BEGINNING:
        return list(names)
    return [f"…{name[cut:]}" if len(name) > max(cut, _LONG_NAME) else name for name in names]


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


def short_of_hundred(share: float) -> str:
    """Write the same where there is room for a figure only."""
    rounded = round(100 * share)
    if rounded == 0 and share > 0:
        return _tr("<1 of 100")
    if rounded == 100 and share < 1:
        return _tr(">99 of 100")
    return of_hundred(share)


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
