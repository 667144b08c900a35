"""Rules about one column of numbers or dates: range, grid, list and spike."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, ClassVar, Self

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.recipe.models import ValueRuleSection
from ppdm_desktop.engine.table.codes import MOST_CODES, guess_codes_answer
from ppdm_desktop.engine.table.column import Column, Table, to_exact_decimal
from ppdm_desktop.engine.table.public_grid import MOST_STEPS, DateGrid, NumberGrid
from ppdm_desktop.engine.table.rules.base import (
    LEAST_SHARE,
    Kind,
    Released,
    Survey,
    ValueRule,
    are_multiples,
    coarsest_step,
    date_numbers,
)
from ppdm_desktop.engine.wording.catalogue import Sentence, lazy
from ppdm_desktop.engine.wording.values import Exact, Name, Term, Terms, Value, to_year_or_amount

_SPIKE_SHARE, _SPIKE_RATIO, _MOST_SPIKES = 0.10, 3, 2
_GRID_SHARE, _LEAST_DIFFERENT = 0.99, 5


@dataclass(frozen=True)
class RangeRule(ValueRule):
    """All values are between two ends; an end that too few people have is rounded outwards to the public grid.

    Attributes
    ----------
    low, high
        The ends; dates are in days since 1970.
    texts
        The ends of dates as the column writes them; empty for numbers.
    """

    id: ClassVar[Kind] = "range"
    low: float = 0.0
    high: float = 0.0
    texts: tuple[str, ...] = ()

    @property
    def title(self) -> Sentence:
        """The rule as a sentence with both ends."""
        low, high = self._ends
        return lazy("{column} lies between {low} and {high}", column=Name(self.columns[0]), low=low, high=high)

    @property
    def parameters(self) -> dict[str, Any]:
        """Both ends, by their recipe keys."""
        low, high = self.texts or (self.low, self.high)
        return {"low": low, "high": high}

    @property
    def _ends(self) -> tuple[Value, Value]:
        """The lowest and highest value to fill into a sentence: as dates in text for a date column, else as numbers."""
        if self.texts:
            return Term(self.texts[0]), Term(self.texts[1])
        low, high = (to_year_or_amount(end, (self.low, self.high)) for end in (self.low, self.high))
        return low, high

    @classmethod
    def find(cls, survey: Survey) -> Iterator[Self]:
        """Yield the range from lowest to highest value of each numeric column, then of each date column.

        Numeric columns that may be a list of values are left out, unless the recipe drops their list. An end that fewer
        than ``survey.least`` rows have is rounded outwards, so that it tells nobody's value, unless it is the number 0.
        Bounds that a numeric column declares are taken as they are.
        """
        for column in survey.measured("numeric"):
            if not _can_be_list(survey, column):
                yield cls(
                    (column.name,), low=_find_number_end(column, survey, 0), high=_find_number_end(column, survey, -1)
                )
        for column in survey.measured("date"):
            rule = cls._from_dates(column, _find_date_end(column, survey, 0), _find_date_end(column, survey, -1))
            if rule is not None:
                yield rule

    @classmethod
    def written(cls, section: ValueRuleSection, survey: Survey) -> Self | None:
        """Return the range that the recipe declares; an end that it omits is taken from the file, as in ``find``.

        None where the ends do not fit the column's kind, for a column that is neither numeric nor of dates, and for one
        without values.
        """
        column = survey.table.column(section.columns[0])
        if not column.categories:
            return None
        if column.kind == "date":
            low = _find_date_end(column, survey, 0) if section.low is None else str(section.low)
            high = _find_date_end(column, survey, -1) if section.high is None else str(section.high)
            return cls._from_dates(column, low, high)
        if column.kind != "numeric" or isinstance(section.low, str) or isinstance(section.high, str):
            return None
        low_number = _find_number_end(column, survey, 0) if section.low is None else float(section.low)
        high_number = _find_number_end(column, survey, -1) if section.high is None else float(section.high)
        return cls(section.columns, low=low_number, high=high_number)

    @classmethod
    def _from_dates(cls, column: Column, low: str, high: str) -> Self | None:
        """Return the range between two dates in the column's format; None where one cannot be read."""
        first, last = date_numbers(Column.from_texts("ends", [low, high], kind="date", date_format=column.date_format))
        return None if np.isnan(first + last) else cls((column.name,), low=first, high=last, texts=(low, high))

    def broken(self, released: Released) -> Bools:
        """Return which values are certainly outside the range, bool, shape (released rows,); False where missing."""
        low, high = released.ends(self.columns[0])
        return np.asarray((high < self.low) | (low > self.high))


