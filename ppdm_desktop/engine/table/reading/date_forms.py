"""Reading dates as people write them (with month names or short years too), and day numbers of spreadsheets, as ISO."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from typing import Literal

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.table.reading.marks import MARKS, guess_missing_words, is_no_day
from ppdm_desktop.engine.table.reading.word_lists import date_words, fold_text, load_era_years, load_month_numbers

MOST_REST = 0.05
"""A column holds dates when at most this share of its cells does not."""
LAST_SERIAL = 2_958_465
"""The last day number of a spreadsheet, 31 December 9999."""
ISO = "%Y-%m-%d"
_MONTH = r"[^\W\d_]{3,}\.?"
_NOON_WORD = r"[^\W\d_]\.? ?[^\W\d_]\.?"
_OFFSET = r"[+-][0-9]{1,2}(?::?[0-9]{2})?"
_ZONE = rf"(?:[a-z]{{1,5}}(?:{_OFFSET})?|{_OFFSET}|[a-z]+/[a-z_/]+)(?: \([^()]*\))?"
_PARTS = {
    "%Y": r"(?P<Y>[0-9]{4})",
    "%y": r"(?P<y>[0-9]{2})",
    "%m": r"(?P<m>[0-9]{1,2})",
    "%d": r"(?P<d>[0-9]{1,2})",
    "%H": r"(?P<H>[0-9]{1,2})",
    "%I": r"(?P<I>[0-9]{1,2})",
    "%M": r"(?P<M>[0-9]{2})",
    "%S": r"(?P<S>[0-9]{2}(?:[.,][0-9]{1,9})?)",
    "%b": rf"(?P<b>{_MONTH})",
    "%B": rf"(?P<b>{_MONTH})",
    "%p": rf"(?P<p>{_NOON_WORD}) ?",
    " %p": rf" ?(?P<p>{_NOON_WORD}) ?",
    " %Z": rf" ?(?P<Z>{_ZONE})",
}
_UNMARKED = re.compile(r"(?:%[YmdHMS]){3,}")
_UNMARKED_PARTS = _PARTS | {"%m": r"(?P<m>[0-9]{2})", "%H": r"(?P<H>[0-9]{2})"}
_YEARS = (1850, 2100)
_NO_END = 9999
"""Years that digits without marks may mean, and the one that stands for no end: others are codes."""
_DAYS = (
    "%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y",
    "%d.%m.%y", "%d/%m/%y", "%m/%d/%y", "%d-%m-%y", "%m-%d-%y", "%Y-%d-%m", "%d. %m. %Y", "%d. %m. %y",
    "%y-%m-%d", "%y/%m/%d", "%y.%m.%d",
    "%Y. %m. %d.", "%Y. %m. %d", "%d %m %Y", "%Y年%m月%d日", "%Y년 %m월 %d일",
    "%d %b %Y", "%b %d, %Y", "%d-%b-%Y", "%d/%b/%Y", "%d.%b.%Y", "%d%b%Y", "%Y %b %d", "%Y-%b-%d",
    "%d-%b-%y", "%d %b %y", "%d/%b/%y", "%d%b%y", "%b %d, %y",
    "%b %d %H:%M:%S %Y", "%b %d %H:%M:%S %Z %Y",
    "%Y%m%d", "%d%m%Y", "%m%d%Y", "%Y%m%d%H%M", "%Y%m%d%H%M%S",
)  # fmt: skip
_TIME = re.compile(
    rf"(?P<from>,? |t|:|-)(?P<before>{_NOON_WORD} ?)?[0-9]{{1,2}}(?P<sign>[:.h])[0-9]{{2}}"
    rf"(?P<seconds>[:.][0-9]{{2}}(?:[.,][0-9]{{1,9}})?)?(?P<after> ?{_NOON_WORD}(?![a-z]))?(?P<zone> ?{_ZONE})?\Z"
)
_GLANCE = 200
_ZEROS = str.maketrans(dict.fromkeys("123456789", "0"))
_ERA_DAY = r"\.? ?(?P<year>[0-9]{1,3}|元)[年./-] ?(?P<month>[0-9]{1,2})[月./-] ?(?P<day>[0-9]{1,2})日?(?P<rest>\D.*)?"
_LOOKS = re.compile(
    r"[0-9]{1,4}[-./] ?[0-9]{1,2}[-./] ?[0-9]{1,4}.*|.*[^\W\d_]{3}.*[0-9]{2}.*|[1-9][0-9]{4}|[0-9]{7,14}|.*[年년].*"
    r"|[0-9]{1,2} [0-9]{1,2} [0-9]{4}.*|[^\W\d_]{1,2}\.? ?[0-9]{1,3}([./-])[0-9]{1,2}\1[0-9]{1,2}.*"
)
_BY_MONTH = re.compile(r"%m([/-]?)%d")
_CJK_WEEKDAY = r"{}(?: ?(?:星期[^ ]|周[^ ]|\([^ ]\)|.요일|[^ ]曜日?|生(?:まれ)?))?"
_WEEKDAY = re.compile(r"([^\W\d_]+(?:-feira)?)[.,]{0,2} (?:den )?(.*)|(.*[0-9]),? ([^\W\d_]+)")
_MOMENT = re.compile(
    r"(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})(?P<time>T[0-9]{2}(?::[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]+)?)?)?)?"
)
_MIDNIGHT = "T00:00:00"
_AT_MIDNIGHT = re.compile(r"[0-9][T ]0?0:00(?::00(?:[.,]0+)?)?$")


@cache
def _compile_date_expression(pattern: str) -> re.Pattern[str]:
    """Return the regular expression that matches dates of a pattern, with a group for each part such as ``d`` or ``m``.

    It is for texts simplified by `fold_text` (small letters without accents), which have to match as a whole. In
    patterns with the name of a month, a word such as "of" may follow a blank, and an ordinal ending the day ("1st") if
    a blank, comma or point is next; in patterns with 年 or 년, a day of the week may follow the day.
    """
    named, cjk = "%b" in pattern.lower(), re.search("[年년]", pattern) is not None
    parts = _UNMARKED_PARTS if is_unmarked(pattern) else _PARTS
    literals = {}
    if named:
        between = f" (?:(?:{'|'.join(sorted(date_words('between')))}) )?"
        literals = {" ": between, ", ": f",?{between}"}
        if re.search(r"%d[ ,.]", pattern):
            ordinals = "|".join(sorted(date_words("ordinals"), key=len, reverse=True))
            parts = parts | {"%d": rf"{parts['%d']}(?:\.?(?:{ordinals}))?\.?"}
    if cjk:
        literals = {
            " ": " ?",
            "월 ": "월 ?",
            "년 ": "년 ?",
            "日": _CJK_WEEKDAY.format("日"),
            "일": _CJK_WEEKDAY.format("일"),
        }
    pieces = re.split(r"( %[pZ]|%.)", pattern)
    return re.compile(
        "".join(parts.get(piece) or literals.get(piece) or re.escape(piece) for piece in pieces), re.IGNORECASE
    )


def is_unmarked(pattern: str) -> bool:
    """Return whether a date pattern has digits only, as ``%Y%m%d`` has; its texts may be numbers or codes, too."""
    return _UNMARKED.fullmatch(pattern) is not None


def read_date(text: str, pattern: str, century_from: int | None) -> str | None:
    """Return a text as an ISO date, with its time where it has one; None when it is no such date.

    A day of the week before or after the date and a time zone after the time are ignored: nothing is moved between
    zones. Digits without marks are a date only in the years 1850 to 2100 and 9999.

    Parameters
    ----------
    pattern
        With the parts ``%Y %y %m %b %B %d %H %I %M %S %p %Z``; names of months may be of any language.
    century_from
        The first of the hundred years that two digits can mean; None: a text with such a year is no date.
    """
    return _read_folded_date(_prepare_text(text), pattern, century_from)


def _prepare_text(text: str) -> str:
    """Return a text in small letters without accents, with common years, and without words beside the time.

    Such words are "at" before the time, "Uhr" after it or "r." after the year. A year of a Japanese era becomes the
    common year.
    """
    plain = _to_common_year(fold_text(text))
    return plain if plain.replace(" ", "").isdigit() else _compile_time_words().sub(r"\1", plain)


def _to_common_year(text: str) -> str:
    """Return a date counted by a calendar era with the common year; any other text is returned unchanged.

    ``令和5年4月1日`` and ``r5.4.1`` give 2023年4月1日; what follows the day, such as a time, stays behind it.
    The text must be simplified by `fold_text`.
    """
    match = _compile_era_expression().fullmatch(text) if text[:1] in _list_era_initials() else None
    if match is None:
        return text
    year = load_era_years()[match["era"]] + (1 if match["year"] == "元" else int(match["year"]))
    return f"{year}年{match['month']}月{match['day']}日{match['rest'] or ''}"


@cache
def _list_era_initials() -> frozenset[str]:
    """Return the first characters of the signs of Japanese and other calendar eras."""
    return frozenset(sign[0] for sign in load_era_years())


@cache
def _compile_era_expression() -> re.Pattern[str]:
    """Return the regular expression that matches a date counted by a calendar era, in a text simplified by `fold_text`.

    Its groups are era, year, month, day and what follows.
    """
    return re.compile(rf"(?P<era>{'|'.join(sorted(load_era_years(), key=len, reverse=True))}){_ERA_DAY}")


@cache
def _compile_time_words() -> re.Pattern[str]:
    """Return the regular expression that matches a word between a date and its time, or a word at the end of a text.

    Such words are "at" in "1 May 2020 at 8:30", and German "Uhr" or Czech "r." after a digit, in several languages.
    Group 1 holds the comma or blank before a word in the middle, which has to stay; it is empty for a word at the end.
    """
    before, behind = (
        "|".join(map(re.escape, sorted(date_words(name), key=len, reverse=True)))
        for name in ("before-time", "after-time")
    )
    return re.compile(rf"(,? )(?:{before})\.? (?=\S*[0-9]{{1,2}}[:.h][0-9]{{2}})|(?<=[0-9]) ?(?:{behind})\Z")


def _read_folded_date(text: str, pattern: str, century_from: int | None) -> str | None:
    """Return a text that `_prepare_text` returned as an ISO date, with its time if it has one; None for no such date.

    A day of the week and a time zone are ignored. Digits without marks are a date only in the years 1850 to 2100 and
    9999. ``pattern`` has parts such as ``%d``. ``century_from`` is the first of the hundred years that two digits can
    mean, None to read no such year: with 1950, 99 is 1999 and 20 is 2020.
    """
    match = _compile_date_expression(pattern).fullmatch(text) or _compile_date_expression(pattern).fullmatch(
        _remove_weekday(text)
    )
    if match is None:
        return None
    part = match.groupdict()
    if part.get("Y"):
        year = int(part["Y"])
        if is_unmarked(pattern) and not (_YEARS[0] <= year <= _YEARS[1] or year == _NO_END):
            return None
    elif century_from is None:
        return None
    else:
        year = century_from + (int(part["y"]) - century_from) % 100
    month = int(part["m"]) if part.get("m") else load_month_numbers().get(part["b"].rstrip("."), 0)
    try:
        day = date(year, month, int(part["d"])).isoformat()
    except ValueError:
        return None
    time = _to_iso_time(part)
    return None if time is None else day + time


def _remove_weekday(text: str) -> str:
    """Return a text in small letters without the day of the week before or behind its date.

    "fri, 1 may 2020" gives "1 may 2020". A text without a day of the week comes back unchanged.
    """
    match = _WEEKDAY.fullmatch(text)
    if match is None or (match[1] or match[4]) not in date_words("weekdays"):
        return text
    return match[2] or match[3]


def _to_iso_time(part: Mapping[str, str | None]) -> str | None:
    """Return the time of a matched date as in ISO, such as ``T08:30``, or "" where it has none; None for no valid time.

    Minutes, seconds and their fraction are there only if they were written, the fraction with its own mark: ``T08``,
    ``T08:30:05,5``. None, too, if what stands in place of a time zone is none; the zone itself is dropped. ``part`` has
    the texts of the pattern's parts.
    """
    if not _is_zone(part.get("Z") or ""):
        return None
    if part.get("H") is None and not part.get("p"):
        return ""
    hour, minute, second = _read_hour(part), part.get("M"), part.get("S")
    if hour is None or hour > 23 or int(minute or 0) > 59 or float((second or "0").replace(",", ".")) >= 60:
        return None
    return f"T{hour:02d}" + (f":{minute}" if minute else "") + (f":{second}" if second else "")


def _is_zone(text: str) -> bool:
    """Return whether a text in small letters is empty, an offset, a place with a slash, or starts with a zone."""
    name = re.match(r"[a-z]+(?!/)", text)
    return name is None or name[0] in date_words("zones") or "/" in text


def _read_hour(part: Mapping[str, str | None]) -> int | None:
    """Return the hour of a matched date, counted from midnight; None where "pm" or "am" does not fit it.

    12 am is 0, 8 pm is 20, 13 pm is None. It is 0 where no hour is written, and may be above 23 if there is no "pm" or
    "am". ``part`` has the texts of the pattern's parts.
    """
    hour = int(part.get("H") or part.get("I") or 0)
    if not part.get("p"):
        return hour
    half = _find_hours_to_add(part["p"])
    return None if hour > 12 or half is None else hour % 12 + half


def _find_hours_to_add(text: str | None) -> int | None:
    """Return the hours that a word such as "am" or "p. m." adds, 0 or 12; None for other words, and for None.

    Words of other languages are known, too. Dots and blanks are ignored. Only small letters are known: "PM" gives None.
    """
    word = re.sub(r"[. ]", "", text or "")
    return 0 if word in date_words("morning") else 12 if word in date_words("afternoon") else None


def serial_date(text: str, system: Literal["1900", "1904"]) -> str | None:
    """Return a day number of a spreadsheet as an ISO date; None for any other text.

    A day number is a whole number from 1 to 2,958,465 (end of 9999), without a leading zero: 43831 is 2020-01-01 in the
    system of 1900 and 2024-01-02 in that of 1904. Day 60 of the system of 1900 gives None, since it stands for 29
    February 1900, which did not exist; in that of 1904, days after 9999 do.
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
    """How many cells support day first and month first, for two patterns that differ only in this order.

    Attributes
    ----------
    day_first, month_first
        The two patterns.
    only_day, only_month
        Number of cells that only the first, or only the second pattern reads.
    either
        Number of cells that both read, as two different days.
    same
        Number of cells that both read, as the same day.
    """

    day_first: str
    month_first: str
    only_day: int
    only_month: int
    either: int
    same: int


