"""Rules between columns: order (a ≤ b, a + gap ≤ b), sum (a + b = c, a + b - c = d), and pairs of texts.

Pairs are of two kinds: one column's text determines the other's text or number, or some texts never occur together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, permutations, product
from math import floor, inf, isfinite, lgamma, log
from typing import Any, ClassVar, Self

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Floats, Ints
from ppdm_desktop.engine.recipe.models import ValueRuleSection
from ppdm_desktop.engine.table.codes import MOST_CODES
from ppdm_desktop.engine.table.column import Column, to_floats
from ppdm_desktop.engine.table.rules.base import (
    LEAST_BY_CHANCE,
    LEAST_SHARE,
    ROUND_STEPS,
    ComputedRule,
    Kind,
    Released,
    Survey,
    ValueRule,
    find_roundest,
)
from ppdm_desktop.engine.wording.catalogue import Sentence, lazy
from ppdm_desktop.engine.wording.values import Exact, Name, Terms

# --- several ------------------------------------------------------------------------------

_SAMPLE = 1_000
LEAST_ROWS, _LEAST_ROWS_UNBROKEN = 200, 50
_LEAST_PART = 0.01
"""Share of rows in which each part of a sum is other than zero, at least."""
_MOST_OF_NO_TOTAL = 3
"""Different values of a column that is no total, at most: such sums of codes may come by chance."""
_FITTED_SHARE = 0.9
"""Share of rows to which the weights of a sum are fitted, without those that fit worst."""
_NEARLY_WHOLE, _PRECISION, _TINY = 1e-4, 1e-9, 1e-13
YEAR = 365.2425
_NUMBERS, _DATES, AGE_AND_DATE = ("numeric", "numeric"), ("date", "date"), ("numeric", "date")
_MOST_YEARS, _YEARS = 120, (1900, 2100)
EDGE_WIDTH = 0.1
"""Standard deviations of the larger column within which people with a large smaller value are near their gap."""
_DAY_STEPS = (1 / 86_400, 1 / 1_440, 1 / 24, 1, 2, 5, 10, 20, YEAR / 12, YEAR / 4)
DATE_STEPS = (*_DAY_STEPS, *(YEAR * years for years in (1, 2, 5, 10, 20, 50, 100)))
"""Days to which differences between dates are rounded."""


@dataclass(frozen=True)
class OrderRule(ValueRule):
    """The first of two numbers or dates is at most the second, or less than it by a gap.

    A time of day counts only where both have one. Of a number of years and a date, such as an age and a day of hire,
    the first stands for the day so many years before 1970.

    Attributes
    ----------
    low, high
        The least and greatest difference between them, rounded outwards so that enough people are near it; of dates in
        days.
    gap
        The difference below which a row breaks the rule, in the same unit: a round number that enough people share or
        are near; 0 where the order alone says something.
    kinds
        The kinds of the two columns.
    """

    id: ClassVar[Kind] = "order"
    low: float = 0.0
    high: float = inf
    gap: float = 0.0
    kinds: tuple[str, ...] = _NUMBERS

    @property
    def title(self) -> Sentence:
        """The rule as a sentence: the first column is at most, or of dates not after, the second, or how much less."""
        first, second = map(Name, self.columns)
        years = round(self.gap / YEAR)
        if self.kinds == AGE_AND_DATE:
            return lazy(
                "{second} plus {first} years is {year:place} or later", first=first, second=second, year=1970 + years
            )
        if self.gap and self.kinds == _DATES:
            return lazy(
                "{second} is at least {years} {years:year|years} after {first}", first=first, second=second, years=years
            )
        if self.gap:
            return lazy("{second} is at least {first} + {gap}", first=first, second=second, gap=Exact(self.gap))
        if self.kinds == _DATES:
            return lazy("{first} is not after {second}", first=first, second=second)
        return lazy("{first} is at most {second}", first=first, second=second)

    @property
    def parameters(self) -> dict[str, Any]:
        """Return the least and greatest difference by their recipe keys; an infinite one is left out."""
        return {"low": self.low, **({"high": self.high} if isfinite(self.high) else {})}

    @classmethod
    def find(cls, survey: Survey) -> Iterator[Self]:
        """Yield the orders of numeric columns, then of date columns, then of numbers of years and dates.

        The first value is hardly ever above the second. A pair that follows from two others is left out: of a ≤ b ≤ c,
        only a ≤ b and b ≤ c, if b is filled wherever a and c are. For numbers the order, or the gap between them, must
        hold more often than by chance. For dates the order counts even if dates of different people would seldom break
        it.
        """
        yield from cls._find_chain(survey, survey.measured("numeric"))
        yield from cls._find_chain(survey, survey.measured("date"))
        pairs = product(survey.measured("numeric"), survey.measured("date"))
        years = (cls._find_between(survey, *pair) for pair in pairs if _can_be_years(survey, *pair))
        yield from filter(None, years)

    @classmethod
    def _find_chain(cls, survey: Survey, columns: list[Column]) -> Iterator[Self]:
        """Yield the orders of columns of one kind without those that follow from two others, as `find` says."""
        sample = sample_values(survey, columns)
        most = 1 + (1 - LEAST_SHARE) * len(sample)
        orders: dict[tuple[int, int], Self] = {}
        for first, second in permutations(range(len(columns)), 2):
            values = _to_unit(sample[:, first], columns[first], columns[second])
            # Comparisons with a missing value are false.
            if np.count_nonzero(values > sample[:, second]) <= most:
                order = cls._find_between(survey, columns[first], columns[second])
                orders |= {} if order is None else {(first, second): order}
        is_empty = [np.isnan(survey.numbers(column)) for column in columns]
        for first, second in sorted(orders):
            inner = [
                at
                for at in range(len(columns))
                if {(first, at), (at, second)} <= orders.keys() and not {(at, first), (second, at)} & orders.keys()
            ]
            if not any((is_empty[at] <= (is_empty[first] | is_empty[second])).all() for at in inner):
                yield orders[first, second]

    @classmethod
    def _find_between(cls, survey: Survey, first: Column, second: Column) -> Self | None:
        """Return the order of two columns if it holds in nearly all rows and chance does not explain it, else None.

        Chance may explain the order of two dates, but not the gap between years and a date.
        """
        numbers = _to_unit(survey.numbers(first), first, second), survey.numbers(second)
        if not _is_in_order(*numbers):
            return None
        order = cls._between(survey, first, second)
        if order.kinds == AGE_AND_DATE:
            return order if _is_clear_gap(*numbers, order.gap, survey.least) else None
        return order if order.gap or order.kinds == _DATES or _would_chance_break(*numbers) else None

    @classmethod
    def written(cls, section: ValueRuleSection, survey: Survey) -> Self | None:
        """Return the order of two columns, both of numbers or both of dates, or of years and a date; else None.

        If the recipe omits the least difference (or an end is a text), both ends of the difference are those of the
        file. If it omits only the greatest one, this is infinite.
        """
        columns = [survey.table.column(name) for name in section.columns]
        if tuple(column.kind for column in columns) not in (_NUMBERS, _DATES, AGE_AND_DATE):
            return None
        order = cls._between(survey, *columns)
        if section.low is None or isinstance(section.low, str) or isinstance(section.high, str):
            return order
        low, high = float(section.low), inf if section.high is None else float(section.high)
        return replace(order, low=low, high=high, gap=min(order.gap, low))

    @classmethod
    def _between(cls, survey: Survey, first: Column, second: Column) -> Self:
        """Return the order of two columns with the least and greatest difference, second less first, and the gap.

        It is taken over the rows that keep the order. Both ends are rounded outwards until ``survey.least`` rows have
        them; dates are in days. The least is never below 0; with fewer rows the ends are 0 and infinite. The gap is the
        least difference, or 0 where chance explains it: of dates in whole years; of numbers rounded down further, to
        steps that are no finer than matters, unless ``survey.least`` rows share it.
        """
        numbers = _to_unit(survey.numbers(first), first, second), survey.numbers(second)
        difference = numbers[1] - numbers[0]
        difference = difference[difference >= 0]
        steps, slack = DATE_STEPS, 1.0
        if second.kind != "date":
            # Differences of decimal fractions are not exact.
            steps, slack, difference = ROUND_STEPS, 0.0, np.round(difference, 6)
        low = max(round_smallest_down(difference, steps, survey.least, slack=slack), 0.0)
        high = -round_smallest_down(-difference, steps, survey.least)
        kinds = first.kind, second.kind
        if second.kind == "date":
            gap = floor((low + slack) / YEAR) * YEAR
        else:
            coarse = [step for step in steps if step >= EDGE_WIDTH / 2 * np.nanstd(numbers[1])]
            gap = max(round_smallest_down(difference, [steps[0], *coarse], survey.least), 0.0)
        if kinds != AGE_AND_DATE and not _is_clear_gap(*numbers, gap, survey.least):
            gap = 0.0
        return cls((first.name, second.name), low=low, high=high, gap=gap, kinds=kinds)

    def broken(self, released: Released) -> Bools:
        """Return which rows certainly have a first value above the second less the gap, bool, shape (rows,).

        This is so if the lowest number that the first may stand for, plus the gap, is above the highest that the second
        may stand for; a gap between dates may be a day too short.
        """
        columns = [released.original.column(name) for name in self.columns]
        # The more years, the earlier a day.
        lowest = released.ends(self.columns[0])[1 if self.kinds == AGE_AND_DATE else 0]
        slack = (1.0 if columns[1].kind == "date" else ROUND_STEPS[0]) if self.gap else 0.0
        return np.asarray(_to_unit(lowest, *columns) + self.gap - slack > released.ends(self.columns[1])[1])


@dataclass(frozen=True)
class YearsRule(ValueRule):
    """An age plus the year of an event is at least a year: nobody got the licence before the age of 17.

    Attributes
    ----------
    least
        The least sum of both, rounded down until enough people share it or are near it.
    """

    id: ClassVar[Kind] = "years"
    least: float = 0.0

    @property
    def title(self) -> Sentence:
        """The rule as a sentence."""
        age, year = map(Name, self.columns)
        return lazy("{year} + {age} is at least {least:place}", year=year, age=age, least=round(self.least))

    @classmethod
    def find(cls, survey: Survey) -> Iterator[Self]:
        """Yield the rule of each column of ages and each of years, if ages of other people would often break it."""
        numbers = survey.measured("numeric")
        rules = (cls._between(survey, age, year) for age in numbers for year in numbers)
        yield from filter(None, rules)

    @classmethod
    def written(cls, section: ValueRuleSection, survey: Survey) -> Self | None:
        """Return the rule of two columns with the file's least sum, or None where they hold no ages and years."""
        age, year = (survey.table.column(name) for name in section.columns)
        return cls._between(survey, age, year) if age.kind == year.kind == "numeric" else None

    @classmethod
    def _between(cls, survey: Survey, age: Column, year: Column) -> Self | None:
        """Return the rule of two numeric columns, or None where there is none.

        Ages lie between 0 and 120, and whole years between 1900 and 2100; there are more than twelve of each. Counted
        from the last year, no age began more than a year after its year.
        """
        ages, years = survey.numbers(age), survey.numbers(year)
        sums = (ages + years)[~np.isnan(ages + years)]
        is_whole = np.nanmax(years % 1) == 0
        are_both = _has_many_within(age, ages, (0, _MOST_YEARS)) and _has_many_within(year, years, _YEARS) and is_whole
        if not are_both or len(sums) < LEAST_ROWS or sums.min() < np.nanmax(years) - 1:
            return None
        least = round_smallest_down(sums, [step for step in ROUND_STEPS if step >= 1], survey.least)
        is_clear = _is_clear_gap(-ages, years, least, survey.least)
        return cls((age.name, year.name), least=least) if is_clear else None

    def broken(self, released: Released) -> Bools:
        """Return which rows certainly have a smaller sum, bool, shape (rows,)."""
        return np.asarray(released.ends(self.columns[0])[1] + released.ends(self.columns[1])[1] < self.least - 1e-9)


