"""The base class of rules that values obey, and how released values are read for them."""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, ClassVar, Literal, Self

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Floats
from ppdm_desktop.engine.recipe.models import ValueRuleSection
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.dates import DateFormat, guess_date_format
from ppdm_desktop.engine.table.kinds import present_texts
from ppdm_desktop.engine.table.ranges import range_ends
from ppdm_desktop.engine.wording.catalogue import Sentence

LEAST_PEOPLE = 5
"""People who must share a value before it is shown, where no level says so."""
LEAST_SHARE = 0.999
"""Share of rows in which a rule holds at least, so that a few mistakes of the file do not hide it."""
LEAST_BY_CHANCE = 10
"""Rows that would break a rule if the columns had nothing to do with one another, at least: else it says nothing."""
_START = datetime(1970, 1, 1)
_DAY = timedelta(days=1)
_PARTIAL_DATE = re.compile(r"([0-9]{4})(?:-(?:(0[1-9]|1[0-2])|Q([1-4])))?")
ROUND_STEPS = tuple(factor * 10.0**power for power in range(-6, 9) for factor in (1, 2, 5))

Kind = Literal["range", "grid", "list", "spike", "pair", "limits", "filled", "order", "years", "sum", "product"]
Ends = tuple[Floats, Floats]


@dataclass(frozen=True)
class Survey:
    """A table whose columns are converted to numbers once, for finding rules.

    Attributes
    ----------
    table
        The source.
    least
        How many people must share a value before it is shown.
    """

    table: Table
    least: int
    _numbers: dict[str, Floats] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def of(cls, table: Table) -> Survey:
        """Return the survey of the columns that may be released: no identifiers, left-out columns or privacy levels.

        The strictest privacy level sets how many people must share a value, at least 5.
        """
        least = LEAST_PEOPLE if table.levels is None else int(table.levels.of("group").max(initial=LEAST_PEOPLE))
        return cls(table.without_role("identifier", "left-out", "privacy-level").mapped(_add_date_format), least)

    def measured(self, kind: str) -> list[Column]:
        """Return the columns of a kind, ``numeric`` or ``date``, that have at least one readable value."""
        columns = [column for column in self.table.columns if column.kind == kind]
        return [column for column in columns if np.isfinite(self.numbers(column)).any()]

    def numbers(self, column: Column) -> Floats:
        """Return the number of each row of a numeric or date column, shape (rows,), NaN where missing; computed once.

        Dates are in days since 1970-01-01, with the time of day as a fraction.
        """
        if column.name not in self._numbers:
            values = column.numbers if column.kind == "numeric" else date_numbers(column)
            self._numbers[column.name] = values
        return self._numbers[column.name]


def _add_date_format(column: Column) -> Column:
    """Return a date column with a guessed date format, and its values in order of time, if it has no format yet.

    The column is returned unchanged if it has a format, none can be guessed, or it is no date column.
    """
    if column.kind != "date" or column.date_format is not None:
        return column
    form = guess_date_format(present_texts(column)).format
    if form is None:
        return column
    made = replace(column, date_format=form.pattern)
    order = np.argsort(date_numbers(made, by_category=True), kind="stable").tolist()
    return replace(made, order=tuple(column.categories[code] for code in order))


@dataclass(frozen=True)
class ValueRule(ABC):
    """A relation that holds in all or nearly all rows of a table, such as "start ≤ end".

    Attributes
    ----------
    columns
        Names of the columns that the rule is about.
    holds_in, of
        Number of rows in which it holds, and of rows in which all its columns have a value.
    kept
        Whether changed and synthetic records have to obey the rule.
    """

    id: ClassVar[Kind]
    columns: tuple[str, ...]
    holds_in: int = 0
    of: int = 0
    kept: bool = True

    @property
    @abstractmethod
    def title(self) -> Sentence:
        """The rule as a sentence with the names of its columns."""

    @classmethod
    @abstractmethod
    def find(cls, survey: Survey) -> Iterator[Self]:
        """Yield all rules of this kind that hold in a table."""

    @classmethod
    @abstractmethod
    def written(cls, section: ValueRuleSection, survey: Survey) -> Self | None:
        """Return the rule that a section of the recipe declares; None where it does not fit the table's columns."""

    @abstractmethod
    def broken(self, released: Released) -> Bools:
        """Return which released rows certainly break the rule, bool, shape (released rows,)."""

    @property
    def parameters(self) -> dict[str, Any]:
        """The rule's settings besides its columns, by key of a recipe section; empty where it has none."""
        return {}

    def section(self, *, kept: bool, exact: bool = False) -> ValueRuleSection:
        """Return the recipe section that keeps or drops the rule.

        ``exact`` includes the settings that would otherwise be derived from the file again.
        """
        more = self.parameters if exact else {}
        return ValueRuleSection(kind=self.id, columns=self.columns, kept=kept, **more)

    def counted(self, survey: Survey) -> Self:
        """Return the rule with two counts of rows: in which all its columns have a value, and in which it then holds.

        A row with a missing value counts in neither.
        """
        original = survey.table
        is_filled = ~np.any([original.column(name).missing for name in self.columns], axis=0)
        broken = self.broken(Released(original, original))
        return replace(self, holds_in=int(np.count_nonzero(is_filled & ~broken)), of=int(np.count_nonzero(is_filled)))


