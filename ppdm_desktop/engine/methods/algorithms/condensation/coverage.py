"""How condensation treats each kind of column, so that every released column is artificial.

- Numbers, and dates as positions on the grid of their format (years, months, days, hours, minutes or seconds), are
  regenerated together.
- Ordinal values take part by rank: a rank is regenerated with the numbers, and the group's own values are permuted in
  the order of those ranks, so that a group's counts stay exact, no value is invented, and the relation to the numbers
  inside a group is kept.
- Nominal values are permuted at random within the group, each column by itself or all together.
- Missing values: which numbers, dates and ordinal values a record lacks is a pattern, and these patterns are permuted
  at random within the group. Mean and variance come from the known values; missing values count as the group's mean,
  and the covariance is scaled up for them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from typing import Literal
from weakref import WeakKeyDictionary

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Floats, Ints
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.methods.algorithms.digits.scaled import style_of
from ppdm_desktop.engine.table.column import Column, to_floats
from ppdm_desktop.engine.table.dates import DateFormat

_START = datetime(1970, 1, 1)
_UNITS = (("%S", timedelta(seconds=1)), ("%M", timedelta(minutes=1)), ("%H", timedelta(hours=1)))
_DAY, _YEAR = timedelta(days=1), 365.2425
_SHARE_OF_FIRSTS = 0.99
_GRIDS: WeakKeyDictionary[Column, DateGrid] = WeakKeyDictionary()
Period = Literal["Y", "M"]
_PERIODS: tuple[Period, ...] = ("Y", "M")
_LEADING_ZERO = re.compile(r"(?<!\d)0(?=\d)")


@dataclass(frozen=True)
class DateGrid:
    """How the dates of a column are turned into whole numbers (positions on a grid) and back into texts.

    Attributes
    ----------
    pattern
        Format of the dates as in the recipe, such as ``%d.%m.%Y``.
    padded
        Whether days and months below ten have a leading zero.
    """

    pattern: str
    padded: bool

    @classmethod
    def of(cls, column: Column) -> DateGrid:
        """Return how a date column is counted and written: its format, and whether days and months have leading zeros.

        They have none only if all dates can be written without and not all with zeros. A column with dates written both
        ways, or without dates, counts as having zeros. A column without a declared format is taken as year-month-day.

        Raises
        ------
        InputError
            When the format has hours and a value contains more than it says (a time zone, fractions of a second),
            because artificial dates could not look the same. Leading zeros do not matter: "9:30" is written "09:30".
        ValueError
            When a value is not a date of the format.
        """
        if column in _GRIDS:
            return _GRIDS[column]
        form = DateFormat.parse(column.date_format or "%Y-%m-%d")
        assert form is not None
        padded, bare = cls(form.pattern, True), cls(form.pattern, False)
        texts = [text for text in column.texts if text not in column.missing_texts]
        plain = [(padded.text(count), bare.text(count)) for count in map(padded.count, texts)]
        if "%H" in form.pattern and any(
            _LEADING_ZERO.sub("", text) != _LEADING_ZERO.sub("", pair[0])
            for text, pair in zip(texts, plain, strict=True)
        ):
            raise InputError("error.condensation.date-form", column=column.name)
        is_padded = all(text == pair[0] for text, pair in zip(texts, plain, strict=True))
        is_bare = all(text == pair[1] for text, pair in zip(texts, plain, strict=True))
        _GRIDS[column] = padded if is_padded or not is_bare else bare
        return _GRIDS[column]

    def count(self, text: str) -> int:
        """Return a date's position on the grid, in the finest unit that the format writes.

        Seconds, minutes, hours and days are counted from the start of 1970, negative before; a month is 12 · year +
        month - 1, and a year is its number. So 1970-01-02 is 1, and 2024-02 is 24289. ValueError is raised where the
        text is not a date of the format.
        """
        form = DateFormat.parse(self.pattern)
        reading = form.read(text) if form is not None else None
        if reading is None:
            raise ValueError("not a date of this format")
        moment = reading[0]
        for sign, unit in _UNITS:
            if sign in self.pattern:
                return (moment - _START) // unit
        if "%d" in self.pattern:
            return (moment - _START) // _DAY
        months = 12 * moment.year + moment.month - 1
        return months if "%m" in self.pattern else moment.year

    @property
    def ends(self) -> tuple[int, int]:
        """First and last position on the grid that the format can write, both included.

        The years are 1 to 9999, or 1970 to 2069 if the format writes years with two digits. With a time of day, the
        last one is the start of the last day.
        """
        first, last = (1970, 2069) if "%y" in self.pattern else (1, 9999)
        for sign, unit in (*_UNITS, ("%d", _DAY)):
            if sign in self.pattern:
                low = (datetime(first, 1, 1) - _START) // unit
                return low, (datetime(last, 12, 31) - _START) // unit
        return (12 * first, 12 * last + 11) if "%m" in self.pattern else (first, last)

    @property
    def days(self) -> float:
        """Length of a step of the grid in days: 1 for days, 1/24 for hours; for months and years their mean length.

        The mean length of a year is 365.2425 days, that of a month a twelfth of it.
        """
        for sign, unit in (*_UNITS, ("%d", _DAY)):
            if sign in self.pattern:
                return unit / _DAY
        return _YEAR / 12 if "%m" in self.pattern else _YEAR

    def text(self, count: int) -> str:
        """Return the text of the date at a position of the grid, such as 2024-02-01.

        Days and months below ten have a leading zero where ``padded`` is set; parts of the time always have. Raises
        ValueError or OverflowError outside the years 1 to 9999.
        """
        moment = self._to_datetime(count)
        parts = {
            "%Y": f"{moment.year:04}",
            "%y": f"{moment.year % 100:02}",
            "%m": f"{moment.month:02}" if self.padded else str(moment.month),
            "%d": f"{moment.day:02}" if self.padded else str(moment.day),
            "%H": f"{moment.hour:02}",
            "%M": f"{moment.minute:02}",
            "%S": f"{moment.second:02}",
        }
        written = self.pattern
        for sign, part in parts.items():
            written = written.replace(sign, part)
        return written

    def _to_datetime(self, count: int) -> datetime:
        """Return the start of the unit at a position of the grid, such as the first day of a month."""
        for sign, unit in (*_UNITS, ("%d", _DAY)):
            if sign in self.pattern:
                return _START + count * unit
        if "%m" in self.pattern:
            return datetime(count // 12, count % 12 + 1, 1)
        return datetime(count, 1, 1)

    def counts(self, column: Column) -> Ints:
        """Return each row's position on the grid, 0 where missing."""
        per_text = [0 if text in column.missing_texts else self.count(text) for text in column.texts]
        return np.array(per_text, dtype=np.int64)[column.codes] if per_text else np.zeros(0, dtype=np.int64)

    def find_period(self, column: Column) -> Period | None:
        """Return "Y" if at least 99 % of a column's dates are the first of a year, "M" if of a month; else None.

        None also where dates are not counted in days, and without dates.
        """
        positions, counts = np.array([self.count(text) for text in column.categories]), column.category_counts
        for period in _PERIODS if self.days == 1 and len(positions) else ():
            if counts[round_to_firsts(positions, period, -1) == positions].sum() >= _SHARE_OF_FIRSTS * counts.sum():
                return period
        return None


