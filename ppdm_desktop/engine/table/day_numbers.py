"""The dates of a column as whole day numbers, and moving its dates by whole days."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.dates import DateFormat

NO_DAY = int(np.iinfo(np.int64).min)
"""Day of a cell without a date."""
_WIDTHS = {"Y": 4, "y": 2, "m": 2, "d": 2}


def has_full_dates(column: Column) -> bool:
    """Return whether the column has a date format and this includes the day, not only a month or a year."""
    return column.date_format is not None and "%d" in column.date_format


def days_of_texts(column: Column) -> Ints:
    """Return the day number of each distinct text, shape (texts,): 1 January of year 1 is 1, no date is NO_DAY.

    NO_DAY is the smallest int64; missing texts have it, too. The time of day does not count. A date without a day or
    month counts as the first one. All are NO_DAY in a column without a date format.
    """
    form = DateFormat.parse(column.date_format or "")
    days = np.full(len(column.texts), NO_DAY, dtype=np.int64)
    for code, text in enumerate(progress.each(column.texts)):
        reading = None if form is None or text in column.missing_texts else form.read(text)
        days[code] = NO_DAY if reading is None else reading[0].toordinal()
    return days


def days_of(column: Column) -> Ints:
    """Return the day number of each row, int64, shape (rows,): 1 January of year 1 is 1, no date is NO_DAY."""
    days = days_of_texts(column)
    return days[column.codes] if len(days) else np.zeros(0, dtype=np.int64)


def day_floats(column: Column) -> Floats:
    """Return the day number of each row as a float, shape (rows,): 1 January of year 1 is 1, no date is NaN."""
    days = days_of(column)
    return np.where(days == NO_DAY, np.nan, days)


def day_limits(column: Column) -> tuple[int, int]:
    """Return the first and the last day number that the column's date format can write.

    Years of two digits cover 1970 to 2069, years of four digits 1 to 9999.
    """
    first, last = (1970, 2069) if "%y" in (column.date_format or "") else (1, 9999)
    return date(first, 1, 1).toordinal(), date(last, 12, 31).toordinal()


def with_days_moved(column: Column, shifts: Ints) -> Column:
    """Return a date column in which each row's date is moved by the given number of days.

    A cell without a date, or moved by 0 days, keeps its text. The time of day stays. Moved dates have leading zeros
    unless some date of the column lacks them. The dates that then occur become the column's order, earliest first; if
    none is moved, the same column is returned, with its order.

    Parameters
    ----------
    column
        Its date format includes the day.
    shifts
        int64, shape (rows,): the days to add to each row; no date may leave ``day_limits``.
    """
    days = days_of(column)
    rows = np.flatnonzero((days != NO_DAY) & (shifts != 0))
    if not len(rows):
        return column
    forms, form_of_text = _cut_out_dates(column)
    padded = _is_padded(column)
    first = int((days[rows] + shifts[rows]).min())
    span = int((days[rows] + shifts[rows]).max()) - first + 1
    keys, key_of_row = np.unique(
        form_of_text[column.codes[rows]] * span + days[rows] + shifts[rows] - first, return_inverse=True
    )
    texts = [_format_day(forms[key // span], first + key % span, padded=padded) for key in progress.each(keys.tolist())]
    index = {text: code for code, text in enumerate(column.texts)}
    code_of_key = np.array([index.setdefault(text, len(index)) for text in texts], dtype=np.int32)
    codes = column.codes.copy()
    codes[rows] = code_of_key[key_of_row.reshape(-1)]
    return _order_by_date(replace(column, codes=codes, texts=tuple(index)))


def _order_by_date(column: Column) -> Column:
    """Return a date column with the dates that occur as its order, earliest first, equal dates sorted by text.

    The column must have a date format. Texts that are no date in it come first; missing texts and texts that no row
    uses are left out.
    """
    form = DateFormat.parse(column.date_format or "")
    assert form is not None
    used_texts = [text for text, used in zip(column.texts, column.used_texts().tolist(), strict=True) if used]
    moments = {text: form.read(text) for text in used_texts if text not in column.missing_texts}
    return replace(column, order=tuple(sorted(moments, key=lambda text: (moments[text] or (), text))))


def _cut_out_dates(column: Column) -> tuple[Sequence[str], Ints]:
    r"""Return the different templates of a column's dates, and the index of each text's template, (texts,).

    A template is the text with a zero character and a letter in place of each part of the date, so that another date
    can be put in: "2020-05-01 12:00" becomes "\0Y-\0m-\0d 12:00". Templates are in the order of their first text. A
    text without a date has index 0, which is to be ignored.
    """
    form = DateFormat.parse(column.date_format or "")
    assert form is not None
    index: dict[str, int] = {}
    form_of_text = np.zeros(len(column.texts), dtype=np.int64)
    for code, text in enumerate(progress.each(column.texts)):
        match = form.expression.fullmatch(text)
        if match is None:
            continue
        parts = [part for part in match.groupdict() if part in _WIDTHS and match[part] is not None]
        for part in sorted(parts, key=match.start, reverse=True):
            text = f"{text[: match.start(part)]}\0{part}{text[match.end(part) :]}"
        form_of_text[code] = index.setdefault(text, len(index))
    return list(index), form_of_text


def _is_padded(column: Column) -> bool:
    """Return whether every date of a column writes day and month with two digits; True where it has no date.

    Distinct texts count that no row uses any more, too. The column's date format must have both.
    """
    form = DateFormat.parse(column.date_format or "")
    assert form is not None
    matches = (form.expression.fullmatch(text) for text in column.texts)
    return all(len(match["m"]) == len(match["d"]) == 2 for match in matches if match is not None)


def _format_day(form: str, day: int, *, padded: bool) -> str:
    r"""Return the date of a day number (1 is 1 January of year 1) as text, written into a template.

    ``form`` is the template, such as "\0d.\0m.\0Y": a text with a zero character and a letter in place of each part.
    Day and month get leading zeros only if ``padded``: "05.03.2020", or else "5.3.2020". The year has two digits for
    "\0y" and four for "\0Y".
    """
    moment = date.fromordinal(day)
    numbers = {"Y": moment.year, "y": moment.year % 100, "m": moment.month, "d": moment.day}
    for part, number in numbers.items():
        width = _WIDTHS[part] if padded or part in "Yy" else 1
        form = form.replace(f"\0{part}", str(number).zfill(width))
    return form
