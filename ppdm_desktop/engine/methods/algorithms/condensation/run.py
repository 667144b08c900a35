"""The stages of a condensation: columns, strata, groups, and the new columns.

New records are drawn from a group's statistics, independently along its eigenvectors. Records that break a rule for
numbers and dates are drawn again, and finally corrected.

C. C. Aggarwal and P. S. Yu, SIAM SDM 2005, section 2.1: x = m + sum u_j e_j with u_j uniform of variance l_j. The new
records depend on the old ones through mean and covariance alone, so no new record belongs to an old one, and their
order means nothing. A group of n <= d records has a covariance without extent in some directions: new records would
lie in the plane of the old ones (two records: on the line through both). In these directions a share of the average
covariance of groups is added (``FLOOR_SHARE`` of the pooled within-group covariance).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools, Floats, Ints
from ppdm_desktop.engine.identifiability.classes import classes_of_codes
from ppdm_desktop.engine.methods.algorithms.condensation.believable import Condensable
from ppdm_desktop.engine.methods.algorithms.condensation.coverage import (
    Coverage,
    DateGrid,
    JointColumn,
    Period,
    can_compare,
    convert_unit,
    days_of,
    number_patterns,
    round_to_firsts,
)
from ppdm_desktop.engine.methods.algorithms.condensation.grouping import Grouping, check_enough, form_groups
from ppdm_desktop.engine.methods.algorithms.condensation.moments import (
    average_covariance,
    compute_axes,
    move_to_logarithms,
)
from ppdm_desktop.engine.methods.algorithms.condensation.statistics import Condensed
from ppdm_desktop.engine.methods.algorithms.digits.scaled import replace_values, step_units, style_of
from ppdm_desktop.engine.methods.algorithms.swapping.shuffled import shuffle_by_keys
from ppdm_desktop.engine.methods.base.step import Settings
from ppdm_desktop.engine.randomness import RandomStream, StepStream
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.rules import ValueRule
from ppdm_desktop.engine.table.rules.base import ComputedRule, Ends
from ppdm_desktop.engine.table.rules.conditional import LimitsRule, list_pattern_pairs
from ppdm_desktop.engine.table.rules.numbers import GridRule, ListRule, RangeRule
from ppdm_desktop.engine.table.rules.pairs import AGE_AND_DATE, YEAR, OrderRule, PairRule, YearsRule
from ppdm_desktop.engine.table.rules.products import ProductRule

UNIFORM, GAUSSIAN = "uniform", "gaussian"
Shape = Literal["uniform", "gaussian"]
FLOOR_SHARE = 0.25
_CELLS = 4_000_000
"""Numbers in memory at a time for the axes of a batch of records."""
_Between = tuple[int, int, Ints, Ints, Bools]


def unit_draws(streams: StepStream, rows: int, width: int, shape: Shape) -> Floats:
    """Return independent numbers of mean 0 and variance 1, shape (rows, width), one random stream for each column.

    They are normal if ``shape`` is "gaussian", otherwise uniform (from -1.73 to 1.73).
    """
    drawn = np.empty((rows, width))
    for axis in range(width):
        progress.report(axis / max(width, 1), "progress.method.write")
        drawn[:, axis] = unit_numbers(streams.stream(f"axis {axis}"), rows, shape)
    return drawn


def unit_numbers(stream: RandomStream, count: int, shape: Shape) -> Floats:
    """Return independent numbers of mean 0 and variance 1, shape (count,): normal for "gaussian", otherwise uniform."""
    return stream.normal(count) if shape == GAUSSIAN else np.sqrt(12.0) * (stream.uniform(count) - 0.5)


def log_mean_exponential(factor: Floats, shape: Shape) -> Floats:
    """Return log E[exp(factor x u)] for the distribution of u in ``unit_numbers``, in the shape of ``factor``.

    It is factor² / 2 for "gaussian", else log(sinh(y) / y) with y = sqrt(3) x factor.
    """
    if shape == GAUSSIAN:
        return np.asarray(factor**2 / 2)
    half_width = np.maximum(np.sqrt(3.0) * np.abs(factor), 1e-4)
    return np.asarray(half_width + np.log(-np.expm1(-2 * half_width) / (2 * half_width)))


def floor_covariances(covariance: Floats, flat: Bools, inside: Floats, share: float = FLOOR_SHARE) -> Floats:
    """Return covariances with variance added to flat groups in the directions in which they vary much less than others.

    In the plane P of a group's axes whose variance is below ``share`` of the average variance within groups in the same
    direction, ``share`` times the within-group covariance seen in that plane is added: C + s P W P, where P projects on
    the plane, s is ``share`` and W is ``inside``. A column that is constant in the whole table stays constant.

    If no group is flat, ``covariance`` itself is returned.

    Parameters
    ----------
    covariance
        Covariance of each group, shape (groups, d, d).
    flat
        Flags of the groups to treat, shape (groups,).
    inside
        The pooled within-group covariance, shape (d, d).
    """
    if not flat.any():
        return covariance
    chosen = covariance[flat]
    values, vectors = np.linalg.eigh(chosen)
    average = (vectors * (inside @ vectors)).sum(axis=1)
    thin = vectors * (values < share * average)[:, None, :]
    plane = thin @ thin.transpose(0, 2, 1)
    result = covariance.copy()
    added = share * (plane @ inside @ plane)
    result[flat] = chosen + (added + added.transpose(0, 2, 1)) / 2
    return result


def draw_new_records(
    mean: Floats, covariance: Floats, group: Ints, drawn: Floats, ruled: RuledDraws | None = None
) -> Floats:
    """Return a new record for each row, drawn from the statistics of the row's group; shape (rows, d).

    The record is the group's mean plus the sum of its axes, each times its standard deviation and a drawn number.

    Parameters
    ----------
    mean, covariance
        Means and covariances of the groups, shapes (groups, d) and (groups, d, d).
    group
        Group of each row, shape (rows,).
    drawn
        Shape (rows, d): numbers of mean 0 and variance 1; column j goes along the axis with the j-th smallest
        variance.
    ruled
        Draws records that keep rules; None to draw exactly as in the paper, without rules.
    """
    rows, width = drawn.shape
    result = np.empty((rows, width))
    if not width:
        return result
    order = np.argsort(group, kind="stable")
    at_once = max(1_000, _CELLS // max(width * width, 1))
    for start in range(0, rows, at_once):
        progress.report(start / rows, "progress.method.write")
        chosen = order[start : start + at_once]
        groups = slice(int(group[chosen[0]]), int(group[chosen[-1]]) + 1)
        of_group = group[chosen] - groups.start
        if ruled is None:
            made = _draw_along_axes(mean[groups], compute_loadings(covariance[groups]), of_group, drawn[chosen])
        else:
            made = ruled.draw(chosen, mean[groups], covariance[groups], of_group, drawn[chosen])
        result[chosen] = made
    return result


def compute_loadings(covariance: Floats) -> Floats:
    """Return the eigenvectors of each group's covariance as rows, times their SDs; shape (groups, axes, d)."""
    values, vectors = compute_axes(covariance)
    return np.asarray((vectors * np.sqrt(values)[:, None, :]).transpose(0, 2, 1))


