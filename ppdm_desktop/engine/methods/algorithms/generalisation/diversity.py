"""What a class of records may show of confidential columns: l-diversity and t-closeness asked for.

Machanavajjhala et al., TKDD 2007 (distinct and entropy l-diversity); Li, Li & Venkatasubramanian,
ICDE 2007 (t-closeness: earth mover's distance, every step of an ordered column as long as every
other, any two categories of an unordered one equally far). Missing is a value of its own, before
all others.
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

DISTINCT, ENTROPY = "distinct", "entropy"
_CLOSE = 1e-9


@dataclass(frozen=True, eq=False)
class Secret:
    """A confidential column.

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
    """

    name: str
    codes: Ints
    shares: Floats
    ordered: bool

    @classmethod
    def of(cls, column: Column) -> Secret:
        """Return a column's values as numbers."""
        present, codes = np.unique(column.category_codes, return_inverse=True)
        codes = codes.reshape(-1).astype(np.int64)
        shares = np.bincount(codes, minlength=len(present)) / max(len(codes), 1)
        return cls(column.name, codes, shares, column.kind in ("numeric", "ordinal", "date"))

    def counts(self, classes: Classes, rows: Ints) -> ValueCounts:
        """Return how often each class of these rows shows each value."""
        return ValueCounts.of_ranks(classes, self.codes[rows], self.shares)

    def distance(self, counts: ValueCounts) -> Floats:
        """Return each class's earth mover's distance from the whole table, 0 to 1."""
        return closeness_ordered(counts) if self.ordered else closeness_nominal(counts)


@dataclass(frozen=True)
class Diversity:
    """What is asked of each class, in each confidential column.

    Attributes
    ----------
    l
        Least number of values; 1 asks nothing.
    kind
        ``distinct`` (values counted) or ``entropy`` (exp of the entropy).
    t
        Largest distance from the whole table, 0 to 1; None asks nothing.
    """

    l: float  # noqa: E741 - the field's name for it
    kind: str
    t: float | None

    @property
    def asks(self) -> bool:
        """Whether anything is asked."""
        return self.l > 1 or self.t is not None

    def broken(self, secrets: Sequence[Secret], group: Ints, count: int) -> Bools:
        """Say which groups break it, bool, shape (count,); records of group -1 are left out."""
        found = np.zeros(count, dtype=np.bool_)
        inside = np.flatnonzero(group >= 0)
        classes = Classes(group[inside], count)
        filled = classes.sizes > 0
        for secret in secrets:
            counts = secret.counts(classes, inside)
            if self.l > 1:
                reached = distinct_values(counts) if self.kind == DISTINCT else entropy_values(counts)
                found |= filled & (reached < self.l - _CLOSE)
            if self.t is not None:
                found |= filled & (secret.distance(counts) > self.t + _CLOSE)
        return found


def entropy_limit(secret: Secret) -> float:
    """Return the entropy l of the whole table, the most that any cutting can promise."""
    shares = secret.shares[secret.shares > 0]
    return math.exp(float(-(shares * np.log(shares)).sum()))
