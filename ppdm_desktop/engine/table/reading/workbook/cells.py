"""Turning the cell values of spreadsheets into texts: numbers as they were stored, dates in ISO form."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from decimal import Decimal
from typing import NamedTuple

_WHOLE = re.compile(r"-?[0-9]+", re.ASCII)
_SIGNIFICANT = 15
_EXACT = 2**53
_DATE_FORMATS = frozenset([*range(14, 18), 22, *range(27, 32), 36, *range(50, 55), 57, 58])
_TIME_FORMATS = frozenset([18, 19, 20, 21, 32, 33, 34, 35, 45, 46, 47, 55, 56])
_QUOTED = re.compile(r'"[^"]*"|\\.|_.|\*.')
_ELAPSED = re.compile(r"\[(h+|m+|s+)\]", re.IGNORECASE)
_BRACKETS = re.compile(r"\[[^\]]*\]")
_CONDITION = re.compile(r"\[[<>=]")
_FRACTION = re.compile(r"(?<=s)\.0+")
_PLAIN = ("general", "standard")
_LEAP_1900 = 60

ERRORS = {
    0x00: "#NULL!",
    0x07: "#DIV/0!",
    0x0F: "#VALUE!",
    0x17: "#REF!",
    0x1D: "#NAME?",
    0x24: "#NUM!",
    0x2A: "#N/A",
    0x2B: "#GETTING_DATA",
}
"""What a spreadsheet shows for the number of an error."""


class Number(NamedTuple):
    """The text of a stored number, and whether digits were lost.

    Attributes
    ----------
    text
        The text.
    beyond
        Whether it is a whole number above 2**53, of which the program that wrote the file has lost digits.
    rounded
        Whether more than 15 significant digits were stored; the text has the 15 that a spreadsheet shows.
    """

    text: str
    beyond: bool = False
    rounded: bool = False


def number_text(raw: str) -> Number:
    """Return a stored number as text, whether it is whole and above 2**53, and whether it was rounded here.

    In the last two cases digits were lost. Whole numbers keep their digits as stored (so ``0100`` and 17 digits
    survive), all others get the shortest form that gives the same number (``1.50`` becomes 1.5), with at most 15
    significant digits if it is not whole. A text that is no number is returned unchanged. A number below -2**53 counts
    as one above 2**53.
    """
    if len(raw) <= _SIGNIFICANT and raw.isascii() and raw.isdigit():
        return Number(raw)
    if _WHOLE.fullmatch(raw):
        return Number(raw, beyond=len(raw) > _SIGNIFICANT and abs(int(raw[:400])) > _EXACT)
    try:
        value = float(raw)
    except ValueError:
        return Number(raw)
    if value != value or value in (float("inf"), float("-inf")):
        return Number(raw)
    return float_text(value)


def float_text(value: float) -> Number:
    """Return a finite float as its shortest text, whether it is whole and above 2**53, and whether it was rounded here.

    12.0 gives "12", 1e-7 gives "0.0000001", and 0.30000000000000004 is rounded to "0.3": numbers that are not whole get
    at most 15 significant digits. Numbers from 1e21 on are rounded so, too, and have an exponent, but do not count as
    above 2**53. Numbers below 1e-15 have an exponent as well. Negative numbers are treated as positive ones are.
    """
    if value == int(value) and abs(value) < 1e21:
        return Number(str(int(value)), beyond=abs(value) > _EXACT)
    text = repr(value)
    if "e" not in text and len(text) <= _SIGNIFICANT + 1:
        return Number(text)
    shortest = Decimal(text)
    rounded = len(shortest.as_tuple().digits) > _SIGNIFICANT
    if rounded:
        text = f"{value:.{_SIGNIFICANT}g}"
        shortest = Decimal(text)
    if "e" in text and -16 < shortest.adjusted() < 21:
        text = f"{shortest:f}"
        if "." in text:
            text = text.rstrip("0").rstrip(".")
    return Number(text, rounded=rounded)


class DateStyle(NamedTuple):
    """Which parts of a date and time a number format shows; ``elapsed`` means a length of time such as 26:30:00."""

    date: bool
    time: bool
    elapsed: bool


def date_style(format_id: int, code: str | None) -> DateStyle | None:
    """Return which parts of a date and time a number format shows; None for plain numbers.

    ``format_id`` is the number of the format, which counts only for a built-in one; ``code`` is its text such as
    ``dd.mm.yyyy``, or None for a built-in format. The first section of the text decides. But if sections have
    conditions such as ``[<50]``, the result is None unless all sections, those for texts (``@``) left out, show the
    same.
    """
    if code is None:
        if format_id == 46:
            return DateStyle(False, True, True)
        if format_id in _DATE_FORMATS:
            return DateStyle(True, format_id == 22, False)
        return DateStyle(False, True, False) if format_id in _TIME_FORMATS else None
    sections = _QUOTED.sub("", code).split(";")
    style = _find_date_style(sections[0])
    if _CONDITION.search(code) and any(
        _find_date_style(section) != style for section in sections if "@" not in section
    ):
        return None
    return style


def _find_date_style(section: str) -> DateStyle | None:
    """Return which parts of a date and time one section of a number format shows; None for plain numbers.

    ``dd.mm.yyyy`` shows a date, ``h:mm`` a time, ``[h]:mm`` an elapsed time, ``0.00`` a plain number. Quoted texts must
    have been removed from the section before.
    """
    elapsed = _ELAPSED.search(section) is not None
    letters = _FRACTION.sub("", _BRACKETS.sub("", section).lower())
    if any(word in letters for word in _PLAIN) or (re.search(r"[0#?]", letters) and not elapsed):
        return None
    time = elapsed or "h" in letters or "s" in letters
    date = "y" in letters or "d" in letters or ("m" in letters and not time)
    return DateStyle(date, time, elapsed) if date or time else None


def serial_text(serial: float, style: DateStyle, from_1904: bool) -> str | None:
    """Return a date or time that is stored as a serial number as ISO text; None if negative or after the year 9999.

    - 44000.5 in a style with a date gives ``2020-06-18T12:00:00``: the time is there if the style shows one or it is
      not midnight.
    - A style without a date gives the time alone if the number is below 1 (0.5 gives ``12:00:00``), else date and time.
    - An elapsed time is written in hours, as ``26:30:00``.
    - Times are rounded to thousandths of a second, which are written if they are not 0: ``12:00:00.250``.
    - ``from_1904`` says whether day 0 is 1 January 1904; else day 0 is 31 December 1899, and day 60 gives 1900-02-29,
      as a spreadsheet shows it, for which the time is there only if the style shows one.
    """
    last = 2_957_003 if from_1904 else 2_958_465
    if not 0 <= serial < last + 1:
        return None
    days, seconds = divmod(round(serial * 86_400, 3), 86_400)
    if days > last:
        return None
    moment = timedelta(seconds=seconds)
    clock = _format_duration(int(seconds // 3600), moment)
    if style.elapsed:
        return _format_duration(int(days) * 24 + int(seconds // 3600), moment)
    if not style.date and days == 0:
        return clock
    if from_1904:
        day = datetime(1904, 1, 1) + timedelta(days=days)
    elif int(days) == _LEAP_1900:
        # The day that 1900 never had, kept as the spreadsheet shows it.
        return "1900-02-29" + (f"T{clock}" if style.time else "")
    else:
        day = datetime(1899, 12, 31 if days < _LEAP_1900 else 30) + timedelta(days=days)
    text = f"{day:%Y-%m-%d}" if day.year >= 1000 else day.isoformat()[:10]
    return f"{text}T{clock}" if style.time or seconds else text


def _format_duration(hours: int, within: timedelta) -> str:
    """Return hours, with the minutes and seconds of ``within``, as ``HH:MM:SS``, with thousandths if not 0.

    26 hours and a ``within`` of 30 minutes give 26:30:00; the hours of ``within`` itself are not counted.
    """
    _whole, rest = divmod(within.seconds, 3600)
    minutes, seconds = divmod(rest, 60)
    milli = within.microseconds // 1000
    return f"{hours:02d}:{minutes:02d}:{seconds:02d}" + (f".{milli:03d}" if milli else "")
