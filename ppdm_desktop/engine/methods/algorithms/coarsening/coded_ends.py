"""Limits for the extreme values of a column: where they are, and what is shown at and beyond them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from weakref import WeakKeyDictionary

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.methods.algorithms.coarsening.shared_numbers import ColumnHolders, units_of
from ppdm_desktop.engine.methods.algorithms.digits.scaled import half_up, step_units, style_of, with_scaled
from ppdm_desktop.engine.methods.base.step import Settings
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.public_grid import NumberGrid
from ppdm_desktop.engine.wording.values import Number, Value

BOTH, TOP, BOTTOM, LIMIT, MEAN = "both", "top", "bottom", "limit", "mean"
_SIGNS = {TOP: 1, BOTTOM: -1}
_CODED = WeakKeyDictionary[Table, dict[tuple[object, ...], tuple["CodedEnd", ...]]]()


@dataclass(frozen=True)
class CodedEnd:
    """The coding of one end of a column.

    Attributes
    ----------
    sign
        1 for the highest values, -1 for the lowest.
    limit, shown
        Where the end begins, and what its values are shown as, in units of the column's last digit.
    people, cells
        People at the limit or beyond, and cells that change.
    is_dominated
        Whether the limit is shown in place of the mean, because one person's value makes up most of it.
    """

    sign: int
    limit: int
    shown: int
    people: int
    cells: int
    is_dominated: bool = False

    @property
    def changes(self) -> bool:
        """Whether at least one cell changes."""
        return self.cells > 0


def coded_columns(table: Table, settings: Settings) -> Iterator[tuple[str, tuple[CodedEnd, ...]]]:
    """Yield each column's name and its ends, worked out once for a table; none of a column of equal values."""
    of_table, values = _CODED.setdefault(table, {}), settings.values
    for name in settings.columns:
        key = (name, values["ends"], tuple(values["limits"].get(name) or ()), values["share"], values["show"])
        if key not in of_table:
            of_table[key] = _ends(table, name, settings)
        yield name, of_table[key]


def _ends(table: Table, name: str, settings: Settings) -> tuple[CodedEnd, ...]:
    """Return the ends of a column; none where its values are all equal.

    Raises
    ------
    InputError
        When the two limits meet, or too few people have a value or lie at a written limit.
    """
    column, holders = table.column(name), ColumnHolders.of(table, name)
    holders.refuse_too_few(name)
    asked = settings.values["ends"]
    ends = []
    if holders.values.min() < holders.values.max():
        for side, sign in _SIGNS.items():
            if asked in (BOTH, side) and (end := _end(column, holders, sign, settings)) is not None:
                ends.append(end)
    by_sign = {end.sign: end.limit for end in ends}
    if len(by_sign) == 2 and by_sign[1] <= by_sign[-1]:
        raise InputError("error.top-bottom-code.one-value", column=name)
    return tuple(ends)


def _end(column: Column, holders: ColumnHolders, sign: int, settings: Settings) -> CodedEnd | None:
    """Return the coding of the values at one end; None where a written limit lies beyond all of them.

    Raises
    ------
    InputError
        When fewer people lie at a written limit than one of them asks for.
    """
    largest = holders.largest_of_each(sign)
    pair = settings.values["limits"].get(column.name)
    if pair is None:
        least = math.ceil(float(settings.values["share"]) * holders.people)
        limit = sign * find_cut(largest, holders.demands, least)
        if least:
            limit = _round_limit(column, limit, sign, holders.values)
    else:
        limit = units_of(column, pair[1] if sign > 0 else pair[0])
    beyond = largest >= sign * limit
    people, demand = int(beyond.sum()), int(holders.demands[beyond].max(initial=0))
    if not people:
        return None
    if people < demand:
        arguments: dict[str, Value] = {
            "people": people,
            "limit": Number(limit / 10 ** style_of(column).decimals),
            "group": demand,
        }
        raise InputError("error.top-bottom-code.few-at-limit", column=column.name, args=arguments)
    rows = sign * holders.values >= sign * limit
    code, is_dominated = limit, False
    if settings.values["show"] == MEAN:
        distance = np.abs(holders.values[rows] - limit)
        of_person = np.bincount(holders.person[rows], distance)
        is_dominated = bool(2 * of_person.max() > of_person.sum())
        step = step_units(style_of(column))
        total = sum(holders.values[rows].tolist())
        code = limit if is_dominated else half_up(total, step * int(rows.sum())) * step
    return CodedEnd(sign, limit, code, people, int(np.count_nonzero(holders.values[rows] != code)), is_dominated)


def _round_limit(column: Column, limit: int, sign: int, values: Ints) -> int:
    """Return the next number inwards on the column's public grid, so that a limit is nobody's value.

    The limit stays where no value would lie further inwards.
    """
    decimals, grid = style_of(column).decimals, NumberGrid.of(column)
    number = Decimal(limit).scaleb(-decimals)
    rounded = int((grid.down(number) if sign > 0 else grid.up(number)).scaleb(decimals))
    return rounded if (sign * values < sign * rounded).any() else limit


def find_cut(values: Ints, demands: Ints, least: int) -> int:
    """Return the largest value that enough people reach: as many as each of them demands, and at least ``least``.

    Parameters
    ----------
    values
        Each person's value, shape (people,).
    demands
        The group that each person asks for, at most the number of people, shape (people,).
    least
        The fewest people.

    Examples
    --------
    Of 900, 100, 60, 60 and 50, people who ask for 3 get 60: four of them lie there or above.
    """
    # So many people are enough for everybody, so the cut is at the last of them or above.
    first = len(values) - max(int(demands.max()), least)
    near = np.flatnonzero(values >= np.partition(values, first)[first])
    order = near[np.argsort(-values[near], kind="stable")]
    falling = values[order]
    is_last = np.append(falling[1:] != falling[:-1], True)
    enough = np.arange(1, len(order) + 1) >= np.maximum(np.maximum.accumulate(demands[order]), least)
    return int(falling[np.argmax(is_last & enough)])


def coded_values(values: Ints, ends: Iterable[CodedEnd]) -> Ints:
    """Return the values after coding, in units of the last digit."""
    coded = values.copy()
    for end in ends:
        coded[end.sign * values >= end.sign * end.limit] = end.shown
    return coded


def rows_at_ends(column: Column, ends: Iterable[CodedEnd]) -> Bools:
    """Return which rows are at a limit or beyond it, bool, shape (rows,)."""
    at_end = np.zeros(len(column), dtype=np.bool_)
    for end in ends:
        at_end |= end.sign * column.scaled >= end.sign * end.limit
    return at_end & ~column.missing


def with_coded_ends(column: Column, ends: tuple[CodedEnd, ...]) -> Column:
    """Return the column with coded ends; limits at both ends become its bounds."""
    if not any(end.changes for end in ends):
        return column
    made = with_scaled(column, coded_values(column.scaled, ends))
    unit = 10 ** style_of(column).decimals
    bounds = dict(zip((-1, 1), column.bounds or (None, None), strict=True))
    bounds |= {end.sign: end.shown / unit for end in ends}
    low, high = bounds[-1], bounds[1]
    return made if low is None or high is None or low >= high else replace(made, bounds=(low, high))
