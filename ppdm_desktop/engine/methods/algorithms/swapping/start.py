"""The start of phase II: the numbers of changes from phase I, assigned to records drawn at random."""

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
    """Return the number of unique records by demand class and category (N), and of group members by category (v).

    Shapes (classes, categories) and (categories,). A demand class is a set of unique records of which a given number
    must change, such as those of a privacy level.

    Parameters
    ----------
    truth, demand
        Category, and demand class or GROUP_MEMBER, of the records that may change.
    classes, categories
        Number of demand classes and of categories.
    """
    cells = np.bincount((demand + 1) * categories + truth, minlength=(classes + 1) * categories)
    cells = cells.reshape(classes + 1, categories).astype(np.int64)
    return cells[1:], cells[0]


def balanced_start(
    truth: Ints, demand: Ints, changes: Ints, marginal: Ints, stream: RandomStream, *, vary_flows: bool = False
) -> tuple[Ints, int]:
    """Return a random choice of categories that changes the totals of the categories least, and this change (phase I).

    The choice is a category for each of these records; all members of groups change, and unique records that do not
    change keep theirs. The change is the sum over categories of |records after - records before|.

    Parameters
    ----------
    truth, demand
        Category, and demand class (records of which a given number must change) or GROUP_MEMBER, of the records that
        may change.
    changes
        Number of records of each class that change.
    marginal
        Number of records of each category in the table; an unavoidable surplus is shared in proportion.
    stream
        Chooses the records, and with ``vary_flows`` also how many move from one category to another; otherwise these
        numbers are as even as possible.
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
    """Return a category for each record, with given numbers of moves between categories; who moves is drawn at random.

    All members of groups among the records move.

    Parameters
    ----------
    truth, demand
        Category, and demand class (records of which a given number must change) or GROUP_MEMBER, of the records that
        may change.
    leaving
        Number of records of each class and category that change, shape (classes, categories).
    flows
        Number of records that move from each category to each other, shape (categories, categories); row sums fit
        ``leaving`` and the group members.
    stream
        Draws the records.
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
    """Return n[k][h], the number of records that moved from category k to category h; n[k][k] is 0.

    With true categories 0, 0, 1 and released ones 1, 0, 0 it is [[0, 1], [1, 0]].
    """
    moved = truth != choice
    cells = np.bincount(truth[moved] * categories + choice[moved], minlength=categories**2)
    return [[int(n) for n in row] for row in cells.reshape(categories, categories)]


def compute_departure(truth: Ints, choice: Ints, categories: int) -> int:
    """Return how far a choice of categories changes their totals: the sum of |records after - records before|.

    One record that moves alone from a category to another gives 2, two records that exchange theirs give 0. ``truth``
    and ``choice`` are each record's category before and after; ``categories`` is the number of categories.
    """
    before = np.bincount(truth, minlength=categories)
    after = np.bincount(choice, minlength=categories)
    return int(np.abs(after - before).sum())


def find_relabelled(flows: Sequence[Sequence[int]], least: int = 5, share: float = 0.95) -> list[int]:
    """Return the categories, rising, whose changed records come nearly all from one other category.

    Of 20 records that moved to a category, 19 or more must come from the same one. Anybody shown there could be
    guessed.

    Parameters
    ----------
    flows
        n[k][h]: number of records that moved from category k to h.
    least
        Categories that received fewer records are not judged.
    share
        Smallest share that counts as nearly all.
    """
    targets = []
    for category in range(len(flows)):
        incoming = [row[category] for row in flows]
        if sum(incoming) >= least and max(incoming) >= share * sum(incoming):
            targets.append(category)
    return targets
