"""Finding the date format that fits every value of a column.

Only the order of day, month and year is decided, from the whole column. No date is converted or moved between time
zones, and no century is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache

_PARTS = {
    "%Y": r"(?P<Y>[0-9]{4})",
    "%y": r"(?P<y>[0-9]{2})",
    "%m": r"(?P<m>[0-9]{1,2})",
    "%d": r"(?P<d>[0-9]{1,2})",
    "%H": r"(?P<H>[0-9]{1,2})",
    "%M": r"(?P<M>[0-9]{2})",
    "%S": r"(?P<S>[0-9]{2})(?:[.,](?P<f>[0-9]{1,9}))?",
}
_STRFTIME_CODES = {"YYYY": "%Y", "YY": "%y", "MM": "%m", "DD": "%d", "hh": "%H", "mm": "%M", "ss": "%S"}
_TIMES = ("", "T%H:%M", "T%H:%M:%S", " %H:%M", " %H:%M:%S")
_ZONE = r"(?:Z|[+-][0-9]{2}:?[0-9]{2})?"
# A pair is two ways of reading the same signs: only the values can decide.
_ORDERS: tuple[tuple[str, ...], ...] = (
    ("%Y-%m-%d",),
    ("%Y/%m/%d",),
    ("%Y.%m.%d",),
    ("%d.%m.%Y",),
    ("%d/%m/%Y", "%m/%d/%Y"),
    ("%d-%m-%Y", "%m-%d-%Y"),
)
_SHORT_YEAR = re.compile(r"[0-9]{1,2}([-./])[0-9]{1,2}\1[0-9]{2}")
_LOOKS = re.compile(r"[0-9]{1,4}[-./][0-9]{1,2}[-./][0-9]{1,4}(?:[ T].*)?")


@dataclass(frozen=True)
class DateFormat:
    """One way of writing dates.

    Attributes
    ----------
    pattern
        The parts ``%Y %y %m %d %H %M %S`` with the signs between them, such as ``%d.%m.%Y``.
    expression
        The regular expression that a date of this format matches.
    """

    pattern: str
    expression: re.Pattern[str]

    @classmethod
    @cache  # asked for with every date that is counted
    def parse(cls, pattern: str) -> DateFormat | None:
        """Return the date format of a pattern such as ``%d.%m.%Y`` or ``DD.MM.YYYY``; None when it is not valid.

        A valid pattern has one year (``%Y`` or ``%y``), no part twice, a month if it has a day, and otherwise only
        ``%H``, ``%M`` and ``%S`` for the time. Without a "%" these are written YYYY, YY, MM, DD, hh, mm and ss.
        """
        if "%" not in pattern:
            for word, sign in _STRFTIME_CODES.items():
                pattern = pattern.replace(word, sign, 1)
        pieces = re.split(r"(%.)", pattern)
        used = [piece for piece in pieces if piece.startswith("%")]
        if any(piece not in _PARTS for piece in used) or len(set(used)) != len(used):
            return None
        if not ({"%Y", "%y"} & set(used)) or {"%Y", "%y"} <= set(used):
            return None
        if "%d" in used and "%m" not in used:
            return None
        body = "".join(_PARTS.get(piece) or re.escape(piece) for piece in pieces)
        return cls(pattern, re.compile(body + (_ZONE if "%H" in used else ""), re.ASCII))

    def read(self, text: str) -> tuple[datetime, str] | None:
        """Return a text's date and time in whole seconds, and the digits of its fraction of a second.

        None if the text is not in this format or there is no such date. "03.02.2021 10:15:30.250" gives (datetime(2021,
        2, 3, 10, 15, 30), "250"); without a fraction the digits are "". Day, month and hour may have one digit. A part
        that the format lacks has its lowest value (1 January, midnight). Years of two digits are 1970 to 2069. A time
        zone after the time is ignored: the time is not converted.
        """
        match = self.expression.fullmatch(text)
        if match is None:
            return None
        part = match.groupdict()
        year = int(part["Y"]) if part.get("Y") else 2000 + int(part["y"]) - 100 * (int(part["y"]) >= 70)
        try:
            moment = datetime(
                year,
                int(part.get("m") or 1),
                int(part.get("d") or 1),
                int(part.get("H") or 0),
                int(part.get("M") or 0),
                int(part.get("S") or 0),
            )
        except ValueError:
            return None
        return moment, part.get("f") or ""


def _parse_format(pattern: str) -> DateFormat:
    """Return the date format of a pattern that is known to be valid; raise AssertionError otherwise."""
    made = DateFormat.parse(pattern)
    assert made is not None
    return made


_FORMATS = tuple(tuple(_parse_format(order + time) for order in orders) for orders in _ORDERS for time in _TIMES)


@dataclass(frozen=True)
class DateGuess:
    """The only date format that fits every value of a column, or the reason why it is in doubt, or neither.

    Attributes
    ----------
    format
        The only format that fits; None if no format fits or there is a doubt.
    warning
        Id of the message that says why the format is in doubt; None without a doubt.
    orders
        The formats that all fit and differ in the order of day and month; empty unless this is the doubt.
    """

    format: DateFormat | None = None
    warning: str | None = None
    orders: tuple[DateFormat, ...] = ()


def guess_date_format(texts: Sequence[str]) -> DateGuess:
    """Return the only date format that fits every text, or the doubt when several formats fit.

    Formats are year-month-day with "-", "/" or ".", day.month.year, and day and month in both orders before the year
    with "/" or "-"; a time (hours and minutes, or also seconds) may follow.

    - "31/12/2020" and "01/02/2021" fit only day before month: ``format``.
    - "01/02/2020" alone fits both orders of day and month: ``orders`` has the formats, ``warning`` an id.
    - "01.02.2020" is no doubt: with points the day always stands first.
    - If all texts look like dates with years of two digits and without a time, there is a warning, without formats.
    - If no format fits, or without texts, all are empty.
    """
    if not texts or not all(map(_LOOKS.fullmatch, texts[:10])):
        return DateGuess()
    for alternatives in _FORMATS:
        if alternatives[0].expression.fullmatch(texts[0]) is None:
            continue
        fitting = [form for form in alternatives if all(form.read(text) is not None for text in texts)]
        if len(fitting) == 1:
            return DateGuess(fitting[0])
        if len(fitting) > 1:
            return DateGuess(warning="warning.read.date-order", orders=tuple(fitting))
    if all(map(_SHORT_YEAR.fullmatch, texts)):
        return DateGuess(warning="warning.read.date-short-year")
    return DateGuess()