def _find_number_end(column: Column, survey: Survey, end_index: int) -> float:
    """Return the lowest (index 0) or highest (index -1) number of a column, rounded outwards if few rows have it.

    Few are fewer than ``survey.least``; 0 is never rounded, and declared bounds are taken as they are. It is rounded to
    the next round number of a grid that fits the column's spread; a number already on this grid goes to the next number
    of a wider one. Rounding stops at a number at which several columns end and which enough rows have there: a highest
    score of 99 becomes 100 where enough people have the 100 points of another test. Where such a number lies just
    inside the rounded end, the end is moved one step further, since it would give the value away.
    """
    if column.bounds is not None:
        return float(column.bounds[end_index])
    values, counts = column.counted_numbers()
    if counts[end_index] >= survey.least or not values[end_index]:
        return float(values[end_index])
    # Rounded less than the way to the next values that enough people reach, the end would tell an extreme value.
    outwards = slice(None, None, -1 if end_index else 1)
    reached = np.searchsorted(np.cumsum(counts[outwards]), min(survey.least, counts.sum()))
    gap = abs(values[end_index] - values[outwards][reached])
    grid = NumberGrid.of(column).spanning(to_exact_decimal(max(values[-1] - values[0], MOST_STEPS * gap)))
    sign = 1 if end_index else -1
    end = rounded = to_exact_decimal(values[end_index])
    if rounded % grid.step == 0:
        grid, rounded = grid.wider, rounded + sign * grid.own_step
    rounded = grid.up(rounded) if end_index else grid.down(rounded)
    shared = [to_exact_decimal(value) for value in _list_shared_ends(survey, end_index)]
    # An age at which another column begins says nothing of amounts in hundreds.
    step = max(grid.own_step, to_exact_decimal(coarsest_step(values)))
    fitting = [value for value in shared if value % step == 0]
    if passed := [value for value in fitting if sign * end <= sign * value <= sign * rounded]:
        return float(min(passed, key=lambda value: sign * value))
    # No shared end is rounded to this number: where one lies just below, the only value between both would be known.
    if any(sign * rounded - 2 * grid.own_step <= sign * value < sign * end for value in shared):
        rounded += sign * grid.step
    return float(rounded)


def _list_shared_ends(survey: Survey, end_index: int) -> list[float]:
    """Return the numbers at which numeric columns begin (index 0) or end (index -1) and that enough rows have there.

    Such as the full score of several tests. Enough are ``survey.least`` rows, over all columns with this end together;
    a row counts once, in however many of them it has the number.
    """
    ending: dict[float, list[Column]] = {}
    for column in survey.measured("numeric"):
        ending.setdefault(float(column.counted_numbers()[0][end_index]), []).append(column)
    shared = []
    for end, columns in ending.items():
        counts = [int(column.counted_numbers()[1][end_index]) for column in columns]
        rows = max(counts)
        if rows < survey.least <= sum(counts):
            rows = int(np.count_nonzero(np.any([survey.numbers(column) == end for column in columns], axis=0)))
        if rows >= survey.least:
            shared.append(end)
    return shared


def _find_date_end(column: Column, survey: Survey, end_index: int) -> str:
    """Return the first (index 0) or last (index -1) date of a column as text, rounded outwards if few rows have it.

    Few are fewer than ``survey.least``. It is rounded to the grid of dates that fits the column's spread, such as the
    first of a month or year; a date already on this grid goes to the next one of a wider grid. It is not rounded where
    the dates have no such grid, or in the years 1 and 9999.
    """
    text = column.categories[end_index]
    grid = DateGrid.of(column)
    end = None if grid is None or column.category_counts[end_index] >= survey.least else grid.read(text)
    if grid is None or end is None or not datetime.min.year < end.year < datetime.max.year:
        return text
    if grid.holds(end):
        grid, end = grid.wider, end + timedelta(days=1 if end_index else -1)
    return grid.written(grid.up(end) if end_index else grid.down(end))


