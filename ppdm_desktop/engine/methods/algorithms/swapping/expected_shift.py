"""How far the number of records in each category would move, before anything is drawn."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ppdm_desktop.engine.identifiability.classes import quasi_identifier_classes
from ppdm_desktop.engine.methods.algorithms.swapping.balance import least_departure
from ppdm_desktop.engine.methods.algorithms.swapping.demands import (
    changes_due,
    level_demands,
)
from ppdm_desktop.engine.methods.algorithms.swapping.given import unit_input, units_of
from ppdm_desktop.engine.methods.algorithms.swapping.members import draw_member_counts, group_level
from ppdm_desktop.engine.methods.algorithms.swapping.recount import levels_of
from ppdm_desktop.engine.methods.base.step import Settings
from ppdm_desktop.engine.table.column import Table

_HALF = 0.5


def foreseen_departure(table: Table, settings: Settings) -> int:
    """Return the least departure of the marginals that these settings force, over all columns.

    Columns that move as one are counted as one. Counts that the key rounds are rounded at one half, so the figure may
    be off by a few records. ``proportion`` must be a number.
    """
    levels = levels_of(table)
    classes = quasi_identifier_classes(table)
    total = 0
    for unit in units_of(table, settings):
        given = unit_input(table, unit, classes)
        categories, truth, level = given.categories, given.truth, given.level
        identified = given.identified()
        demands = level_demands(settings, levels, categories)
        cells = level[identified.unique] * categories + truth[identified.unique]
        available = np.bincount(cells, minlength=len(demands) * categories)
        available = available.reshape(len(demands), categories).astype(np.int64)
        changes = np.array(
            [changes_due(demand.swap, int(size), _HALF) for demand, size in zip(demands, available.sum(axis=1))],
            dtype=np.int64,
        )
        shares: list[Fraction] = [each.group_share for each in demands]
        due = draw_member_counts(identified, group_level(identified, level), shares, np.full(identified.groups, _HALF))
        # Every member of a group has the group's one value.
        value = np.zeros(identified.groups, dtype=np.int64)
        value[identified.group] = truth[identified.collective]
        forced = np.bincount(value, weights=due, minlength=categories).astype(np.int64)
        total += least_departure(available, changes, forced)
    return total
