"""Keeps sums and orders between columns that are averaged together, although averages are rounded.

The first functions check the promise of microaggregation: how many records share each released value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.identifiability.classes import classes_of_codes
from ppdm_desktop.engine.methods.algorithms.digits.scaled import style_of
from ppdm_desktop.engine.methods.algorithms.grouping.centres import group_sums
from ppdm_desktop.engine.methods.algorithms.grouping.grouped_columns import Ranked
from ppdm_desktop.engine.methods.algorithms.grouping.units import count_people_in_groups
from ppdm_desktop.engine.table.column import Table
from ppdm_desktop.engine.table.rules import kept_rules
from ppdm_desktop.engine.table.rules.pairs import OrderRule, SumRule

# --- shared values ------------------------------------------------------------------------


def count_equal_records(released_codes: Sequence[Ints], present: Bools, who: Ints | None = None) -> Ints:
    """Return for each record how many records have values with the same texts in all columns in which it has one.

    int64, shape (records,), itself included; 0 for a record without any value.

    Parameters
    ----------
    released_codes
        Codes of the released texts, one array for each column: what a reader sees, not only the value.
    present
        Which values are not missing, (records, columns).
    who
        Index of each record's person if people can have several records; people are counted then.
    """
    rows = len(present)
    counts = np.zeros(rows, dtype=np.int64)
    patterns = classes_of_codes(list(present.T.astype(np.int64)), rows)
    for number in range(patterns.count):
        here = patterns.ids == number
        pattern = np.flatnonzero(present[int(np.argmax(here))]).tolist()
        if not pattern:
            continue
        whole = present[:, pattern].all(axis=1)
        equal = classes_of_codes([released_codes[column][whole] for column in pattern], int(whole.sum()))
        shared = np.zeros(rows, dtype=np.int64)
        shared[whole] = count_people_in_groups(equal.ids, None if who is None else who[whole], equal.count)[equal.ids]
        counts[here] = shared[here]
    return counts


def count_off_centre(ranked: Ranked, released_values: Ints, how: str, step: int) -> int:
    """Return how many records show a value that cannot be the centre of the true values of those who share it.

    Records without a true value do not count. A mean may be off by half a step: groups with equal centres show one
    value, and the mean of all of them is still within half a step. With medians, any value passes that is at most half
    a step below the smallest or above the largest true one.

    Parameters
    ----------
    ranked
        The true values.
    released_values, step
        Released values and the step of the grid, in units of the column's last digit.
    how
        ``mean`` or ``median``.
    """
    truth, released = ranked.values[ranked.known], released_values[ranked.known]
    if not len(truth):
        return 0
    order = np.lexsort((truth, released))
    values, starts, sizes = np.unique(released[order], return_index=True, return_counts=True)
    if how == "mean":
        sums = group_sums(truth[order], starts)
        wrong = np.abs(2 * sums - 2 * sizes * values) > sizes * step
    else:
        low, high = truth[order][starts], truth[order][starts + sizes - 1]
        wrong = (2 * values < 2 * low - step) | (2 * values > 2 * high + step)
    return int(sizes[wrong.astype(np.bool_)].sum())


# --- kept between -------------------------------------------------------------------------

_LARGEST = 2**62
"""Largest sum of all columns, in units of the finest column, for which rules are kept (so that 64 bits suffice)."""


@dataclass(frozen=True, eq=False)
class RulesBetween:
    """The sums and orders that hold between columns averaged together, and the units of these columns.

    Attributes
    ----------
    ranked
        The columns as whole numbers.
    units
        What 1 stands for in each column, in units of the finest column.
    orders
        Pairs of column indexes: the first value is at most the second. Totals of sums are in none of them, because
        their parts decide them.
    sums
        For each sum, the sign of each part by its column index, and the column index of the total.
    """

    ranked: Sequence[Ranked]
    units: Sequence[int]
    orders: Sequence[tuple[int, ...]] = ()
    sums: Sequence[tuple[dict[int, int], int]] = ()

    @classmethod
    def of(cls, table: Table, ranked: Sequence[Ranked]) -> RulesBetween:
        """Return the rules of order and of sum of a table that concern only numeric ones of these columns.

        There are none if numbers are so large that sums might overflow. Orders that concern a total are left out.
        """
        index = {column.column.name: index for index, column in enumerate(ranked) if column.column.kind == "numeric"}
        decimals = [style_of(column.column).decimals if column.column.name in index else 0 for column in ranked]
        units = [10 ** (max(decimals, default=0) - places) for places in decimals]
        largest = (int(np.abs(column.values).max(initial=0)) * unit for column, unit in zip(ranked, units, strict=True))
        if sum(largest) > _LARGEST:
            return cls(ranked, units)
        rules = [rule for rule in kept_rules(table, (OrderRule, SumRule)) if index.keys() >= {*rule.columns}]
        sums = [
            ({index[name]: sign for name, sign in rule.parts.items()}, index[rule.columns[-1]])
            for rule in rules
            if isinstance(rule, SumRule)
        ]
        orders = [tuple(index[name] for name in rule.columns) for rule in rules if isinstance(rule, OrderRule)]
        totals = {total for _, total in sums}
        return cls(ranked, units, [pair for pair in orders if totals.isdisjoint(pair)], sums)

    def steps_off(self) -> list[int]:
        """Return, for each column, twice the largest distance of a shown value from its mean, in last digits.

        Without rules it is the column's step, because rounding moves a mean by half a step; a correction for the rules
        can take a value further away.
        """
        off = [column.step * unit for column, unit in zip(self.ranked, self.units, strict=True)]
        for _ in self.orders:
            for first, second in self.orders:
                off[first] = max(off[first], 2 * self.ranked[first].step * self.units[first] + off[second])
        for _ in self.sums:
            for parts, total in self.sums:
                off[total] = max(off[total], sum(off[part] for part in parts))
        return [slack // unit for slack, unit in zip(off, self.units, strict=True)]

    def kept(self, centres: Sequence[Ints], group: Ints) -> list[Ints]:
        """Return the group centres corrected so that they keep the rules.

        Totals are computed from their parts, and in an order a first value above the second is lowered to the second,
        rounded down to its own step. A total stays if its decimals cannot hold the sum. A rule is kept in the groups in
        which it holds for every member and no value is missing.

        Parameters
        ----------
        centres
            For each column, what each record would show, in units of the column's last digit.
        group
            Index of each record's group, -1 for none.
        """
        scaled = [centre * unit for centre, unit in zip(centres, self.units, strict=True)]
        true = [column.values * unit for column, unit in zip(self.ranked, self.units, strict=True)]
        for _ in self.orders:
            for first, second in self.orders:
                step = self.ranked[first].step * self.units[first]
                holds = self._find_obeying_records(group, (first, second), true[first] <= true[second])
                lowered = np.where(scaled[first] > scaled[second], scaled[second] // step * step, scaled[first])
                scaled[first] = np.where(holds, lowered, scaled[first])
        for _ in self.sums:
            for parts, total in self.sums:
                added, made = (
                    np.sum([sign * values[part] for part, sign in parts.items()], axis=0) for values in (true, scaled)
                )
                holds = self._find_obeying_records(group, (*parts, total), added == true[total])
                scaled[total] = np.where(holds & (made % self.units[total] == 0), made, scaled[total])
        return [centre // unit for centre, unit in zip(scaled, self.units, strict=True)]

    def _find_obeying_records(self, group: Ints, columns: Sequence[int], obeys: Bools) -> Bools:
        """Return which records are in a group whose members all have values in these columns and obey a rule.

        bool, shape (records,). ``obeys`` says which records obey the rule; records of group -1 are not marked.
        """
        present = np.all([self.ranked[column].known for column in columns], axis=0)
        broken = np.bincount(group[group >= 0], ~(present & obeys)[group >= 0], minlength=1)
        return np.asarray((group >= 0) & (broken[np.maximum(group, 0)] == 0))
