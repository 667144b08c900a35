"""Checks the promise of a swap from two tables, the step's input and its output."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.identifiability.classes import Classes, quasi_identifier_classes
from ppdm_desktop.engine.methods.algorithms.swapping.balance import least_departure
from ppdm_desktop.engine.methods.algorithms.swapping.demands import (
    LevelDemand,
    as_share,
    leaves_open,
    level_demands,
    member_bounds,
    possible_changes,
    promises_groups,
)
from ppdm_desktop.engine.methods.algorithms.swapping.open_values import group_pool
from ppdm_desktop.engine.methods.algorithms.swapping.participants import (
    ColumnInput,
    Identified,
    Unit,
    group_level,
    index_combinations,
    unit_input,
    units_of,
)
from ppdm_desktop.engine.methods.algorithms.swapping.revealing_columns import count_still_revealed
from ppdm_desktop.engine.methods.base.step import Guarantee, LevelProof, Recount, Settings
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.levels import RecordLevels

FOREIGN = -2


def levels_of(table: Table) -> RecordLevels:
    """Return the privacy levels of a table's records; if none are set, the weakest level for all records."""
    return table.levels if table.levels is not None else RecordLevels.same_for_all(table.rows)


def group_demands(table: Table) -> Ints:
    """Return for each row the largest group size that the privacy level of any row of its person demands.

    int64, shape (rows,). Without privacy levels in the table, it is that of the weakest level.
    """
    largest = np.zeros(table.persons.count, dtype=np.int64)
    np.maximum.at(largest, table.persons.of_row, levels_of(table).of("group").astype(np.int64))
    return table.persons.of_rows(largest)


def released_categories(before: Column, after: Column) -> Ints:
    """Return, for each row, the index of its released value among the categories of the original column.

    It is -1 for a text that counts as missing in the original column, and -2 for a value that the original column does
    not have.
    """
    return index_texts(after, before.categories, before.missing_texts)


def index_texts(column: Column, names: Sequence[str], missing_texts: Collection[str]) -> Ints:
    """Return the index of each row's text among ``names``; -1 for a text that counts as missing, -2 for any other."""
    index_of = {name: index for index, name in enumerate(names)}
    codes_of_texts = [-1 if text in missing_texts else index_of.get(text, FOREIGN) for text in column.texts]
    return np.array(codes_of_texts, dtype=np.int64)[column.codes] if codes_of_texts else np.zeros(0, dtype=np.int64)


def same_values(before: Column, after: Column) -> Bools:
    """Return, for each row, whether two columns of equal length have the same text, bool, shape (rows,).

    Missing values are compared by their texts, too: an empty cell and "NA" differ.
    """
    if before.codes is after.codes and before.texts == after.texts:
        return np.ones(len(before), dtype=np.bool_)
    index_of = {text: index for index, text in enumerate(before.texts)}
    lookup = np.array([index_of.get(text, FOREIGN) for text in after.texts], dtype=np.int64)
    return np.asarray(lookup[after.codes] == before.codes)


def recount_swap(before: Table, after: Table, settings: Settings, detail: Mapping[str, Any]) -> Recount:
    """Return whether a swap kept all of its promises, counted in people from the tables before and after it.

    - In each privacy level, as many unique records changed as promised (with fewer than 20, the number may be rounded
      up or down), in every group as many members as demanded, and nobody else.
    - No quasi-identifier changed.
    - All rows of a person show the same value.
    - The totals of the values changed as stated, and no more than needed where the settings promise that.
    - Values that were reported as open are: a tenth to nine tenths of those who show such a value have it. (Of a value
      that at least nine tenths of the records had, one false record is enough.)
    - Of columns swapped together, none reveals the values of more people than stated.

    ``guarantee.worst`` is the number of departures from the promise, 0 if it was kept; ``guarantee.checked`` is the
    number of rows times that of units (columns, of which those swapped together count once). ``levels`` has a proof for
    each unit and privacy level. Departures are counted in people, groups, values and, for quasi-identifiers, cells.

    Parameters
    ----------
    before, after
        The step's input and output, row by row.
    settings
        The step's columns and parameters.
    detail
        What the step reported about each column.
    """
    quasi = before.with_role("quasi-identifier")
    moved = sum(int(np.count_nonzero(~same_values(column, after.column(column.name)))) for column in quasi)
    off, proofs, units = moved, list[LevelProof](), units_of(before, settings)
    for unit in units:
        wrong, proofs_of_unit = _recount_unit(before, after, unit, settings, read_stated_figures(detail, unit))
        off += wrong
        proofs += proofs_of_unit
    return Recount(Guarantee("file+original", off == 0, before.rows * len(units), float(off)), tuple(proofs))


