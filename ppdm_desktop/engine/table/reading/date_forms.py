"""Dates as people write them, month names and short years among them, and day numbers of spreadsheets, as ISO."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from typing import Literal

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.table.reading.marks import MARKS

MOST_REST = 0.05
"""A column holds dates when at most this share of its cells does not."""
LAST_SERIAL = 2_958_465
"""The last day number of a spreadsheet, 31 December 9999."""
ISO = "%Y-%m-%d"
_FULL = (
    ("january", "januar", "jänner"), ("february", "februar"), ("march", "märz"), ("april",), ("may", "mai"),
    ("june", "juni"), ("july", "juli"), ("august",), ("september",), ("october", "oktober"), ("november",),
    ("december", "dezember"),
)  # fmt: skip
_SHORT = (
    ("jan",), ("feb",), ("mar", "mär", "mrz"), ("apr",), ("may", "mai"), ("jun",), ("jul",), ("aug",),
    ("sep", "sept"), ("oct", "okt"), ("nov",), ("dec", "dez"),
)  # fmt: skip
_MONTHS = {
    "B": {name: month for month, names in enumerate(_FULL, start=1) for name in names},
    "b": {name: month for month, names in enumerate(_SHORT, start=1) for name in names},
}
_PARTS = {
    "%Y": r"(?P<Y>[0-9]{4})",
    "%y": r"(?P<y>[0-9]{2})",
    "%m": r"(?P<m>[0-9]{1,2})",
    "%d": r"(?P<d>[0-9]{1,2})",
    "%H": r"(?P<H>[0-9]{1,2})",
    "%M": r"(?P<M>[0-9]{2})",
    "%S": r"(?P<S>[0-9]{2}(?:[.,][0-9]{1,9})?)",
    "%b": rf"(?P<b>{'|'.join(sorted(_MONTHS['b'], key=len, reverse=True))})\.?",
    "%B": rf"(?P<B>{'|'.join(sorted(_MONTHS['B'], key=len, reverse=True))})",
}
_TIMES = ("", " %H:%M", " %H:%M:%S", "T%H:%M", "T%H:%M:%S")
_DAYS = (
    "%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y",
    "%d.%m.%y", "%d/%m/%y", "%m/%d/%y", "%d-%m-%y", "%m-%d-%y",
    "%d. %B %Y", "%d %B %Y", "%B %d, %Y", "%d. %b %Y", "%d %b %Y", "%d-%b-%Y", "%b %d, %Y", "%d-%b-%y", "%d %b %y",
)  # fmt: skip
_GLANCE = 200
_LOOKS = re.compile(r"[0-9]{1,4}[-./][0-9]{1,2}[-./][0-9]{1,4}(?:[ T].*)?|.*[^\W\d_]{3}.*[0-9]{2}.*|[1-9][0-9]{4}")
_BY_MONTH = re.compile(r"%m[/-]%d")
_MOMENT = re.compile(
    r"(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})(?P<time>T[0-9]{2}(?::[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]+)?)?)?)?"
)
_MIDNIGHT = "T00:00:00"


@cache
def _expression(pattern: str) -> re.Pattern[str]:
    """Return the regular expression of a date pattern."""
    pieces = re.split(r"(%.)", pattern)
    return re.compile("".join(_PARTS.get(piece) or re.escape(piece) for piece in pieces), re.IGNORECASE)


def read_date(text: str, pattern: str, century_from: int | None) -> str | None:
    """Return a text as an ISO date, with its time where it has one; None when it is no such date.

    Parameters
    ----------
    pattern
        With ``%Y %y %m %b %B %d %H %M %S``; month names may be English or German.
    century_from
        The first of the hundred years that two digits can mean.
    """
    match = _expression(pattern).fullmatch(text.strip())
    if match is None:
        return None
    part = match.groupdict()
    if part.get("Y"):
        year = int(part["Y"])
    else:
        if century_from is None:
            return None
        year = century_from + (int(part["y"]) - century_from) % 100
    if part.get("m"):
        month = int(part["m"])
    else:
        sign = "B" if part.get("B") else "b"
        month = _MONTHS[sign][part[sign].casefold()]
    try:
        day = date(year, month, int(part["d"])).isoformat()
    except ValueError:
        return None
    if not part.get("H"):
        return day
    hour, minute, second = int(part["H"]), part.get("M"), part.get("S")
    if hour > 23 or int(minute or 0) > 59 or float((second or "0").replace(",", ".")) >= 60:
        return None
    return f"{day}T{hour:02d}" + (f":{minute}" if minute else "") + (f":{second}" if second else "")


def serial_date(text: str, system: Literal["1900", "1904"]) -> str | None:
    """Return a day number of a spreadsheet as an ISO date; None when it is no whole number from 1 to ``LAST_SERIAL``.

    Day 60 of the system of 1900 is None: it stands for 29 February 1900, which never was.
    """
    if not (text.isascii() and text.isdigit()) or text.startswith("0") or len(text) > 7 or int(text) > LAST_SERIAL:
        return None
    days = int(text)
    if system == "1900" and days == 60:
        return None
    first = date(1904, 1, 1) if system == "1904" else date(1899, 12, 31 if days < 60 else 30)
    try:
        return (first + timedelta(days=days)).isoformat()
    except OverflowError:
        return None


@dataclass(frozen=True)
class DayOrder:
    """How many cells support day first and month first, for two forms that differ only in that order."""

    day_first: str
    month_first: str
    only_day: int
    only_month: int
    either: int
    same: int


@dataclass(frozen=True)
class DateGuess:
    """Forms that together read nearly all cells of a column.

    Attributes
    ----------
    forms
        Patterns in the order to be tried, the most frequent first.
    counts
        How many cells each form reads, as in ``forms``.
    order
        The way of writing whose cells have two readings that differ; None when nothing is in doubt.
    newest
        The newest year that is written with four digits; None without one.
    serials
        How many cells are bare day numbers.
    """

    forms: tuple[str, ...]
    counts: tuple[int, ...]
    order: DayOrder | None
    newest: int | None
    serials: int

    @property
    def short_years(self) -> bool:
        """Return whether a form writes the year with two digits."""
        return any("%y" in form for form in self.forms)


def guess_dates(counts: Mapping[str, int]) -> DateGuess | None:
    """Return the forms in which a column writes dates; None where too many cells are no dates.

    Parameters
    ----------
    counts
        Number of cells with each distinct text.

    Returns
    -------
    None when more than ``MOST_REST`` of the cells are no dates; cells that often mean "missing" are
    not counted.
    """
    texts = [text for text in counts if text not in MARKS]
    cells = sum(counts[text] for text in texts)
    if not cells:
        return None
    glance = texts[:_GLANCE]
    if 2 * sum(_LOOKS.fullmatch(text.strip()) is not None for text in glance) < len(glance):
        return None
    readings = _read_in_all_forms(texts)
    left = set(texts).difference(*readings.values())
    serials = sum(counts[text] for text in left if serial_date(text, "1900") is not None)
    dated = cells - sum(counts[text] for text in left)
    if cells - dated - serials > MOST_REST * cells or 2 * dated <= cells:
        return None
    order = _settle_day_order(readings, counts)
    taken = _count_by_form(readings, counts)
    years = [int(read[:4]) for form, reading in readings.items() if "%Y" in form for read in reading.values()]
    return DateGuess(tuple(taken), tuple(taken.values()), order, max(years, default=None), serials)


def _read_in_all_forms(texts: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return the ISO date of each text that a form reads, by form; forms that read nothing are left out."""
    readings: dict[str, dict[str, str]] = {}
    for form in (day + time for time in _TIMES for day in _DAYS):
        progress.check()
        match = _expression(form).fullmatch
        for text in texts:
            if match(text.strip()) is not None and (read := read_date(text, form, 1950)) is not None:
                readings.setdefault(form, {})[text] = read
    return readings