def _draw_along_axes(mean: Floats, axes: Floats, of_group: Ints, drawn: Floats) -> Floats:
    """Return for each row the mean of its group plus the group's axes, each times a drawn number; shape (rows, d)."""
    return np.asarray(mean[of_group] + (drawn[:, None, :] @ axes[of_group])[:, 0, :])


# --- number rules -------------------------------------------------------------------------

MOST_DRAWS = 50


@dataclass(frozen=True, eq=False)
class NumberRules:
    """The rules that values of the jointly regenerated columns must keep.

    Attributes
    ----------
    centre, scale
        Mean and standard deviation of each column, shape (columns,): values are centre + scale x standard units.
    low, high
        Ends of each column's range, infinite where it has none.
    step
        The step of which each column's values are multiples.
    days
        Length in days of the unit of each column of dates; 1 for numbers.
    is_date
        Flags of the columns of dates.
    lists
        For a column with a list of allowed values, these values, by the column's index.
    periods
        For a column of dates that are firsts of a month or year, this period, by the column's index.
    orders
        For each rule of order, the indices of two columns, and the least and greatest difference of the second value
        from the first, in units of the second.
    computed
        For each rule by which a column is worked out from others, the indices of these and of the column, and the rule.
    allowed
        For each column whose ranges decide a text, or whose limits depend on one, its index, the first and last number
        of each range, and which ranges the text of each record allows, shape (rows, ranges).
    bases
        For each column whose drawn values are differences, the index of the column to which they are added, in the
        order of computation.
    sums
        The pairs of columns in ``orders``, an age and a year, whose sum is limited in place of their difference.
    """

    centre: Floats
    scale: Floats
    low: Floats
    high: Floats
    step: Floats
    days: Floats
    is_date: Bools
    lists: dict[int, Floats] = field(default_factory=dict)
    periods: Mapping[int, Period] = field(default_factory=dict)
    orders: tuple[tuple[int, int, float, float], ...] = ()
    computed: tuple[tuple[list[int], int, ComputedRule], ...] = ()
    allowed: tuple[tuple[int, Floats, Floats, Bools], ...] = ()
    bases: Mapping[int, int] = field(default_factory=dict)
    sums: frozenset[tuple[int, int]] = frozenset()

    @classmethod
    def of(cls, joint: Sequence[JointColumn], rules: Sequence[ValueRule], texts: Sequence[Column]) -> NumberRules:
        """Return the ranges, steps, lists, orders, sums and products among numbers and dates, and bases of differences.

        A base is the column to which drawn differences are added. Rules with other columns than the numbers and dates
        of ``joint`` are left out, except where ranges of a number decide one of the ``texts`` that the new records
        have. Rules of order between days and months or years are left out, too. A column's range comes from a range
        rule or a list of allowed values; without one its ends are infinite. Its step comes from a rule or the column's
        style; that of dates and ranks is 1.
        """
        index_of = {column.column.name: index for index, column in enumerate(joint) if column.sort != "rank"}
        made = cls(
            np.array([column.centre for column in joint]),
            np.array([column.scale for column in joint]),
            np.full(len(joint), -np.inf),
            np.full(len(joint), np.inf),
            np.array([_find_step(column) for column in joint]),
            np.array([days_of(column.column) for column in joint]),
            _flag_dates(joint),
        )
        computed: list[tuple[list[int], int, ComputedRule]] = []
        between_numbers = [rule for rule in rules if all(name in index_of for name in rule.columns)]
        for rule in between_numbers:
            index = tuple(index_of[name] for name in rule.columns)
            if isinstance(rule, RangeRule):
                made.low[index[0]], made.high[index[0]] = _to_range_ends(rule, joint[index[0]])
            elif isinstance(rule, GridRule):
                made.step[index[0]] = rule.step
            elif isinstance(rule, ListRule):
                made.lists[index[0]] = _list_drawn_values(rule, joint[index[0]])
                made.low[index[0]], made.high[index[0]] = made.lists[index[0]][[0, -1]]
            elif isinstance(rule, ComputedRule):
                computed.append((list(index[:-1]), index[-1], rule))
        years = _list_years(between_numbers, index_of)
        made = replace(
            made,
            orders=(*_list_orders(between_numbers, joint, index_of), *years),
            computed=tuple(computed),
            bases=_sort_bases(joint),
            periods=_find_periods(joint),
            sums=frozenset((age, year) for age, year, *_ in years),
        )
        return replace(made, allowed=tuple(made._list_allowed(index_of, rules, texts)))

    def _list_allowed(
        self, index_of: Mapping[str, int], rules: Sequence[ValueRule], texts: Sequence[Column]
    ) -> Iterator[tuple[int, Floats, Floats, Bools]]:
        """Yield an entry of `allowed` for each rule between a number and a text of the new records.

        Ranges of the number decide the text, or the text says its limits; those of months and years are left out.
        An entry has the number's column index, the first and last number of each range, and which ranges the text of
        each record allows. ``index_of`` has the index of each column by its name.
        """
        text_columns = {column.name: column for column in texts}
        for rule in rules:
            if isinstance(rule, PairRule) and rule.ranges and rule.columns[1] in text_columns:
                index = index_of.get(rule.columns[0])
                if index is not None:
                    yield index, *self._find_range_ends(rule, index), _find_allowed(rule, text_columns[rule.columns[1]])
            elif isinstance(rule, LimitsRule) and rule.columns[0] in text_columns and rule.columns[1] in index_of:
                text, index = text_columns[rule.columns[0]], index_of[rule.columns[1]]
                if self.days[index] > 1:  # months and years do not count from 1970
                    continue
                low, high = (ends / self.days[index] for ends in rule.find_ends(text))
                is_own = np.arange(len(text.categories)) == np.asarray(text.category_codes)[:, None]
                # A record without the text may have any number.
                is_own = np.column_stack([is_own, text.missing])
                yield index, np.append(low, -np.inf), np.append(high, np.inf), is_own

    def _find_range_ends(self, rule: PairRule, index: int) -> Ends:
        """Return the first and the last number of each range of a rule that a column can have, as two arrays.

        They are multiples of the column's step, or allowed values of its list. The first range begins at -inf, and the
        last one ends at inf.
        """
        starts = np.array([start for start, _ in rule.ranges[1:]])
        if index in self.lists:
            allowed = self.lists[index]
            places = np.searchsorted(allowed, starts - 1e-9)
            low, high = allowed[np.minimum(places, len(allowed) - 1)], allowed[np.maximum(places - 1, 0)]
        else:
            low = np.ceil(starts / self.step[index] - 1e-9) * self.step[index]
            high = low - self.step[index]
        return np.append(-np.inf, low), np.append(high, np.inf)

    @property
    def drawn_ends(self) -> tuple[Floats, Floats]:
        """Return the lowest and highest number that may be drawn in each column, half a step beyond its range.

        Both are arrays of shape (columns,), in the units of the columns. For a column drawn as differences they are
        limits of the difference.
        """
        low, high = self.low.copy(), self.high.copy()
        for first, second, least, most in self.orders:
            if self.bases.get(second) == first:
                low[second], high[second] = least, most
        return low - self.step / 2, high + self.step / 2

    def find_rule_breakers(self, made: Floats, drawn: Bools, spiked: Floats, records: Ints) -> Bools:
        """Return which records have a drawn value or difference outside its range; bool, shape (rows,).

        A record with a drawn number in none of the ranges that its text allows is one, too. A difference counts where
        both columns have a number and at least one of them is drawn. Totals are worked out from their parts before.
        Half a grid step beyond a range is allowed; for the difference in a rule of order only if the second column is
        drawn as a difference from the first.

        Parameters
        ----------
        made
            The records in standard units, shape (rows, drawn columns). Further columns have no drawn values.
        drawn
            Flags of the values that will be written, shape (rows, columns).
        spiked
            The spikes (frequent values treated as categories) and permuted numbers written in place of drawn values, in
            the columns' units, NaN where there is none.
        records
            The index of each row's record in the table, shape (rows,).
        """
        values, has_number = np.zeros(spiked.shape), drawn | ~np.isnan(spiked)
        values[:, : made.shape[1]] = made
        values = self.centre + self.scale * values
        for second, first in self.bases.items():
            values[:, second] += self._convert(values[:, first], first, second)
        values = np.where(np.isnan(spiked), values, spiked)
        # A product of numbers follows from them as they are written.
        for parts in (parts for parts, _, rule in self.computed if isinstance(rule, ProductRule)):
            values[:, parts] = np.rint(values[:, parts] / self.step[parts]) * self.step[parts]
        # The parts of a sum say what it is, whatever was drawn for it.
        self._add_up(values, has_number)
        half = self.step / 2
        broken = (((values < self.low - half) | (values > self.high + half)) & drawn).any(axis=1)
        for first, second, least, most in self.orders:
            slack = half[second] if self.bases.get(second) == first else 1e-9 * self.step[second]
            difference = values[:, second] - self._convert(values[:, first], first, second)
            is_wrong = (difference < least - slack) | (difference > most + slack)
            pair = [first, second]
            broken |= is_wrong & has_number[:, pair].all(axis=1) & drawn[:, pair].any(axis=1)
        for index, low, high, is_allowed in self.allowed:
            number = values[:, index, None]
            fits = (number >= low - half[index]) & (number <= high + half[index]) & is_allowed[records]
            broken |= ~fits.any(axis=1) & drawn[:, index]
        return np.asarray(broken)

    def release_spikes(self, drawn: Bools, spiked: Floats, width: int) -> None:
        """Let spikes be drawn as other numbers, in place, where a permuted number or text does not allow them.

        Such a cell becomes True in ``drawn`` and NaN in ``spiked``; the permuted number stays.

        Parameters
        ----------
        drawn, spiked
            As in ``find_rule_breakers``.
        width
            Number of columns to draw; all further ones are permuted.
        """
        for first, second, least, most in self.orders:
            if (first < width) != (second < width):
                difference = spiked[:, second] - self._convert(spiked[:, first], first, second)
                rows, column = (difference < least) | (difference > most), min(first, second)
                drawn[rows, column], spiked[rows, column] = True, np.nan
        for index, low, high, is_allowed in self.allowed:
            number = spiked[:, index, None]
            rows = ~((number >= low) & (number <= high) & is_allowed).any(axis=1) & ~np.isnan(number[:, 0])
            drawn[rows, index], spiked[rows, index] = True, np.nan

    def settle_values(self, values: Floats, drawn: Bools, has_number: Bools) -> Floats:
        """Return a copy of the values corrected to keep all rules: allowed values, orders between columns, and sums.

        Values are rounded to their column's step and limited to its range; differences become values. If rules
        contradict each other, sums hold, because they are corrected last.

        Parameters
        ----------
        values
            Values in the columns' units, shape (rows, columns); differences where the value was drawn as a difference.
        drawn
            Flags of the values that may be changed, as totals always may; the others are missing, spikes (frequent
            values treated as categories) or permuted numbers.
        has_number
            Flags of the values that are not missing.
        """
        made = values.copy()
        for index in [*(index for index in range(len(self.step)) if index not in self.bases), *self.bases]:
            exact, base = values[:, index], self.bases.get(index)
            if base is not None:
                exact = exact + self._convert(made[:, base], base, index)
            low, high = (
                self._round_to_step(end[[index]], index, side) for end, side in ((self.low, 1), (self.high, -1))
            )
            snapped = self._round_to_step(np.clip(exact, low, high), index, 0)
            made[drawn[:, index], index] = snapped[drawn[:, index]]
        for count in range(len(self.orders) + 1):
            self._move_into_ranges(made, drawn)
            self._add_up(made, has_number)
            # Once more where one that was put right may have put another one wrong: then by moving the other value.
            is_odd = count % 2 == 1
            if not sum(self._put_in_order(made, drawn, has_number, *order, is_odd) for order in self.orders):
                break
        self._add_up(made, has_number)
        return made

    def _move_into_ranges(self, made: Floats, drawn: Bools) -> None:
        """Move drawn numbers into the nearest range that has the text of their record, in place."""
        for index, first, last, is_allowed in self.allowed:
            moved = np.clip(made[:, index, None], first, last)
            distance = np.where(is_allowed, np.abs(moved - made[:, index, None]), np.inf)
            nearest = moved[np.arange(len(made)), distance.argmin(axis=1)]
            made[drawn[:, index], index] = nearest[drawn[:, index]]

    def _add_up(self, made: Floats, has_number: Bools) -> None:
        """Work out totals and products from their parts, in records that have the total and all parts, in place.

        A total may be a part of another one, in any order. A total that is not drawn is replaced, too; one that cannot
        be computed stays.
        """
        for _ in self.computed:  # a total may be a part of another one
            for parts, total, rule in self.computed:
                values = rule.compute([*made[:, parts].T])
                rows = has_number[:, [*parts, total]].all(axis=1) & np.isfinite(values)
                made[rows, total] = values[rows]

    def _put_in_order(
        self,
        made: Floats,
        drawn: Bools,
        has_number: Bools,
        first: int,
        second: int,
        least: float,
        most: float,
        moves_first: bool,
    ) -> bool:
        """Change values so that the difference of two columns is between two limits; return whether any changed.

        The second column's value is changed, or the first one's with ``moves_first``; the opposite one if this value is
        fixed or would leave its range. A value that is not ``drawn`` is fixed, and so is a second column that is the
        total of a sum. If both would leave their range, the first column's value is changed where it may be. Only rows
        with both numbers are treated. ``made`` is changed in place; ``first`` and ``second`` are column indexes, and
        ``least`` and ``most`` the limits of the second value minus the first, in the second column's unit.
        """
        has_both = has_number[:, first] & has_number[:, second]
        is_total = any(second == total for _, total, _ in self.computed)
        changed = False
        for end, side in ((least, 1), (most, -1)):
            wanted = self._convert(made[:, first], first, second) + end
            short = side * (wanted - made[:, second])
            rows = np.flatnonzero(has_both & (short > 1e-9 * self.step[second]))
            target = self._round_to_step(wanted[rows], second, side)
            allowed = self._convert(made[rows, second] - end, second, first)
            is_reversed = self.is_date[first] != self.is_date[second] or (first, second) in self.sums
            other_side = side if is_reversed else -side
            other_target = self._round_to_step(allowed, first, other_side)
            is_inside = (target >= self.low[second]) & (target <= self.high[second])
            if moves_first:
                is_inside &= (other_target < self.low[first]) | (other_target > self.high[first])
            can_move, can_move_other = drawn[rows, second] & (not is_total), drawn[rows, first]
            is_moved = can_move & (is_inside | ~can_move_other)
            is_other_moved = can_move_other & ~is_moved
            moved, others = rows[is_moved], rows[is_other_moved]
            made[moved, second], made[others, first] = target[is_moved], other_target[is_other_moved]
            changed |= bool(len(moved) or len(others))
        return changed

    def _convert(self, values: Floats, index: int, target: int) -> Floats:
        """Return values of column ``index`` in units of column ``target``, such as days for minutes.

        A number of years becomes the day so long before 1970, and the reverse. Of two columns whose sum is limited, one
        becomes negative.
        """
        if (index, target) in self.sums or (target, index) in self.sums:
            return -values
        if self.is_date[index] != self.is_date[target]:
            days = -YEAR / self.days[target] if self.is_date[target] else -self.days[index] / YEAR
            return np.asarray(values * days)
        return convert_unit(values, float(self.days[index]), float(self.days[target]))

    def _round_to_step(self, values: Floats, index: int, side: int) -> Floats:
        """Return values rounded to multiples of a column's step, its allowed values, or firsts of its months or years.

        They are rounded upwards if ``side`` is 1, downwards if it is -1, and to the nearest one if it is 0. Where no
        allowed value lies on the side wanted, they are rounded to the step.
        """
        if index in self.periods:
            return round_to_firsts(values, self.periods[index], side)
        step = self.step[index]
        rounded = np.asarray((side * np.ceil(side * values / step - 1e-9) if side else np.rint(values / step)) * step)
        if index in self.lists:
            difference = self.lists[index] - values[:, None]
            distance = np.where(side * difference < -1e-9 * step, np.inf, np.abs(difference))
            nearest = self.lists[index][distance.argmin(axis=1)]
            return np.where(np.isfinite(distance.min(axis=1)), nearest, rounded)
        return rounded


