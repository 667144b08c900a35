"""Who takes part in a swap and how many of them change, fixed by the key before any search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from ppdm_desktop.engine.arrays import AnyInts, Ints
from ppdm_desktop.engine.identifiability.classes import Classes
from ppdm_desktop.engine.methods.algorithms.swapping.demands import (
    DemandClass,
    LevelDemand,
    changes_due,
    class_of_level,
    demand_classes,
)
from ppdm_desktop.engine.methods.algorithms.swapping.max_balanced_share import largest_balanced
from ppdm_desktop.engine.methods.algorithms.swapping.members import (
    Identified,
    draw_member_counts,
    draw_members,
    group_level,
    identified,
)
from ppdm_desktop.engine.methods.algorithms.swapping.problem import GROUP_MEMBER
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.randomness import RandomStream

Streams = Callable[[str], RandomStream]

GROUP_SHARES = tuple(Fraction(n, 20) for n in range(11))
"""Group shares that ``largest-balanced`` chooses among: one member, then 0.05 to 0.5."""


@dataclass(frozen=True, eq=False)
class ColumnInput:
    """What a swap reads of the table.

    Attributes
    ----------
    truth
        Category of each record, -1 where missing.
    categories
        Number of categories.
    quasi
        Codes of each quasi-identifier, -1 where missing.
    classes
        Records grouped by equal quasi-identifiers.
    level
        Level of each record, the weakest 0.
    """

    truth: Ints
    categories: int
    quasi: Sequence[AnyInts]
    classes: Classes
    level: Ints


@dataclass(frozen=True, eq=False)
class Members:
    """Who takes part, drawn before any search, so that searches can be compared on one draw.

    Attributes
    ----------
    found
        The identifiable records.
    classes
        Demand classes with the proportion in force.
    class_sizes, changes
        Unique records, and changes due, in each class.
    group_due
        Members that change in each group.
    group_shares
        Share of members in force for each level; 0 is one member.
    rows
        Rows that may change: group members drawn, then unique records by class.
    demand
        Demand class of each, or GROUP_MEMBER.
    """

    found: Identified
    classes: tuple[DemandClass, ...]
    class_sizes: Ints
    changes: Ints
    group_due: Ints
    group_shares: tuple[Fraction, ...]
    rows: Ints
    demand: Ints


def draw_participants(
    column: ColumnInput,
    demands: Sequence[LevelDemand],
    streams: Streams,
    progress: Progress,
    *,
    choose_share: bool = False,
) -> Members:
    """Fix by the key how many records change and which members of groups do.

    Parameters
    ----------
    column
        The column.
    demands
        What each level asks.
    streams
        The key's stream for a purpose.
    progress
        Checked for cancellation.
    choose_share
        With ``largest-balanced``: choose the group share too.
    """
    found = identified(column.classes, column.truth)
    progress.check()
    classes = demand_classes(demands)
    of_level = class_of_level(classes, len(demands))
    demand = of_level[column.level[found.unique]]
    sizes = np.bincount(demand, minlength=len(classes)).astype(np.int64)
    drawn = streams("count").uniform(len(classes))
    strictest = group_level(found, column.level)
    drawn_members = streams("group count").uniform(found.groups)
    shares = [each.group_share for each in demands]
    if any(each.follows for each in classes):
        first = found.collective[np.unique(found.group, return_index=True)[1]]

        def forced_by(share: Fraction) -> Ints:
            due = draw_member_counts(
                found, strictest, [each.with_group_share(share).group_share for each in demands], drawn_members
            )
            return np.bincount(column.truth[first], weights=due, minlength=column.categories).astype(np.int64)

        cells = np.bincount(
            demand * column.categories + column.truth[found.unique],
            minlength=len(classes) * column.categories,
        )
        weakest = next(each.group_share for each in demands if each.follows)
        chosen = largest_balanced(
            cells.reshape(len(classes), -1).astype(np.int64),
            classes,
            drawn,
            GROUP_SHARES if choose_share else (weakest,),
            forced_by,
            progress,
        )
        classes = tuple(
            replace(each, swap=chosen.proportion if each.follows else max(each.swap, chosen.proportion))
            for each in classes
        )
        shares = [each.with_group_share(chosen.group_share).group_share for each in demands]
        changes = np.array(chosen.changes, dtype=np.int64)
    else:
        due = [changes_due(each.swap, int(n), float(u)) for each, n, u in zip(classes, sizes, drawn)]
        changes = np.array(due, dtype=np.int64)
    group_due = draw_member_counts(found, strictest, shares, drawn_members)
    members = draw_members(found, group_due, streams("members"))
    progress.check()
    order = np.argsort(demand, kind="stable")
    return Members(
        found,
        classes,
        sizes,
        changes,
        group_due,
        tuple(shares),
        np.concatenate([members, found.unique[order]]),
        np.concatenate([np.full(len(members), GROUP_MEMBER, dtype=np.int64), demand[order]]),
    )