@dataclass(frozen=True)
class DateGuess:
    """The patterns that together read nearly all cells of a column as dates.

    Attributes
    ----------
    forms
        Patterns in the order to be tried, the most frequent first.
    counts
        How many cells each pattern reads that no earlier one reads, in the order of ``forms``.
    order
        The pair of patterns whose order of day and month is in doubt; None when nothing is in doubt.
    newest
        The latest year, up to 2100, that is written with four digits; None without one.
    serials
        How many cells are bare day numbers of a spreadsheet.
    """

    forms: tuple[str, ...]
    counts: tuple[int, ...]
    order: DayOrder | None
    newest: int | None
    serials: int

    @property
    def short_years(self) -> bool:
        """Whether a pattern writes the year with two digits."""
        return any("%y" in form for form in self.forms)


def guess_dates(counts: Mapping[str, int]) -> DateGuess | None:
    """Return the patterns in which a column writes dates, the most frequent first; None where it is no column of dates.

    With them come the cells that each reads, an order of day and month in doubt, the newest year of four digits, and
    the number of day numbers (dates as spreadsheets store them).

    Parameters
    ----------
    counts
        Number of cells with each distinct text.

    Returns
    -------
    None when more than 5 % of the cells are neither dates nor day numbers, when at most half are dates (day numbers do
    not count as such), when fewer than half of the first 200 texts look like dates or (of more than 200) none of these
    is one, or when digits without marks are not all days. Cells that often mean "missing" (or no day, as 00.00.0000)
    are not counted; None if there are no others.
    """
    words = guess_missing_words(counts)
    texts = [text for text in counts if text not in MARKS and text not in words and not is_no_day(text)]
    cells = sum(counts[text] for text in texts)
    if not cells or not _look_like_dates(texts):
        return None
    readings = _read_in_all_forms(texts)
    left = set(texts).difference(*readings.values())
    serials = sum(counts[text] for text in left if serial_date(text, "1900") is not None)
    dated = cells - sum(counts[text] for text in left)
    if cells - dated - serials > MOST_REST * cells or 2 * dated <= cells:
        return None
    if any(map(is_unmarked, readings)) and any(map(str.isdigit, left)):
        return None
    _settle_short_years(readings)
    order = _settle_day_order(readings, counts)
    taken = _count_by_form(readings, counts)
    return DateGuess(tuple(taken), tuple(taken.values()), order, _find_newest_year(readings), serials)


