"""Recognising groups of numbers, such as 5-9, that a spreadsheet program turned into dates."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from ppdm_desktop.engine.table.reading.date_forms import to_iso_dates

_PAIR = re.compile(r"(?P<first>[0-9]{1,3})(?P<sign>\s*(?:[-\u2013\u2014/.]|\s[^\W\d_]{1,3}\s)\s*)(?P<last>[0-9]{1,3})")
_OPEN_END = re.compile(
    r"[<>\u2264\u2265]=?\s?[0-9]{1,3}|[0-9]{1,3}\s?\+|(?:[^\W\d_]+\s){1,3}[0-9]{1,3}|[0-9]{1,3}(?:\s[^\W\d_]+){1,3}"
)
_BY_YEAR = re.compile(r"(?P<year>[0-9]{4})-(?P<month>[0-9]{2})-(?P<day>[0-9]{2})(?:[T ]00:00(?::00)?)?")
_BY_DAY = re.compile(r"(?P<day>[0-9]{1,2})[./-](?P<month>[0-9]{1,2})[./-](?P<year>[0-9]{4})")
_DAY_FIRST = re.compile(r"(?P<day>[0-9]{1,2})\.?[-/ ]?\s?(?P<name>[^\W\d_]{3,9})\.?")
_NAME_FIRST = re.compile(r"(?P<name>[^\W\d_]{3,9})\.?[-/ ](?P<day>[0-9]{1,2})")
_WITH_YEAR = ("%d %b %Y", "%d %B %Y")
_MOST_TEXTS = 500
_MOST_DATES = 60
_ANY_YEAR = 2000


class _Parts(NamedTuple):
    """The numbers of a date; the year is 0 where it has none."""

    year: int
    month: int
    day: int


def find_groups_behind_dates(texts: Collection[str]) -> Mapping[str, tuple[str, ...]]:
    """Return for each date in a column of number groups which groups it may have been, the likeliest first.

    2024-09-05 among 15-19 and 20-24 was 5-9 or 9-5: {"2024-09-05": ("5-9", "9-5")}. Empty if fewer than half of the
    other texts are such groups or open ones such as 65+, if there are no other texts, and for a column of more than 500
    texts or 60 dates.
    """
    if len(texts) > _MOST_TEXTS:
        return {}
    dates = {text: parts for text in texts if (parts := _read_date_parts(text)) is not None}
    if not dates or len(dates) > _MOST_DATES:
        return {}
    form = _find_group_form([text for text in texts if text not in dates])
    if form is None:
        return {}
    sign, width = form
    usual_year = Counter(parts.year for parts in dates.values()).most_common(1)[0][0]
    return {
        text: tuple(
            dict.fromkeys(
                f"{first:0{width}}{sign}{last:0{width}}" for first, last in _list_number_pairs(parts, usual_year)
            )
        )
        for text, parts in dates.items()
    }


def _find_group_form(texts: Sequence[str]) -> tuple[str, int] | None:
    """Return the sign between the two numbers of groups such as 5-9, and the least number of digits of a number.

    The sign, with the blanks around it, is the most frequent one, or "-" if all are open groups such as 65+; the number
    of digits is 2 if a group begins with a leading zero, as 05-09 does, else 1. None without texts, and where fewer
    than half of them are groups.
    """
    pairs = [match for text in texts if (match := _PAIR.fullmatch(text.strip()))]
    ends = sum(_OPEN_END.fullmatch(text) is not None for text in texts)
    if 2 * (len(pairs) + ends) < len(texts) or not texts:
        return None
    sign = Counter(pair["sign"] for pair in pairs).most_common(1)[0][0] if pairs else "-"
    has_leading_zero = any(len(pair["first"]) > 1 and pair["first"][0] == "0" for pair in pairs)
    return sign, 2 if has_leading_zero else 1


def _list_number_pairs(parts: _Parts, usual_year: int) -> Iterator[tuple[int, int]]:
    """Yield the pairs of numbers that a date may have been: day and month, the rising order first.

    5 September gives (5, 9) and (9, 5). If it is the first of a month in a year other than the usual one, it may have
    been month and year (its last two digits), too: 1 October 2012 gives (1, 10), (10, 1) and (10, 12).
    """
    yield from sorted([(parts.day, parts.month), (parts.month, parts.day)])
    if parts.day == 1 and parts.year != usual_year:
        yield parts.month, parts.year % 100


def _read_date_parts(text: str) -> _Parts | None:
    """Return year, month and day of a text in the form of a date; None for any other text.

    The forms are "2026-09-05", also with a time of midnight, "5.9.2026" (or with / or -), and "5. Sep" or "Sep 5" with
    year 0. In the first two forms the day may be impossible, since it is not checked.
    """
    match = _BY_YEAR.fullmatch(text) or _BY_DAY.fullmatch(text)
    if match:
        return _Parts(int(match["year"]), int(match["month"]), int(match["day"]))
    named = _DAY_FIRST.fullmatch(text.strip()) or _NAME_FIRST.fullmatch(text.strip())
    day = (
        None
        if named is None
        else to_iso_dates([f"{named['day']} {named['name']} {_ANY_YEAR}"], _WITH_YEAR, None, None)[0]
    )
    return None if day is None else _Parts(0, int(day[5:7]), int(day[8:10]))