@dataclass(frozen=True, eq=False)
class RuledDraws:
    """Draws records that keep the ranges and orders of columns, by drawing again those that break a rule.

    Attributes
    ----------
    law
        The rules; their first columns are those to draw, further ones are permuted columns.
    drawn
        Flags of the cells whose drawn value will be written, shape (records, columns).
    spiked
        The spikes (frequent values treated as categories) and permuted numbers written in place of drawn values, NaN
        for none, shape (records, columns).
    shape
        Distribution of the drawn numbers, "gaussian" or uniform.
    stream
        Random stream for repeated draws.
    """

    law: NumberRules
    drawn: Bools
    spiked: Floats
    shape: Shape
    stream: RandomStream

    def draw(self, rows: Ints, mean: Floats, covariance: Floats, of_group: Ints, drawn: Floats) -> Floats:
        """Return a new record for each of ``rows`` in standard units; if it breaks a rule it is drawn up to 50 times.

        A value whose group lies close to an end of its range is drawn as the exponential of a number, which keeps mean
        and spread and never crosses that end. The first of the 50 draws uses ``drawn``. Records that still break a rule
        are returned as they are.

        Parameters
        ----------
        rows
            Row indexes in the table.
        mean, covariance
            Means and covariances of some groups, shapes (groups, d) and (groups, d, d).
        of_group
            Index of each row's group among these groups.
        drawn
            The numbers to begin with, shape (rows, d).
        """
        law = self.law
        width = mean.shape[1]
        low, high = (((end - law.centre) / law.scale)[:width] for end in law.drawn_ends)
        logarithms = move_to_logarithms(mean, covariance, low, high)
        axes = compute_loadings(logarithms.covariance)
        # The mean of an exponential is not the exponential of the mean.
        excess = log_mean_exponential(axes, self.shape).sum(axis=1)
        centre = logarithms.mean - np.where(logarithms.side != 0, excess, 0.0)
        made = logarithms.undo(_draw_along_axes(centre, axes, of_group, drawn), of_group)
        left = np.flatnonzero(law.find_rule_breakers(made, self.drawn[rows], self.spiked[rows], rows))
        for _ in range(MOST_DRAWS - 1):
            if not len(left):
                break
            again = unit_numbers(self.stream, len(left) * width, self.shape).reshape(len(left), -1)
            made[left] = logarithms.undo(_draw_along_axes(centre, axes, of_group[left], again), of_group[left])
            records = rows[left]
            left = left[law.find_rule_breakers(made[left], self.drawn[records], self.spiked[records], records)]
        return made