def _has_many_within(column: Column, numbers: Floats, ends: tuple[int, int]) -> bool:
    """Return whether a column has more than twelve different numbers, all between two ends."""
    return len(column.categories) > MOST_CODES and bool(ends[0] <= np.nanmin(numbers) and np.nanmax(numbers) <= ends[1])


def _to_unit(values: Floats, column: Column, other: Column) -> Floats:
    """Return numbers of a column as they compare with those of another one, in its unit.

    Dates lose their time of day if the other column's dates have none. Beside dates, a number of years becomes the day
    so long before 1970. Other values are unchanged.
    """
    if (column.kind, other.kind) == AGE_AND_DATE:
        return -YEAR * values
    return np.floor(values) if other.kind == "date" and "%H" not in (other.date_format or "") else values


def _can_be_years(survey: Survey, numbers: Column, dates: Column) -> bool:
    """Return whether numbers can be ages, or years since an event, on a day that all dates had passed.

    They are more than twelve different ones between 0 and 120. Counted back from the last date of all rows, no row's
    years begin more than a year after its date.
    """
    years, days = survey.numbers(numbers), survey.numbers(dates)
    if len(numbers.categories) <= MOST_CODES or np.nanmin(years) < 0 or np.nanmax(years) > _MOST_YEARS:
        return False
    ends = days + YEAR * years
    return bool(np.isfinite(ends).any() and np.nanmin(ends) >= np.nanmax(days) - YEAR)


