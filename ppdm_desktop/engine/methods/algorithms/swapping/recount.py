"""The promise of a swap counted anew from two tables: the step's input and its output."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.identifiability.classes import quasi_identifier_classes
from ppdm_desktop.engine.methods.algorithms.swapping.balance import least_departure
from ppdm_desktop.engine.methods.algorithms.swapping.demands import (
    DemandClass,
    LevelDemand,
    as_share,
    class_of_level,
    demand_classes,
    level_demands,
    member_bounds,
    possible_changes,
)
from ppdm_desktop.engine.methods.algorithms.swapping.members import Identified, group_level, identified
from ppdm_desktop.engine.methods.base.step import Guarantee, LevelProof, Recount, Settings
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.levels import RecordLevels

_FOREIGN = -2


def levels_of(table: Table) -> RecordLevels:
    """Return the table's levels; before any are resolved, the weakest for all."""
    return table.levels if table.levels is not None else RecordLevels.same_for_all(table.rows)


def released_categories(before: Column, after: Column) -> Ints:
    """Return the category of each released value in terms of the original column.

    -1 is missing, -2 a value the original column does not have.
    """
    place = {name: index for index, name in enumerate(before.categories)}
    known = [-1 if text in before.missing_texts else place.get(text, _FOREIGN) for text in after.texts]
    return np.array(known, dtype=np.int64)[after.codes] if known else np.zeros(0, dtype=np.int64)


def same_values(before: Column, after: Column) -> Bools:
    """Say for each row whether the text is the same."""
    if before.codes is after.codes and before.texts == after.texts:
        return np.ones(len(before), dtype=np.bool_)
    place = {text: index for index, text in enumerate(before.texts)}
    lookup = np.array([place.get(text, _FOREIGN) for text in after.texts], dtype=np.int64)
    return np.asarray(lookup[after.codes] == before.codes)


@dataclass(eq=False)
class _Count:
    """What was found wrong in one column, in records."""

    off: int = 0
    checked: int = 0
    proofs: tuple[LevelProof, ...] = ()


def recount_swap(
    before: Table, after: Table, settings: Settings, detail: Mapping[str, Any], *, obey_groups: bool = True
) -> Recount:
    """Count every promise of a swap from the two tables.

    Per level as many unique records changed as promised (below 20 either neighbour), every
    group as asked, nobody else, no other column of the step's input, and the marginal moved as
    stated.

    Parameters
    ----------
    before, after
        The step's input and output, row by row.
    settings
        The step's columns and parameters.
    detail
        What the step stated of each column.
    obey_groups
        False when groups were not promised anything.
    """
    quasi = before.with_role("quasi-identifier")
    moved = sum(int(np.count_nonzero(~same_values(each, after.column(each.name)))) for each in quasi)
    counts = [
        _recount_column(before, after.column(name), settings, detail["columns"][name], obey_groups)
        for name in settings.columns
    ]
    off = moved + sum(each.off for each in counts)
    guarantee = Guarantee("file+original", off == 0, sum(each.checked for each in counts), float(off))
    return Recount(guarantee, tuple(proof for each in counts for proof in each.proofs))


