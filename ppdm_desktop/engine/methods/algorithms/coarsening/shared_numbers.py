"""The people who share each rounded or limited number, and the protection that follows from it.

The second part finds limits for the extreme values of a column, and what is shown at and beyond them.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.identifiability.classes import equivalence_classes, find_anonymity_set_sizes
from ppdm_desktop.engine.methods.algorithms.digits.scaled import replace_values, round_half_up, step_units, style_of
from ppdm_desktop.engine.methods.algorithms.generalisation.recount import level_proofs
from ppdm_desktop.engine.methods.algorithms.swapping.recount import group_demands
from ppdm_desktop.engine.methods.base.declaration import Family, Method
from ppdm_desktop.engine.methods.base.step import Guarantee, LevelProof, Protection, Recount, Settings
from ppdm_desktop.engine.table.column import Column, Table, to_exact_decimal
from ppdm_desktop.engine.table.people import People, count_holders
from ppdm_desktop.engine.table.public_grid import NumberGrid
from ppdm_desktop.engine.table.rules import read_declared_rules
from ppdm_desktop.engine.table.rules.base import Survey
from ppdm_desktop.engine.table.rules.pairs import SumRule
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Names, Number, Value


@dataclass(frozen=True, eq=False)
class ColumnHolders:
    """The values of a column and the people who have them.

    Attributes
    ----------
    values
        int64, shape (rows with a value,): each row's value in units of the column's last digit.
    rows
        int64, the same shape: the row of each value.
    person
        int64, the same shape: the person of each value, numbered from 0.
    demands
        int64, shape (people,): the largest group size that any of the person's rows demands, with a value or without.
    """

    values: Ints
    rows: Ints
    person: Ints
    demands: Ints

    @classmethod
    def of(cls, table: Table, name: str) -> ColumnHolders:
        """Return the values of a column and the people who have them; rows and people without a value are left out."""
        column = table.column(name)
        rows = np.flatnonzero(~column.missing)
        _, person = np.unique(table.persons.of_row[rows], return_inverse=True)
        demands = np.zeros(int(person.max(initial=-1)) + 1, dtype=np.int64)
        demands[person] = group_demands(table)[rows]
        return cls(column.scaled[rows], rows, person.reshape(-1), demands)

    @property
    def people(self) -> int:
        """Number of people who have a value."""
        return len(self.demands)

    def largest_of_each(self, sign: int) -> Ints:
        """Return the largest of ``sign`` times each person's values, int64, shape (people,).

        With ``sign`` 1 that is the person's largest value; with -1 it is the smallest value with its sign turned (-20
        for 20 and 35).
        """
        largest = np.full(self.people, np.iinfo(np.int64).min)
        np.maximum.at(largest, self.person, sign * self.values)
        return largest

    def people_sharing(self, released_codes: Ints) -> Ints:
        """Return, for each person, how many people (with this one) show the rarest of the person's released numbers.

        Int64, shape (people,). A person with rows that show 10, shared by five people, and 20, shared by two, gets 2.
        People without a value are not among them; rows count only once for a person.

        Parameters
        ----------
        released_codes
            Code, from 0, of the number that each row with a value shows, shape (rows with a value,).
        """
        if len(self.rows) == self.people:
            people = np.bincount(released_codes)
        else:
            people = np.bincount(np.unique(released_codes * self.people + self.person) // self.people)
        sharing = np.full(self.people, np.iinfo(np.int64).max)
        np.minimum.at(sharing, self.person, people[released_codes])
        return sharing

    def refuse_too_few(self, column: str) -> None:
        """Raise InputError if fewer people have a value in the column than the most demanding of them needs as a group.

        Raises
        ------
        InputError
            Naming the column.
        """
        strictest = int(self.demands.max(initial=0))
        if self.people < strictest:
            raise InputError("error.method.too-few", column=column, args={"people": self.people, "group": strictest})


class CoarseningMethod(Method):
    """A method after which each released confidential number stands for several true ones, so that people share it."""

    several_rows = "people"
    protects = "both"
    family = Family.TRUE_VALUES
    record_by_record = True
    coarsens_numbers = True
    kinds = frozenset({"numeric"})
    reads_levels = ("group",)
    counts = "values"

    def default_columns(self, table: Table) -> tuple[str, ...]:
        """Return the names of the confidential numeric columns."""
        return tuple(column.name for column in table.with_role("confidential") if column.kind in self.kinds)


def find_rows_shared_by_too_few(before: Table, released: Column, coarse: Bools) -> Bools:
    """Return which rows show a number that fewer people show than one of them demands, bool, shape (rows,).

    Only the rows in ``coarse`` count as showing a number, for the people as well.

    Parameters
    ----------
    before
        The step's input, with the people and what they demand.
    released
        The column as the step released it.
    coarse
        The rows that are looked at, bool, shape (rows,); in all others, and where the value is missing, the result is
        False.
    """
    codes = np.where(coarse, released.category_codes, -1)
    rows, demands = np.flatnonzero(codes >= 0), np.zeros(len(released.categories), dtype=np.int64)
    np.maximum.at(demands, codes[rows], group_demands(before)[rows])
    too_few = count_holders(codes, len(demands), before.persons) < demands
    return np.asarray(np.append(too_few, False)[codes])


def count_people_sharing(column: Column, people: People) -> Ints:
    """Return, for each row, how many people share its value in a column, int64, shape (rows,).

    All rows of a person have the number for the rarest of the person's values; missing counts as a value.
    """
    return find_anonymity_set_sizes(equivalence_classes([column], len(column)), people, linked=False, ordered=False)


def to_last_digit_units(column: Column, number: float) -> int:
    """Return a number in units of a column's last digit: 12.5 is 1250 in a column with two decimals.

    Raises
    ------
    RecipeError
        When it is not a multiple of the column's step.
    """
    style = style_of(column)
    units = to_exact_decimal(number).scaleb(style.decimals)
    if units != int(units) or int(units) % step_units(style):
        arguments = {"number": Number(number), "step": Number(float(style.step))}
        raise RecipeError("error.coarsening.off-grid", column=column.name, args=arguments)
    return int(units)


def protections_of(table: Table, after: Table, coarse: Mapping[str, Bools]) -> tuple[Protection, ...]:
    """Return for each column which rows count as protected, and a code for the number that each of these rows shows.

    The code is -1 in rows that do not count as protected. A row counts as protected if its number is coarse (stands for
    a range of true numbers) and at least as many people show it as any row of the row's person demands. If the person
    has several rows, that must be so for the rarest number or missing value in any of them. The columns are in the
    order of ``coarse``.

    Parameters
    ----------
    table, after
        The step's input and output.
    coarse
        By column, which rows show a coarse number, shape (rows,).
    """
    protections, demands = [], group_demands(table)
    for name, rows in coarse.items():
        column = after.column(name)
        protected = rows & (count_people_sharing(column, after.persons) >= demands)
        protections.append(
            Protection(name, "grouped", protected, np.where(protected, column.category_codes, -1).astype(np.int64))
        )
    return tuple(protections)


def recount_sharing(before: Table, after: Table, coarse: Mapping[str, Bools], *, off: int) -> Recount:
    """Return whether a step kept its promise, and for each column and privacy level how many people it protects.

    The promise is kept if ``off`` is 0, whatever the levels reach. ``off`` is also the result's ``worst``. A person is
    protected if all their rows show a coarse number, and as many people as they demand show the rarest of them. Each
    level counts as met, since those who share a number with too few people do not count as protected.

    Parameters
    ----------
    before, after
        The step's input and output.
    coarse
        By column, which rows show a number that stands for a range of true numbers, shape (rows,).
    off
        Number of cells that are not as the step promises.
    """
    levels: list[LevelProof] = []
    demands = group_demands(before)
    for name, rows in coarse.items():
        sharing = np.where(rows, count_people_sharing(after.column(name), before.persons), 0)
        levels += level_proofs(before, [name], demands, sharing, firm=False)
    return Recount(Guarantee("file+original", off == 0, before.rows * len(coarse), float(off)), tuple(levels))


def unchanged_note(id: str, columns: Sequence[str]) -> tuple[Note, ...]:
    """Return a note, with the text ``id``, that a step changes nothing in these columns; () if there are no columns."""
    return (Note(id, {"columns": Names.of(columns)}),) if columns else ()


def compare_means(before: Column, after: Column) -> dict[str, Any]:
    """Return the means of a column before and after a step, and the number of records without a value (``no_value``).

    Means are in the column's unit, under ``mean_before`` and ``mean_after``; None if no record has a value. Both are
    taken over the records that have a value before the step.
    """
    present = ~before.missing
    pair = (float(side.numbers[present].mean()) if present.any() else None for side in (before, after))
    return {**dict(zip(("mean_before", "mean_after"), pair, strict=True)), "no_value": int(np.count_nonzero(~present))}


# --- coded ends ---------------------------------------------------------------------------

BOTH, TOP, BOTTOM, LIMIT, MEAN = "both", "top", "bottom", "limit", "mean"
_SIGNS = {TOP: 1, BOTTOM: -1}
_CODED = WeakKeyDictionary[Table, dict[tuple[object, ...], tuple["CodedEnd", ...]]]()
_SUMS = WeakKeyDictionary[Table, dict[tuple[str, ...], Mapping[str, SumRule]]]()


@dataclass(frozen=True)
class CodedEnd:
    """What is shown for the extreme values at one end of a column.

    Attributes
    ----------
    sign
        1 for the highest values, -1 for the lowest.
    limit, released_code
        Where the end begins, and the number shown for all its values, in units of the column's last digit.
    people, cells
        Number of people at the limit or beyond, and number of cells that change.
    is_dominated
        Whether the limit is shown instead of the mean, because one person's value makes up most of the mean.
    """

    sign: int
    limit: int
    released_code: int
    people: int
    cells: int
    is_dominated: bool = False

    @property
    def changes(self) -> bool:
        """Whether at least one cell changes."""
        return self.cells > 0


def coded_columns(table: Table, settings: Settings) -> Iterator[tuple[Column, tuple[CodedEnd, ...]]]:
    """Yield each column of the step with the limits at its ends; without limits if nothing has to be limited.

    If the settings say so, a total whose parts are among the columns changes by as much as its parts as shown, and has
    no limits unless the recipe sets them. It is yielded with these changes.

    The columns come in the order of the settings, and values beyond the limits are not replaced yet.

    Raises
    ------
    InputError
        When the two limits meet or cross, fewer people have a value, or reach a limit, than one of them demands, or a
        changed total would be read as a missing value.
    RecipeError
        When a limit from the recipe is not a multiple of the column's step.
    """
    sums = _find_sums(table, settings.columns) if settings.values["totals"] else {}
    coded: dict[str, tuple[Column, tuple[CodedEnd, ...]]] = {}
    changes: dict[str, Ints] = {}
    for name in sort_parts_first(settings.columns, {total: sums[total].parts for total in sums}):
        column = before = table.column(name)
        ends: tuple[CodedEnd, ...] = ()
        if name in sums:
            column = _work_out_total(table, sums[name], changes)
        if name not in sums or name in settings.values["limits"]:
            ends = _find_ends(table if column is before else table.replacing(column), name, settings)
        coded[name] = column, ends
        changes[name] = coded_values(column.scaled, ends) - before.scaled
    yield from (coded[name] for name in settings.columns)


def _find_ends(table: Table, name: str, settings: Settings) -> tuple[CodedEnd, ...]:
    """Return the limits at the ends of a column, as `_code_ends` does, but computed only once for a table and settings.

    They are remembered as long as the table is in use.
    """
    of_table, values = _CODED.setdefault(table, {}), settings.values
    key = (name, values["ends"], tuple(values["limits"].get(name) or ()), values["share"], values["show"])
    if key not in of_table:
        of_table[key] = _code_ends(table, name, settings)
    return of_table[key]


def _find_sums(table: Table, names: tuple[str, ...]) -> Mapping[str, SumRule]:
    """Return the sums among these columns, by the name of the total, whether or not the recipe keeps them.

    They are those that hold in 99.9 % of the rows and those that the recipe declares, which come before others with the
    same total and need not hold. They are looked for only once for a table.
    """
    of_table = _SUMS.setdefault(table, {})
    if names not in of_table:
        survey = Survey.of(replace(table, columns=tuple(table.column(name) for name in names)))
        rules = (*SumRule.find(survey), *read_declared_rules(table.rules, survey))
        of_table[names] = {rule.columns[-1]: rule for rule in rules if isinstance(rule, SumRule)}
    return of_table[names]


def sort_parts_first(names: Sequence[str], parts: Mapping[str, Collection[str]]) -> list[str]:
    """Return the names in an order in which each comes after its parts; ``parts`` has the parts by name.

    Names (total, pay, bonus) of which pay and bonus are parts of total become [pay, bonus, total]. Parts that are not
    among the names do not count. Where names are parts of each other, so that none of those left can come next, the
    first of them does.
    """
    order, left = [name for name in names if name not in parts], [name for name in names if name in parts]
    while left:
        ready = [name for name in left if {*left}.isdisjoint(parts[name])] or left[:1]
        order += ready
        left = [name for name in left if name not in ready]
    return order


def _work_out_total(table: Table, rule: SumRule, changes: Mapping[str, Ints]) -> Column:
    """Return the total of a sum, changed by as much as its parts, or the other way by those that are subtracted.

    A part without a value changes nothing, and neither does one that is not in ``changes``; a missing total stays
    missing. Changes are rounded towards zero to the total's last digit. For example, with pay limited to 90, a pay of
    100 and a bonus of 5 have the total 95 instead of 105. ``changes`` are the changes of the parts by column, in units
    of each column's last digit. InputError if a changed total would be read as a missing value.
    """
    total = table.column(rule.columns[-1])
    decimals, change = style_of(total).decimals, np.zeros(table.rows, dtype=np.int64)
    for name, sign in rule.parts.items():
        part = table.column(name)
        by_limits = np.where(part.missing, 0, changes.get(name, 0))
        change += sign * _rescale(by_limits, style_of(part).decimals, decimals)
    return replace_values(total, total.scaled + change) if change.any() else total


def _rescale(values: Ints, decimals: int, wanted: int) -> Ints:
    """Return numbers converted from units of ``decimals`` decimals to units of ``wanted`` decimals.

    They are rounded towards zero: from 2 decimals to 1, 1259 (12.59) becomes 125 and -1259 becomes -125.
    """
    factor = 10 ** abs(wanted - decimals)
    scaled: Ints = values * factor if wanted >= decimals else np.sign(values) * (np.abs(values) // factor)
    return scaled


def _code_ends(table: Table, name: str, settings: Settings) -> tuple[CodedEnd, ...]:
    """Return the limits at those ends of a column that the settings name, the upper end first.

    () if all values are equal. An end is left out if its limit from the recipe lies beyond all values.

    Raises
    ------
    InputError
        When the two limits meet or cross, or fewer people have a value, or reach a limit, than one of them demands.
    RecipeError
        When a limit from the recipe is not a multiple of the column's step.
    """
    column, holders = table.column(name), ColumnHolders.of(table, name)
    holders.refuse_too_few(name)
    asked = settings.values["ends"]
    ends = []
    if holders.values.size and holders.values.min() < holders.values.max():
        for side, sign in _SIGNS.items():
            if asked in (BOTH, side) and (end := _code_one_end(column, holders, sign, settings)) is not None:
                ends.append(end)
    by_sign = {end.sign: end.limit for end in ends}
    if len(by_sign) == 2 and by_sign[1] <= by_sign[-1]:
        raise InputError("error.top-bottom-code.one-value", column=name)
    return tuple(ends)


def _code_one_end(column: Column, holders: ColumnHolders, sign: int, settings: Settings) -> CodedEnd | None:
    """Return the limit at one end of a column; None if the recipe's limit lies beyond all values.

    The limit is the recipe's, or else the value that the wanted share of people, and as many people as each of them
    demands, reach, rounded inwards to a round number (unless the wanted share is 0, or too few people would reach the
    round number). It is shown for all values beyond it. If the settings show means, their rounded mean is shown
    instead, unless one person's values make up more than half of the total distance from the limit.

    Parameters
    ----------
    column, holders
        The column, and the people who have its values.
    sign
        1 for the upper end and -1 for the lower.

    Raises
    ------
    InputError
        When fewer people reach a limit from the recipe than one of them demands.
    RecipeError
        When a limit from the recipe is not a multiple of the column's step.
    """
    largest = holders.largest_of_each(sign)
    pair = settings.values["limits"].get(column.name)
    if pair is None:
        least = math.ceil(float(settings.values["share"]) * holders.people)
        limit = sign * find_cut(largest, holders.demands, least)
        if least:
            rounded = _round_limit(column, limit, sign, holders.values)
            beyond = largest >= sign * rounded
            # Further inwards may be somebody who asks for a larger group.
            limit = rounded if beyond.sum() >= holders.demands[beyond].max(initial=0) else limit
    else:
        limit = to_last_digit_units(column, pair[1] if sign > 0 else pair[0])
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
        code = limit if is_dominated else round_half_up(total, step * int(rows.sum())) * step
    return CodedEnd(sign, limit, code, people, int(np.count_nonzero(holders.values[rows] != code)), is_dominated)


def _round_limit(column: Column, limit: int, sign: int, values: Ints) -> int:
    """Return the next round number inwards from a limit, so that the limit is not just a person's value.

    Inwards is down from an upper limit and up from a lower one; a limit that is round already stays. If no value would
    lie further inwards, the limit itself is returned. Numbers are in units of the last digit.

    Parameters
    ----------
    limit, sign
        The limit, and 1 for an upper or -1 for a lower one.
    values
        All values of the column.
    """
    decimals, grid = style_of(column).decimals, NumberGrid.of(column)
    number = Decimal(limit).scaleb(-decimals)
    rounded = int((grid.down(number) if sign > 0 else grid.up(number)).scaleb(decimals))
    return rounded if (sign * values < sign * rounded).any() else limit


def find_cut(values: Ints, demands: Ints, least: int) -> int:
    """Return the largest of people's values that enough people reach: at least ``least``, and as many as each demands.

    Only those who reach the value have to get their demand.

    Parameters
    ----------
    values
        Each person's value, shape (people,).
    demands
        The group size that each person demands, from 1 to the number of people, shape (people,).
    least
        The fewest people, at most their number.

    Examples
    --------
    Of 900, 100, 60, 60 and 50, people who demand 3 get 60: four of them have this value or more.
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
    """Return a copy of the values in which values at or beyond a limit are replaced by the number shown there.

    All numbers are in units of the column's last digit.
    """
    coded = values.copy()
    for end in ends:
        coded[end.sign * values >= end.sign * end.limit] = end.released_code
    return coded


