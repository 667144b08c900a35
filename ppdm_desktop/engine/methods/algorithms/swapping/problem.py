"""Phase II as a transportation problem: which records may change, at what cost, and with which totals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ppdm_desktop.engine.arrays import Floats, Ints

GROUP_MEMBER = -1
Status = Literal["proven", "bounded", "heuristic", "random", "nothing"]

# A bound that is reported is lowered by this much a record, far more than rounding can amount to.
BOUND_SAFETY = 1e-9
# What rounding can amount to, a record and unit of cost: a few units in the last place of each
# term and of pairwise sums. Deciding which records the proof may leave out needs this finer one.
ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class SwapProblem:
    """The problem of choosing one category for each record at the least total cost (Li & Sarkar 2004, problem 12).

    Attributes
    ----------
    cost
        Cost of releasing each category, shape (records, categories).
    truth
        True category of each record.
    demand
        Demand class of a unique record (records of which a given number must change); GROUP_MEMBER for a
        group's member, which must change.
    changes
        Number of records of each demand class that change (constraint C1).
    slack
        Half the least possible change of the totals: with 0 they are kept exactly (constraint C3); otherwise all totals
        with the least change are allowed.
    target
        The wanted number of records in each category, if it is not the present one; then without slack.
    """

    cost: Floats
    truth: Ints
    demand: Ints
    changes: Ints
    slack: int = 0
    target: Ints | None = None

    @property
    def records(self) -> int:
        """Number of records that may change."""
        return len(self.truth)

    @property
    def categories(self) -> int:
        """Number of categories."""
        return int(self.cost.shape[1])

    def marginal(self) -> Ints:
        """Return the wanted number of records in each category: as many as before, or the target."""
        if self.target is not None:
            return self.target
        return np.bincount(self.truth, minlength=self.categories).astype(np.int64)

    def value(self, choice: Ints) -> float:
        """Return the total cost of a choice of one category for each record."""
        return float(self.cost[np.arange(len(choice)), choice].sum())

    def part(self, rows: Ints) -> SwapProblem:
        """Return the problem restricted to some records, without slack and target, with the same numbers of changes."""
        return SwapProblem(self.cost[rows], self.truth[rows], self.demand[rows], self.changes)

    def violation(self, choice: Ints) -> str | None:
        """Return the first constraint that a choice breaks, as an English text; None if it breaks none.

        In this order: all members of groups change, each demand class (such as a privacy level) makes exactly its
        number of changes, and the totals of the categories differ from the wanted ones by no more than 2 ``slack`` in
        all.
        """
        changed = choice != self.truth
        members = self.demand == GROUP_MEMBER
        if not changed[members].all():
            return "a group's member kept its value"
        change_counts = np.bincount(self.demand[changed & ~members], minlength=len(self.changes))
        if not np.array_equal(change_counts, self.changes):
            return "a level changed too few or too many records"
        after = np.bincount(choice, minlength=self.categories)
        if int(np.abs(after - self.marginal()).sum()) > 2 * self.slack:
            return "the marginal moved"
        return None


@dataclass(frozen=True, eq=False)
class Solution:
    """A choice of categories, its cost, and what is proven about it.

    Attributes
    ----------
    choice
        Category of each record.
    value
        Its total cost.
    bound
        No choice costs less than this.
    status
        ``proven`` to be optimal, ``bounded`` (at most ``value - bound`` from the optimum), or ``heuristic`` without a
        bound.
    """

    choice: Ints
    value: float
    bound: float
    status: Status