def round_smallest_down(values: Floats, steps: Sequence[float], least: int, slack: float = 0.0) -> float:
    """Return the smallest value, rounded down to the first step that merges it with the ``least`` smallest values.

    Steps are tried in order. Minus infinity where none does, and for fewer than ``least`` values. Example: of 6, 7, 13
    and 90 with steps of 1, 5 and 20 the smallest becomes 6 for one value, 5 for two and 0 for three.

    Parameters
    ----------
    values
        Numbers, shape (values,).
    slack
        Days by which a date may fall short of a whole number of years, as leap years are not equally frequent; fewer
        for smaller steps.
    """
    if len(values) < least:
        return -inf
    first, last = np.partition(values, (0, least - 1))[[0, least - 1]].tolist()
    for step in steps:
        allowed = slack * min(step / YEAR, 1.0) + max(1e-9 * step, 1e-12 * abs(first))
        multiple = floor((first + allowed) / step)
        if floor((last + allowed) / step) == multiple:
            # Multiples of 0.1 are not exact.
            return float(f"{multiple * step:.15g}")
    return -inf


def sample_values(survey: Survey, columns: list[Column], filled: Sequence[Column] = ()) -> Floats:
    """Return the numbers of the columns in up to 1,000 rows at equal distances, NaN where missing.

    Rows in which a column of ``filled`` has no value are left out before. The shape is (sampled rows, columns), or
    (0, 0) without columns. Dates are in days since 1970.
    """
    is_filled = ~np.isnan([np.zeros(survey.table.rows), *map(survey.numbers, filled)]).any(axis=0)
    rows = np.flatnonzero(is_filled)
    rows = rows[np.linspace(0, len(rows) - 1, min(_SAMPLE, len(rows))).astype(np.int64)]
    parts = [survey.numbers(column)[rows] for column in columns]
    return np.column_stack(parts) if parts else np.zeros((0, 0))


def _is_in_order(first: Floats, second: Floats) -> bool:
    """Return whether first ≤ second in at least 99.9 % of rows; rows in which one value is NaN do not count.

    False for fewer than 200 rows (or fewer than 50, if no row breaks the order), and for equal columns.
    """
    is_filled = ~np.isnan(first) & ~np.isnan(second)
    first, second = first[is_filled], second[is_filled]
    rows, broken = len(first), int(np.count_nonzero(first > second))
    enough = rows >= LEAST_ROWS or (rows >= _LEAST_ROWS_UNBROKEN and not broken)
    return enough and broken <= (1 - LEAST_SHARE) * rows and not (first == second).all()


def _would_chance_break(first: Floats, second: Floats) -> bool:
    """Return whether first ≤ second would often not hold if the rows were paired at random."""
    expected, rows = _count_out_of_order(first, second)
    return expected >= max(LEAST_BY_CHANCE, 10 * int(np.count_nonzero(first > second)), 0.01 * rows)


def _is_clear_gap(first: Floats, second: Floats, gap: float, least: int) -> bool:
    """Return whether second numbers paired at random would often be above the first ones, but by less than the gap.

    ``least`` of the rows with larger first numbers must then lie near the gap. They do not where the second is merely
    never small, as an income beside its tax.
    """
    with_gap, rows = _count_out_of_order(first, second, gap)
    if with_gap - _count_out_of_order(first, second)[0] < max(LEAST_BY_CHANCE, 0.01 * rows):
        return False
    difference = np.sort((second - first)[(first > np.nanmedian(first)) & ~np.isnan(second)])
    return len(difference) >= least and bool(difference[least - 1] - gap <= EDGE_WIDTH * np.nanstd(second))


def _count_out_of_order(first: Floats, second: Floats, gap: float = 0.0) -> tuple[float, int]:
    """Return in how many rows first + gap > second is expected if they are paired at random, and how many are paired.

    Rows with a zero, or a NaN, in one of them are not.
    """
    # Zero is below any number of another unit: days and cost are both zero together, and else never overlap.
    is_paired = ~np.isnan(first) & ~np.isnan(second) & (first != 0) & (second != 0)
    first, second = first[is_paired] + gap, second[is_paired]
    below = np.searchsorted(np.sort(first), second, side="right")
    return float((len(first) - below).sum()) / max(len(first), 1), len(first)