@dataclass(frozen=True)
class ComputedRule(ValueRule):
    """A rule by which the number in the last column is worked out from those in the others."""

    @abstractmethod
    def compute(self, parts: Sequence[Floats]) -> Floats:
        """Return the result for each row from the numbers of the other columns, in their order, shape (rows,)."""


@dataclass(frozen=True)
class Released:
    """Released values as intervals of all original values that a range, rounded number or broader text may stand for.

    Attributes
    ----------
    original, table
        The source, and the released table; their rows need not correspond.
    as_printed
        Whether a rounded number or a limit stands for itself only.
    """

    original: Table
    table: Table
    as_printed: bool = False
    _ends: dict[str, Ends] = field(default_factory=dict, compare=False, repr=False)

    def ends(self, name: str) -> Ends:
        """Return two arrays: the lowest and the highest number that each released value may stand for, shape (rows,).

        Both are NaN where the value is missing; dates are in days since 1970. For values as printed, a number stands
        for itself only. Computed once for each column.
        """
        if name not in self._ends:
            released = self.table.column(name)
            is_exact = self.as_printed and released.kind == "numeric"
            self._ends[name] = _find_value_ends(released if is_exact else self.original.column(name), released)
        return self._ends[name]


def _find_value_ends(original: Column, released: Column) -> Ends:
    """Return two arrays: the lowest and the highest number that each released value may stand for, shape (rows,) each.

    Both are NaN where the value is missing, and equal where it is exact. A number rounded to tens stands for 5 less to
    5 more; the range "20-29" for 20 to 29; the lowest or highest number for all beyond it where values were cut off
    there (``_find_coded_ends``). A text that cannot be read gives minus and plus infinity, but NaN in a released date
    column. Dates are in days since 1970.
    """
    if released.kind == "numeric":
        values = released.numbers
        if released is original:
            return values, values
        wide = _find_rounding_step(original, released) / 2
        least, most = _find_coded_ends(original, values)
        low = np.where(values == least[0], least[1], values - wide)
        return low, np.where(values == most[0], most[1], values + wide)
    if released.kind == "date" and original.kind == "date":
        values = date_numbers(released)
        return values, values
    read = read_date_ends if original.kind == "date" else range_ends
    form = DateFormat.parse(original.date_format or "")
    ends = [
        (math.nan, math.nan) if text in released.missing_texts else _read_ends(read, text, form)
        for text in released.texts
    ]
    low_high = np.array(ends or [(math.nan, math.nan)], dtype=np.float64)[released.codes]
    return low_high[:, 0], low_high[:, 1]


