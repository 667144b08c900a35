"""The start of phase II: phase I's flows assigned to records drawn by the key."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.methods.algorithms.swapping.balance import (
    balanced_inflow,
    balanced_outflow,
    flow_matrix,
    least_departure,
)
from ppdm_desktop.engine.methods.algorithms.swapping.shuffled import rank_within, shuffle_by_keys
from ppdm_desktop.engine.randomness import RandomStream


def count_changeable_records(truth: Ints, demand: Ints, classes: int, categories: int) -> tuple[Ints, Ints]:
    """Return the unique records by class and category, N, and the groups' members by category, v.

    Shapes (classes, categories) and (categories,).

    Parameters
    ----------
    truth, demand
        Category, and demand class or GROUP_MEMBER, of the records that may change.
    classes, categories
        How many of each there are.
    """
    cells = np.bincount((demand + 1) * categories + truth, minlength=(classes + 1) * categories)
    cells = cells.reshape(classes + 1, categories).astype(np.int64)
    return cells[1:], cells[0]


def balanced_start(
    truth: Ints, demand: Ints, changes: Ints, marginal: Ints, stream: RandomStream, *, vary_flows: bool = False
) -> tuple[Ints, int]:
    """Return a choice drawn by the key that moves the totals of the categories least, and how far they move (phase I).

    The choice is a category for each of these records; those that do not change keep theirs. How far is the sum over
    categories of |records after - records before|.

    Parameters
    ----------
    truth, demand
        Category, and demand class or GROUP_MEMBER, of the records that may change.
    changes
        Changes due in each class.
    marginal
        Size of each category in the table; an unavoidable surplus is shared in proportion.
    stream
        Chooses the records, and with ``vary_flows`` the flows too; otherwise these are as even
        as can be.
    """
    categories = len(marginal)
    available, forced = count_changeable_records(truth, demand, len(changes), categories)
    wishes: tuple[Floats | None, Floats | None] = (None, None)
    if vary_flows:
        wishes = (
            stream.uniform(available.size).reshape(available.shape),
            stream.uniform(categories**2).reshape(categories, categories) ** 2,
        )
    leaving = balanced_outflow(available, changes, forced, wishes[0])
    flows = flow_matrix(total := leaving.sum(axis=0) + forced, balanced_inflow(total, marginal), wishes[1])
    choice = draw_choice_of_flows(truth, demand, leaving, flows, stream)
    return choice, least_departure(available, changes, forced)


def draw_choice_of_flows(truth: Ints, demand: Ints, leaving: Ints, flows: Ints, stream: RandomStream) -> Ints:
    """Return a choice with the given flows, the records drawn by the key; every group's member changes.

    Parameters
    ----------
    truth, demand
        Category, and demand class or GROUP_MEMBER, of the records that may change.
    leaving
        How many of each class and category change, shape (classes, categories).
    flows
        How many change from each category to each other, shape (categories, categories); row sums fit ``leaving`` and
        the members.
    """
    categories = len(flows)
    choice = truth.copy()
    cells = (demand + 1) * categories + truth
    order = shuffle_by_keys(cells, stream)
    progress.check()
    # Of each class and category as many as leave it; of the groups' members all.
    quota = np.concatenate([np.full(categories, len(truth)), leaving.reshape(-1)])
    moving = order[rank_within(cells[order]) < quota[cells[order]]]
    progress.check()
    # A second draw, so that which records of a category go where does not follow the first.
    moving = moving[shuffle_by_keys(truth[moving], stream)]
    choice[moving] = np.repeat(np.tile(np.arange(categories), categories), flows.reshape(-1))
    progress.check()
    return choice


def flows_of(truth: Ints, choice: Ints, categories: int) -> list[list[int]]:
    """Return the number of changed records from category k to h, n[k][h], with a diagonal of 0."""
    moved = truth != choice
    cells = np.bincount(truth[moved] * categories + choice[moved], minlength=categories**2)
    return [[int(n) for n in row] for row in cells.reshape(categories, categories)]


def compute_departure(truth: Ints, choice: Ints, categories: int) -> int:
    """Return the sum over categories of |records after - records before|."""
    before = np.bincount(truth, minlength=categories)
    after = np.bincount(choice, minlength=categories)
    return int(np.abs(after - before).sum())


def find_relabelled(flows: Sequence[Sequence[int]], least: int = 5, share: float = 0.95) -> list[int]:
    """Return the categories, rising, that received nearly all their changed records from one other category.

    Parameters
    ----------
    flows
        n[k][h]: records that moved from category k to h.
    least
        Categories that received fewer are not judged.
    share
        What counts as nearly all.
    """
    targets = []
    for category in range(len(flows)):
        incoming = [row[category] for row in flows]
        if sum(incoming) >= least and max(incoming) >= share * sum(incoming):
            targets.append(category)
    return targets
