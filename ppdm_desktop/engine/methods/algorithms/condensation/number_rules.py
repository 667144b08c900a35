"""Rules that artificial numbers and dates keep: records that break them are drawn again, and finally corrected."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Floats
from ppdm_desktop.engine.methods.algorithms.condensation.coverage import JointColumn
from ppdm_desktop.engine.methods.algorithms.condensation.dates import DateGrid
from ppdm_desktop.engine.methods.algorithms.digits.scaled import style_of
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.rules import ValueRule
from ppdm_desktop.engine.table.rules.numbers import GridRule, ListRule, RangeRule
from ppdm_desktop.engine.table.rules.several import OrderRule, SumRule

MOST_DRAWS = 50
Draw = Callable[[int], Floats]


@dataclass(frozen=True, eq=False)
class NumberRules:
    """The rules of the columns that are regenerated together.

    Attributes
    ----------
    centre, scale
        Of each column, shape (columns,): values are centre + scale x standard units.
    low, high
        Ends of each column's range, infinite where it has none.
    step
        What each column's values are multiples of.
    lists
        The only values of a column, by its index.
    orders
        Pairs of indices: the first value is at most the second.
    sums
        Triples of indices: the third value is the sum of the first two.
    """

    centre: Floats
    scale: Floats
    low: Floats
    high: Floats
    step: Floats
    lists: dict[int, Floats] = field(default_factory=dict)
    orders: tuple[tuple[int, int], ...] = ()
    sums: tuple[tuple[int, int, int], ...] = ()

    @classmethod
    def of(cls, joint: Sequence[JointColumn], rules: Sequence[ValueRule]) -> NumberRules:
        """Return the rules whose columns are all numbers or dates of ``joint``."""
        index_of = {column.column.name: index for index, column in enumerate(joint) if column.sort != "rank"}
        made = cls(
            np.array([column.centre for column in joint]),
            np.array([column.scale for column in joint]),
            np.full(len(joint), -np.inf),
            np.full(len(joint), np.inf),
            np.array([_own_step(column) for column in joint]),
        )
        orders, sums = [], []
        for rule in rules:
            if not all(name in index_of for name in rule.columns):
                continue
            index = tuple(index_of[name] for name in rule.columns)
            if isinstance(rule, RangeRule):
                made.low[index[0]], made.high[index[0]] = _ends(rule, joint[index[0]].column)
            elif isinstance(rule, GridRule):
                made.step[index[0]] = rule.step
            elif isinstance(rule, ListRule):
                made.lists[index[0]] = np.array(rule.values)
                made.low[index[0]], made.high[index[0]] = rule.values[0], rule.values[-1]
            elif isinstance(rule, OrderRule):
                orders.append((index[0], index[1]))
            elif isinstance(rule, SumRule):
                sums.append((index[0], index[1], index[2]))
        return cls(made.centre, made.scale, made.low, made.high, made.step, made.lists, tuple(orders), tuple(sums))

    def drawn_again(self, made: Floats, drawn: Bools, mean: Floats, axes: Floats, draw: Draw) -> Floats:
        """Return the records after drawing those outside ranges or orders again, up to 50 times.

        Parameters
        ----------
        made
            The records as first drawn, in standard units, shape (rows, columns).
        drawn
            Which of their cells will be written from what is drawn.
        mean, axes
            Of each row's group: what a draw of unit variance is multiplied by, and added to.
        draw
            Returns so many rows of independent numbers of mean 0 and variance 1.
        """
        rows = np.flatnonzero(self._break(made, drawn))
        for _ in range(MOST_DRAWS - 1):
            if not len(rows):
                break
            made[rows] = mean[rows] + (draw(len(rows))[:, None, :] @ axes[rows])[:, 0, :]
            rows = rows[self._break(made[rows], drawn[rows])]
        return made

    def _break(self, made: Floats, drawn: Bools) -> Bools:
        """Return which records have a value outside its range, or two in the wrong order; bool, shape (rows,)."""
        # The parts of a sum say what it is, whatever was drawn for it.
        checked = drawn.copy()
        checked[:, [total for _, _, total in self.sums]] = False
        values = self.centre + self.scale * made
        half = self.step / 2
        broken = (((values < self.low - half) | (values > self.high + half)) & checked).any(axis=1)
        for first, second in self.orders:
            broken |= (values[:, first] > values[:, second]) & checked[:, first] & checked[:, second]
        return np.asarray(broken)

    def settled(self, values: Floats, drawn: Bools, has_number: Bools) -> Floats:
        """Return values moved onto their grids and within all rules.

        Parameters
        ----------
        values
            In the columns' own units, shape (rows, columns).
        drawn
            Which of them may be changed; the others are spikes.
        has_number
            Which of them are not missing.
        """
        snapped = np.clip(
            np.rint(values / self.step) * self.step, self._inside(self.low, np.ceil), self._inside(self.high, np.floor)
        )
        for index, allowed in self.lists.items():
            snapped[:, index] = allowed[np.abs(values[:, index, None] - allowed).argmin(axis=1)]
        made = np.where(drawn, snapped, values)
        for _ in range(len(self.orders) + 1):
            self._add_up(made, has_number)
            # Once more where one that was put right may have put another one wrong.
            if not sum(self._put_in_order(made, drawn, has_number, *pair) for pair in self.orders):
                break
        self._add_up(made, has_number)
        return made

    def _inside(self, end: Floats, towards: np.ufunc) -> Floats:
        """Return the multiples of the steps that are next to the ends and inside the ranges."""
        finite = np.isfinite(end)
        steps = np.where(finite, end, 0.0) / self.step
        near = np.rint(steps)
        return np.where(finite, np.where(np.abs(steps - near) < 1e-6, near, towards(steps)) * self.step, end)

    def _add_up(self, made: Floats, has_number: Bools) -> None:
        """Write the sum of the parts into the totals of records that have all three numbers, in place."""
        for _ in self.sums:  # a sum may be a part of another one
            for first, second, total in self.sums:
                rows = has_number[:, first] & has_number[:, second] & has_number[:, total]
                made[rows, total] = made[rows, first] + made[rows, second]

    def _put_in_order(self, made: Floats, drawn: Bools, has_number: Bools, first: int, second: int) -> bool:
        """Raise the second value to the first (lower the first, if the second is fixed); return whether any changed."""
        wrong = (made[:, first] > made[:, second]) & has_number[:, first] & has_number[:, second]
        is_sum = any(second == total for _, _, total in self.sums)
        raised = wrong & drawn[:, second] & (not is_sum)
        lowered = wrong & ~raised & drawn[:, first]
        made[raised, second] = np.ceil(made[raised, first] / self.step[second] - 1e-9) * self.step[second]
        made[lowered, first] = np.floor(made[lowered, second] / self.step[first] + 1e-9) * self.step[first]
        return bool(raised.any() or lowered.any())


def _ends(rule: RangeRule, column: Column) -> tuple[float, ...]:
    """Return the ends of a range; those of dates as positions on the column's grid."""
    return tuple(map(DateGrid.of(column).count, rule.texts)) if rule.texts else (rule.low, rule.high)


def _own_step(joint: JointColumn) -> float:
    """Return the step of a column of numbers; 1 for dates and ranks."""
    return float(style_of(joint.column).step) if joint.sort == "number" else 1.0