def _find_allowed(rule: PairRule, text: Column) -> Bools:
    """Return which ranges of a rule have the text of each row, bool, shape (rows, ranges); all where none has it.

    A missing text counts as one that no range has.
    """
    of_text = np.array([[own == text_of for _, text_of in rule.ranges] for own in text.categories], dtype=np.bool_)
    of_text = np.append(of_text, np.zeros((1, len(rule.ranges)), dtype=np.bool_), axis=0)
    return np.asarray((of_text | ~of_text.any(axis=1, keepdims=True))[text.category_codes])


def _to_range_ends(rule: RangeRule, joint: JointColumn) -> tuple[float, float]:
    """Return the lowest and highest value of a range rule; dates as positions on the column's grid.

    If the lowest value is a spike (a frequent value treated as a category) in all rows that have it, the lowest value
    to draw is one step above it. So no value is drawn next to the spike.
    """
    if rule.texts:
        low, high = map(DateGrid.of(joint.column).count, rule.texts)
        return low, high
    return rule.low + _find_step(joint) * _is_never_drawn(rule.low, joint), rule.high


def _is_never_drawn(value: float, joint: JointColumn) -> bool:
    """Return whether a number is a spike (a frequent value treated as a category) in all rows that have it."""
    return value in joint.spikes and value not in joint.column.numbers[joint.known]