def rows_at_ends(column: Column, ends: Iterable[CodedEnd]) -> Bools:
    """Return which rows have a value at a limit or beyond it, bool, shape (rows,); False where the value is missing.

    An end at which the number shown changes no cell is ignored.
    """
    at_end = np.zeros(len(column), dtype=np.bool_)
    for end in (end for end in ends if end.changes):
        at_end |= end.sign * column.scaled >= end.sign * end.limit
    return at_end & ~column.missing


def with_coded_ends(column: Column, ends: tuple[CodedEnd, ...]) -> Column:
    """Return the column with its extreme values replaced by the number shown at their end.

    If no end changes any cell, the column itself is returned. Otherwise the numbers shown become its declared bounds;
    at an end without limits, the old bound stays. If a bound is unknown, or the lower is not below the upper, the old
    bounds stay. InputError if a number shown would be read as a missing value.
    """
    if not any(end.changes for end in ends):
        return column
    made = replace_values(column, coded_values(column.scaled, ends))
    unit = 10 ** style_of(column).decimals
    bounds = dict(zip((-1, 1), column.bounds or (None, None), strict=True))
    bounds |= {end.sign: end.released_code / unit for end in ends}
    low, high = bounds[-1], bounds[1]
    return made if low is None or high is None or low >= high else replace(made, bounds=(low, high))