@dataclass(frozen=True)
class SumRule(ComputedRule):
    """The last of several numbers is the sum of the others, some of which may be subtracted.

    Attributes
    ----------
    minus
        Names of the columns that are subtracted.
    """

    id: ClassVar[Kind] = "sum"
    minus: tuple[str, ...] = ()

    @property
    def parts(self) -> dict[str, int]:
        """The sign of each part, by its column: 1 where it is added, -1 where it is subtracted."""
        return {name: -1 if name in self.minus else 1 for name in self.columns[:-1]}

    @property
    def title(self) -> Sentence:
        """The rule as a sentence: "total is the sum of a and b", with ", less c" if parts are subtracted."""
        total, parts = Name(self.columns[-1]), name_all([name for name, sign in self.parts.items() if sign > 0])
        if self.minus:
            return lazy(
                "{total} is the sum of {parts}, less {minus}", total=total, parts=parts, minus=name_all(self.minus)
            )
        return lazy("{total} is the sum of {parts}", total=total, parts=parts)

    @classmethod
    def find(cls, survey: Survey) -> Iterator[Self]:
        """Yield the sums among numeric columns that hold in at least 99.9 % of the rows and follow from no others.

        A sum has parts that are added, perhaps parts that are subtracted, and a total. Rows in which one of them is
        missing do not count. Columns with fewer than 50 filled rows or a single value are left out.
        """
        columns = [column for column in survey.measured("numeric") if _has_values_to_add(survey.numbers(column))]
        numbers = [survey.numbers(column) for column in columns]
        for weights in _find_sum_weights(numbers, sample_values(survey, columns)):
            minus = tuple(columns[index].name for index in [*weights][:-1] if weights[index] < 0)
            yield cls(tuple(columns[index].name for index in weights), minus=minus)

    @classmethod
    def written(cls, section: ValueRuleSection, survey: Survey) -> Self | None:
        """Return the sum that the recipe declares; None where a column is not numeric."""
        kinds = {survey.table.column(name).kind for name in section.columns}
        return cls(section.columns, minus=section.minus or ()) if kinds == {"numeric"} else None

    def compute(self, parts: Sequence[Floats]) -> Floats:
        """Return the sum of the signed parts."""
        return np.asarray(sum(sign * part for sign, part in zip(self.parts.values(), parts, strict=True)))

    def broken(self, released: Released) -> Bools:
        """Return which released rows certainly break the sum, bool, shape (rows,).

        A row breaks it if no choice of the values that its ranges and rounded numbers may stand for makes the parts add
        up to the total, apart from a small rounding error. False where a value of the sum is missing.
        """
        low, high = np.zeros((2, released.table.rows))
        for name, sign in self.parts.items():
            lowest, highest = (sign * end for end in released.ends(name)[::sign])
            low, high = low + lowest, high + highest
        least, most = released.ends(self.columns[-1])
        with np.errstate(invalid="ignore"):
            slack = _compute_tolerance(high)
            return np.asarray((most < low - slack) | (least > high + slack))

    @property
    def parameters(self) -> dict[str, Any]:
        """The columns that are subtracted, by key of a recipe section; empty if none is."""
        return {"minus": self.minus} if self.minus else {}

    def section(self, *, kept: bool, exact: bool = True) -> ValueRuleSection:
        """Return the recipe section that keeps or drops the rule; it always says which parts are subtracted."""
        return super().section(kept=kept, exact=True)


def name_all(names: Sequence[str]) -> Terms:
    """Return a list of all these column names as part of a sentence, however many there are."""
    return Terms(tuple(lazy("{column}", column=Name(name)) for name in names), all_named=True)


def _find_sum_weights(numbers: Sequence[Floats], sample: Floats) -> Iterator[dict[int, int]]:
    """Yield each sum as weights by column index: 1 for added parts, -1 for subtracted ones, and last -1 for the total.

    ``{0: 1, 2: 1, 5: -1}`` means that the columns 0 and 2 add up to column 5. Added parts come first. Each sum has as
    few parts as combining it with other sums allows.

    Parameters
    ----------
    numbers
        The numbers of each column, shape (rows,).
    sample
        Some rows of them, shape (sampled rows, columns).
    """
    spread = [float(np.nanstd(column)) for column in numbers]
    shortest = _find_relations(numbers, sample, spread)
    for index, relation in enumerate(shortest):
        shortest[index] = _write_with_fewest(relation, shortest[:index] + shortest[index + 1 :])
    sums = [relation for relation in shortest if _is_sum(relation) and _holds(numbers, relation)]
    weights = (_arrange_sum(relation, spread) for relation in sums)
    yield from (signs for signs in weights if _needs_all_parts(numbers, signs))


def _find_relations(numbers: Sequence[Floats], sample: Floats, spread: Sequence[float]) -> list[Floats]:
    """Return a vector of weights, one for each column, for every column that is a linear combination of others.

    The columns times their weights add up to zero; the combined column has -1, columns that take no part 0. Columns are
    taken by rising ``spread``, and each is fitted to the earlier ones that are no combination themselves, so that the
    weights are unique. A fit must be exact in the sample, or a sum with weights 1 and -1, and hold in 99.9 % of all
    rows.

    Parameters
    ----------
    numbers
        The numbers of each column, shape (rows,).
    sample
        Some rows of them, shape (sampled rows, columns).
    spread
        Standard deviation of each column.
    """
    relations: list[tuple[int, Floats]] = []
    for chosen, rows in list_filled_samples(sample, _LEAST_ROWS_UNBROKEN):
        free: list[int] = []
        for column in sorted(chosen, key=lambda index: spread[index]):
            if any(column == last and chosen.issuperset(np.flatnonzero(known)) for last, known in relations):
                continue
            relation = np.zeros(len(numbers))
            relation[free], is_exact = fit_column(rows[:, free], rows[:, column])
            relation[column] = -1
            if (is_exact or _is_sum(relation)) and _holds(numbers, relation):
                relations.append((column, relation))
            elif not is_exact:
                free.append(column)
    return [relation for _, relation in relations]


