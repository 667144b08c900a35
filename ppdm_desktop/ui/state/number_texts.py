"""Single numbers and short names for cells and charts, as text in the window's language."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence

from ppdm_desktop.engine.wording.catalogue import _, language, numbers_of
from ppdm_desktop.engine.wording.texts import Note, Text, render
from ppdm_desktop.engine.wording.values import Span

_LONG_NAME = 24
_LONG_BEGINNING = 8
_BETWEEN_WORDS = " _-./:"


def format_rounded_count(value: float) -> str:
    """Return a number, rounded to a whole one, as text in the user's language."""
    return numbers_of(language()).count(round(value))


def translate_note(note: Note) -> Text:
    """Return the title, sentence and remedy of a note (text id with arguments) in the present language."""
    return render(note.id, note.arguments)


def shorten_common_prefix(names: Sequence[str]) -> list[str]:
    """Return names shortened for small spaces: an ellipsis replaces the words with which all long names begin.

    "household_income_of_the_first_year" and "household_income_of_the_second_year" become "…first_year" and
    "…second_year". Long names have more than 24 letters; shorter ones are unchanged. All are unchanged if only one is
    long, or if the common words have fewer than eight letters.
    """
    long = [name for name in names if len(name) > _LONG_NAME]
    begin = os.path.commonprefix(long) if len(long) > 1 else ""  # noqa: RUF071 - letter by letter is meant
    cut = max((begin.rfind(between) + 1 for between in _BETWEEN_WORDS), default=0)
    if cut < _LONG_BEGINNING:
        return list(names)
    return [f"…{name[cut:]}" if len(name) > max(cut, _LONG_NAME) else name for name in names]


def percent(share: float | None) -> str:
    """Return a share as per cent, such as "37%"; a dash for None, NaN or infinity.

    "0%" and "100%" stand only for exactly 0 and 1.
    """
    numbers = numbers_of(language())
    if share is None or not math.isfinite(share):
        return numbers.none(cell=True)
    return numbers.percent(share)


def time_left(seconds: float) -> str:
    """Return a text such as "Time left: about 20 seconds"; negative times count as 0."""
    return _("Time left: {time}", time=Span(max(seconds, 0)))