def _find_newest_year(readings: Mapping[str, Mapping[str, str]]) -> int | None:
    """Return the last year, up to 2100, that is written with four digits; None without one.

    ``readings`` has the ISO date of each text, by pattern.
    """
    years = [int(read[:4]) for form, reading in readings.items() if "%Y" in form for read in reading.values()]
    return max((year for year in years if year <= _YEARS[1]), default=None)


def _look_like_dates(texts: Sequence[str]) -> bool:
    """Return whether at least half of the first 200 texts have the form of dates.

    If there are more than 200 texts, one of these 200 must also be readable as a date. True without texts.
    """
    glance = texts[:_GLANCE]
    if 2 * sum(_LOOKS.fullmatch(text.strip()) is not None for text in glance) < len(glance):
        return False
    return len(texts) <= _GLANCE or bool(_read_in_all_forms(glance))


def _read_in_all_forms(texts: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return the ISO dates that each pattern reads, by pattern and then by text.

    Example: {"%d.%m.%Y": {"3.5.2020": "2020-05-03"}}. A time is part of the pattern and of the ISO date. Patterns that
    read none of the texts are left out; a text may be read by several. Years of two digits are read as 1950 to 2049.
    """
    # Texts with digits in the same places match the same forms: one of them is looked at.
    of_time: dict[str, dict[str, list[tuple[str, str]]]] = {}
    for text in texts:
        plain = _prepare_text(text)
        similar = of_time.setdefault(_find_time_form(plain), {})
        similar.setdefault(plain.translate(_ZEROS), []).append((text, plain))
    readings: dict[str, dict[str, str]] = {}
    for time, timed in of_time.items():
        bare = {zeros: _remove_weekday(zeros) for zeros in timed}
        for day in _DAYS:
            progress.check()
            if time and "%H" in day:
                continue
            match = _compile_date_expression(day + time).fullmatch
            likely = [
                text
                for zeros, similar in timed.items()
                if match(zeros) is not None or match(bare[zeros]) is not None
                for text in similar
            ]
            read = {
                text: iso for text, plain in likely if (iso := _read_folded_date(plain, day + time, 1950)) is not None
            }
            if read:
                readings[day + time] = read
    return readings


def _find_time_form(text: str) -> str:
    """Return how the time at the end of a text is written, as the end of a pattern; "" without a time.

    A time such as "8:30 pm" after a blank gives `` %I:%M %p``, "T08:30:05" gives ``T%H:%M:%S``. A time zone, or a text
    behind the time that is no "am" or "pm", adds `` %Z``. The text must be simplified by `_prepare_text`.
    """
    match = _TIME.search(text)
    if match is None:
        return ""
    halved = match["before"] or _find_hours_to_add(match["after"]) is not None
    zone = match["zone"] or (match["after"] and not halved)
    return "".join(
        [
            match["from"].upper(),
            "%p" if match["before"] else "",
            "%I" if halved else "%H",
            f"{match['sign']}%M",
            f"{match['seconds'][0]}%S" if match["seconds"] else "",
            " %p" if halved and not match["before"] else "",
            " %Z" if zone else "",
        ]
    )


def _count_by_form(readings: Mapping[str, Mapping[str, str]], counts: Mapping[str, int]) -> dict[str, int]:
    """Return how many cells each pattern reads that no more frequent pattern reads, the most frequent first.

    A pattern is the more frequent the more cells it reads in all. If one reads 90 cells and another 30, of which 20 are
    among the 90, they get 90 and 10. Patterns that read nothing beyond more frequent ones are left out. ``readings``
    has the ISO date of each text, by pattern.
    """
    cells: dict[str, int] = {}
    seen: set[str] = set()
    for form, read_of in sorted(readings.items(), key=lambda item: -sum(counts[text] for text in item[1])):
        if fresh := [text for text in read_of if text not in seen]:
            cells[form] = sum(counts[text] for text in fresh)
            seen.update(fresh)
    return cells


def _settle_short_years(readings: dict[str, dict[str, str]]) -> None:
    """Remove from ``readings``, in place, the patterns that misunderstand which number is a two-digit year.

    12-05-20 may be read as year-month-day or with the year last. The pattern with the year first stays, and those with
    the year last go, only if it reads all texts that these read, and more; otherwise it goes itself.
    """
    for form in [form for form in readings if form.startswith("%y")]:
        sign, time = form[2], form[len("%y-%m-%d") :]
        others = [f"{day}{sign}{month}{sign}%y{time}" for day, month in (("%d", "%m"), ("%m", "%d"))]
        read_else = {text for other in others for text in readings.get(other, ())}
        for needless in others if readings[form].keys() > read_else else [form]:
            readings.pop(needless, None)


def _settle_day_order(readings: dict[str, dict[str, str]], counts: Mapping[str, int]) -> DayOrder | None:
    """Remove date patterns that the other order of day and month makes needless, in place; return the order in doubt.

    Of a day-first and a month-first pattern that differ only in this, one that reads no text beyond the other is
    removed: the month-first one if neither does; the day-first one only if no text has two dates, or the doubt below is
    settled. After a year the month comes first unless only the other order reads some text (a number above 12).

    The order in doubt is the last such pair that reads some text as two different dates; None without one. There is no
    doubt if just one of the two reads texts that the other cannot, and the pair reads all that any pattern reads.
    """
    order = None
    for form in list(filter(_BY_MONTH.search, readings)):
        day_first = _BY_MONTH.sub(r"%d\1%m", form)
        by_month, by_day = readings[form], readings.get(day_first, {})
        both = by_month.keys() & by_day.keys()
        differ = [text for text in both if by_month[text] != by_day[text]]
        only_month, only_day = by_month.keys() - both, by_day.keys() - both
        if form.startswith("%Y"):
            readings.pop(form if only_day and not only_month else day_first, None)
            continue
        is_confirmed = bool(only_day) != bool(only_month) and _is_covering_pair(readings, (form, day_first))
        if differ and not is_confirmed:
            shares = [sum(counts[text] for text in part) for part in (only_day, only_month, differ, both - set(differ))]
            order = DayOrder(day_first, form, *shares)
        if not only_month:
            del readings[form]
        elif not only_day and (is_confirmed or not differ):
            readings.pop(day_first, None)
    return order


def _is_covering_pair(readings: Mapping[str, Mapping[str, str]], pair: tuple[str, str]) -> bool:
    """Return whether the two patterns of a pair together read every text that any pattern reads."""
    ours = {text for form in pair for text in readings.get(form, ())}
    return all(form in pair or ours.issuperset(read) for form, read in readings.items())


def to_iso_dates(
    texts: Sequence[str], forms: Sequence[str], century_from: int | None, serials: Literal["1900", "1904"] | None
) -> list[str | None]:
    """Return each text as an ISO date by the first pattern that reads it, else as a day number, else None.

    A date keeps its time: "3.5.2020 8:30" gives "2020-05-03T08:30". ``century_from`` is the first of the hundred years
    that two digits can mean, and ``serials`` is the system of day numbers; with None such texts give None.
    """

    def to_iso_date(text: str) -> str | None:
        """Return one text as an ISO date by the first pattern that reads it, else as a day number, else None."""
        plain = _prepare_text(text)
        for form in forms:
            if (day := _read_folded_date(plain, form, century_from)) is not None:
                return day
        return serial_date(text, serials) if serials is not None else None

    return [to_iso_date(text) for text in texts]


def are_midnights(texts: Sequence[str]) -> bool:
    """Return whether there are texts and all of them end in the time of midnight, as days do in files of programs."""
    return bool(texts) and all(map(_AT_MIDNIGHT.search, texts))


def unify_iso_moments(moments: Sequence[str]) -> list[str]:
    """Return ISO dates and times in one common form, in the same order; other texts are unchanged.

    If all times are midnight, they are left out: ``2020-05-01T00:00`` becomes ``2020-05-01``. Otherwise a date without
    a time gets midnight, and each time its seconds: ``2020-05-01`` beside ``2020-05-02T08:30`` becomes
    ``2020-05-01T00:00:00``.
    """
    matches = [_MOMENT.fullmatch(moment) for moment in moments]
    if all(match is None or not (match["time"] or "").strip("T0:.,") for match in matches):
        return [moment if match is None else match["day"] for moment, match in zip(moments, matches, strict=True)]
    return [
        moment if match is None else f"{match['day']}{match['time'] or 'T'}{_MIDNIGHT[len(match['time'] or 'T') :]}"
        for moment, match in zip(moments, matches, strict=True)
    ]
