"""Rules between columns of numbers or dates: order (a ≤ b) and sum (a + b = c)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import ClassVar, Self

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Floats
from ppdm_desktop.engine.recipe.models import ValueRuleSection
from ppdm_desktop.engine.table.codes import MOST_CODES
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.rules.base import (
    LEAST_BY_CHANCE,
    LEAST_SHARE,
    Kind,
    Released,
    Survey,
    ValueRule,
)
from ppdm_desktop.engine.wording.catalogue import Sentence, lazy
from ppdm_desktop.engine.wording.values import Name

_SAMPLE, _FIRST = 1_000, 24
_LEAST_ROWS, _LEAST_ROWS_UNBROKEN = 200, 50
_LEAST_PART = 0.05
"""Share of rows in which each part of a sum is other than zero, at least."""


@dataclass(frozen=True)
class OrderRule(ValueRule):
    """The first of two numbers or dates is at most the second."""

    id: ClassVar[Kind] = "order"

    @property
    def title(self) -> Sentence:
        """Return the rule as a sentence: the first column is at most the second."""
        first, second = map(Name, self.columns)
        return lazy("{first} is at most {second}", first=first, second=second)

    @property
    def shown_as(self) -> Sentence:
        """Return the kind of rule in one word for recipients: ``order``."""
        return lazy("order")

    @classmethod
    def find(cls, survey: Survey) -> Iterator[Self]:
        """Yield the pairs of columns in which the order holds and would not by chance."""
        for kind in ("numeric", "date"):
            columns = survey.measured(kind)
            sample = _sampled(survey, columns)
            for first, second in permutations(range(len(columns)), 2):
                # Comparisons with a missing value are false.
                if np.count_nonzero(sample[:, first] > sample[:, second]) > 1 + (1 - LEAST_SHARE) * len(sample):
                    continue
                if _in_order(survey.numbers(columns[first]), survey.numbers(columns[second])):
                    yield cls((columns[first].name, columns[second].name))

    @classmethod
    def written(cls, section: ValueRuleSection, survey: Survey) -> Self | None:
        """Return the order of two columns of one kind; None for other columns."""
        kinds = {survey.table.column(name).kind for name in section.columns}
        return cls(section.columns) if kinds in ({"numeric"}, {"date"}) else None

    def broken(self, released: Released) -> Bools:
        """Return which rows have a first value above the second, even at the ends most in favour of the rule."""
        return np.asarray(released.ends(self.columns[0])[0] > released.ends(self.columns[1])[1])


def _sampled(survey: Survey, columns: list[Column]) -> Floats:
    """Return the values of rows at equal distances, shape (sampled rows, columns)."""
    rows = np.linspace(0, survey.table.rows - 1, min(_SAMPLE, survey.table.rows)).astype(np.int64)
    parts = [survey.numbers(column)[rows] for column in columns]
    return np.column_stack(parts) if parts else np.zeros((0, 0))


def _in_order(first: Floats, second: Floats) -> bool:
    """Return whether first ≤ second in nearly all rows, while independent columns would break it often."""
    is_filled = ~np.isnan(first) & ~np.isnan(second)
    first, second = first[is_filled], second[is_filled]
    rows, broken = len(first), int(np.count_nonzero(first > second))
    enough = rows >= _LEAST_ROWS or (rows >= _LEAST_ROWS_UNBROKEN and not broken)
    if not enough or broken > (1 - LEAST_SHARE) * rows or (first == second).all():
        return False
    below = np.searchsorted(np.sort(first), second, side="right")
    by_chance = float((rows - below).mean())
    return by_chance >= max(LEAST_BY_CHANCE, 10 * broken, 0.01 * rows)


@dataclass(frozen=True)
class SumRule(ValueRule):
    """The third of three numbers is the sum of the first two."""

    id: ClassVar[Kind] = "sum"

    @property
    def title(self) -> Sentence:
        """Return the rule as a sentence with its three columns."""
        first, second, total = map(Name, self.columns)
        return lazy("{total} is {first} plus {second}", first=first, second=second, total=total)

    @property
    def shown_as(self) -> Sentence:
        """Return the kind of rule in one word for recipients: ``sum``."""
        return lazy("sum")

    @classmethod
    def find(cls, survey: Survey) -> Iterator[Self]:
        """Yield the triples of columns that form a sum; a small sample rules out nearly all others first."""
        columns = [column for column in survey.measured("numeric") if _can_be_part(survey.numbers(column))]
        sample = _sampled(survey, columns)
        rows = sample[np.argsort(np.isnan(sample).sum(axis=1), kind="stable")[:_FIRST]] if len(columns) > 2 else sample
        for first, second in combinations(range(len(columns)), 2):
            total = rows[:, first] + rows[:, second]
            with np.errstate(invalid="ignore"):
                apart = ~(np.abs(rows - total[:, None]) <= _slack(total)[:, None])
            misses = np.count_nonzero(apart & ~np.isnan(rows) & ~np.isnan(total)[:, None], axis=0)
            for third in np.flatnonzero(misses <= 1).tolist():
                names = tuple(columns[index].name for index in (first, second, third))
                if third not in (first, second) and _adds_up(
                    *(survey.numbers(survey.table.column(name)) for name in names)
                ):
                    yield cls(names)

    @classmethod
    def written(cls, section: ValueRuleSection, survey: Survey) -> Self | None:
        """Return the sum of three columns of numbers; None for other columns."""
        kinds = {survey.table.column(name).kind for name in section.columns}
        return cls(section.columns) if kinds == {"numeric"} else None

    def broken(self, released: Released) -> Bools:
        """Return which rows cannot fulfil the sum, whatever their released values may stand for."""
        (low, high), (more_low, more_high), (least, most) = (released.ends(name) for name in self.columns)
        with np.errstate(invalid="ignore"):
            slack = _slack(high + more_high)
            return np.asarray((most < low + more_low - slack) | (least > high + more_high + slack))


def _slack(values: Floats) -> Floats:
    """Return the tolerance for floating-point error of each value."""
    return np.asarray(1e-9 * np.maximum(np.abs(np.nan_to_num(values, posinf=0.0, neginf=0.0)), 1.0))


def _can_be_part(values: Floats) -> bool:
    """Return whether a column has enough rows and different values to be part of a sum."""
    filled = values[~np.isnan(values)]
    return len(filled) >= _LEAST_ROWS_UNBROKEN and len(np.unique(filled[:_SAMPLE])) > MOST_CODES // 4


def _adds_up(first: Floats, second: Floats, total: Floats) -> bool:
    """Return whether first + second = total in nearly all rows, with neither part mostly zero."""
    is_filled = ~np.isnan(first + second + total)
    first, second, total = first[is_filled], second[is_filled], total[is_filled]
    if len(total) < _LEAST_ROWS_UNBROKEN:
        return False
    apart = np.abs(first + second - total) > _slack(total)
    parts = min(np.count_nonzero(first), np.count_nonzero(second))
    return bool(np.count_nonzero(apart) <= (1 - LEAST_SHARE) * len(total) and parts >= _LEAST_PART * len(total))
