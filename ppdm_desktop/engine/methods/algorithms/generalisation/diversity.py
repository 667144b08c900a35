"""Required diversity of confidential values in a class of records: l-diversity and t-closeness.

Machanavajjhala et al., TKDD 2007 (distinct and entropy l-diversity); Li, Li & Venkatasubramanian, ICDE 2007
(t-closeness: earth mover's distance, every step of an ordered column as long as every other, any two categories of an
unordered one equally far). Missing counts as a value, before all others.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Floats, Ints
from ppdm_desktop.engine.identifiability.classes import Classes
from ppdm_desktop.engine.identifiability.diversity import (
    ValueCounts,
    closeness_nominal,
    closeness_ordered,
    distinct_values,
    entropy_values,
)
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.people import People

DISTINCT, ENTROPY = "distinct", "entropy"
_CLOSE = 1e-9


@dataclass(frozen=True, eq=False)
class Secret:
    """The values of a confidential column.

    Attributes
    ----------
    name
        The column's.
    codes
        int64, shape (records,): its values, 0 and up, in order where it has one.
    shares
        float64: share of each value in the whole table.
    ordered
        Whether distances follow the order.
    people
        Whose row each is, where a person has several: then a value that a person has in several rows of a class
        counts once.
    """

    name: str
    codes: Ints
    shares: Floats
    ordered: bool
    people: People | None = None

    @classmethod
    def of(cls, column: Column, people: People | None = None) -> Secret:
        """Return the values of a column as codes."""
        present, codes = np.unique(column.category_codes, return_inverse=True)
        codes = codes.reshape(-1).astype(np.int64)
        counted = codes
        if people is not None:
            counted = np.unique(people.of_row * max(len(present), 1) + codes) % max(len(present), 1)
        shares = np.bincount(counted, minlength=len(present)) / max(len(counted), 1)
        return cls(column.name, codes, shares, column.kind in ("numeric", "ordinal", "date"), people)

    def counts(self, classes: Classes, rows: Ints) -> ValueCounts:
        """Return how often each class of the rows shows each value; equal values of one person count once."""
        if self.people is None:
            return ValueCounts.of_ranks(classes, self.codes[rows], self.shares)
        of_class, _, value = self._held(classes, rows)
        return ValueCounts.of_ranks(Classes(of_class, classes.count), value, self.shares)

    def distinct(self, counts: ValueCounts, classes: Classes, rows: Ints, least: float) -> Ints:
        """Return how many distinct values each class of the rows shows, given its ``counts``.

        Where people have several rows: the largest number of values that as many different people hold, one each (a
        matching of people and values), so that one person's rows alone do not make a class diverse. The result is
        exact only as far as it matters for reaching ``least``: two people or two values need no matching.
        """
        if self.people is None:
            return distinct_values(counts)
        of_class, person, value = self._held(classes, rows)
        width, people = max(len(self.shares), 1), max(self.people.count, 1)
        there = np.unique(of_class * people + person) // people
        distinct = np.minimum(distinct_values(counts), np.bincount(there, minlength=classes.count)).astype(np.int64)
        if least <= 2:
            return distinct
        open_ones = (distinct >= min(least, 3)) & (distinct > 2)
        asked = np.flatnonzero(open_ones[of_class])
        if not len(asked):
            return distinct
        from scipy.sparse import csr_array  # late: SciPy takes longer to load than most commands to run
        from scipy.sparse.csgraph import maximum_bipartite_matching

        pair, kind = np.unique(of_class[asked] * width + value[asked], return_inverse=True)
        whose, person_index = np.unique(of_class[asked] * people + person[asked], return_inverse=True)
        cells = (kind.reshape(-1), person_index.reshape(-1))
        graph = csr_array((np.ones(len(asked), dtype=np.int8), cells), shape=(len(pair), len(whose)))
        matched = np.asarray(maximum_bipartite_matching(graph, perm_type="column")) >= 0
        held = np.bincount(pair[matched] // width, minlength=classes.count)
        return np.where(open_ones, held, distinct).astype(np.int64)

    def reachable(self, kind: str, asked: float) -> float:
        """Return the diversity of the whole table, an upper bound for every class."""
        if kind != DISTINCT:
            return entropy_limit(self)
        if self.people is None:
            return float(len(self.shares))
        whole, rows = Classes(np.zeros_like(self.codes), 1), np.arange(len(self.codes))
        return float(self.distinct(self.counts(whole, rows), whole, rows, asked)[0])

    def _held(self, classes: Classes, rows: Ints) -> tuple[Ints, Ints, Ints]:
        """Return each (class, person, value) that occurs, once, as three arrays."""
        assert self.people is not None
        width, people = max(len(self.shares), 1), max(self.people.count, 1)
        held = np.unique((classes.ids * people + self.people.of_row[rows]) * width + self.codes[rows])
        return held // width // people, held // width % people, held % width

    def distance(self, counts: ValueCounts) -> Floats:
        """Return the earth mover's distance of each class from the whole table, 0 to 1."""
        return closeness_ordered(counts) if self.ordered else closeness_nominal(counts)


@dataclass(frozen=True)
class Diversity:
    """The diversity required of each class in each confidential column.

    Attributes
    ----------
    l
        Least number of values; 1 asks nothing.
    kind
        ``distinct`` (values counted) or ``entropy`` (exp of the entropy).
    t
        Largest distance from the whole table, 0 to 1; None asks nothing.
    most
        Share of a group that may not hold one value, (alpha, k)-anonymity (Wong, Li, Fu & Wang, KDD 2006); a value that
        so large a share of all hold is no secret. None asks nothing.
    """

    l: float  # noqa: E741 - the field's name for it
    kind: str
    t: float | None
    most: float | None = None

    @property
    def asks(self) -> bool:
        """Whether groups must meet any demand on their confidential values."""
        return self.l > 1 or self.t is not None or self.most is not None

    def broken(self, secrets: Sequence[Secret], group: Ints, count: int) -> Bools:
        """Return which groups lack the required diversity, bool, shape (count,); records of group -1 are ignored."""
        broken = np.zeros(count, dtype=np.bool_)
        inside = np.flatnonzero(group >= 0)
        classes = Classes(group[inside], count)
        filled = classes.sizes > 0
        for secret in secrets:
            counts = secret.counts(classes, inside)
            if self.l > 1:
                distinct = self.kind == DISTINCT
                reached = secret.distinct(counts, classes, inside, self.l) if distinct else entropy_values(counts)
                broken |= filled & (reached < self.l - _CLOSE)
            if self.t is not None:
                broken |= filled & (secret.distance(counts) > self.t + _CLOSE)
            if self.most is not None:
                is_held = (counts.share >= self.most - _CLOSE) & (counts.overall[counts.value] < self.most - _CLOSE)
                broken[counts.of[is_held]] = True
        return broken


def entropy_limit(secret: Secret) -> float:
    """Return exp(entropy) of the whole table, the most that every class can reach."""
    shares = secret.shares[secret.shares > 0]
    return math.exp(float(-(shares * np.log(shares)).sum()))