def read_stated_figures(detail: Mapping[str, Any], unit: Unit) -> Mapping[str, Any]:
    """Return the figures in a step's ``detail`` about a unit, that is, one column or several swapped together.

    For several, these are under ``together``, otherwise under ``columns`` and the column's name. KeyError if there are
    none.
    """
    statement = detail["together"] if unit.is_joint else detail["columns"][unit.label]
    assert isinstance(statement, Mapping)
    return statement


def count_revealed_by_column(
    unit: Unit,
    table: Table,
    column_input: ColumnInput,
    released: Ints,
    classes: Classes,
    *,
    groups_protected: bool,
) -> dict[str, int]:
    """Return, for each of several columns swapped together, how many people's values it still reveals by itself.

    Some of them took no part in the swap, although this column alone would make them unique or members of a group with
    one value: they, or others with the same quasi-identifiers, have no value in another of the columns. The rest are in
    groups with one value of this column in which nobody shows another one.

    Parameters
    ----------
    unit, table, column_input, classes
        The columns, the step's input, the input of the swap, and rows with equal quasi-identifiers.
    released
        The released combination of each record, -1 if a value is missing.
    groups_protected
        Whether groups were promised a change; if not, only the first kind of people is counted.
    """
    identified = column_input.identified()
    treated = identified.flag_treated()
    revealed = (
        count_still_revealed(identified, column_input.truth, released, column_input.views)
        if groups_protected
        else np.zeros(len(column_input.views))
    )
    counts = {}
    for name, more in zip(unit.columns, revealed.tolist(), strict=True):
        single = unit_input(table, Unit((name,)), classes).identified()
        untreated = ~treated[np.concatenate([single.unique, single.collective])]
        counts[name] = int(np.count_nonzero(untreated)) + int(more)
    return counts


def _find_released_categories(before: Table, after: Table, unit: Unit) -> Ints:
    """Return the released category of each row; for columns swapped together, the index of its combination.

    It is `FOREIGN` for a category or combination that the original does not have, and -1 for a missing value. For
    columns swapped together, it is -1 if a value is missing in one of them and nothing changed in any.
    """
    columns = [before.column(name) for name in unit.columns]
    released_codes = [released_categories(column, after.column(column.name)) for column in columns]
    if not unit.is_joint:
        return released_codes[0]
    index_of_combination = {
        tuple(combination): index for index, combination in enumerate(index_combinations(columns)[1].tolist())
    }
    combined = np.array(
        [
            index_of_combination.get(tuple(combination), FOREIGN)
            for combination in np.column_stack(released_codes).tolist()
        ],
        dtype=np.int64,
    )
    # Where a value is missing in one column nothing may change in any.
    has_missing = np.logical_or.reduce([column.category_codes < 0 for column in columns])
    same = np.logical_and.reduce(
        [codes == column.category_codes for codes, column in zip(released_codes, columns, strict=True)]
    )
    combined[has_missing & same] = -1
    return combined


