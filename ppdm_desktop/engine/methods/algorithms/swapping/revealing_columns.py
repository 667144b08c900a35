"""Groups whose value one of several columns reveals by itself, if the columns are swapped together.

People with the same details may differ in the combination of their values and still all have the same value in a single
column; this value is then known of each of them. They form a group as well, and a member who changes should show
another value of each column that reveals the group. This is done by costs: a combination that keeps such a value costs
more than anything else, so that it is chosen only if the numbers of changes leave no other.
"""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Floats, Ints
from ppdm_desktop.engine.methods.algorithms.swapping.participants import ColumnInput, Identified, Members
from ppdm_desktop.engine.methods.algorithms.swapping.problem import GROUP_MEMBER

_ABOVE_ALL = 20.0
"""Cost of a kept value, in spans of all other costs: to avoid one, several other records may have to change their
choice.
"""


def find_revealing_columns(identified: Identified, truth: Ints, views: tuple[Ints, ...]) -> Bools:
    """Return which columns reveal which groups, because all members have the same value, bool, shape (columns, groups).

    ``truth`` is the combination of each record, and ``views`` each column's category in every combination.
    """
    revealed = np.zeros((len(views), identified.groups), dtype=np.bool_)
    for view_index, view in enumerate(views):
        value = view[truth[identified.collective]]
        low = np.full(identified.groups, np.iinfo(np.int64).max)
        high = np.full(identified.groups, -1, dtype=np.int64)
        np.minimum.at(low, identified.group, value)
        np.maximum.at(high, identified.group, value)
        revealed[view_index] = low == high
    return revealed


def count_kept_values(column_input: ColumnInput, members: Members) -> Ints | None:
    """Return, for each participant and combination, in how many revealing columns the group's value would be kept.

    int64, shape (participants, combinations); 0 for unique records. None if one column is swapped by itself or no group
    member takes part. ``column_input`` has the true values, ``members`` the records that take part.
    """
    moves = np.flatnonzero(members.demand == GROUP_MEMBER)
    if not column_input.views or not len(moves):
        return None
    identified, rows = members.identified, members.rows[moves]
    revealed = find_revealing_columns(identified, column_input.truth, column_input.views)[
        :, identified.group[np.searchsorted(identified.collective, rows)]
    ]
    kept = np.zeros((len(members.rows), column_input.categories), dtype=np.int64)
    for view, is_revealed in zip(column_input.views, revealed, strict=True):
        kept[moves] += is_revealed[:, None] & (view[column_input.truth[rows]][:, None] == view[None])
    return kept


def steer_costs(costs: Floats, kept: Ints | None) -> Floats:
    """Return costs that avoid keeping a revealing value if another one can be shown.

    For each revealing column whose value a choice would keep, 20 times (1 + the span of all costs) is added. If
    ``kept`` is None, the costs are returned unchanged.
    """
    if kept is None or not costs.size:
        return costs
    return np.asarray(costs + kept * (_ABOVE_ALL * (1.0 + float(costs.max() - costs.min()))))


def count_still_revealed(identified: Identified, truth: Ints, released_codes: Ints, views: tuple[Ints, ...]) -> Ints:
    """Return, for each column, how many people are in groups whose value it revealed before and reveals after the swap.

    int64, shape (columns,). A group counts if no member shows another value of the column than before.
    """
    counts = np.zeros(len(views), dtype=np.int64)
    for view_index, (view, revealed) in enumerate(
        zip(views, find_revealing_columns(identified, truth, views), strict=True)
    ):
        moved = view[truth[identified.collective]] != view[np.maximum(released_codes[identified.collective], 0)]
        opened = np.bincount(identified.group[moved], minlength=identified.groups) > 0
        counts[view_index] = int(identified.sizes[revealed & ~opened].sum())
    return counts
