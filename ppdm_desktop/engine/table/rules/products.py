"""Rules of multiplication: a number is a product of powers of other numbers, rounded, such as weight / height²."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Floats
from ppdm_desktop.engine.recipe.models import ValueRuleSection
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.rules.base import LEAST_SHARE, ComputedRule, Kind, Released, Survey, find_roundest
from ppdm_desktop.engine.table.rules.numbers import find_grid_step
from ppdm_desktop.engine.table.rules.pairs import LEAST_ROWS, fit_column, list_filled_samples, name_all, sample_values
from ppdm_desktop.engine.wording.catalogue import Sentence, lazy
from ppdm_desktop.engine.wording.values import Name

_LEAST_DIFFERENT, _MOST_EQUAL = 10, 0.9
"""Different values of a column at least, and share of rows with one value at most, for a product to say something."""
_LARGEST_POWER, _SAMPLE = 3, 1_000
_LARGEST_REST = 0.3
"""Median distance of logarithms from their fit, in standard deviations, from which on no product is tried."""


@dataclass(frozen=True)
class ProductRule(ComputedRule):
    """The last of several numbers is a constant times powers of the others, rounded.

    Attributes
    ----------
    powers
        The power of each part, in the order of the columns: 1 and -2 for weight / height².
    factor
        The constant, such as 10,000 where the height is in centimetres.
    step
        The step to which the result is rounded, such as 0.1.
    """

    id: ClassVar[Kind] = "product"
    powers: tuple[float, ...] = ()
    factor: float = 1.0
    step: float = 1.0

    @property
    def title(self) -> Sentence:
        """The rule as a sentence: "bmi follows from weight and height by multiplication or division"."""
        return lazy(
            "{total} follows from {parts} by multiplication or division",
            total=Name(self.columns[-1]),
            parts=name_all(self.columns[:-1]),
        )

    @classmethod
    def find(cls, survey: Survey) -> Iterator[Self]:
        """Yield the products among numeric columns that hold in at least 99.9 % of the rows without missing values.

        Their logarithms add up, so each column's logarithms are fitted to those of the columns that are taken before
        it, by rising spread, and that are no product themselves. A column is the result of one product at most. Left
        out are columns with fewer than ten different numbers or the same number in over 90 % of the rows, and powers
        beyond 3 or that are no multiples of 0.5.
        """
        columns = [column for column in survey.measured("numeric") if _has_many_values(column)]
        found: dict[str, Self] = {}
        for chosen, rows in _list_samples(survey, columns):
            spread, free = rows.std(axis=0), list[int]()
            order = sorted(chosen - {0}, key=lambda index: float(spread[index]))
            # Once more, because a column may follow from one that was taken after it.
            for index in (*order, *order):
                name = columns[index - 1].name
                others = [other for other in free if other != index]
                powers = _fit_powers(rows[:, [0, *others]], rows[:, index])
                parts = {columns[part - 1].name: power for part, power in zip(others, powers, strict=True) if power}
                rule = cls._of_relation(survey, {**parts, name: -1.0}) if parts and name not in found else None
                if rule is not None:
                    found[rule.columns[-1]] = rule
                free = [part for part in (*others, index) if columns[part - 1].name not in found]
        yield from found.values()

    @classmethod
    def written(cls, section: ValueRuleSection, survey: Survey) -> Self | None:
        """Return the product that the recipe declares, with the powers and the constant that hold in the file.

        None where none hold in 99.9 % of the rows, a column is not numeric or would have the power 0, or fewer than 200
        of the sampled rows (1,000 at most) have only positive values.
        """
        columns = [survey.table.column(name) for name in section.columns]
        if {column.kind for column in columns} != {"numeric"}:
            return None
        logs = _compute_logarithms(sample_values(survey, columns, columns))
        logs = logs[~np.isnan(logs).any(axis=1)]
        if len(logs) < LEAST_ROWS:
            return None
        powers = _fit_powers(logs[:, :-1], logs[:, -1])
        rule = cls(section.columns, powers=powers, step=_find_unit(columns[-1]))
        return rule._fitted(survey) if all(powers) else None

    @classmethod
    def _of_relation(cls, survey: Survey, powers: Mapping[str, float]) -> Self | None:
        """Return the rule that a constant product of powers, given by column name, amounts to; None if none holds.

        ``{"weight": 1, "height": -2, "bmi": -1}`` gives bmi from weight / height². Any column can be the result, if the
        powers of the others are then multiples of 0.5 and at most 3. Of those for which the rule holds, it is the one
        whose rounding matters least, since that of the true result is also the remainder of the others.
        """
        candidates = []
        for total, own in powers.items():
            of_part = {name: -power / own for name, power in powers.items() if name != total}
            if all(abs(power) <= _LARGEST_POWER and (2 * power).is_integer() for power in of_part.values()):
                column = survey.table.column(total)
                rule = cls((*of_part, total), powers=tuple(of_part.values()), step=_find_unit(column))
                candidates.append((abs(own) * rule.step / float(np.nanmean(np.abs(survey.numbers(column)))), rule))
        rules = (rule._fitted(survey) for _, rule in sorted(candidates, key=lambda candidate: candidate[0]))
        return next((rule for rule in rules if rule is not None), None)

    def _fitted(self, survey: Survey) -> Self | None:
        """Return the rule with the roundest constant for which it holds in 99.9 % of the rows; None where none does.

        It is tried first in 1,000 to 2,000 rows at equal distances (all of a smaller table), then in all. None, too, if
        fewer than 200 of either have a value in every column of the rule.
        """
        numbers = [survey.numbers(survey.table.column(name)) for name in self.columns]
        is_filled = ~np.isnan(numbers).any(axis=0)
        numbers = [values[is_filled] for values in numbers]
        rule: Self | None = self
        for skipped in (max(len(numbers[0]) // _SAMPLE, 1), 1):
            rule = rule and rule._fitted_to([values[::skipped] for values in numbers])
        return rule

    def _fitted_to(self, numbers: Sequence[Floats]) -> Self | None:
        """Return the rule with the roundest constant for which it holds in 99.9 % of these rows; None where none does.

        None, too, if fewer than 200 rows have every value, or no product of the parts is positive. ``numbers`` has an
        array for each column of the rule, the result last.
        """
        products, total = self._multiply(numbers[:-1]), numbers[-1]
        is_filled = np.isfinite(products + total)
        products, total = products[is_filled], total[is_filled]
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = total / products
        order = np.argsort(ratios[products > 0], kind="stable")
        weights = np.cumsum(products[products > 0][order])
        if len(total) < LEAST_ROWS or not len(order):
            return None
        # The weighted median is the constant with the smallest sum of absolute errors.
        factor = float(ratios[products > 0][order][np.searchsorted(weights, weights[-1] / 2)])
        for most_apart in (self.step, self.step / 2):
            near = (products > 0) & (np.abs(total - factor * products) <= most_apart)
            low, high = (total[near] + sign * self._slack(total[near]) for sign in (-1, 1))
            least, most = np.max(low / products[near], initial=-np.inf), np.min(high / products[near], initial=np.inf)
            if 0 < least <= most < np.inf:
                made = replace(self, factor=find_roundest(float(least), float(most)))
                wrong = np.count_nonzero(np.abs(total - made.factor * products) > self._slack(total))
                return made if wrong <= (1 - LEAST_SHARE) * len(total) else None
        return None

    def compute(self, parts: Sequence[Floats]) -> Floats:
        """Return the constant times the powers of the parts, rounded; not finite where this is not defined."""
        return np.asarray(np.rint(self.factor * self._multiply(parts) / self.step) * self.step)

    def broken(self, released: Released) -> Bools:
        """Return which released rows certainly break the product, bool, shape (rows,).

        A row breaks it if no choice of the values that its ranges and rounded numbers may stand for gives the result
        after rounding. False where a value is missing, or where a number that may be negative has a power but 1.
        """
        low, high = np.full((2, released.table.rows), self.factor)
        with np.errstate(all="ignore"):
            for name, power in zip(self.columns, self.powers, strict=False):
                least, most = released.ends(name)
                if power != 1:
                    least, most = (
                        np.where(least < 0, np.nan, end**power) for end in (least, most)[:: 1 if power > 0 else -1]
                    )
                corners = [low * least, low * most, high * least, high * most]
                low, high = np.min(corners, axis=0), np.max(corners, axis=0)
            least, most = released.ends(self.columns[-1])
            return np.asarray((most < low - self._slack(low)) | (least > high + self._slack(high)))

    def _multiply(self, parts: Sequence[Floats]) -> Floats:
        """Return the product of the powers of the parts, without the constant."""
        with np.errstate(all="ignore"):
            return np.asarray(np.prod([part**power for part, power in zip(parts, self.powers, strict=True)], axis=0))

    def _slack(self, values: Floats) -> Floats:
        """Return by how much a result may differ from each value because of rounding."""
        return np.asarray(self.step / 2 * (1 + 1e-6) + 1e-9 * np.abs(values))


def _has_many_values(column: Column) -> bool:
    """Return whether a numeric column has at least ten different numbers, and no one of them in over 90 % of rows."""
    counts = column.counted_numbers()[1]
    return len(counts) >= _LEAST_DIFFERENT and int(counts.max()) <= _MOST_EQUAL * int(counts.sum())


def _find_unit(column: Column) -> float:
    """Return the step to which a column's numbers are rounded, at least the unit of the last digit written."""
    return find_grid_step(column) or (float(column.style.step) if column.style is not None else 1.0)