def round_to_firsts(days: Floats, period: Period, side: int) -> Floats:
    """Return days since 1970 rounded to the first day of a month ("M") or year ("Y"), float64, same shape.

    They are rounded upwards if ``side`` is 1, downwards if it is -1, and to the nearest first day if it is 0, downwards
    from the middle. Days outside the years 1 to 9999 are first moved to the nearest day inside; after the last first
    day, which is in 9999, they are rounded downwards.
    """
    ends = DateGrid("%Y-%m-%d", True).ends
    days = np.clip(days, *ends)
    start = np.floor(days + 1e-9).astype("datetime64[D]").astype(f"datetime64[{period}]")
    below, above = (first.astype("datetime64[D]").astype(np.float64) for first in (start, start + 1))
    is_up = days - below > (1e-9 if side > 0 else (above - below) / 2)
    return np.where(is_up & (side >= 0) & (above <= ends[1]), above, below)


MOST_CATEGORIES = 20
"""Most frequent categories of a column that count in distances; all others count as one."""
_MOST_CELLS = 40_000_000
Sort = Literal["number", "date", "rank"]


@dataclass(frozen=True, eq=False)
class JointColumn:
    """A column that is regenerated together with others, as numbers.

    Attributes
    ----------
    column
        The column before.
    sort
        ``number``, ``date`` or ``rank``.
    values
        Shape (records,): numbers in the column's unit, positions on the date grid, or ranks; any number where missing.
        If there is a base, differences from it, NaN where the base is missing.
    known
        Which records have a value to be regenerated; False for missing values and for spikes.
    centre, scale
        Mean and standard deviation of the known values over the whole table (1 if constant).
    spikes
        Frequent values that are treated as categories; they are permuted like missing values.
    base
        Name of the column from which the values are differences; empty if they are not differences.
    is_pooled
        Whether a group with few known values takes part of their mean and variance from the whole table.
    """

    column: Column
    sort: Sort
    values: Floats
    known: Bools
    centre: float
    scale: float
    spikes: tuple[float, ...] = ()
    base: str = ""
    is_pooled: bool = False

    @classmethod
    def of(
        cls, column: Column, spikes: Sequence[float] = (), base: Column | None = None, *, pooled: bool = False
    ) -> JointColumn:
        """Return a column as numbers: its numbers, the positions of its dates, or the ranks of its categories.

        Centre and scale are the mean and standard deviation of the known values, 0 and 1 without any; a scale of 0
        becomes 1. Missing values and ``spikes`` (frequent numbers treated as categories) are flagged as not known. If
        there is a ``base``, the values are differences from it, in the column's unit, and NaN where the base is
        missing; both columns must be numbers or both dates. Columns with spikes are pooled, with ``pooled`` also those
        with missing values.
        """
        present = ~column.missing
        sort, values = _read_values(column)
        if base is not None:
            values = values - convert_unit(_read_values(base)[1], days_of(base), days_of(column))
            values[base.missing] = np.nan
        if spikes:
            present &= ~np.isin(column.numbers, spikes)
        centre, scale = 0.0, 1.0
        measured = values[present & ~np.isnan(values)]
        if len(measured):
            first = float(measured[0])
            near = measured - first
            centre, scale = first + float(near.mean()), float(near.std())
        name = "" if base is None else base.name
        is_pooled = bool(spikes) or (pooled and bool(column.missing.any()))
        return cls(column, sort, values, present, centre, scale if scale > 0 else 1.0, tuple(spikes), name, is_pooled)

    @cached_property
    def gap_texts(self) -> frozenset[str]:
        """All texts that mean missing, whether a cell has them or not, and those of spikes (frequent values)."""
        column = self.column
        value_texts = [text for text in column.texts if text not in column.missing_texts] if self.spikes else []
        values = to_floats(value_texts, style_of(column).decimal)
        return column.missing_texts.union(
            text for text, value in zip(value_texts, values, strict=True) if value in self.spikes
        )

    @cached_property
    def standard(self) -> Floats:
        """The values in standard deviations from the mean, 0 where missing; float64, shape (records,)."""
        is_measured = self.known & ~np.isnan(self.values)
        return np.where(is_measured, (self.values - self.centre) / self.scale, 0.0)