def _list_drawn_values(rule: ListRule, joint: JointColumn) -> Floats:
    """Return the values of a list that may be drawn: all but those that are spikes in every row that has them.

    All values of the list if none would be left. Spikes are frequent values treated as categories.
    """
    return np.array([value for value in rule.values if not _is_never_drawn(value, joint)] or rule.values)


def _find_periods(joint: Sequence[JointColumn]) -> dict[int, Period]:
    """Return for the columns whose dates are nearly all firsts of a month or year this period, by column index.

    A period is "M" or "Y"; nearly all are at least 99 %.
    """
    dated = [(index, column.column) for index, column in enumerate(joint) if column.sort == "date"]
    periods = [(index, DateGrid.of(column).find_period(column)) for index, column in dated]
    return {index: period for index, period in periods if period is not None}


def _list_years(rules: Sequence[ValueRule], index_of: Mapping[str, int]) -> list[tuple[int, int, float, float]]:
    """Return the indices of each age and year whose sum a rule limits, and the least and greatest sum."""
    years = [rule for rule in rules if isinstance(rule, YearsRule)]
    return [(index_of[rule.columns[0]], index_of[rule.columns[1]], rule.least, math.inf) for rule in years]


def _list_orders(
    rules: Sequence[ValueRule], joint: Sequence[JointColumn], index_of: Mapping[str, int]
) -> Iterator[tuple[int, int, float, float]]:
    """Yield both column indices of each rule of order, and the least and greatest difference in the second's units.

    Limits between months or years are rounded to whole ones. Rules between days and months or years are left out, and
    those between numbers and months or years.
    """
    for rule in (rule for rule in rules if isinstance(rule, OrderRule)):
        first, second = (index_of[name] for name in rule.columns)
        days = days_of(joint[second].column)
        if can_compare(joint[first].column, joint[second].column) or (rule.kinds == AGE_AND_DATE and days <= 1):
            low, high = rule.low / days, rule.high / days
            # Months and years are not equally long.
            yield (first, second, *((low, high) if days <= 1 else (float(np.rint(low)), float(np.rint(high)))))


def _sort_bases(joint: Sequence[JointColumn]) -> dict[int, int]:
    """Return, by column drawn as a difference, the column it is added to; sorted so that each follows its base."""
    index_of = {column.column.name: index for index, column in enumerate(joint)}
    base_of = {index: index_of[column.base] for index, column in enumerate(joint) if column.base}
    bases: dict[int, int] = {}
    for _ in base_of:
        bases |= {index: base for index, base in base_of.items() if base in bases or base not in base_of}
    return bases


def _flag_dates(joint: Sequence[JointColumn]) -> Bools:
    """Return which columns hold dates, bool, shape (columns,)."""
    return np.array([column.sort == "date" for column in joint], dtype=np.bool_)


def _find_step(joint: JointColumn) -> float:
    """Return the step of which a column's numbers are multiples; 1 for dates and ranks."""
    return float(style_of(joint.column).step) if joint.sort == "number" else 1.0


# --- run ----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Stratum:
    """A part of the table whose records are grouped only with each other.

    Attributes
    ----------
    labels
        Names of the classes in the stratum; empty where the table is not divided.
    rows
        int64: row indexes of its records, rising.
    """

    labels: tuple[str, ...]
    rows: Ints

    @property
    def is_pool(self) -> bool:
        """Whether the stratum (a part of the table that is grouped by itself) joins several classes."""
        return len(self.labels) > 1


def make_single_stratum(rows: int) -> tuple[Stratum, ...]:
    """Return a single stratum (part of the table that is grouped by itself) with all records and without labels."""
    return (Stratum((), np.arange(rows, dtype=np.int64)),)


def make_class_strata(column: Column, needs: Ints) -> tuple[Stratum, ...]:
    """Return the parts of the table to group separately: one for each class, and one for all too small classes.

    A class is too small if it has fewer members than one of them asks for. Larger classes join the common part, the
    smallest first, until it is large enough: of classes of 10, 8 and 3 members who ask for 5, the last two become one
    part. Missing values are a class, labelled "", which comes first. The parts (strata) are in the order of the
    classes, with the common one last; without a small class there is none.

    Parameters
    ----------
    column
        The column whose values are the classes.
    needs
        The group size that each record asks for; the largest is not above the number of records.
    """
    codes = column.category_codes.astype(np.int64) + 1
    names = ("", *column.categories)
    counts = np.bincount(codes, minlength=len(names))
    asked = np.zeros(len(names), dtype=np.int64)
    np.maximum.at(asked, codes, needs)
    present = [int(code) for code in np.flatnonzero(counts)]
    pool = [code for code in present if counts[code] < asked[code]]
    common = sorted((code for code in present if code not in pool), key=lambda code: (int(counts[code]), code))
    while pool and int(counts[pool].sum()) < int(asked[pool].max()):
        pool.append(common.pop(0))
    sets = [[code] for code in present if code not in pool]
    if pool:
        sets.append(sorted(pool))
    return tuple(
        Stratum(tuple(names[code] for code in codes_in), np.flatnonzero(np.isin(codes, codes_in)).astype(np.int64))
        for codes_in in sets
    )


@dataclass(frozen=True, eq=False)
class TableGroups:
    """The groups formed from a whole table.

    Attributes
    ----------
    coverage
        The columns divided by how they are treated, without the class column.
    strata
        Which records were grouped among themselves.
    groupings
        The groups found in each stratum.
    group
        Each record's group, 0 and up over all strata.
    ssq_share
        Sum of squared distances to group means, divided by that to the table's mean.
    """

    coverage: Coverage
    strata: tuple[Stratum, ...]
    groupings: tuple[Grouping, ...]
    group: Ints
    ssq_share: float

    def detail(self) -> dict[str, Any]:
        """Return figures on the groups for the report as plain data, without any record's group.

        - ``groups``, ``sizes``: the number of groups, and how many groups and records there are of each size.
        - ``ssq_share``: the sum of squared distances to group means (SSQ), divided by that to the table's mean.
        - ``algorithms``: the names of those that found the groups; ``tried``: the SSQ of each algorithm, over all
          strata.
        - ``repairs``: how often the paper's procedure had to be corrected.
        - ``strata``: for each part of the table that is grouped by itself, how many ``classes`` (0 without a class
          column), ``records`` and ``groups`` it has.
        """
        tried: dict[str, float] = {}
        for grouping in self.groupings:
            for name, ssq in grouping.tried.items():
                tried[name] = tried.get(name, 0.0) + float(ssq)
        return {
            **count_group_sizes(self.group),
            "ssq_share": self.ssq_share,
            "algorithms": sorted({grouping.algorithm for grouping in self.groupings}),
            "tried": tried,
            "repairs": sum(grouping.repairs for grouping in self.groupings),
            "strata": [
                {"classes": len(stratum.labels), "records": len(stratum.rows), "groups": int(grouping.group.max()) + 1}
                for stratum, grouping in zip(self.strata, self.groupings, strict=True)
            ],
        }


