"""Write dates and times, stored as a number from an epoch, as ISO texts.

All arithmetic is decimal on the shortest text of a number, so that no second is lost to a division of floats and none
is moved between time zones.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from decimal import Decimal
from enum import Enum

SPSS_EPOCH = dt.date(1582, 10, 14)
"""The first day of the Gregorian calendar is the next one."""
_DAY = 86_400


class Unit(Enum):
    """What a stored number counts; of periods of a year, the letter that Stata writes for them."""

    DAYS = "days"
    SECONDS = "seconds"
    MILLISECONDS = "milliseconds"
    DURATION = "duration"
    WEEKS = "w"
    MONTHS = "m"
    QUARTERS = "q"
    HALVES = "h"
    YEARS = "y"


_PERIODS = {Unit.WEEKS: 52, Unit.MONTHS: 12, Unit.QUARTERS: 4, Unit.HALVES: 2}


def moment_texts(values: Sequence[float], unit: Unit, epoch: dt.date) -> list[str | None]:
    """Return the ISO text of each stored number: a date, a date with time, a duration or a period of a year.

    Parameters
    ----------
    values
        Distinct numbers of one column, none of them NaN.
    unit
        What they count.
    epoch
        The day of 0; weeks, months, quarters and halves begin with its year.

    Returns
    -------
    For each number its text: ``2020-01-31`` where all numbers of the column are whole days, else
    ``2020-01-31T08:00:00``; ``26:30:00`` for a length of time; ``1960w1``, ``1960m1``, ``1960q1``, ``1960h1`` and
    ``1960`` for periods, as Stata shows them. None for a number outside the years 1 to 9999, and for a part of a day
    or period where only whole ones have a meaning.
    """
    exact = [Decimal(repr(float(value))) for value in values]
    if unit is Unit.DURATION:
        return [_duration(duration) for duration in exact]
    if unit in _PERIODS or unit is Unit.YEARS:
        return [_period(count, unit, epoch.year) for count in exact]
    if unit is Unit.DAYS:
        return [_day(int(day), epoch) if day == int(day) else None for day in exact]
    seconds = [number / 1000 if unit is Unit.MILLISECONDS else number for number in exact]
    timed = any(second % _DAY for second in seconds)
    return [_moment(number, epoch, timed=timed) for number in seconds]


def _day(days: int, epoch: dt.date) -> str | None:
    """Return the ISO date of a number of days since the epoch; None outside the calendar."""
    ordinal = epoch.toordinal() + days
    return dt.date.fromordinal(ordinal).isoformat() if 1 <= ordinal <= dt.date.max.toordinal() else None


def _moment(seconds: Decimal, epoch: dt.date, *, timed: bool) -> str | None:
    """Return the ISO date of a number of seconds since the epoch, with its time if ``timed``.

    None outside the calendar.
    """
    days = int(seconds // _DAY)
    if seconds < 0 and seconds % _DAY:
        days -= 1  # Decimal divides towards zero
    day = _day(days, epoch)
    return f"{day}T{_clock(seconds - days * _DAY)}" if day is not None and timed else day


def _clock(seconds: Decimal) -> str:
    """Return a number of seconds as hours, minutes and seconds; hours may exceed 24."""
    whole = int(seconds)
    part = f"{seconds - whole:f}".partition(".")[2].rstrip("0")
    return f"{whole // 3600:02d}:{whole // 60 % 60:02d}:{whole % 60:02d}{'.' + part if part else ''}"


def _duration(seconds: Decimal) -> str:
    """Return a duration as hours, minutes and seconds with its sign."""
    return ("-" if seconds < 0 else "") + _clock(abs(seconds))


def _period(count: Decimal, unit: Unit, first_year: int) -> str | None:
    """Return a week, month, quarter, half or year counted from the epoch's year, such as ``1960q1``.

    None for a fraction.
    """
    if count != int(count):
        return None
    if unit is Unit.YEARS:
        return str(int(count))
    year, period = divmod(int(count), _PERIODS[unit])
    return f"{first_year + year}{unit.value}{period + 1}"