@dataclass(frozen=True)
class GridRule(ValueRule):
    """All numbers are multiples of a step that is larger than one unit of their last decimal."""

    id: ClassVar[Kind] = "grid"
    step: float = 1.0

    @property
    def title(self) -> Sentence:
        """The rule as a sentence with the step."""
        return lazy("{column} is a multiple of {step}", column=Name(self.columns[0]), step=Exact(self.step))

    @property
    def parameters(self) -> dict[str, Any]:
        """The step, by its recipe key."""
        return {"step": self.step}

    @classmethod
    def find(cls, survey: Survey) -> Iterator[Self]:
        """Yield for each numeric column the rule with the coarsest step that divides at least 99 % of its values but 0.

        Such as 500 for prices. Rows are counted, not different values. Left out are columns that may be a list of
        values, and columns without such a step.
        """
        for column in survey.measured("numeric"):
            step = None if _has_few_values(survey, column) else find_grid_step(column)
            if step is not None:
                yield cls((column.name,), step=step)

    @classmethod
    def written(cls, section: ValueRuleSection, survey: Survey) -> Self | None:
        """Return the rule with the recipe's step, or with the step found in the file if the recipe states none.

        None where neither has one, and for a column that is not numeric.
        """
        column = survey.table.column(section.columns[0])
        if column.kind != "numeric":
            return None
        step = find_grid_step(column) if section.step is None else float(section.step)
        return None if step is None else cls(section.columns, step=step)

    def broken(self, released: Released) -> Bools:
        """Return which released values are certainly no multiple of the step, bool, shape (released rows,).

        With step 100, the number 250 breaks the rule; the range 250 to 320 does not, since it contains 300. False where
        the value is missing.
        """
        low, high = released.ends(self.columns[0])
        slack = 1e-9 * np.maximum(np.abs(low), self.step)
        with np.errstate(invalid="ignore"):
            return np.asarray(np.floor((high + slack) / self.step) < np.ceil((low - slack) / self.step))


def find_grid_step(column: Column) -> float | None:
    """Return the coarsest step that divides at least 99 % of a column's non-zero values, counted by rows; else None.

    It is 1 or 5 times a power of ten and more than 1.5 times the column's own unit of counting. At least five different
    values must be multiples of it.
    """
    values, counts = column.counted_numbers()
    values, counts = values[values != 0], counts[values != 0]
    style_step = float(column.style.step) if column.style is not None else 1.0
    if len(values) < _LEAST_DIFFERENT:
        return None
    largest = np.abs(values).max()
    steps = [factor * 10.0**power for power in range(-6, 13) for factor in (1, 5)]
    fitting = [
        step
        for step in steps
        if style_step * 1.5 < step <= largest
        and counts[are_multiples(values, step)].sum() >= _GRID_SHARE * counts.sum()
    ]
    step = max(fitting, default=None)
    on_grid = 0 if step is None else int(np.count_nonzero(are_multiples(values, step)))
    return step if on_grid >= _LEAST_DIFFERENT else None


def should_keep_range(table: Table, column: Column) -> bool:
    """Return whether changed numbers of a column have to stay in its range; False if the recipe drops that rule."""
    return all(rule.kept for rule in table.rules if rule.kind == RangeRule.id and rule.columns == (column.name,))


def find_public_range(table: Table, column: Column) -> tuple[float, float] | None:
    """Return the public ends (low, high) between which changed numbers must stay: the recipe's, else the file's.

    An end that the recipe omits is the file's, rounded outwards where few rows have it. None where the rule is not to
    be kept, the column has no number, or the recipe's ends are no numbers.
    """
    if not should_keep_range(table, column) or not len(column.counted_numbers()[0]):
        return None
    survey = Survey.of(table)
    written = [rule for rule in table.rules if rule.kind == RangeRule.id and rule.columns == (column.name,)]
    rule = RangeRule.written(written[0] if written else ValueRuleSection(kind="range", columns=(column.name,)), survey)
    return None if rule is None else (rule.low, rule.high)


def find_number_step(table: Table, column: Column) -> Decimal | None:
    """Return the step of which changed numbers must be multiples; None where the column's decimals alone decide.

    It is the step that the recipe states, else the one found in the column. None if the column has none, or the recipe
    drops the rule.
    """
    written = [rule for rule in table.rules if rule.kind == GridRule.id and rule.columns == (column.name,)]
    if not all(rule.kept for rule in written):
        return None
    step = next((rule.step for rule in written if rule.step is not None), None) or find_grid_step(column)
    return None if step is None else to_exact_decimal(step).normalize()