def _recount_column(
    before: Table, after: Column, settings: Settings, stated: Mapping[str, Any], obey_groups: bool
) -> _Count:
    column = before.column(after.name)
    truth = column.category_codes.astype(np.int64)
    released = released_categories(column, after)
    categories = len(column.categories)
    levels = levels_of(before)
    classes = quasi_identifier_classes(before)
    found = identified(classes, truth)
    demands = demands_in_force(level_demands(settings, levels, categories), stated)
    joined = demand_classes(demands)
    of_level = class_of_level(joined, len(demands))
    changed = released != truth
    pool = found.unique if obey_groups else np.concatenate([found.unique, found.collective])
    size, due, wrong = _unique_counts(joined, of_level[levels.codes[pool]], changed[pool], stated)
    others = np.ones(before.rows, dtype=np.bool_)
    others[found.unique] = False
    others[found.collective] = False
    spoilt = int(np.count_nonzero(changed & others)) + int(np.count_nonzero(released == _FOREIGN))
    bad_groups, level_bad = np.zeros(len(demands), dtype=np.int64), 0
    if obey_groups:
        bad_groups = _wrong_groups(found, changed, demands, levels)
        level_bad = int(bad_groups.sum())
    drift = np.abs(
        np.bincount(released[released >= 0], minlength=categories)
        - np.bincount(truth[truth >= 0], minlength=categories)
    )
    adrift = abs(int(drift.sum()) - int(stated["departure"]))
    if settings.values.get("balance") == "pooled":
        adrift += abs(int(drift.sum()) - _least_drift(found, truth, changed, of_level[levels.codes], categories))
    covered = np.zeros(before.rows, dtype=np.bool_)
    covered[pool] = True
    if obey_groups:
        covered[found.collective] = True
    proofs = []
    for index, level in enumerate(levels.levels):
        here = levels.codes == index
        records, served = int(here.sum()), int(np.count_nonzero(here & covered))
        at = int(of_level[index])
        fine = not wrong[at] and not bad_groups[index] and not np.any(changed & others & here)
        proofs.append(
            LevelProof(
                level.name,
                column.name,
                records,
                served,
                records - served,
                float(stated["proportion"] if joined[at].follows else joined[at].swap),
                float(due[at] / size[at]) if size[at] else None,
                None,
                bool(fine),
            )
        )
    return _Count(int(wrong.sum()) + spoilt + level_bad + adrift, before.rows, tuple(proofs))


def _least_drift(found: Identified, truth: Ints, changed: Bools, demand: Ints, categories: int) -> int:
    """Return the least departure that as many changes allow, from the counts alone."""
    width = int(demand.max(initial=0)) + 1
    cells = demand[found.unique] * categories + truth[found.unique]
    available = np.bincount(cells, minlength=width * categories).reshape(width, categories)
    due = np.bincount(demand[found.unique][changed[found.unique]], minlength=width)
    forced = np.bincount(truth[found.collective][changed[found.collective]], minlength=categories)
    return least_departure(available.astype(np.int64), due.astype(np.int64), forced.astype(np.int64))


def demands_in_force(demands: tuple[LevelDemand, ...], stated: Mapping[str, Any]) -> tuple[LevelDemand, ...]:
    """Return the demands with what ``largest-balanced`` chose, as the step stated it."""
    if not any(each.follows for each in demands):
        return demands
    proportion = as_share(stated["proportion"])
    share = as_share(stated["group_share"])
    return tuple(
        each.with_group_share(share)
        if each.follows
        else replace(each, swap=max(each.swap, proportion)).with_group_share(share)
        for each in demands
    )


def _unique_counts(
    joined: tuple[DemandClass, ...], demand: Ints, changed: Bools, stated: Mapping[str, Any]
) -> tuple[Ints, Ints, Ints]:
    """Return size, changes and how far these are from the promise, for each demand class."""
    size = np.bincount(demand, minlength=len(joined)).astype(np.int64)
    done = np.bincount(demand[changed], minlength=len(joined)).astype(np.int64)
    off = np.zeros(len(joined), dtype=np.int64)
    for index, each in enumerate(joined):
        least, most = possible_changes(each.swap, int(size[index]))
        if each.follows:
            least = most = int(stated["levels"][index]["m"])
        off[index] = max(least - int(done[index]), int(done[index]) - most, 0)
    return size, done, off


def _wrong_groups(found: Identified, changed: Bools, demands: tuple[LevelDemand, ...], levels: RecordLevels) -> Ints:
    """Count, by level, the groups in which too few or too many members changed."""
    sizes = found.sizes
    done = np.bincount(found.group[changed[found.collective]], minlength=found.groups)
    strictest = group_level(found, levels.codes)
    wrong = np.zeros(len(demands), dtype=np.int64)
    for index, each in enumerate(demands):
        here = strictest == index
        least, most = member_bounds(each.group_share, sizes[here])
        wrong[index] = np.count_nonzero((done[here] < least) | (done[here] > most))
    return wrong
