"""The paper's own phase II: repeated rounds of sorted swaps (Li & Sarkar 2004, Table 2).

In a round every admissible swap of negative cost is made in ascending order of cost, each record at most once. A swap
is admissible if constraints (C1) and (C2) still hold afterwards, which is the plain form of the paper's Appendix A. It
depends only on the two records' states (demand class, true and current category), and its cost is a sum of one term for
each record. So instead of listing up to N(N-1)/2 swaps, each pair of states keeps two sorted lists and a heap has the
cheapest remaining swap of each: the same swaps in the same order.
"""

from __future__ import annotations

import heapq

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.methods.algorithms.swapping.problem import GROUP_MEMBER, SwapProblem

# A cost between this and 0 is rounding: taking it would let a round never end.
_NEGATIVE = -1e-12
_CHECK_EVERY = 1024

GREEDY_LIMIT = 60_000
"""Largest number of records for which the paper's search is offered; with more, its rounds take too long."""

State = tuple[int, int, int]
"""Demand class, true category and current category of a record."""


def is_admissible_swap(first: State, second: State) -> bool:
    """Return whether exchanging the current categories of two records keeps every count (paper, definition 4).

    A state is (demand class, true category, current category); a demand class is a set of unique records of which a
    given number must change, such as those of a privacy level; -1 stands for members of groups, who are not such a set.
    Of two records of one demand class, one may become changed while the other becomes unchanged; any other record must
    be changed after the swap exactly if it was before. For equal current categories the result is False.
    """
    (demand_a, truth_a, now_a), (demand_b, truth_b, now_b) = first, second
    if now_a == now_b:
        return False
    before = (now_a != truth_a, now_b != truth_b)
    after = (now_b != truth_a, now_a != truth_b)
    if demand_a == demand_b and demand_a != GROUP_MEMBER:
        return sum(before) == sum(after)
    return before == after


class _Side:
    """Records with one state in ascending order of the cost of moving to one category."""

    def __init__(self, rows: Ints, terms: Floats) -> None:
        """Store the rows and ``terms``, the cost of moving each, cheapest first; ties keep the order of ``rows``."""
        order = np.argsort(terms, kind="stable")
        self.rows: list[int] = rows[order].tolist()
        self.terms: list[float] = terms[order].tolist()


def greedy_round(problem: SwapProblem, choice: Ints) -> list[tuple[int, int, float]]:
    """Make one round of swaps in ``choice``, and return them as (lower row, higher row, cost) in the order made.

    A swap exchanges the categories of two records. The cheapest admissible one (`is_admissible_swap`) is made first, as
    long as its cost is below 0; in a tie, the one with the lowest row. Each record takes part in one swap at most. The
    result is empty if there is no such swap.

    Parameters
    ----------
    problem
        Costs, true categories and demand classes.
    choice
        Current category of each record; changed in place.
    """
    states, members = _list_states(problem, choice)
    sides: dict[tuple[int, int], _Side] = {}

    def side(state: int, target: int) -> _Side:
        """Return the records of a state sorted by the cost of moving to the category ``target``; computed only once."""
        if (state, target) not in sides:
            rows = members[state]
            terms = problem.cost[rows, target] - problem.cost[rows, states[state][2]]
            sides[state, target] = _Side(rows, terms)
        return sides[state, target]

    heap: list[tuple[float, int, int, int]] = []
    blocks: list[tuple[_Side, _Side]] = []
    pointers: list[list[int]] = []
    for a, first in enumerate(states):
        progress.check()
        for b in range(a + 1, len(states)):
            if is_admissible_swap(first, states[b]):
                blocks.append((side(a, states[b][2]), side(b, first[2])))
                pointers.append([0, 0])
                _push_cheapest_swap(heap, blocks[-1], pointers[-1], len(blocks) - 1)
    used = bytearray(problem.records)
    done = []
    steps = 0
    while heap:
        steps += 1
        if steps % _CHECK_EVERY == 0:
            progress.check()
        cost, _, _, block = heapq.heappop(heap)
        (left, right), at = blocks[block], pointers[block]
        i, j = left.rows[at[0]], right.rows[at[1]]
        if not used[i] and not used[j]:
            used[i] = used[j] = 1
            done.append((min(i, j), max(i, j), cost))
        while at[0] < len(left.rows) and used[left.rows[at[0]]]:
            at[0] += 1
        while at[1] < len(right.rows) and used[right.rows[at[1]]]:
            at[1] += 1
        _push_cheapest_swap(heap, blocks[block], at, block)
    if done:
        a_rows = np.array([i for i, _, _ in done])
        b_rows = np.array([j for _, j, _ in done])
        choice[a_rows], choice[b_rows] = choice[b_rows], choice[a_rows]
    return done


def _push_cheapest_swap(
    heap: list[tuple[float, int, int, int]], block: tuple[_Side, _Side], at: list[int], index: int
) -> None:
    """Put the cheapest remaining swap between two states on the heap if its cost is negative; ties by row.

    Nothing happens if the records of a state are used up. ``block`` are the sorted records of both states, ``at`` is
    the position of the first unused record in each, and ``index`` the number of the block.
    """
    left, right = block
    if at[0] < len(left.rows) and at[1] < len(right.rows):
        cost = left.terms[at[0]] + right.terms[at[1]]
        if cost < _NEGATIVE:
            i, j = left.rows[at[0]], right.rows[at[1]]
            heapq.heappush(heap, (cost, min(i, j), max(i, j), index))


def _list_states(problem: SwapProblem, choice: Ints) -> tuple[list[State], list[Ints]]:
    """Return the states that occur, as (demand class, true category, current category), and the records of each.

    A demand class is a set of unique records of which a given number must change, -1 for members of groups. States and
    the records of each are in ascending order.
    """
    width = problem.categories
    keys = ((problem.demand + 1) * width + problem.truth) * width + choice
    names, start, counts = np.unique(keys[order := np.argsort(keys, kind="stable")], True, False, True)
    states = [(int(k // width**2) - 1, int(k // width % width), int(k % width)) for k in names]
    return states, [order[a : a + n] for a, n in zip(start, counts, strict=True)]


def greedy_search(problem: SwapProblem, start: Ints) -> Ints:
    """Return the categories after rounds of swaps until no admissible swap has a negative cost.

    A swap exchanges the categories of two records; it is admissible if it keeps every count. Paper, Table 2, steps 3
    and 4. ``start`` itself is not changed.

    Parameters
    ----------
    problem
        Costs, true categories and demand classes.
    start
        Categories after phase I.
    """
    choice = start.copy()
    rounds = 0
    while greedy_round(problem, choice):
        rounds += 1
        # The number of rounds is not known beforehand; the bar approaches its end.
        progress.report(1 - 0.9**rounds, "progress.method.search")
    return choice