@dataclass(frozen=True)
class ListRule(ValueRule):
    """A numeric column holds one of a few numbers, such as grades, codes or weekly hours."""

    id: ClassVar[Kind] = "list"
    values: tuple[float, ...] = ()

    @property
    def title(self) -> Sentence:
        """The rule as a sentence with the values."""
        values = tuple(lazy("{value}", value=to_year_or_amount(value, self.values)) for value in self.values)
        return lazy("{column} is one of {values}", column=Name(self.columns[0]), values=Terms(values, all_named=True))

    @property
    def parameters(self) -> dict[str, Any]:
        """The values, by their recipe key."""
        return {"values": self.values}

    @classmethod
    def find(cls, survey: Survey) -> Iterator[Self]:
        """Yield for each numeric column of few different values the rule with all values that occur in it, ascending.

        Which columns have few is said by ``_has_few_values``.
        """
        for column in survey.measured("numeric"):
            if _has_few_values(survey, column):
                yield cls((column.name,), values=tuple(column.counted_numbers()[0].tolist()))

    @classmethod
    def written(cls, section: ValueRuleSection, survey: Survey) -> Self | None:
        """Return the rule with the recipe's values, ascending, or with those of the file if the recipe lists none.

        None where there are no values, and for a column that is not numeric.
        """
        column = survey.table.column(section.columns[0])
        if column.kind != "numeric":
            return None
        values = tuple(map(float, section.values or column.counted_numbers()[0].tolist()))
        return cls(section.columns, values=tuple(sorted(values))) if values else None

    def broken(self, released: Released) -> Bools:
        """Return which values are certainly not in the list, bool, shape (released rows,); False where missing.

        A range that contains a value of the list does not break the rule.
        """
        low, high = released.ends(self.columns[0])
        values = np.array(self.values)
        return np.asarray(~np.isnan(low) & (_count_up_to(values, high) <= _count_below(values, low)))


def has_codes(table: Table, column: Column) -> bool:
    """Return whether a column's numbers are probably codes, and the recipe has no rule on the list of its values.

    The owner's answer that they are numbers makes such a rule.
    """
    return guess_codes_answer(column) == "codes" and not _list_sections(table, column)


def should_keep_codes(table: Table, column: Column) -> bool:
    """Return whether changed numbers of a column must stay in the list of its values.

    They must where the recipe's rule on the list is kept, which the owner's answer "numbers" states, and without such a
    rule where they are probably codes.
    """
    answers = _list_sections(table, column)
    return all(rule.kept for rule in answers) if answers else guess_codes_answer(column) == "codes"


def do_averages_stay_in_list(table: Table, column: Column) -> bool:
    """Return whether an average of a column's values, rounded as in the column, is always one of these values.

    That is so if the column may hold codes, the recipe has a rule on its list of values (to keep or to drop it), and
    the whole numbers follow each other without a gap. False for any other column.
    """
    is_answered = guess_codes_answer(column) is not None and bool(_list_sections(table, column))
    return is_answered and bool((np.diff(column.counted_numbers()[0]) == 1).all())


def _can_be_list(survey: Survey, column: Column) -> bool:
    """Return whether a column has few different values, and the recipe does not say that they are no list."""
    return _has_few_values(survey, column) and all(rule.kept for rule in _list_sections(survey.table, column))


def _has_few_values(survey: Survey, column: Column) -> bool:
    """Return whether a numeric column may hold codes, or has two to twelve different numbers with decimals.

    Of numbers with decimals, those that at least ``survey.least`` rows have must make up 99 % of the filled rows.
    """
    if guess_codes_answer(column) is not None:
        return True
    if column.style is None or not column.style.decimals:
        return False
    counts = column.counted_numbers()[1]
    return 1 < len(counts) <= MOST_CODES and counts[counts >= survey.least].sum() >= _GRID_SHARE * counts.sum()


def _list_sections(table: Table, column: Column) -> list[ValueRuleSection]:
    """Return the rules that the recipe states on the list of values of a column."""
    return [rule for rule in table.rules if rule.kind == ListRule.id and rule.columns == (column.name,)]


def _count_up_to(values: np.ndarray, ends: np.ndarray) -> Ints:
    """Return how many of the sorted values are at most each end."""
    return np.searchsorted(values, ends + 1e-9, side="right")