@dataclass(frozen=True, eq=False)
class _Swapped:
    """The input of one unit's swap, its release, and the figures reported about it; records are people.

    A unit is one column or several that were swapped together.
    """

    column_input: ColumnInput
    identified: Identified
    released: Ints
    levels: RecordLevels
    stated: Mapping[str, Any]

    @property
    def changed(self) -> Bools:
        """Which records show another category than the true one, bool, shape (records,)."""
        return np.asarray(self.released != self.column_input.truth)

    @property
    def is_open(self) -> list[bool]:
        """For each privacy level, whether the step reported that the values its unique people show were kept open.

        A value is open if at least a tenth of those unique people who show it have it, and at least a tenth do not.
        """
        return [bool(entry["open"]) for entry in self.stated["levels"]]

    def outside(self) -> Bools:
        """Return which records are neither unique nor members of a group, bool, shape (records,)."""
        return ~self.identified.flag_treated()

    def drift_off(self, settings: Settings) -> int:
        """Return how far the change of the totals is from the reported one, plus how far it is from the least possible.

        The change is the sum over categories of |records after - records before|. The second difference only counts if
        unique people and groups are balanced together, and neither the values of a level's unique people nor those of
        its groups had to be kept open.
        """
        truth, categories = self.column_input.truth, self.column_input.categories
        drift = np.abs(
            np.bincount(self.released[self.released >= 0], minlength=categories)
            - np.bincount(truth[truth >= 0], minlength=categories)
        )
        off = abs(int(drift.sum()) - int(self.stated["departure"]))
        may_stay_open = any(self.is_open) or (
            leaves_open(settings)
            and _can_leave_groups_open(self.identified, truth, self.changed, self.levels, categories)
        )
        if settings.values.get("balance") == "pooled" and not may_stay_open:
            least = _compute_least_drift(self.identified, truth, self.changed, self.column_input.level, categories)
            off += abs(int(drift.sum()) - least)
        return off

    def closed(self) -> int:
        """Return how many values are not open among the unique records of levels reported as open.

        A value is open if at least a tenth of those who show it have it, and at least a tenth do not.
        """
        unique, level = self.identified.unique, self.column_input.level[self.identified.unique]
        rows_of_open = (unique[level == index] for index in np.flatnonzero(self.is_open))
        return sum(
            _count_closed_values(self.column_input.truth[rows], self.released[rows], self.column_input.categories)
            for rows in rows_of_open
        )


def _recount_unit(
    before: Table, after: Table, unit: Unit, settings: Settings, stated: Mapping[str, Any]
) -> tuple[int, list[LevelProof]]:
    """Return the number of departures from the promise for one unit of a swap, and the proofs by level.

    A unit is one column or several swapped together. Departures are added up: records, people, groups and values that
    are not as promised, and the number of records by which the change of the totals is from the reported and the least
    possible one; for columns swapped together also the people whose value a column reveals by itself beyond the number
    reported. ``stated`` are the figures that the step reported about the unit. If groups were promised nothing, their
    members count like unique people.
    """
    obey_groups = promises_groups(settings)
    classes = quasi_identifier_classes(before)
    column_input = unit_input(before, unit, classes)
    identified = column_input.identified()
    released = _find_released_categories(before, after, unit)
    people = before.persons
    split_people = people.varying(released)
    released, levels = released[people.first_rows], levels_of(before).take(people.first_rows)
    swapped = _Swapped(column_input, identified, released, levels, stated)
    demands = demands_in_force(level_demands(settings, levels, column_input.categories), stated)
    changed, outside = swapped.changed, swapped.outside()
    pool = identified.unique if obey_groups else np.flatnonzero(~outside)
    size, due, wrong = _count_unique_records(demands, column_input.level[pool], changed[pool], stated)
    spoilt = int(np.count_nonzero(changed & outside)) + int(np.count_nonzero(released == FOREIGN))
    bad_groups = np.zeros(len(demands), dtype=np.int64)
    if obey_groups:
        bad_groups = _count_wrong_groups(identified, changed, demands, levels)
    closed = swapped.closed()
    if unit.is_joint and not spoilt:
        counted = count_revealed_by_column(unit, before, column_input, released, classes, groups_protected=obey_groups)
        closed += sum(max(counted[name] - int(stated["left_out"][name]), 0) for name in unit.columns)
    proofs = []
    for index, record_level in enumerate(levels.levels):
        here = levels.codes == index
        records, protected = int(here.sum()), int(np.count_nonzero(here & ~outside))
        fine = not wrong[index] and not bad_groups[index] and not split_people and not np.any(changed & outside & here)
        proofs.append(
            LevelProof(
                record_level.name,
                unit.label,
                records,
                protected,
                records - protected,
                float(stated["proportion"] if demands[index].follows else demands[index].swap),
                float(due[index] / size[index]) if size[index] else None,
                None,
                bool(fine),
            )
        )
    off = int(wrong.sum()) + spoilt + split_people + int(bad_groups.sum()) + swapped.drift_off(settings) + closed
    return off, proofs


def _count_closed_values(truth: Ints, released: Ints, categories: int) -> int:
    """Return how many released values are true for under 10 % or over 90 % of the records that show them.

    A value that at least nine tenths of the records have only needs one false record; a value that nobody shows is not
    counted. ``truth`` and ``released`` are the categories of a level's unique records; ``released`` is -1 where
    missing.
    """
    present = released >= 0
    true = np.bincount(truth[present & (truth == released)], minlength=categories)
    false = np.bincount(released[present & (truth != released)], minlength=categories)
    usual = np.bincount(truth, minlength=categories) * 10 >= 9 * len(truth)
    return int(np.count_nonzero((false > 9 * true) | ((true > 9 * false) & ~(usual & (false > 0)))))