def number_patterns(column: Column, known: Bools) -> Ints:
    """Return a number for each row that says what a column has there: -1 for a ``known`` value, -2 for a gap.

    Any other row has a spike (a frequent value treated as a category) and gets the code of its text, from 0.
    """
    return np.where(column.missing, -2, np.where(known, -1, column.category_codes.astype(np.int64)))


def days_of(column: Column) -> float:
    """Return the length in days of the unit in which a column's dates are counted; 1 for any other column."""
    return DateGrid.of(column).days if column.kind == "date" else 1.0


def convert_unit(values: Floats, days: float, other_days: float) -> Floats:
    """Return values converted from a unit of ``days`` days to one of ``other_days`` days.

    In a longer unit they are rounded down, such as from a minute to its day.
    """
    converted = values * (days / other_days)
    return np.floor(converted + 1e-9) if days < other_days else converted


def can_compare(first: Column, second: Column) -> bool:
    """Return whether two columns can be compared: both are numbers, or both are dates with comparable units.

    Units of dates are comparable if they are equal, or if both are at most a day, since all of these count from 1970.
    """
    days = {days_of(first), days_of(second)}
    return {first.kind, second.kind} in ({"numeric"}, {"date"}) and (len(days) == 1 or max(days) <= 1)


def _read_values(column: Column) -> tuple[Sort, Floats]:
    """Return whether a column is a ``number``, ``date`` or ``rank``, and its values as numbers (any where missing).

    These are numbers in the column's unit, positions on the date grid, or ranks from 0 for the lowest category.
    """
    if column.kind == "numeric":
        return "number", column.scaled / 10.0 ** style_of(column).decimals
    if column.kind == "date":
        return "date", DateGrid.of(column).counts(column).astype(np.float64)
    return "rank", column.category_codes.astype(np.float64)


