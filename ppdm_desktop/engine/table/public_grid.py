"""The public grid of a column: round steps to which published range ends, cell edges and tail limits are rounded.

For numbers the step is 1, 2 or 5 times a power of ten: the smallest one of which at most 100 span the declared bounds,
or without bounds the range from the 1 % to the 99 % quantile. For dates the step is days, months, quarters or years. A
value of the grid reveals nobody's exact value.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import pairwise

import numpy as np

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.table.column import Column, NumberStyle, to_decimal, to_exact_decimal
from ppdm_desktop.engine.table.dates import DateFormat

MOST_STEPS = 100
_TAIL = 0.01
_ENDS_OF_A_WIDTH = 5
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
_MONTHS, _YEARS = (1, 3), (1, 2, 5, 10, 20, 50, 100)
_MONTH, _YEAR = timedelta(days=30.44), timedelta(days=365.25)
_YEARS_WRITTEN, _SHORT_YEARS_WRITTEN = (1, 9999), (1970, 2069)


@dataclass(frozen=True)
class NumberGrid:
    """The public grid of a numeric column: the multiples of a round step.

    Attributes
    ----------
    step
        The step, never finer than the step of the column's values.
    own_step
        The step of the column's values.
    mark
        Decimal mark of texts.
    bounds
        The declared bounds; they are public, and nothing is rounded beyond them.
    """

    step: Decimal
    own_step: Decimal
    mark: str = "."
    bounds: tuple[Decimal, Decimal] | None = None

    @classmethod
    def of(cls, column: Column) -> NumberGrid:
        """Return the public grid of a numeric column, with a round step that suits the range of its values.

        The range is that of the declared bounds, or without bounds that of the values without 1 % of the rows (at least
        one) at either end. The step is never finer than that of the values, and equals it where there are no bounds and
        at most three rows with a value.
        """
        style, bounds = column.style or NumberStyle(), None
        if column.bounds is not None:
            bounds = low, high = to_exact_decimal(column.bounds[0]), to_exact_decimal(column.bounds[1])
        else:
            values, counts = column.counted_numbers()
            if not len(values):
                return cls(style.step, style.step, style.decimal)
            low, high = (to_exact_decimal(values[index]) for index in find_tail_cutoffs(counts))
        return cls(max(_choose_round_step(high - low), style.step), style.step, style.decimal, bounds)

    def down(self, value: Decimal) -> Decimal:
        """Return the largest multiple of the step that is at most ``value``, but never below the lower bound.

        A value that is itself below the lower bound is rounded down all the same.
        """
        rounded = math.floor(value / self.step) * self.step
        return max(rounded, self.bounds[0]) if self.bounds is not None and value >= self.bounds[0] else rounded

    def up(self, value: Decimal) -> Decimal:
        """Return the smallest multiple of the step that is at least ``value``, but never above the upper bound.

        A value that is itself above the upper bound is rounded up all the same.
        """
        rounded = math.ceil(value / self.step) * self.step
        return min(rounded, self.bounds[1]) if self.bounds is not None and value <= self.bounds[1] else rounded

    @property
    def wider(self) -> NumberGrid:
        """The grid with the next larger round step."""
        return self.spanning(self.step * (MOST_STEPS + 1))

    def spanning(self, length: Decimal) -> NumberGrid:
        """Return a grid, not finer than this one, with the smallest round step of which at most 100 span ``length``."""
        return replace(self, step=max(_choose_round_step(length), self.step))

    def holds(self, value: Decimal) -> bool:
        """Return whether a value is a multiple of the step or of the next larger round step, or is a bound.

        With a step of 2 the next larger one is 5.
        """
        wider = _choose_round_step(self.step * MOST_STEPS * 2)
        return value % self.step == 0 or value % wider == 0 or value in (self.bounds or ())

    def read(self, text: str) -> Decimal | None:
        """Return the number in a text; None where the text is no number. Blanks around it are ignored."""
        plain = text.strip().replace(self.mark, ".")
        return Decimal(plain) if _NUMBER.fullmatch(plain) else None

    def share_a_width(self, ends: set[Decimal]) -> bool:
        """Return whether range ends are all multiples of one width that is larger than the step of the column's values.

        0, 5, 10, 15 and 40 are (of 5, for whole numbers); 0, 5, 10, 15 and 41 are not. False for fewer than five ends.
        """
        if len(ends) < _ENDS_OF_A_WIDTH:
            return False
        digits = max(-int(end.normalize().as_tuple().exponent) for end in (*ends, self.own_step))
        units = [int(end.scaleb(digits)) for end in ends]
        return math.gcd(*units) > int(self.own_step.scaleb(digits))

    def text_down(self, text: str) -> str:
        """Return a number text rounded down to the grid; unchanged where every value lies on the grid."""
        return text if self.step == self.own_step else self._format_value(self.down(to_decimal(text, self.mark)))

    def text_up(self, text: str) -> str:
        """Return a number text rounded up to the grid; unchanged where every value lies on the grid."""
        return text if self.step == self.own_step else self._format_value(self.up(to_decimal(text, self.mark)))

    def _format_value(self, value: Decimal) -> str:
        """Return a number as text with the column's decimal mark, without an exponent or zeros at its end."""
        return f"{value.normalize() if value else Decimal(0):f}".replace(".", self.mark)


