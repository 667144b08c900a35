"""The paper's baseline: values swapped without regard to the joint distribution.

Which records change is uniform; the new value is drawn in proportion to the marginal of the
other categories. The marginal is kept only roughly, as in the paper's own random program.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.methods.algorithms.swapping.column import Swapped
from ppdm_desktop.engine.methods.algorithms.swapping.demands import LevelDemand, changes_due
from ppdm_desktop.engine.methods.algorithms.swapping.participants import (
    ColumnInput,
    Members,
    Streams,
    draw_participants,
)
from ppdm_desktop.engine.methods.algorithms.swapping.posterior import posterior_drop
from ppdm_desktop.engine.methods.algorithms.swapping.revealing_columns import values_kept
from ppdm_desktop.engine.methods.algorithms.swapping.shuffled import rank_within, shuffled_by
from ppdm_desktop.engine.randomness import RandomStream


def other_values(truth: Ints, marginal: Ints, stream: RandomStream) -> Ints:
    """Return another category for each record, drawn in proportion to the marginal without its own.

    Parameters
    ----------
    truth
        True categories.
    marginal
        Size of each category, at least two of them above 0.
    stream
        The key's stream.
    """
    edges = np.cumsum(marginal)
    left = edges[-1] - marginal[truth]
    position = np.minimum((stream.uniform(len(truth)) * left).astype(np.int64), left - 1)
    position += np.where(position >= edges[truth] - marginal[truth], marginal[truth], 0)
    return np.asarray(np.searchsorted(edges, position, side="right"), dtype=np.int64)


def random_codes(
    column: ColumnInput, demands: Sequence[LevelDemand], streams: Streams, *, obey_groups: bool = True
) -> Swapped:
    """Return one column with as many records changed as by `bayes-swap`, chosen at random.

    Parameters
    ----------
    column, demands, streams
        As for ``swap_codes``.
    obey_groups
        False: groups are not looked at; the proportion holds for all identifiable records
        of a level together, and some groups may keep all their values.
    """
    members = draw_participants(column, demands, streams)
    if not obey_groups:
        members = _without_groups(column, members, streams)
    progress.report(0.3, "progress.swap.search")
    truth = column.truth[members.rows]
    order = shuffled_by(members.demand + 1, streams("unique"))
    demand = members.demand[order]
    # Of each level as many as are due; of the groups' members (the last entry) all.
    due = np.append(members.changes, len(truth))
    moving = np.sort(order[rank_within(demand) < due[demand]])
    marginal = np.bincount(column.truth[column.truth >= 0], minlength=column.categories).astype(np.int64)
    choice = truth.copy()
    choice[moving] = other_values(truth[moving], marginal, streams("values"))
    kept = values_kept(column, members)
    if kept is not None:
        choice = _without_kept(truth, choice, kept, marginal, streams("revealed"))
    codes = column.truth.copy()
    codes[members.rows] = choice
    progress.report(0.6, "progress.swap.posterior")
    shares = column.posterior(members.rows)
    costs = posterior_drop(shares, truth)
    status = "random" if len(truth) else "nothing"
    return Swapped(codes, members, truth, choice, choice, costs, None, None, status, None, None, ())  # type: ignore[arg-type]


def _without_kept(truth: Ints, choice: Ints, kept: Ints, marginal: Ints, stream: RandomStream) -> Ints:
    """Return the choice with values that keep a group revealed drawn again among those that reveal least."""
    changed = choice.copy()
    drawn = stream.uniform(len(truth))
    for row in np.flatnonzero(kept[np.arange(len(truth)), choice]).tolist():
        allowed = np.arange(len(marginal)) != truth[row]
        fewest = allowed & (kept[row] == kept[row][allowed].min())
        changed[row] = np.searchsorted(np.cumsum(marginal * fewest), drawn[row] * marginal[fewest].sum(), side="right")
    return changed


def _without_groups(column: ColumnInput, members: Members, streams: Streams) -> Members:
    """Return the members with groups treated like the unique records of their level."""
    rows = np.sort(np.concatenate([members.identified.unique, members.identified.collective]))
    demand = column.level[rows].astype(np.int64)
    sizes = np.bincount(demand, minlength=len(members.demands)).astype(np.int64)
    drawn = streams("count").uniform(len(members.demands))
    due = [changes_due(demand.swap, int(n), float(u)) for demand, n, u in zip(members.demands, sizes, drawn)]
    order = np.argsort(demand, kind="stable")
    return Members(
        members.identified,
        members.demands,
        sizes,
        np.array(due, dtype=np.int64),
        np.zeros_like(members.group_due),
        members.group_shares,
        rows[order],
        demand[order],
        demand[order],
    )