def count_group_sizes(group: Ints) -> dict[str, Any]:
    """Return the number of groups, and how many groups have each size, as plain data for the report.

    For groups of 5, 5 and 7 records: ``groups`` is 3, and ``sizes`` has, by rising size, an entry with ``size`` 5,
    ``groups`` 2 and ``records`` 10, and one for 7. ``group`` is the group of each record, 0 and up without gaps.
    """
    sizes, counts = np.unique(np.bincount(group), return_counts=True)
    return {
        "groups": int(counts.sum()),
        "sizes": [
            {"size": size, "groups": count, "records": size * count}
            for size, count in zip(sizes.tolist(), counts.tolist(), strict=True)
        ],
    }


def class_column(table: Table, settings: Settings) -> Column | None:
    """Return the column whose classes are grouped separately; None unless the parameter ``per`` is "class"."""
    return table.column(str(settings.values["class"])) if settings.values["per"] == "class" else None


def coverage_of(ready: Condensable, settings: Settings, needs: Ints) -> Coverage:
    """Return the step's columns divided by how they are treated, without the class column.

    ``needs`` is the group size that each record asks for. A combination of spikes (frequent values treated as
    categories) that fewer records have than the largest of these is treated as ordinary numbers.
    """
    divided = class_column(ready.table, settings)
    columns = [ready.table.column(name) for name in settings.columns if divided is None or name != divided.name]
    least = int(needs.max(initial=1))
    return Coverage.of(columns, ready.sets, ready.spikes, least, ready.bases, pooled=ready.rules is not None)


def strata_of(table: Table, settings: Settings, needs: Ints) -> tuple[Stratum, ...]:
    """Return the parts of the table that are grouped separately: one for each class, or all records in one.

    Classes smaller than the group size that a member asks for (``needs``) are pooled.
    """
    divided = class_column(table, settings)
    return make_single_stratum(table.rows) if divided is None else make_class_strata(divided, needs)


def find_groups(ready: Condensable, settings: Settings, needs: Ints) -> TableGroups:
    """Return groups formed separately within every part of the table (stratum); nothing is random.

    ``needs`` is the group size that each record asks for, and nobody may ask for more records than there are
    (InputError); groups are numbered from 0 over all strata.

    The result also has the step's columns without the class column (with confidential ones, even if these are not
    compared because of ``mix_confidential``), the strata, and the share of the sum of squares that lies within groups
    (0 if all records are equal). With a class column, strata are the classes, the small ones together; without one,
    the whole table is one.
    """
    check_enough(needs)
    table = ready.table
    coverage = coverage_of(ready, settings, needs)
    compared = coverage.without_confidential() if settings.values["mix_confidential"] else coverage
    points = compared.points(table.rows)
    strata = strata_of(table, settings, needs)
    group = np.full(table.rows, -1, dtype=np.int64)
    groupings, first, done = [], 0, 0
    for stratum in strata:
        with progress.part(done / table.rows, (done + len(stratum.rows)) / table.rows):
            grouping = form_groups(points[stratum.rows], needs[stratum.rows], str(settings.values["algorithm"]))
            group[stratum.rows] = first + grouping.group
            first += int(grouping.group.max()) + 1
            done += len(stratum.rows)
            groupings.append(grouping)
    total = float(((points - points.mean(axis=0)) ** 2).sum())
    share = sum(grouping.ssq for grouping in groupings) / total if total > 0 else 0.0
    return TableGroups(coverage, strata, tuple(groupings), group, share)


def regenerate_columns(
    ready: Condensable, settings: Settings, groups: TableGroups, condensed: Condensed, streams: StepStream
) -> list[Column]:
    """Return the step's columns after condensation: each row gets new values that are made from its group.

    Numbers and dates, which come first, are drawn from the group's mean and covariance. Ordinal and then nominal values
    are those of the group, exchanged between its rows, and so are missing values and spikes (frequent numbers treated
    as categories). Columns that were treated as nominal for this have their original kind again.

    If groups were formed within the classes of a column (parameter ``per`` is "class"), this column comes last. Its
    labels stay, except in classes that were too small and were therefore pooled: there they are exchanged at random.
    """
    inside = pool_covariances(condensed)
    columns = draw_columns(settings.values, groups.coverage, groups.group, condensed, inside, streams, ready.rules)
    columns = [replace(column, kind=ready.decided.get(column.name, column.kind)) for column in columns]
    divided = class_column(ready.table, settings)
    if divided is not None:
        columns.append(_exchange_labels(divided, groups.strata, streams))
    return columns


def pool_covariances(condensed: Condensed) -> Floats:
    """Return the covariance within groups, pooled over all groups and weighted by records; shape (d, d)."""
    return average_covariance(condensed.moments.n, condensed.moments.covariance)


