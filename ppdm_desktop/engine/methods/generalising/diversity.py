"""What a class of records may show of confidential columns: l-diversity and t-closeness.

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
import numpy.typing as npt

from ppdm_desktop.engine.table.column import Column

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

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
        for secret in secrets:
            cells = Cells.of(secret, group[inside], secret.codes[inside], count)
            if self.l > 1:
                reached = cells.distinct if self.kind == DISTINCT else cells.entropy_l
                found |= (cells.sizes > 0) & (reached < self.l - _CLOSE)
            if self.t is not None:
                found |= (cells.sizes > 0) & (cells.distance > self.t + _CLOSE)
        return found


@dataclass(frozen=True, eq=False)
class Cells:
    """The values of one confidential column in each group, only those that occur.

    Attributes
    ----------
    secret
        The column.
    group, value, share
        Of each cell, sorted by group and value; shares are of the group.
    sizes
        Records of each group.
    """

    secret: Secret
    group: Ints
    value: Ints
    share: Floats
    sizes: Ints

    @classmethod
    def of(cls, secret: Secret, group: Ints, values: Ints, count: int) -> Cells:
        """Count the values of each of ``count`` groups."""
        width = len(secret.shares)
        if count * width <= max(4 * len(group), 1 << 16):
            counted = np.bincount(group * width + values, minlength=count * width)
            cells = np.flatnonzero(counted)
            counts = counted[cells]
        else:
            cells, counts = np.unique(group * width + values, return_counts=True)
        owner = cells // max(width, 1)
        sizes = np.bincount(group, minlength=count).astype(np.int64)
        return cls(secret, owner, cells % max(width, 1), counts / sizes[owner], sizes)

    @property
    def distinct(self) -> Ints:
        """Number of values of each group."""
        return np.bincount(self.group, minlength=len(self.sizes)).astype(np.int64)

    @property
    def entropy_l(self) -> Floats:
        """Entropy l of each group: so many equally frequent values would be as uncertain."""
        terms = -self.share * np.log(self.share)
        return np.asarray(np.exp(np.bincount(self.group, weights=terms, minlength=len(self.sizes))))

    @property
    def distance(self) -> Floats:
        """Each group's earth mover's distance from the whole table, 0 to 1."""
        shares = self.secret.shares
        if len(shares) < 2:
            return np.zeros(len(self.sizes))
        if not self.secret.ordered:
            above = np.maximum(self.share - shares[self.value], 0.0)
            return np.asarray(np.bincount(self.group, weights=above, minlength=len(self.sizes)), dtype=np.float64)
        return self._moved() / (len(shares) - 1)

    def _moved(self) -> Floats:
        """Return the sum of absolute gaps between cumulated shares of group and table.

        A group's cumulated share is constant between its values: there the sum has a closed form.
        """
        shares = self.secret.shares
        table = np.cumsum(shares)
        sums = np.concatenate([[0.0], np.cumsum(table)])
        first = np.concatenate([[True], self.group[1:] != self.group[:-1]])
        starts = np.flatnonzero(first)
        running = np.cumsum(self.share)
        reached = running - (running[starts] - self.share[starts])[np.cumsum(first) - 1]
        stop = np.where(np.concatenate([first[1:], [True]]), len(shares), np.append(self.value[1:], 0))
        gaps = _gaps(reached, self.value, stop, table, sums)
        before = sums[self.value[starts]]  # below its lowest value the group has reached nothing
        found = np.bincount(self.group, weights=gaps, minlength=len(self.sizes))
        found[self.group[starts]] += before
        return np.asarray(found)


def _gaps(level: Floats, low: Ints, high: Ints, table: Floats, sums: Floats) -> Floats:
    """Return for each cell the sum over i in [low, high) of |level - table[i]|; ``table`` rises."""
    middle = np.clip(np.searchsorted(table, level), low, high)
    lower = level * (middle - low) - (sums[middle] - sums[low])
    upper = (sums[high] - sums[middle]) - level * (high - middle)
    return np.asarray(lower + upper)


def entropy_limit(secret: Secret) -> float:
    """Return the entropy l of the whole table, the most that any cutting can promise."""
    shares = secret.shares[secret.shares > 0]
    return math.exp(float(-(shares * np.log(shares)).sum()))