def _compute_least_drift(identified: Identified, truth: Ints, changed: Bools, level: Ints, categories: int) -> int:
    """Return the smallest sum over categories of |records after - before| that the same numbers of changes allow.

    As many unique records of each privacy level change as are marked in ``changed``, whichever these are; the marked
    members of groups all leave their category. ``level`` is the privacy level of each record.
    """
    width = int(level.max(initial=0)) + 1
    cells = level[identified.unique] * categories + truth[identified.unique]
    available = np.bincount(cells, minlength=width * categories).reshape(width, categories)
    due = np.bincount(level[identified.unique][changed[identified.unique]], minlength=width)
    forced = np.bincount(truth[identified.collective][changed[identified.collective]], minlength=categories)
    return least_departure(available.astype(np.int64), due.astype(np.int64), forced.astype(np.int64))


def _can_leave_groups_open(
    identified: Identified, truth: Ints, changed: Bools, levels: RecordLevels, categories: int
) -> bool:
    """Return whether, in some privacy level, members of groups changed and all values they show could be kept open.

    The members of all groups of a level are taken together; a group belongs to the level of its strictest member. A
    value is open if at least a tenth of those who show it have it and at least a tenth do not. Only who changed is
    fixed (``changed``), not to which value, and the totals may change more. ``truth`` is each record's true category.
    """
    group_levels = group_level(identified, levels.codes)[identified.group]
    pools = (identified.collective[group_levels == level] for level in range(len(levels.levels)))
    for rows in pools:
        moving = np.bincount(truth[rows][changed[rows]], minlength=categories)
        whole = np.bincount(truth[rows], minlength=categories)
        if moving.any() and group_pool(moving, whole - moving).to_one is not None:
            return True
    return False


def demands_in_force(demands: tuple[LevelDemand, ...], stated: Mapping[str, Any]) -> tuple[LevelDemand, ...]:
    """Return the privacy levels' demands, raised to the share that ``largest-balanced`` chose and the step reported.

    The level that follows this share is itself returned unchanged, with the share it had before; the others demand the
    larger of the chosen share and their own. If no level follows it, all demands are returned unchanged.
    """
    if not any(demand.follows for demand in demands):
        return demands
    proportion = as_share(stated["proportion"])
    return tuple(demand if demand.follows else replace(demand, swap=max(demand.swap, proportion)) for demand in demands)


def _count_unique_records(
    demands: tuple[LevelDemand, ...], level: Ints, changed: Bools, stated: Mapping[str, Any]
) -> tuple[Ints, Ints, Ints]:
    """Return, for each privacy level, its unique records, how many changed, and by how many that breaks the promise.

    All have shape (levels,). The last is 0 within the range that rounding allows; where the step reported that it chose
    the share or changed fewer than demanded, the number must be the reported one. ``level`` and ``changed`` are those
    of the unique records.
    """
    size = np.bincount(level, minlength=len(demands)).astype(np.int64)
    done = np.bincount(level[changed], minlength=len(demands)).astype(np.int64)
    off = np.zeros(len(demands), dtype=np.int64)
    for index, demand in enumerate(demands):
        least, most = possible_changes(demand.swap, int(size[index]))
        level_statement = stated["levels"][index]
        if demand.follows or float(level_statement["demanded"]) < float(level_statement["asked"]):
            least = most = int(level_statement["m"])
        off[index] = max(least - int(done[index]), int(done[index]) - most, 0)
    return size, done, off


def _count_wrong_groups(
    identified: Identified, changed: Bools, demands: tuple[LevelDemand, ...], levels: RecordLevels
) -> Ints:
    """Return, for each privacy level, in how many groups too few or too many members changed, shape (levels,).

    Right is the demanded share of the members, rounded down or up, but at least one. A group counts for the level of
    its strictest member.
    """
    sizes = identified.sizes
    done = np.bincount(identified.group[changed[identified.collective]], minlength=identified.groups)
    strictest = group_level(identified, levels.codes)
    wrong = np.zeros(len(demands), dtype=np.int64)
    for index, demand in enumerate(demands):
        here = strictest == index
        least, most = member_bounds(demand.group_share, sizes[here])
        wrong[index] = np.count_nonzero((done[here] < least) | (done[here] > most))
    return wrong