@dataclass(frozen=True, eq=False)
class Coverage:
    """The released columns, divided by how their artificial values are made.

    Attributes
    ----------
    joint
        Columns that are regenerated together: numbers and dates first, then ranks.
    permuted
        Sets of nominal columns whose values are permuted together within groups.
    """

    joint: tuple[JointColumn, ...]
    permuted: tuple[tuple[Column, ...], ...]

    @classmethod
    def of(
        cls,
        columns: Sequence[Column],
        sets: Sequence[Sequence[str]],
        spikes: Mapping[str, Sequence[float]],
        least: int,
        bases: Mapping[str, str],
        *,
        pooled: bool,
    ) -> Coverage:
        """Return the columns divided by how their artificial values are made.

        Numbers and dates come first among the joint columns, then ordered categories. Nominal columns in no set are
        left out, and a base that is not among the columns is ignored.

        Parameters
        ----------
        columns
            All released columns.
        sets
            Names of nominal columns whose values are permuted together as whole combinations.
        spikes
            For numeric columns, the frequent values that are treated as categories.
        least
            Number of records that must share a combination of spikes; if fewer do, their spikes are treated as
            ordinary numbers.
        bases
            For columns drawn as differences, the name of the column to which the difference is added.
        pooled
            Whether groups with few known values of a column take part of its mean and variance from the whole table.
        """
        by_name = {column.name: column for column in columns}
        numbers = [
            JointColumn.of(column, spikes.get(column.name, ()), by_name.get(bases.get(column.name, "")), pooled=pooled)
            for column in columns
            if column.kind in ("numeric", "date")
        ]
        ranks = [JointColumn.of(column) for column in columns if column.kind == "ordinal"]
        permuted = tuple(tuple(by_name[name] for name in names) for names in sets)
        return cls((*_drop_rare_spikes(numbers, least), *ranks), permuted)

    @property
    def regenerated(self) -> int:
        """Number of columns whose values are drawn anew: those of numbers and dates."""
        return sum(joint_column.sort != "rank" for joint_column in self.joint)

    def without_confidential(self) -> Coverage:
        """Return the columns that are not confidential, divided in the same way."""
        joint = tuple(joint for joint in self.joint if joint.column.role != "confidential")
        permuted = (tuple(column for column in columns if column.role != "confidential") for columns in self.permuted)
        return Coverage(joint, tuple(filter(None, permuted)))

    def points(self, rows: int) -> Floats:
        """Return the coordinates of records for grouping, float64, shape (records, dimensions).

        Coordinates are standardised numbers, dates and ranks (0 where there is no ordinary value); for each of these
        columns with missing values or spikes (frequent values treated as categories), whether there is an ordinary
        value; and for each nominal column its categories as one-hot / sqrt(2), so that two different categories have a
        distance of 1. Missing is one of these categories, and a column with a single category has no coordinate. Only
        the 20 most frequent categories of a column (fewer in large tables) have a coordinate, and all others share one.
        If there is no coordinate, a single column of zeros is returned. ``rows`` is the number of records.
        """
        parts = [joint_column.standard for joint_column in self.joint]
        parts += [joint_column.known.astype(np.float64) for joint_column in self.joint if not joint_column.known.all()]
        most = MOST_CATEGORIES
        nominal = [column for columns in self.permuted for column in columns]
        while most > 1 and rows * (len(parts) + most * len(nominal)) > _MOST_CELLS:
            most //= 2
        for column in nominal:
            parts += _encode_one_hot(column, most)
        return np.column_stack(parts) if parts else np.zeros((rows, 1))

    def standard(self, rows: int) -> tuple[Floats, Bools]:
        """Return the jointly regenerated columns in standard deviations from the mean, and flags of their known values.

        A value that is not known is 0. Both have shape (rows, columns), possibly with 0 columns; ``rows`` is the number
        of records.
        """
        if not self.joint:
            return np.zeros((rows, 0)), np.zeros((rows, 0), dtype=np.bool_)
        return np.column_stack([joint_column.standard for joint_column in self.joint]), np.column_stack(
            [joint_column.known for joint_column in self.joint]
        )