def list_filled_samples(sample: Floats, least: int) -> Iterator[tuple[frozenset[int], Floats]]:
    """Yield sets of column indices with rows in which all of the set are filled, so that sums can be fitted.

    A set has up to three such samples, of different rows. Each column that was in no set before starts one, together
    with the columns that are filled most often where it is, as long as at least ``least`` rows, and enough for a fit,
    are left. Sets of fewer than three columns are left out. The rows have all columns of ``sample``.
    """
    is_filled, seen = ~np.isnan(sample), set[int]()
    for first in range(sample.shape[1]):
        if first in seen:
            continue
        there = is_filled[is_filled[:, first]]
        order = np.argsort(-there.sum(axis=0), kind="stable")
        rows = np.logical_and.accumulate(there[:, order], axis=1).sum(axis=0)
        chosen = frozenset(order[rows >= np.maximum(least, 2 * np.arange(1, len(order) + 1))].tolist())
        if len(chosen) > 2:
            seen |= chosen
            whole = sample[is_filled[:, [*chosen]].all(axis=1)]
            parts = min(max(len(whole) // max(LEAST_ROWS, 3 * len(chosen)), 1), 3)
            yield from ((chosen, whole[start::parts]) for start in range(parts))


def fit_column(parts: Floats, total: Floats) -> tuple[Floats, bool]:
    """Return the weights with which the parts come closest to the total, and whether they match it in all rows.

    Weights, of shape (parts,), that are close to whole numbers are rounded. The fit is made twice, the second time
    without the rows that fit worst (a tenth), so that exceptions do not spoil it. ``parts`` has shape (rows, parts),
    ``total`` (rows,).
    """
    sizes = np.maximum(np.linalg.norm(parts, axis=0), _TINY)
    weights, apart, near = np.zeros(len(sizes)), np.abs(total), np.ones(len(total), dtype=np.bool_)
    slack = _PRECISION * float(apart.max())
    is_exact = slack == 0
    for _ in range(2):
        scaled = parts[near] / sizes
        weights = np.linalg.solve(scaled.T @ scaled + _TINY * np.eye(len(sizes)), scaled.T @ total[near]) / sizes
        whole = np.rint(weights)
        weights = np.where(np.abs(weights - whole) <= _NEARLY_WHOLE, whole, weights)
        apart = np.abs(total - parts @ weights)
        near = apart <= np.quantile(apart, _FITTED_SHARE)
        is_exact = is_exact or bool(apart.max() <= slack)
    return weights, is_exact


def _write_with_fewest(relation: Floats, others: Sequence[Floats]) -> Floats:
    """Return weights, equivalent to ``relation``, of as few columns as possible and, if possible, only 1 and -1.

    Weights in ``others`` are added or subtracted, one at a time, as long as this improves it. All are vectors with one
    weight for each column. For example, a + b + d - e = 0 less a + b - c = 0 gives c + d - e = 0.
    """
    best = relation
    while True:
        made = min((best + sign * other for other in others for sign in (1, -1)), key=_rate_relation, default=best)
        if _rate_relation(made) >= _rate_relation(best):
            return best
        best = made


def _rate_relation(relation: Floats) -> tuple[bool, int]:
    """Return whether some weight is neither 1 nor -1, and how many weights are not zero; lower is simpler."""
    used = np.abs(relation[relation != 0])
    return bool(np.any(used != 1)), len(used)


def _is_sum(relation: Floats) -> bool:
    """Return whether weights form a sum: at least three columns, all with 1 or -1, and both signs occur."""
    multiplies, columns = _rate_relation(relation)
    return not multiplies and columns > 2 and abs(relation.sum()) < columns


def _arrange_sum(relation: Floats, spread: Sequence[float]) -> dict[int, int]:
    """Return a relation as a sum: the sign of each part by column index, added parts first, and last the total with -1.

    The total is the column whose sign no other has, or of several such columns or none the one of the largest spread.
    Weights 1, 1, -1 of the columns 0, 1, 2 give ``{0: 1, 1: 1, 2: -1}``.
    """
    used = np.flatnonzero(relation).tolist()
    single = [index for index in used if np.count_nonzero(relation[used] == relation[index]) == 1]
    total = max(single or used, key=lambda index: spread[index])
    signs = {index: int(-relation[index] * relation[total]) for index in used if index != total}
    return {**dict(sorted(signs.items(), key=lambda part: -part[1])), total: -1}


def _compute_tolerance(values: Floats) -> Floats:
    """Return the tolerance for floating-point error of each value: a billionth of it, or of 1 if it is smaller."""
    return np.asarray(1e-9 * np.maximum(np.abs(np.nan_to_num(values, posinf=0.0, neginf=0.0)), 1.0))


def _has_values_to_add(values: Floats) -> bool:
    """Return whether a column has at least 50 filled rows, and different values."""
    filled = values[~np.isnan(values)]
    return len(filled) >= _LEAST_ROWS_UNBROKEN and bool((filled != filled[0]).any())


def _needs_all_parts(numbers: Sequence[Floats], signs: dict[int, int]) -> bool:
    """Return whether every part matters to a sum, and the total has more than three values in the first 1,000 rows.

    A part does not matter if it is zero in more than 99 % of the rows, or (with its sign) equal to the total in more
    than 99 %. ``signs`` has the sign of each part by column index, and last that of the total, -1. Rows with a NaN do
    not count; fewer than 50 rows give False.
    """
    values = np.array([sign * numbers[index] for index, sign in signs.items()])
    values = values[:, ~np.isnan(values.sum(axis=0))]
    parts, total = values[:-1], -values[-1]
    if len(total) < _LEAST_ROWS_UNBROKEN or len(np.unique(total[:_SAMPLE])) <= _MOST_OF_NO_TOTAL:
        return False
    counts = np.count_nonzero(np.abs([*parts, *(total - parts)]) > _compute_tolerance(total), axis=1)
    return bool(counts.min() >= _LEAST_PART * len(total))


def _holds(numbers: Sequence[Floats], relation: Floats) -> bool:
    """Return whether columns times their weights add up to zero in at least 99.9 % of the rows in which all are filled.

    Columns with weight 0 do not count. The sum may differ from zero by a billionth of the row's largest term. True
    where no row has all filled.
    """
    terms = np.array([relation[index] * numbers[index] for index in np.flatnonzero(relation).tolist()])
    apart = np.abs(terms.sum(axis=0)) > _PRECISION * np.abs(terms).max(axis=0)
    filled = ~np.isnan(terms.sum(axis=0))
    return bool(np.count_nonzero(apart & filled) <= (1 - LEAST_SHARE) * np.count_nonzero(filled))


# --- pairs --------------------------------------------------------------------------------

MOST_VALUES = 200
TEXT_KINDS = ("nominal", "ordinal")
LEAST_EXPECTED = 5
_SURELY_MORE = 7
"""Expected rows of a cell that chance leaves with one row or none in fewer than 1 % of cases."""
_CHANCE = 0.01
"""Probability that some pair of independent columns is taken for a rule."""


@dataclass(frozen=True)
class PairRule(ValueRule):
    """One column determines another, or some pairs of their values never occur together.

    Attributes
    ----------
    decides
        Whether the first column determines the second; otherwise some pairs never occur.
    ranges
        If the first column is numeric: where each range of its numbers begins, rising from minus infinity, and which
        text of the second column it has. 18 and over may be "adult", and 65 and over "senior".
    """

    id: ClassVar[Kind] = "pair"
    decides: bool = False
    ranges: tuple[tuple[float, str], ...] = ()

    @property
    def title(self) -> Sentence:
        """The rule as a sentence: "town decides county", or "Some values of sex and title never occur together"."""
        first, second = map(Name, self.columns)
        if self.decides:
            return lazy("{first} decides {second}", first=first, second=second)
        return lazy("Some values of {first} and {second} never occur together", first=first, second=second)

    @classmethod
    def find(cls, survey: Survey) -> Iterator[Self]:
        """Yield a rule for each pair of columns of which one determines the other, or some values never occur together.

        Rows in which both are filled count; one in 1,000 may differ from what is determined, and chance must not
        explain the rule. Two nominal or ordinal columns with 2 to 200 values give two rules if each determines the
        other; missing pairs are looked for only if neither does. With a numeric column such a column gives at most one
        rule: it determines the numbers (2 to 200 different ones), or else ranges of the numbers determine it. These
        rules come last.
        """
        columns = [column for column in survey.table.columns if has_few_values(column)]
        pairs = list(combinations(columns, 2))
        for first, second in pairs:
            counts = _count_pairs(first, second)
            decided = [_determines_second(counts), _determines_second(counts.T)]
            if decided[0]:
                yield cls((first.name, second.name), decides=True)
            if decided[1]:
                yield cls((second.name, first.name), decides=True)
            if not any(decided) and _has_missing_pairs(counts, len(pairs)):
                yield cls((first.name, second.name))
        pairs = list(product(columns, survey.measured("numeric")))
        yield from filter(None, (cls.with_number(survey, first, second) for first, second in pairs))

    @classmethod
    def with_number(cls, survey: Survey, text: Column, number: Column) -> Self | None:
        """Return the rule by which a text determines a number, or else the number's ranges a text; None for neither."""
        if has_few_values(number, "numeric") and _determines_second(_count_pairs(text, number)):
            return cls((text.name, number.name), decides=True)
        ranges = _find_ranges(survey, number, text)
        return cls((number.name, text.name), decides=True, ranges=ranges) if ranges else None

    @classmethod
    def written(cls, section: ValueRuleSection, survey: Survey) -> Self | None:
        """Return the rule that the recipe declares between two columns; None where the columns' kinds do not fit.

        The values in the file, not the recipe, say whether the first column determines the second; else the rule is
        that some pairs never occur. A numeric second column fits only if it is determined, and a numeric first one only
        if its ranges determine the second.
        """
        first, second = (survey.table.column(name) for name in section.columns)
        if first.kind == "numeric" and second.kind in TEXT_KINDS:
            ranges = _find_ranges(survey, first, second)
            return cls(section.columns, decides=True, ranges=ranges) if ranges else None
        if first.kind not in TEXT_KINDS or second.kind not in (*TEXT_KINDS, "numeric"):
            return None
        decides = _determines_second(_count_pairs(first, second))
        return cls(section.columns, decides=decides) if decides or second.kind in TEXT_KINDS else None

    def broken(self, released: Released) -> Bools:
        """Return which released rows certainly have a pair of values that breaks the rule, bool, shape (rows,).

        If the first column determines the second, a pair breaks the rule if its second value is not the most frequent
        one that the first value has in the source. Otherwise a pair breaks it if the source lacks it although
        independent columns would show it in at least five rows. With ``ranges`` a pair breaks it if its text belongs to
        other ranges than those in which the number may lie. A generalised text counts as every value that it may stand
        for. False where one of the two values is missing.
        """
        first, second = (released.original.column(name) for name in self.columns)
        if self.ranges:
            return self._find_texts_of_other_ranges(released)
        is_known = self.find_allowed_pairs(first, second)
        released_columns = [released.table.column(name) for name in self.columns]
        if second.kind == "numeric":
            low, high = released.ends(second.name)
            return _find_unseen_pairs(
                find_possible_values(first, released_columns[0]) @ is_known,
                np.asarray(released_columns[0].category_codes, dtype=np.int64),
                second,
                low,
                high,
            )
        possible_values = [
            find_possible_values(source, column)
            for source, column in zip((first, second), released_columns, strict=True)
        ]
        fits = (possible_values[0].astype(np.float64) @ is_known @ possible_values[1].T.astype(np.float64)) > 0
        codes = [column.category_codes for column in released_columns]
        there = (codes[0] >= 0) & (codes[1] >= 0)
        return np.asarray(there & ~fits[codes[0], codes[1]]) if fits.size else np.zeros(len(there), dtype=np.bool_)

    def find_allowed_pairs(self, first: Column, second: Column) -> Bools:
        """Return which pairs of values keep a rule without ranges, bool, shape (first values, second values).

        They are judged by how often they occur together in the two columns given.
        """
        counts = _count_pairs(first, second)
        if self.decides:
            return np.asarray(counts == counts.max(axis=1, keepdims=True))
        return np.asarray((counts > 0) | (_compute_expected_rows(counts) < LEAST_EXPECTED))

    def _find_texts_of_other_ranges(self, released: Released) -> Bools:
        """Return which released rows certainly have a text that no range has in which the number may lie.

        A text that no range has breaks nothing, nor does a row in which number or text is missing.
        """
        source, column = (table.column(self.columns[1]) for table in (released.original, released.table))
        texts = [text for _, text in self.ranges]
        possible = np.zeros((len(column.categories) + 1, len(texts) + 1), dtype=np.int64)
        can_be = find_possible_values(source, column)
        of_range = can_be[:, [source.categories.index(text) for text in texts]]
        has_other = can_be[:, [text not in texts for text in source.categories]].any(axis=1, keepdims=True)
        np.cumsum(of_range | has_other, axis=1, out=possible[:-1, 1:])
        low, high = released.ends(self.columns[0])
        codes = np.asarray(column.category_codes, dtype=np.int64)
        starts = [start for start, _ in self.ranges]
        first, last = (np.searchsorted(starts, end + 1e-9, side="right") - 1 for end in (low, high))
        return np.asarray((codes >= 0) & ~np.isnan(low) & (possible[codes, last + 1] == possible[codes, first]))


def _find_ranges(survey: Survey, first: Column, second: Column) -> tuple[tuple[float, str], ...]:
    """Return the ranges of a numeric column that determine a column of texts, as `PairRule.ranges`; () without any.

    They must fit 99.9 % of at least 200 rows, and chance must not explain them. Each range, and each text that counts,
    has as many rows as must share a value; rows with rarer texts do not count. A range begins at the roundest number
    above the last number of the one before, up to its own first. Some rows are tried first.
    """
    numbers, codes = survey.numbers(first), np.asarray(second.category_codes, dtype=np.int64)
    is_common = np.append(second.category_counts >= survey.least, False)
    for skipped, least in ((max(survey.table.rows // _SAMPLE, 1), 1), (1, survey.least)):
        is_filled = ~np.isnan(numbers[::skipped]) & is_common[codes[::skipped]]
        distinct, ids = np.unique(numbers[::skipped][is_filled], return_inverse=True)
        width = len(second.categories)
        cells = ids.reshape(-1) * width + codes[::skipped][is_filled]
        counts = np.bincount(cells, minlength=len(distinct) * width).reshape(-1, width)
        total, other = int(counts.sum()), int(counts.sum() - counts.sum(axis=0).max(initial=0))
        begins = _divide_into_ranges(counts, least)
        # More ranges than this may come by chance.
        if not 1 < len(begins) <= 3 + other / LEAST_BY_CHANCE:
            return ()
        of_range = np.add.reduceat(counts, begins, axis=0)
        wrong = total - int(of_range.max(axis=1).sum())
        if wrong > (1 - LEAST_SHARE) * total + (skipped > 1):
            return ()
    if total < LEAST_ROWS or other < LEAST_BY_CHANCE * max(wrong, 1):
        return ()
    starts = [find_roundest(np.nextafter(distinct[begin - 1], inf), distinct[begin]) for begin in begins[1:]]
    return tuple(zip([-inf, *starts], (second.categories[text] for text in of_range.argmax(axis=1)), strict=True))


def _divide_into_ranges(counts: Ints, least: int) -> Ints:
    """Return where the ranges of rising numbers begin in which one text is the most frequent, as indices of numbers.

    Ranges of fewer than ``least`` rows join the one before, or the first one the one behind it; then neighbours of the
    same text are joined. The first index is 0; the result is empty without numbers, and where no range has ``least``
    rows before joining.
    ``counts`` has the rows of each number and text, shape (numbers, texts).
    """
    most = counts.argmax(axis=1)
    begins = np.flatnonzero(np.append(True, most[1:] != most[:-1])) if len(most) else np.zeros(0, dtype=np.int64)
    sizes = np.add.reduceat(counts.sum(axis=1), begins) if len(begins) else begins
    begins = begins[sizes >= least]
    begins = begins[np.append(True, most[begins[1:]] != most[begins[:-1]])] if len(begins) else begins
    return np.append(0, begins[1:]) if len(begins) else begins


def has_few_values(column: Column, *kinds: str) -> bool:
    """Return whether a column has 2 to 200 values and is of one of ``kinds``, nominal or ordinal by default."""
    return column.kind in (kinds or TEXT_KINDS) and 1 < len(column.categories) <= MOST_VALUES


def _find_unseen_pairs(is_known: Bools, codes: Ints, numbers: Column, low: Floats, high: Floats) -> Bools:
    """Return which rows have a number that never occurs with their text in the source, bool, shape (rows,).

    A row with an interval counts if no number in it occurs with the text. False where number or text is missing.

    Parameters
    ----------
    is_known
        Which of the source's numbers occur with each released text, shape (texts, numbers).
    codes
        The text of each row, -1 where it is missing.
    numbers
        The source's numeric column.
    low, high
        The ends of what each row's number may stand for, NaN where it is missing.
    """
    values = to_floats(numbers.categories, numbers.style.decimal if numbers.style is not None else ".")
    order = np.argsort(values)
    count = np.zeros((len(is_known) + 1, len(values) + 1), dtype=np.int64)
    np.cumsum(is_known[:, order], axis=1, out=count[:-1, 1:])
    there = (codes >= 0) & ~np.isnan(low)
    first, behind = np.searchsorted(values[order], low - 1e-9), np.searchsorted(values[order], high + 1e-9)
    return np.asarray(there & (count[codes, behind] == count[codes, first]))


def _count_pairs(first: Column, second: Column) -> Ints:
    """Return how many rows have each pair of values, shape (values of the first, values of the second).

    Rows in which either is missing are not counted.
    """
    height, width = len(first.categories), len(second.categories)
    is_filled = (first.category_codes >= 0) & (second.category_codes >= 0)
    cells = first.category_codes[is_filled].astype(np.int64) * width + second.category_codes[is_filled]
    return np.bincount(cells, minlength=height * width).reshape(height, width)


def _compute_expected_rows(counts: Ints) -> Floats:
    """Return how many rows each pair of values would have if the columns were independent, shaped as ``counts``."""
    return np.asarray(np.outer(counts.sum(axis=1), counts.sum(axis=0)) / max(int(counts.sum()), 1))


def _determines_second(counts: Ints) -> bool:
    """Return whether each value of the first column has one value of the second, and chance does not explain this.

    ``counts`` has the rows with each pair of values, shape (first values, second values). One row in 1,000 may differ.
    Chance explains it where first values are nearly unique, or nearly all rows have the same second value. False
    without rows.
    """
    total = int(counts.sum())
    if not total:
        return False
    first, most = counts.sum(axis=1), counts.max(axis=1)
    commonest = counts.sum(axis=0).max() / total
    by_chance = float(np.maximum(first - 1, 0).sum() * (1 - commonest))
    return int(most.sum()) >= LEAST_SHARE * total and by_chance >= LEAST_BY_CHANCE


def determines_either(first: Column, second: Column) -> bool:
    """Return whether one of two nominal or ordinal columns determines the other in at least 99.9 % of the rows.

    False where chance explains this, for columns of another kind, and for fewer than 2 or more than 200 values.
    """
    if not (has_few_values(first) and has_few_values(second)):
        return False
    counts = _count_pairs(first, second)
    return _determines_second(counts) or _determines_second(counts.T)


def _has_missing_pairs(counts: Ints, pairs: int) -> bool:
    """Return whether more pairs of values are missing than chance and rarity explain.

    By chance a cell is empty with probability exp(-expected rows), and any set of as many cells could be the empty one.
    If pairs are only rare, others occur once: by Good and Turing, other people have unseen pairs in as large a share
    of rows as pairs that occur once have here.

    Parameters
    ----------
    counts
        Rows with each pair of values, shape (first values, second values).
    pairs
        How many pairs of columns are tested.
    """
    expected = _compute_expected_rows(counts)
    if np.count_nonzero((expected >= _SURELY_MORE) & (counts == 1)) > (1 - LEAST_SHARE) * counts.sum():
        return False
    tested = expected >= LEAST_EXPECTED
    empty = tested & (counts == 0)
    number, cells = int(np.count_nonzero(empty)), int(np.count_nonzero(tested))
    if not number:
        return False
    sets = lgamma(cells + 1) - lgamma(number + 1) - lgamma(cells - number + 1)
    return float(expected[empty].sum()) - sets >= log(pairs / _CHANCE)


def find_possible_values(source: Column, column: Column) -> Bools:
    """Return which values of the source each different released text may stand for, bool, shape (released, source).

    Both are in the order of the columns' categories. A generalised text stands for all values below it in the
    hierarchy, an unknown text for any value.
    """
    generalisation = _Generalisation(source)
    return np.array([generalisation.find_possible(text) for text in column.categories], dtype=np.bool_).reshape(
        len(column.categories), len(source.categories)
    )


@dataclass(frozen=True)
class _Generalisation:
    """Finds the source values that a generalised text may stand for, by the column's hierarchy or as a masked code."""

    source: Column

    @cached_property
    def _exact(self) -> dict[str, int]:
        """The index of each category of the source, by its text."""
        return {text: code for code, text in enumerate(self.source.categories)}

    @cached_property
    def _levels(self) -> dict[str, list[int]]:
        """The codes, ascending, of the source's values below each text of its hierarchy; empty without one."""
        tree, codes_of_label = self.source.hierarchy, dict[str, list[int]]()
        for code, text in enumerate(self.source.categories):
            for label in set(tree.generalised.get(text, ())) if tree is not None else ():
                codes_of_label.setdefault(label, []).append(code)
        return codes_of_label

    def find_possible(self, text: str) -> Bools:
        """Return which source values a text may stand for, bool, shape (values,).

        A value of the source stands for itself, a text of its hierarchy for all values below it. Any other text that
        ends in asterisks stands for the values of the same length that begin like it: "802**" for "80210". A text that
        fits none of these, or has only asterisks, may stand for any value, so all are True.
        """
        fits = np.zeros(len(self.source.categories), dtype=np.bool_)
        start = text.rstrip("*")
        codes: Sequence[int] = []
        if text in self._exact:
            codes = [self._exact[text]]
        elif text in self._levels:
            codes = self._levels[text]
        elif start and start != text:
            codes = [code for label, code in self._exact.items() if label.startswith(start) and len(label) == len(text)]
        fits[list(codes)] = True
        return fits if len(codes) else ~fits