def _count_by_form(readings: Mapping[str, Mapping[str, str]], counts: Mapping[str, int]) -> dict[str, int]:
    """Return how many cells each form reads that no commoner form reads, the commonest form first."""
    cells: dict[str, int] = {}
    seen: set[str] = set()
    for form, read_of in sorted(readings.items(), key=lambda item: -sum(counts[text] for text in item[1])):
        if fresh := [text for text in read_of if text not in seen]:
            cells[form] = sum(counts[text] for text in fresh)
            seen.update(fresh)
    return cells


def _settle_day_order(readings: dict[str, dict[str, str]], counts: Mapping[str, int]) -> DayOrder | None:
    """Remove forms that read no date of their own; return the day order in doubt.

    It is the last pair of orders (day first, month first) that read the same text differently; None without one.
    """
    order = None
    for form in [pattern for pattern in readings if _BY_MONTH.search(pattern)]:
        day_first = _BY_MONTH.sub(lambda match: f"%d{match[0][2]}%m", form)
        by_month, by_day = readings[form], readings.get(day_first, {})
        both = by_month.keys() & by_day.keys()
        differ = [text for text in both if by_month[text] != by_day[text]]
        only_month, only_day = by_month.keys() - both, by_day.keys() - both
        if differ:
            shares = [sum(counts[text] for text in part) for part in (only_day, only_month, differ, both - set(differ))]
            order = DayOrder(day_first, form, *shares)
        if not only_month:
            del readings[form]
        elif not only_day and not differ:
            readings.pop(day_first, None)
    return order


def as_iso(
    texts: Sequence[str], forms: Sequence[str], century_from: int | None, serials: Literal["1900", "1904"] | None
) -> list[str | None]:
    """Return each text as an ISO date by the first form that reads it, else as a day number, else None."""

    def one(text: str) -> str | None:
        """Return one text as an ISO date, or None."""
        for form in forms:
            if (day := read_date(text, form, century_from)) is not None:
                return day
        return serial_date(text, serials) if serials is not None else None

    return [one(text) for text in texts]


def in_one_form(moments: Sequence[str]) -> list[str]:
    """Return ISO dates and times in one common form; other texts are unchanged.

    Times that are all midnight are left out. Else a date without a time gets midnight, and each time its seconds.
    """
    matches = [_MOMENT.fullmatch(moment) for moment in moments]
    if all(match is None or not (match["time"] or "").strip("T0:.,") for match in matches):
        return [moment if match is None else match["day"] for moment, match in zip(moments, matches, strict=True)]
    return [
        moment if match is None else f"{match['day']}{match['time'] or 'T'}{_MIDNIGHT[len(match['time'] or 'T') :]}"
        for moment, match in zip(moments, matches, strict=True)
    ]