def draw_columns(
    values: Mapping[str, Any],
    coverage: Coverage,
    group: Ints,
    condensed: Condensed,
    inside: Floats,
    streams: StepStream,
    rules: Sequence[ValueRule] | None,
) -> list[Column]:
    """Return columns with an artificial record in each row, drawn from the statistics of the row's group.

    They come in this order: numbers and dates, ordinal columns, nominal ones; a class column is not among them. Which
    row of a group has a missing value or a spike (a frequent number treated as a category) is permuted, too.

    Parameters
    ----------
    values
        The step's parameters.
    coverage
        The columns; their nominal and ordinal values are permuted within each group.
    group
        Each row's group.
    condensed
        The groups' statistics.
    inside
        The pooled covariance within groups, of which a share is added to flat groups if the parameter ``floor`` is on.
    streams
        The random streams of the key for this step.
    rules
        The rules that numbers and dates must keep; None to draw exactly as in the paper, without rules.
    """
    moments, covariance = condensed.moments, condensed.moments.covariance
    if values["floor"]:
        covariance = floor_covariances(covariance, condensed.flat, inside)
    joint, width = coverage.joint, len(coverage.joint)
    gaps_from = permute_within_groups(group, streams.stream("gaps"))
    permuted = _permute_texts(coverage, group, gaps_from, streams, rules or ())
    drawn = progress.part(0.0, 0.2).run(unit_draws, streams, len(group), width, values["regenerate"])
    part = progress.part(0.2, 0.6)
    if rules is None or not width:
        made = part.run(draw_new_records, moments.mean, covariance, group, drawn)
        made = (
            np.column_stack([_to_column_units(column, made[:, at]) for at, column in enumerate(joint)])
            if width
            else made
        )
    else:
        others = _list_ruled_columns(joint, permuted, rules)
        law = NumberRules.of([*joint, *others], rules, permuted)
        replaceable = np.column_stack(
            [*(column.known[gaps_from] for column in joint), *(column.known & False for column in others)]
        )
        spiked = np.column_stack(
            [
                *(_find_spikes(column, gaps_from) for column in joint),
                *(np.where(column.known, column.values, np.nan) for column in others),
            ]
        )
        law.release_spikes(replaceable, spiked, len(joint))
        ruled = RuledDraws(law, replaceable, spiked, values["regenerate"], streams.stream("axes again"))
        made = part.run(draw_new_records, moments.mean, covariance, group, drawn, ruled)
        made = _apply_rules(joint, law, made, replaceable, spiked)
    columns = []
    for at, column in enumerate(joint):
        progress.report(0.6 + 0.3 * at / width, "progress.method.write")
        columns.append(written_column(column, made[:, at], gaps_from, group, clip=bool(values["clip"])))
    return [*columns, *permuted]


def _list_ruled_columns(
    joint: Sequence[JointColumn], permuted: Sequence[Column], rules: Sequence[ValueRule]
) -> list[JointColumn]:
    """Return the permuted columns that orders, sums or products compare with drawn ones, as numbers, after permutation.

    Example: the kind of membership decides the fee, so both are permuted together; arrears are drawn, and never exceed
    the fee.
    """
    kind_of, column_of = {column.column.name: column.column.kind for column in joint}, {c.name: c for c in permuted}
    ruled: dict[str, JointColumn] = {}
    for rule in rules:
        kinds = {kind_of[name] for name in rule.columns if name in kind_of}
        is_mixed = isinstance(rule, OrderRule) and rule.kinds == AGE_AND_DATE
        if isinstance(rule, OrderRule | ComputedRule) and len(kinds) == 1 and not is_mixed:
            others = [column_of[name] for name in rule.columns if name in column_of]
            ruled |= {column.name: JointColumn.of(replace(column, kind=min(kinds))) for column in others}
    return list(ruled.values())


def _permute_texts(
    coverage: Coverage, group: Ints, gaps_from: Ints, streams: StepStream, rules: Sequence[ValueRule]
) -> list[Column]:
    """Return the nominal columns, each set of them permuted within groups, in the order of the sets.

    Where a rule binds a text to the gaps or the spikes (frequent values treated as categories) of a drawn column, a row
    gets the text of a member with the same gap or spike, or of one without any if the row gets none. ``gaps_from`` is
    the row from which each row gets its gaps and spikes.
    """
    patterns = {joint.column.name: number_patterns(joint.column, joint.known) for joint in coverage.joint}
    bound = list_pattern_pairs(rules)
    sources, classes = list[Ints](), list[Ints]()
    for columns_together in coverage.permuted:
        names = [column.name for column in columns_together]
        drawn = {name for pair in bound if set(pair) & set(names) for name in pair if name in patterns}
        ids = classes_of_codes([group, *(patterns[name] + 2 for name in sorted(drawn))], len(group)).ids
        source = permute_within_groups(ids, streams.stream("values " + "\n".join(names)))
        sources.append(source[gaps_from] if drawn else source)
        classes.append(ids[sources[-1]])
    _exchange_impossible_pairs(coverage.permuted, sources, classes, rules)
    pairs = zip(coverage.permuted, sources, strict=True)
    return [column.take(source) for columns_together, source in pairs for column in columns_together]


def _exchange_impossible_pairs(
    sets: Sequence[Sequence[Column]], sources: Sequence[Ints], classes: Sequence[Ints], rules: Sequence[ValueRule]
) -> None:
    """Exchange donors between rows, in place, so that fewer rows have texts of two sets that never occur together.

    Parameters
    ----------
    sets
        Nominal columns that are permuted together.
    sources, classes
        For each set the row from which each row gets its texts, and a number that says between which rows these may be
        exchanged; shape (rows,) each.
    rules
        The rules of the values.
    """
    between = _list_pairs_between(sets, rules)
    for at in sorted({place for one, other, *_ in between for place in (one, other)}):
        order = np.argsort(classes[at], kind="stable")
        starts = np.searchsorted(classes[at][order], classes[at])
        ends = np.searchsorted(classes[at][order], classes[at], side="right")
        for row in np.flatnonzero(_count_broken(between, sources, np.arange(len(order)))).tolist():
            _exchange_with_best(row, order[starts[row] : ends[row]], sources[at], between, sources)


def _list_pairs_between(sets: Sequence[Sequence[Column]], rules: Sequence[ValueRule]) -> list[_Between]:
    """Return the rules between two columns of different sets: indices of the sets, codes, and which pairs are allowed.

    Codes are those of each row, -1 where missing, and index the rows and columns of the allowed pairs.
    """
    set_of = {column.name: at for at, columns in enumerate(sets) for column in columns}
    column_of = {column.name: column for columns in sets for column in columns}
    between = []
    for rule in rules:
        is_known = isinstance(rule, PairRule) and not rule.ranges and {*rule.columns} <= set_of.keys()
        if isinstance(rule, PairRule) and is_known and set_of[rule.columns[0]] != set_of[rule.columns[1]]:
            first, second = (column_of[name] for name in rule.columns)
            allowed = np.pad(rule.find_allowed_pairs(first, second), (0, 1), constant_values=True)
            codes = [np.asarray(column.category_codes, dtype=np.int64) for column in (first, second)]
            between.append((set_of[first.name], set_of[second.name], codes[0], codes[1], allowed))
    return between


def _count_broken(between: Sequence[_Between], sources: Sequence[Ints], rows: Ints) -> Ints:
    """Return how many of the rules each of the rows breaks with texts from the rows in ``sources``, shape (rows,)."""
    broken = [~allowed[a[sources[one][rows]], b[sources[other][rows]]] for one, other, a, b, allowed in between]
    return np.asarray(np.sum(broken, axis=0, dtype=np.int64))