def _list_samples(survey: Survey, columns: list[Column]) -> Iterator[tuple[frozenset[int], Floats]]:
    """Yield sets of columns with logarithms in sampled rows in which all of the set are filled.

    The columns are given by their indices in the result of `_compute_logarithms`. A column that is filled too rarely to
    be in a set of the whole table's sample gets a sample of the rows in which it is filled.
    """
    seen = set[int]()
    for index, filled in enumerate([(), *((column,) for column in columns)]):
        if index not in seen:
            logs = _compute_logarithms(sample_values(survey, columns, filled))
            for chosen, rows in list_filled_samples(logs, LEAST_ROWS):
                if index in chosen:
                    seen |= chosen
                    yield chosen, rows


def _compute_logarithms(numbers: Floats) -> Floats:
    """Return a column of ones, then the logarithm of each number, NaN where it is missing or not positive.

    The shape is (rows, 1 + columns). The ones are for the logarithm of the constant.
    """
    logs = np.full(numbers.shape, np.nan)
    np.log(numbers, out=logs, where=numbers > 0)
    return np.column_stack([np.ones(len(logs)), logs])


def _fit_powers(parts: Floats, total: Floats) -> tuple[float, ...]:
    """Return the power of each part but the first with which their product comes closest to the total.

    Powers are rounded to halves. All are 0 where the product is not near: its median distance from the total, apart
    from the constant, is above 0.3 standard deviations of the total. ``parts`` and ``total`` are logarithms without
    NaN, shapes (rows, parts) and (rows,); the first part is constant.
    """
    powers = np.rint(2 * fit_column(parts, total)[0][1:]) / 2 + 0.0
    rest = total - parts[:, 1:] @ powers
    is_near = np.median(np.abs(rest - np.median(rest))) <= _LARGEST_REST * total.std()
    return tuple((powers * is_near).tolist())