@dataclass(frozen=True)
class DateGrid:
    """The public grid of a date column: the first days of months, quarters or years, or every day.

    Attributes
    ----------
    form
        How the column writes its dates.
    months, years
        Length of a step; at least one of them is 0, and both are 0 for steps of a day.
    """

    form: DateFormat
    months: int = 0
    years: int = 0

    @classmethod
    def of(cls, column: Column) -> DateGrid | None:
        """Return the public grid of a date column; None where it has no date, or no format that reads all its dates.

        The step is the shortest of a day, a month, a quarter and 1, 2, 5, 10, 20, 50 and 100 years of which at most 100
        span the dates, without 1 % of the rows (at least one) at either end; else 100 years. For up to three rows it is
        a day.
        """
        form = None if column.date_format is None else DateFormat.parse(column.date_format)
        if form is None:
            return None
        read = [form.read(text) for text in column.categories]
        if not read or None in read:
            return None
        moments = np.array([moment[0] for moment in read if moment is not None], dtype="datetime64[s]")
        order = np.argsort(moments, kind="stable")
        first, last = (moments[order][index] for index in find_tail_cutoffs(column.category_counts[order]))
        span = (last - first).item()
        if span <= MOST_STEPS * timedelta(days=1):
            return cls(form)
        for months in _MONTHS:
            if span <= MOST_STEPS * months * _MONTH:
                return cls(form, months=months)
        return cls(form, years=next((years for years in _YEARS if span <= MOST_STEPS * years * _YEAR), _YEARS[-1]))

    def down(self, moment: datetime) -> datetime:
        """Return the first day, at midnight, of the step in which a moment lies.

        For 17 May 2020 that is 1 April 2020 if a step is a quarter, and 1 January 2020 if it is ten years. In steps of
        years it is never before the first year that the format can write: 1970 for years of two digits.
        """
        if self.years:
            return datetime(max(moment.year - moment.year % self.years, self._written_years[0]), 1, 1)
        if self.months:
            return datetime(moment.year, moment.month - (moment.month - 1) % self.months, 1)
        return datetime(moment.year, moment.month, moment.day)

    def up(self, moment: datetime) -> datetime:
        """Return the first day of a step that is not before a moment, at midnight.

        In steps of a quarter 17 May 2020 gives 1 July 2020, and 1 April 2020 itself. Where there is none before the
        format's last year ends, it is 31 December of that year (9999, or 2069 for years of two digits).
        """
        below, last = self.down(moment), datetime(self._written_years[1], 12, 31)
        if below == moment or below >= last:
            return below
        if not (self.years or self.months):
            return below + timedelta(days=1)
        month = below.month - 1 + self.months
        year = below.year + self.years + month // 12
        return last if year > last.year else datetime(year, month % 12 + 1, 1)

    @property
    def wider(self) -> DateGrid:
        """The grid with the next larger step: after a day a month, a quarter, then 1, 2, 5, 10, 20, 50 and 100 years.

        A grid of 100 years gives itself.
        """
        if self.months < _MONTHS[-1] and not self.years:
            return DateGrid(self.form, months=next(months for months in _MONTHS if months > self.months))
        return DateGrid(self.form, years=next((years for years in _YEARS if years > self.years), _YEARS[-1]))

    def holds(self, moment: datetime) -> bool:
        """Return whether a moment is the first day of a step, at midnight."""
        return self.down(moment) == moment

    def read(self, text: str) -> datetime | None:
        """Return the point in time that a text means; None where it is no date in the column's format.

        A fraction of a second, however large, counts as one microsecond, so that the moment is after the full second.
        Blanks around the text are ignored.
        """
        read = self.form.read(text.strip())
        if read is None:
            return None
        moment, fraction = read
        return moment + timedelta(microseconds=1) if fraction.strip("0") else moment

    def share_a_width(self, ends: set[datetime]) -> bool:
        """Return whether range ends follow each other at equal distances of whole weeks or whole months.

        The last day of a range and the first day of the next count as one end: the ranges 1 to 31 January and 1 to 29
        February have the ends 1 January, 1 February and 1 March. False for fewer than five ends counted in this way,
        and where the last end is in the year 9999, which stands for no end. False also if a range in between is
        missing, because nobody has a date in it. Raises ValueError without any end.
        """
        day = timedelta(days=1)
        if max(ends).year == _YEARS_WRITTEN[1]:  # a range without an end
            return False
        last_days = {end for end in ends if end + day in ends}
        if last_days and max(ends) - day not in last_days:
            last_days.add(max(ends))
        first_days = sorted((ends - last_days) | {end + day for end in last_days})
        gaps = {later - earlier for earlier, later in pairwise(first_days)}
        months = {
            later.year * 12 + later.month - earlier.year * 12 - earlier.month for earlier, later in pairwise(first_days)
        }
        is_weekly = len(gaps) == 1 and not gaps.pop() % timedelta(weeks=1)
        is_monthly = len(months) == 1 and len({(first.day, first.time()) for first in first_days}) == 1
        return len(first_days) >= _ENDS_OF_A_WIDTH and (is_weekly or is_monthly)

    def text_down(self, text: str) -> str:
        """Return a date text rounded down to the grid; a text that is no date is unchanged."""
        moment = self.read(text)
        return text if moment is None else self.written(self.down(moment))

    def text_up(self, text: str) -> str:
        """Return a date text rounded up to the grid; a text that is no date is unchanged."""
        moment = self.read(text)
        return text if moment is None else self.written(self.up(moment))

    @property
    def _written_years(self) -> tuple[int, int]:
        """The first and the last year that the date format can write: 1970 and 2069 for two digits, else 1 and 9999."""
        return _SHORT_YEARS_WRITTEN if "%y" in self.form.pattern else _YEARS_WRITTEN

    def written(self, moment: datetime) -> str:
        """Return a point in time as text in the column's format, with leading zeros.

        Parts that the format lacks, fractions of a second and time zones are left out.
        """
        parts = {"%Y": f"{moment.year:04d}", "%y": f"{moment.year % 100:02d}"}
        parts |= {"%m": f"{moment.month:02d}", "%d": f"{moment.day:02d}"}
        parts |= {"%H": f"{moment.hour:02d}", "%M": f"{moment.minute:02d}", "%S": f"{moment.second:02d}"}
        text = self.form.pattern
        for sign, written in parts.items():
            text = text.replace(sign, written)
        return text