def _exchange_with_best(
    row: int, others: Ints, source: Ints, between: Sequence[_Between], sources: Sequence[Ints]
) -> None:
    """Exchange a row's donor in ``source``, one of ``sources``, in place, with that of the row where it helps most.

    Nothing changes if no exchange with one of the ``others`` leaves both rows with fewer broken rules.
    """
    before = _count_broken(between, sources, others) + _count_broken(between, sources, np.array([row]))
    after = np.empty(len(others), dtype=np.int64)
    for at, other in enumerate(others.tolist()):
        source[[row, other]] = source[[other, row]]
        after[at] = _count_broken(between, sources, np.array([row, other])).sum()
        source[[row, other]] = source[[other, row]]
    best = int(np.argmin(after - before))
    if after[best] < before[best]:
        pair = [row, int(others[best])]
        source[pair] = source[pair[::-1]]


def _to_column_units(joint: JointColumn, standard: Floats) -> Floats:
    """Return values converted from standard deviations to the column's unit; ranks stay in standard deviations."""
    return standard if joint.sort == "rank" else np.asarray(joint.centre + joint.scale * standard)


def _find_spikes(joint: JointColumn, gaps_from: Ints) -> Floats:
    """Return the spike (a frequent value treated as a category) that each row gets, NaN where it gets none.

    Spikes are numbers in the column's unit, shape (rows,). It is that of the row with the index ``gaps_from``, whose
    pattern of missing values and spikes the row takes over.
    """
    is_spike = ~(joint.known | joint.column.missing)
    numbers = joint.column.numbers if joint.spikes else joint.values
    return np.where(is_spike, numbers, np.nan)[gaps_from]


def _apply_rules(
    joint: Sequence[JointColumn], law: NumberRules, standard: Floats, replaceable: Bools, spiked: Floats
) -> Floats:
    """Return new values in the columns' units, corrected to keep all rules, with spikes in their places.

    The shape is (rows, columns of ``joint``); values in missing cells mean nothing. ``standard`` are the new records in
    standard units, ``replaceable`` flags cells that may change, and ``spiked`` has the spikes (frequent values treated
    as categories), NaN for none. Ranks stay in standard units. The law, ``replaceable`` and ``spiked`` may have further
    columns, which do not change.
    """
    is_spike = ~np.isnan(spiked)
    values = np.where(is_spike, spiked, 0.0)
    for at, column in enumerate(joint):
        values[~is_spike[:, at], at] = _to_column_units(column, standard[:, at])[~is_spike[:, at]]
    values = law.settle_values(values, replaceable, replaceable | is_spike)[:, : len(joint)]
    return np.where([column.sort != "rank" for column in joint], values, standard)


def _exchange_labels(column: Column, strata: tuple[Stratum, ...], streams: StepStream) -> Column:
    """Return the class column; within a stratum of several small classes the labels are exchanged at random.

    A stratum is a part of the table that is grouped by itself. Other strata hold a single class, so their labels stay.
    """
    codes = column.codes.copy()
    for stratum in strata:
        if stratum.is_pool:
            order = streams.stream("class labels").permutation(len(stratum.rows))
            codes[stratum.rows] = column.codes[stratum.rows[order]]
    return replace(column, codes=codes)


def permute_within_groups(group: Ints, stream: RandomStream) -> Ints:
    """Return for each row the index of the row whose value it gets, a random permutation within each group.

    All rows take part, and a row may draw its own value; in a group of one it always does. The result is int64, shape
    (rows,).
    """
    source = shuffle_by_keys(group, stream)
    rows = np.argsort(group, kind="stable")
    donors = np.empty(len(group), dtype=np.int64)
    donors[rows] = source
    return donors


def written_column(joint: JointColumn, values: Floats, gaps_from: Ints, group: Ints, *, clip: bool) -> Column:
    """Return a jointly regenerated column with its artificial values as they will be written.

    Parameters
    ----------
    joint
        The column before.
    values
        Each row's new value in the column's unit; for ranks in standard deviations.
    gaps_from
        For each row the record (of its group) whose pattern of missing values it gets.
    group
        Each row's group; ordinal values are permuted within it.
    clip
        Whether numbers are limited to the bounds that the recipe declares.

    Raises
    ------
    InputError
        When a number would be read as a missing value or has too many digits.
    """
    if joint.sort == "rank":
        return _permute_by_rank(joint, values, gaps_from, group)
    base = joint.column.take(gaps_from)
    return _build_date_column(base, values) if joint.sort == "date" else _build_number_column(base, values, clip=clip)


def _build_number_column(base: Column, values: Floats, *, clip: bool) -> Column:
    """Return the column with new numbers, rounded to its step and, with ``clip``, limited to its bounds.

    ``values`` has a number for each row in the column's unit; missing cells of ``base`` stay missing. Without bounds
    nothing is limited, and bounds between two steps count as the step inside (0.4 to 10.2 as 1 to 10). InputError if a
    number would be read as a missing value or has too many digits.
    """
    style = style_of(base)
    step = float(style.step)
    places = np.rint(values / step)
    if clip and base.bounds is not None:
        low, high = (bound / step for bound in base.bounds)
        places = np.clip(places, math.ceil(low - 1e-9), math.floor(high + 1e-9))
    return replace_values(base, places.astype(np.int64) * step_units(style), uniform=True)


def _build_date_column(base: Column, values: Floats) -> Column:
    """Return the column with new dates, given as positions on the grid of its format.

    Positions are rounded and limited to dates that the format can write (1970 to 2069 with two-digit years); missing
    cells of ``base`` stay missing. The column's texts are sorted from the earliest date.
    """
    grid = DateGrid.of(base)
    places = np.clip(np.rint(values), *grid.ends).astype(np.int64)
    rows = np.flatnonzero(~base.missing)
    distinct, inverse = np.unique(places[rows], return_inverse=True)
    texts = [grid.text(count) for count in distinct.tolist()]
    released = base.with_values(rows, [texts[at] for at in inverse.tolist()])
    return replace(released, order=tuple(texts))


def _permute_by_rank(joint: JointColumn, standard: Floats, gaps_from: Ints, group: Ints) -> Column:
    """Return an ordinal column in which each group's own values are handed out in the order of the new ranks.

    The row of a group with the lowest new rank gets the group's lowest value, and so on. ``standard`` has the new
    ranks, and ``gaps_from`` the row whose pattern of missing values each row gets; a missing cell has the text of that
    row's cell.
    """
    gaps = ~joint.known
    into = np.lexsort((standard, gaps[gaps_from], group))
    source = np.lexsort((joint.values, gaps, group))
    codes = joint.column.codes.copy()
    codes[into] = joint.column.codes[source]
    # A missing cell keeps the very text of the pattern it came with.
    missing = gaps[gaps_from]
    codes[missing] = joint.column.codes[gaps_from[missing]]
    return replace(joint.column, codes=codes)