def _find_coded_ends(original: Column, values: Floats) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return, for the lowest and for the highest released number, the pair (number, farthest value that it stands for).

    It shows where a release has cut off extreme values. Both of a pair are NaN if the number stands for itself only. It
    stands for all values beyond it if more records have it than in the source, but at most as many as reach it there,
    while no number between lowest and highest is more frequent than in the source. Example: if 20 records have the
    highest number 76,500, and in the source one has it and 19 have more, up to 90,000, the pair is (76500, 90000).
    """
    source, counts = original.counted_numbers()
    numbers, value_counts = np.unique(values[~np.isnan(values)], return_counts=True)
    exact = (math.nan, math.nan)
    if len(source) < 2 or len(numbers) < 2:
        return exact, exact
    at = np.minimum(np.searchsorted(source, numbers), len(source) - 1)
    has_it = np.where(source[at] == numbers, counts[at], 0)
    if np.any(value_counts[1:-1] > has_it[1:-1]):
        return exact, exact
    below, above = int(counts[source < numbers[0]].sum()), int(counts[source > numbers[-1]].sum())
    return (
        (float(numbers[0]), float(source[0])) if has_it[0] < value_counts[0] <= has_it[0] + below else exact,
        (float(numbers[-1]), float(source[-1])) if has_it[-1] < value_counts[-1] <= has_it[-1] + above else exact,
    )


def _read_ends(read: object, text: str, form: DateFormat | None) -> tuple[float, float]:
    """Return the ends of a text that is a range or a date; minus and plus infinity where it cannot be read.

    So, too, where the range ends below its beginning, as "40-30" does. ``read`` says how: ``range_ends`` for numbers,
    ``read_date_ends`` for dates in the format ``form``.
    """
    ends = range_ends(text) if read is range_ends else read_date_ends(text, form)
    return ends if ends is not None and ends[0] <= ends[1] else (-math.inf, math.inf)


def read_date_ends(text: str, form: DateFormat | None) -> tuple[float, float] | None:
    """Return the first and last moment of a date, month, quarter or year, in days since 1970; None for any other text.

    A date in the format ``form`` gives its own moment twice. ``2020-01``, ``2020-Q1`` and ``2020`` are read whatever
    the format is, for the years 1 to 9998, and end one second before the next period; ``2020 to 2024`` gives None.
    """
    moment = form.read(text) if form is not None else None
    if moment is not None:
        day = (moment[0] - _START) / _DAY
        return day, day
    match = _PARTIAL_DATE.fullmatch(text)
    if match is None:
        return None
    year, month, quarter = (int(part) if part else None for part in match.groups())
    if year is None or not 1 <= year < 9999:
        return None
    first = month or (3 * quarter - 2 if quarter else 1)
    count = 1 if month else 3 if quarter else 12
    after = year * 12 + first - 1 + count
    last = datetime(after // 12, after % 12 + 1, 1) - timedelta(seconds=1)
    return (datetime(year, first, 1) - _START) / _DAY, (last - _START) / _DAY


def date_numbers(column: Column, *, by_category: bool = False) -> Floats:
    """Return the dates of a column in days since 1970-01-01, NaN where missing or not in the column's date format.

    The time of day is a fraction of a day. The shape is (rows,), or (categories,) if ``by_category``.
    """
    form = DateFormat.parse(column.date_format or "")
    numbers = np.full(len(column.categories) + 1, np.nan)
    for code, text in enumerate(column.categories):
        moment = form.read(text) if form is not None else None
        numbers[code] = np.nan if moment is None else (moment[0] - _START) / _DAY
    return numbers[:-1] if by_category else np.asarray(numbers[column.category_codes])


def coarsest_step(values: Floats) -> float:
    """Return the largest step (1, 2 or 5 times a power of ten) of which all values are multiples.

    It is 0 where no step fits, without values, and where all values are 0.
    """
    steps = [step for step in ROUND_STEPS if len(values) and np.all(are_multiples(values, step))]
    return max(steps, default=0.0) if np.any(values) else 0.0


def find_roundest(low: float, high: float) -> float:
    """Return the roundest number from ``low`` to ``high``, such as 25,000 for 23,192 to 25,283.

    It is the smallest multiple there of the largest possible step, 1, 2 or 5 times a power of ten; ``low`` where no
    step fits, as when ``low`` is above ``high``.
    """
    largest = max(abs(low), abs(high))
    for power in range(math.ceil(math.log10(largest)) if largest else 0, -300, -1):
        # Powers of ten below 1 are not exact.
        up, down = 10.0 ** max(power, 0), 10.0 ** max(-power, 0)
        for factor in (5, 2, 1):
            rounded = math.ceil(low * down / up / factor) * factor * up / down
            if low <= rounded <= high:
                return rounded
    return low


def are_multiples(values: Floats, step: float) -> Bools:
    """Return which numbers are whole multiples of a step, up to floating-point error, bool, shape of ``values``."""
    ratio = values / step
    return np.asarray(np.abs(ratio - np.rint(ratio)) <= 1e-9 * np.maximum(np.abs(ratio), 1.0) + 1e-9)


def _find_rounding_step(original: Column, released: Column) -> float:
    """Return the step (1, 2 or 5 times a power of ten) to which released numbers were rounded.

    It is 0 if the source's numbers are not finer.
    """
    step = coarsest_step(released.counted_numbers()[0])
    return step if step > coarsest_step(original.counted_numbers()[0]) else 0.0