def _drop_rare_spikes(numbers: Sequence[JointColumn], least: int) -> list[JointColumn]:
    """Return the columns with spikes (frequent values) treated as ordinary numbers where they are rare together.

    Spikes are frequent values treated as categories. A combination is rare if fewer than ``least`` records have it; its
    largest part that is itself a common combination is kept, and if there is none, all its values become ordinary
    numbers. Missing values are unchanged.
    """
    spiked = [~joint.known & ~joint.column.missing for joint in numbers if joint.spikes]
    if not spiked:
        return list(numbers)
    patterns, pattern, counts = np.unique(np.column_stack(spiked), axis=0, return_inverse=True, return_counts=True)
    common = patterns[counts >= least]
    common = common[np.lexsort((-counts[counts >= least], -common.sum(axis=1)))]
    left = patterns.copy()
    for rare in np.flatnonzero(counts < least):
        parts = common[~(common & ~patterns[rare]).any(axis=1)]
        left[rare] = parts[0] if len(parts) else False
    stays = iter(left[pattern.reshape(-1)].T)
    return [replace(joint, known=~joint.column.missing & ~next(stays)) if joint.spikes else joint for joint in numbers]


def _encode_one_hot(column: Column, most: int) -> list[Floats]:
    """Return indicators, each of shape (rows,), for the ``most`` most frequent categories, and last for all others.

    Missing values are a category. The list is empty where all rows have the same category; the last indicator is left
    out where there are no other categories. An indicator is 1 / sqrt(2) or 0.
    """
    codes = column.category_codes + 1
    counts = np.bincount(codes, minlength=1)
    order = np.argsort(-counts, kind="stable")
    frequent = [int(code) for code in order[:most] if counts[code]]
    if len(np.flatnonzero(counts)) < 2:
        return []
    parts = [(codes == code) / np.sqrt(2.0) for code in frequent]
    rest = ~np.isin(codes, frequent)
    return [*parts, rest / np.sqrt(2.0)] if rest.any() else parts


@dataclass(frozen=True, eq=False)
class Completed:
    """Values in which missing ones are replaced by the group's mean.

    Attributes
    ----------
    points
        The completed values, shape (records, columns).
    scale
        Shape (groups, columns): factor by which a standard deviation has to be multiplied to correct for missing
        values.
    known
        int64, shape (groups, columns): number of values that are not missing.
    """

    points: Floats
    scale: Floats
    known: Ints


def fill_missing_values(standard: Floats, present: Bools, group: Ints) -> Completed:
    """Return the values with missing ones replaced by the mean of the known values of their group.

    Where a group has no known value, the mean is 0 and the factor below is 1. ``standard`` (values) and ``present``
    (which are known) have shape (records, columns), and ``group`` is the group of each record, from 0. The result also
    has the numbers of known values, and the factors sqrt(size / known) by which standard deviations have to be
    multiplied, both of shape (groups, columns).
    """
    groups = int(group.max(initial=-1)) + 1
    sizes = np.bincount(group, minlength=groups)
    counts = np.repeat(sizes[:, None], standard.shape[1], axis=1).astype(np.int64)
    if present.all():
        return Completed(standard, np.ones(counts.shape), counts)
    points = standard.copy()
    for j in np.flatnonzero(~present.all(axis=0)):
        counts[:, j] = np.bincount(group, present[:, j], groups)
        sums = np.bincount(group, np.where(present[:, j], standard[:, j], 0.0), groups)
        means = sums / np.maximum(counts[:, j], 1)
        points[~present[:, j], j] = means[group[~present[:, j]]]
    scale = np.sqrt(sizes[:, None] / np.maximum(counts, 1))
    return Completed(points, np.where(counts > 0, scale, 1.0), counts)
