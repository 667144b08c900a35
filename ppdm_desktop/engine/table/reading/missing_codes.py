"""Finding numbers and dates that probably mean that no answer was given, such as 999 as an age or 9999-12-31."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime

import numpy as np

from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.table.column import Column, to_floats
from ppdm_desktop.engine.table.dates import DateFormat, guess_date_format
from ppdm_desktop.engine.table.kinds import present_texts
from ppdm_desktop.engine.table.reading.word_lists import load_no_answer_marks

_MOST_CODES = 8
_LEAST_VALUES = 2
_MOSTLY_WORDS = 0.9
_PRICES, _LEAST_MEASURED = 0.3, 10
_WORD_CODE = re.compile(r"-(?:9{1,4}|8{1,4}|7{1,4})|9*(?:9{2}|8{2}|7{2}|9[78])")
_LONGEST_BARE = 4
_LETTER = re.compile(r"[^\W\d_]")
_DIGITS = re.compile(r"9*([6-9])\1*")
_FAR_YEAR, _LONG_AGO = 2900, 1901
_ENDS_OF_YEARS = ((1, 1), (12, 31), (12, 30))


def missing_codes(column: Column) -> list[str]:
    """Return the texts of a column that are probably codes for a missing value, such as 999 or 9999-12-31.

    Among numbers, codes are made of nines, eights, sevens or sixes and above all others, or negative where no other
    number is; among dates, they are first or last days of years before or after all others. Mostly they are farther
    from the others than these lie apart, and at least one is repeated, which is not needed after the year 2899. Among
    words codes are repeated texts such as -99, or texts such as DK, which come last; a column of words with a codebook,
    or of ranked words, has none. Otherwise texts keep the column's order.
    """
    texts = present_texts(column)
    counts = dict(zip(column.texts, column.text_counts.tolist(), strict=True))
    if column.kind == "numeric" and column.style is not None:
        values, numbers = column.counted_numbers()
        codes = _find_number_codes(values, numbers)
        of_text = to_floats(texts, column.style.decimal)
        return [text for text, is_code in zip(texts, np.isin(of_text, codes).tolist()) if is_code]
    if column.kind == "date":
        form = DateFormat.parse(column.date_format) if column.date_format else guess_date_format(texts).format
        moments = {text: read[0] for text in texts if form is not None and (read := form.read(text)) is not None}
        rows_of: dict[datetime, int] = {}
        for text, moment in moments.items():
            day = moment.replace(hour=0, minute=0, second=0)
            rows_of[day] = rows_of.get(day, 0) + counts[text]
        days = sorted(rows_of)
        rows = [rows_of[day] for day in days]
        last = _find_last_codes(days, rows)
        ordinary_count = len(days) - len(last)
        coded = {*last, *_find_first_codes(days[:ordinary_count], rows[:ordinary_count])}
        return [text for text, moment in moments.items() if moment.replace(hour=0, minute=0, second=0) in coded]
    return _find_codes_among_words(texts, counts) if column.kind in ("nominal", "text") and not column.codebook else []


def _find_codes_among_words(texts: Sequence[str], counts: Mapping[str, int]) -> list[str]:
    """Return the texts that are probably codes for a missing value in a column of words; empty for any other column.

    These are repeated texts like -99, and then texts like DK, repeated or not. At least two texts, and 90 % of those
    that are no repeated text like -99, must have letters. Letters such as DK are left out where at least half of the
    other texts are short and in capitals too, as for countries. ``counts`` is the number of cells with each text.
    """
    codes = [text for text in texts if counts[text] > 1 and _WORD_CODE.fullmatch(text)]
    words = sum(_LETTER.search(text) is not None for text in texts)
    if words <= 1 or words < _MOSTLY_WORDS * (len(texts) - len(codes)):
        return []
    short = [text for text in texts if text in load_no_answer_marks()]
    capitals = sum(text.isupper() and len(text) <= _LONGEST_BARE for text in texts) - len(short)
    return codes + (short if 2 * capitals < len(texts) - len(codes) - len(short) else [])


# --- numbers ----------------------------------------------------------------------------


def _find_number_codes(values: Floats, counts: Ints) -> Floats:
    """Return the numbers of a column that are probably codes for a missing value, rising, shape (codes,); often none.

    They are negative numbers at the beginning, and numbers made of nines to sixes at the end: 999 after 20 to 50, -9
    before them, 8 and 9 after a scale from 1 to 5.

    Parameters
    ----------
    values
        Different numbers, rising, shape (different numbers,).
    counts
        How many rows have each, shape (different numbers,).
    """
    below = int(np.searchsorted(values, 0.0))
    if not _are_negative_codes(values, counts, below):
        below = 0
    codes, measured, rows = values[:below], values[below:], counts[below:]
    above = 0
    for number in range(1, min(_MOST_CODES, len(measured) - _LEAST_VALUES) + 1):
        if not _is_made_of_nines(measured[-number]) or _is_price(measured[-number], measured[:-number]):
            break
        if _are_apart(measured[:-number], measured[-number:], rows[-number:], rows[-number - 1]):
            above = number
    return np.concatenate([codes, measured[len(measured) - above :]])


def _are_negative_codes(values: Floats, counts: Ints, below: int) -> bool:
    """Return whether the first ``below`` numbers, which are the negative ones, are codes for a missing value.

    They are made of nines to sixes, or whole numbers down to -99 far from the next number, or a single -1 that occurs
    at least as often as the next number, where some number is above 1. They are at most eight, one of them is repeated,
    and at least two numbers follow. ``values`` are different numbers, rising, and ``counts`` is the number of rows with
    each.
    """
    measured = values[below:]
    if not 1 <= below <= _MOST_CODES or len(measured) < _LEAST_VALUES or counts[:below].max() < 2:
        return False
    if all(map(_is_made_of_nines, values[:below])):
        return True
    whole = bool((values[:below] == np.round(values[:below])).all())
    if not whole or -values[0] > 99:
        return False
    if measured[0] - values[below - 1] > max(2.0, -values[0]):
        return True
    return below == 1 and values[0] == -1 and measured[-1] > 1 and bool(counts[0] >= counts[1])


def _are_apart(measured: Floats, codes: Floats, rows: Ints, rows_before: int) -> bool:
    """Return whether one of ``codes`` is repeated, and all are farther from the other numbers than these lie apart.

    After numbers that begin at 0, codes of one digit may be the end of counts (0, 1, 2, 7); there, one of them must
    have at least as many rows as the number before. After a scale from 1 to 5 both 8 and 9, each repeated, are codes.
    If the highest code is 6, the result is False, as in "1, 2, 6 other".

    Parameters
    ----------
    measured, codes
        The other numbers, and the codes, which are above them; both rising.
    rows
        How many rows have each code.
    rows_before
        How many rows have the last number before the codes.
    """
    if codes[-1] == 6:
        return False
    is_scale = measured[0] == 1 and measured[-1] == len(measured)
    if is_scale and len(codes) > 1 and codes[-1] == 9 and rows.min() > 1 and codes[0] - measured[-1] > 2:
        return True
    if rows.max() < 2 or codes[0] - measured[-1] <= measured[-1] - measured[0]:
        return False
    return bool(codes[0] > 9 or measured[0] != 0 or rows.max() >= rows_before)


def _is_made_of_nines(value: float) -> bool:
    """Return whether a number has one digit from 6 to 9 only, or nines before it, as 99, -8, 9.99 and 998 do."""
    digits = repr(float(abs(value))).removesuffix(".0").replace(".", "")
    return _DIGITS.fullmatch(digits) is not None


def _is_price(value: float, others: Floats) -> bool:
    """Return whether a number such as 9.99 may be a price: 30 % of the other numbers end in the same digit.

    The digit is that at the last decimal of ``value``. True also with fewer than ten other numbers. A whole number is
    no price.
    """
    if value == round(value):
        return False
    tenfold = 10.0 ** len(repr(float(value)).partition(".")[2])
    is_same_digit = np.round(others * tenfold) % 10 == round(value * tenfold) % 10
    return len(others) < _LEAST_MEASURED or float(is_same_digit.mean()) >= _PRICES


# --- dates ------------------------------------------------------------------------------


def _find_last_codes(days: Sequence[datetime], rows: Sequence[int]) -> list[datetime]:
    """Return the last days of a column that are probably codes, such as 9999-12-31, rising: at most three, often none.

    Each is 1 January, 30 or 31 December, or any day from the year 2900 on; the first lies farther from the day before
    than the other days lie apart, and one is repeated (which is not needed if all are from 2900 on). At least two other
    days must be left. ``days`` are rising; ``rows`` is the number of rows with each.
    """
    for number in range(1, min(3, len(days) - _LEAST_VALUES) + 1):
        codes, days_before = days[-number:], days[:-number]
        if not _is_end_of_year(codes[0]):
            break
        repeated = max(rows[-number:]) > 1 or codes[0].year >= _FAR_YEAR
        if repeated and codes[0] - days_before[-1] > days_before[-1] - days_before[0]:
            return list(codes)
    return []


def _find_first_codes(days: Sequence[datetime], rows: Sequence[int]) -> list[datetime]:
    """Return the first day of a column if it is probably a code, such as 1900-01-01, in a list of none or one.

    It must be repeated and be 1 January, 30 or 31 December (or any day from the year 2900 on); and it is farther from
    the next day than all others lie apart, or not after 1901 and the most frequent. There must be at least three days.
    ``days`` are rising; ``rows`` is the number of rows with each.
    """
    if len(days) <= _LEAST_VALUES or rows[0] < 2 or not _is_end_of_year(days[0]):
        return []
    is_apart = days[1] - days[0] > days[-1] - days[1]
    is_usual = days[0].year <= _LONG_AGO and rows[0] > max(rows[1:])
    return [days[0]] if is_apart or is_usual else []


def _is_end_of_year(day: datetime) -> bool:
    """Return whether a day is 1 January, 30 or 31 December, or lies in the year 2900 or later."""
    return (day.month, day.day) in _ENDS_OF_YEARS or day.year >= _FAR_YEAR