def are_whole_weeks(ranges: Iterable[Sequence[datetime]]) -> bool:
    """Return whether all ranges of days begin on a Monday and end on a Sunday, so that their ends are nobody's own.

    Each range has its first and last day, or only one of them where it is open. False for fewer than five different
    days in all ranges together, and where no range has both.
    """
    spans = [tuple(days) for days in ranges if days]
    days_of_week = {tuple(day.weekday() for day in span) for span in spans}
    different = {day for span in spans for day in span}
    return len(different) >= _ENDS_OF_A_WIDTH and (0, 6) in days_of_week <= {(0, 6), (0,), (6,)}


PublicGrid = NumberGrid | DateGrid


def public_grid(column: Column) -> PublicGrid | None:
    """Return the public grid of a numeric or date column; None for columns of other kinds.

    None also for a date column without a date, or without a format that reads all its dates.
    """
    if column.kind == "numeric":
        return NumberGrid.of(column)
    return DateGrid.of(column) if column.kind == "date" else None


def _choose_round_step(span: Decimal) -> Decimal:
    """Return the smallest step of 1, 2 or 5 times a power of ten of which at most 100 span a length.

    A length of 100 gives 1, 101 gives 2, 350 gives 5, 7 gives 0.1, and 0 gives 0.
    """
    if span <= 0:
        return Decimal(0)
    unit = Decimal(1).scaleb((span / MOST_STEPS).adjusted())
    return next(unit * factor for factor in (1, 2, 5, 10) if unit * factor * MOST_STEPS >= span)


def find_tail_cutoffs(counts: Ints) -> tuple[int, int]:
    """Return the indices of the lowest and the highest value that remain without 1 % of the rows at either end.

    At least one row is cut off at either end; a value of which only some rows are cut off remains. Ten values with one
    row each give 1 and 8, a thousand give 10 and 989. Both are 0 where so few rows leave nothing between.

    Parameters
    ----------
    counts
        How many rows have each of the rising values, shape (values,); at least one value.
    """
    reached = np.cumsum(counts)
    rows = int(reached[-1])
    beyond = max(_TAIL * rows, 1)
    low, high = int(np.searchsorted(reached, beyond, "right")), int(np.searchsorted(reached, rows - beyond))
    return (low, high) if low <= high else (0, 0)  # of so few values any is the whole range