def _count_below(values: np.ndarray, ends: np.ndarray) -> Ints:
    """Return how many of the sorted values are below each end."""
    return np.searchsorted(values, ends - 1e-9, side="left")


@dataclass(frozen=True)
class SpikeRule(ValueRule):
    """One number is far more frequent than any other and counts as a category of its own, such as 0 for "no bonus"."""

    id: ClassVar[Kind] = "spike"
    value: float = 0.0

    @property
    def title(self) -> Sentence:
        """The rule as a sentence with the value and how many people have it: "income is 0 for 120 people"."""
        return lazy(
            "{column} is {value} for {count} people",
            column=Name(self.columns[0]),
            value=Exact(self.value),
            count=self.holds_in,
        )

    @classmethod
    def find(cls, survey: Survey) -> Iterator[Self]:
        """Yield each spike: a number that at least a tenth of a column's filled rows, and far more than others, have.

        Far more means three times as many rows as the most frequent number below that tenth, and at least
        ``survey.least`` rows. A column has no spike where three or more numbers reach a tenth, where it has fewer than
        four different numbers, or where it may hold codes. A number of any column that the rows of another column's
        spike have, and no others (but for 0.1 %), is a spike as well, such as 0 claims where their amount is 0.
        """
        columns = survey.measured("numeric")
        spikes: dict[tuple[str, float], Column] = {}
        for column in columns:
            values, counts = column.counted_numbers()
            frequent = counts >= _SPIKE_SHARE * counts.sum()
            if guess_codes_answer(column) is None and 0 < np.count_nonzero(frequent) <= _MOST_SPIKES < len(values) - 1:
                least = max(_SPIKE_RATIO * int(counts[~frequent].max()), survey.least)
                spikes |= {(column.name, value): column for value in values[frequent & (counts >= least)].tolist()}
        for (_, value), column in list(spikes.items()):
            for paired_column in columns:
                paired = _find_paired_value(survey, column, value, paired_column)
                if paired is not None:
                    spikes.setdefault((paired_column.name, paired), paired_column)
        for name, value in spikes:
            yield cls((name,), value=value)

    @classmethod
    def written(cls, section: ValueRuleSection, survey: Survey) -> Self | None:
        """Return the rule with the recipe's value; None where there is none, and for a column that is not numeric."""
        fits = survey.table.column(section.columns[0]).kind == "numeric" and section.value is not None
        return cls(section.columns, value=float(section.value)) if fits and section.value is not None else None

    @property
    def parameters(self) -> dict[str, Any]:
        """The value, by its recipe key."""
        return {"value": self.value}

    def section(self, *, kept: bool, exact: bool = True) -> ValueRuleSection:
        """Return the recipe section that keeps or drops the rule.

        It always includes the value, whatever ``exact`` is, since a column may have two spikes.
        """
        return super().section(kept=kept, exact=True)

    def counted(self, survey: Survey) -> Self:
        """Return the rule with two counts of people: who have the value in some row, and who have any value."""
        numbers, persons = survey.numbers(survey.table.column(self.columns[0])), survey.table.persons
        holds_in, of = persons.among(numbers == self.value), persons.among(~np.isnan(numbers))
        return type(self)(self.columns, holds_in, of, self.kept, self.value)

    def broken(self, released: Released) -> Bools:
        """Return False for every row, since the rule says how frequent a value is, not that others are impossible."""
        return np.zeros(released.table.rows, dtype=np.bool_)


def _find_paired_value(survey: Survey, column: Column, value: float, paired_column: Column) -> float | None:
    """Return the number that another column has exactly where a column has ``value``, apart from 0.1 % of the rows.

    Rows without a number in one of the columns do not count. None where there is no such number, where fewer than
    ``survey.least`` rows have ``value``, or fewer than that another number, and if both columns are the same.
    """
    if paired_column is column:
        return None
    numbers, paired_numbers = survey.numbers(column), survey.numbers(paired_column)
    is_filled = ~np.isnan(numbers + paired_numbers)
    is_value, paired_numbers = numbers[is_filled] == value, paired_numbers[is_filled]
    if min(np.count_nonzero(is_value), np.count_nonzero(~is_value)) < survey.least:
        return None
    paired = float(np.quantile(paired_numbers[is_value], 0.5, method="lower"))
    return paired if np.mean((paired_numbers == paired) == is_value) >= LEAST_SHARE else None
