"""How much an equivalence class reveals of a confidential column: l-diversity in three forms, and t-closeness.

A. Machanavajjhala et al., l-diversity, ICDE 2006 (distinct, entropy and recursive (c, l)); N. Li, T. Li, S.
Venkatasubramanian, t-closeness, ICDE 2007. Every function returns one figure for each class; the figure of a table is
the worst of them. A missing value counts as a value, below all others where values have an order.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import AnyInts, Floats, Ints, on_grid
from ppdm_desktop.engine.identifiability.classes import Classes
from ppdm_desktop.engine.table.people import People

_FEW_CELLS = 1 << 16
_BLOCK = 100_000
_PAIRS_AT_ONCE = 1_000_000


@dataclass(frozen=True, eq=False)
class ValueCounts:
    """How often each value of one column occurs in each class, as a list of the (class, value) pairs that occur.

    Attributes
    ----------
    classes
        The classes; some may be empty.
    of
        int64, shape (pairs,): the pair's class, rising.
    value
        int64, shape (pairs,): the rank of the pair's value among the values of the table, rising within a class.
    count
        shape (pairs,): int64 number of records; or, where ``sizes`` is given, float64 number of people, each person
        being divided among the values of their rows in the class.
    overall
        float64, shape (values,): share of the table that each value holds.
    sizes
        int64, shape (classes,): people in each class; None where records are counted.
    """

    classes: Classes
    of: Ints
    value: Ints
    count: Ints | Floats
    overall: Floats
    sizes: Ints | None = None

    @classmethod
    def of_codes(cls, classes: Classes, codes: AnyInts) -> ValueCounts:
        """Return how many records of each class have each value of a column.

        Values are ranked by their codes, missing (-1) lowest, without gaps for codes that do not occur. ``sizes`` of
        the result is None.

        Parameters
        ----------
        classes
            Classes of equal quasi-identifier values.
        codes
            The value of each record, at least -1 (missing). If t-closeness of ordered values is to be measured, codes
            must rise with the values.
        """
        # Codes are places in a list, so their ranks are counted and need no sorting.
        places = np.add(codes, 1, dtype=np.int64)
        counted = np.bincount(places)
        rank = (np.cumsum(counted > 0) - 1)[places]
        return cls.of_ranks(classes, rank, np.asarray(counted[counted > 0] / max(len(codes), 1)))

    @classmethod
    def of_ranks(cls, classes: Classes, rank: Ints, overall: Floats) -> ValueCounts:
        """Return how many records of each class have each value, given the values as ranks in the whole table.

        The records may be a selection of the table. Pairs are sorted by class, then by value; ``sizes`` is None.

        Parameters
        ----------
        classes
            The classes of these records.
        rank
            The value of each of these records, an index into ``overall``.
        overall
            Share of the whole table that each of its values holds.
        """
        width = max(len(overall), 1)
        cells = classes.ids * width + rank
        if classes.count * width <= max(4 * len(cells), _FEW_CELLS):
            # Counting in a table takes a fraction of the time of sorting.
            counted = np.bincount(cells, minlength=classes.count * width)
            pairs = np.flatnonzero(counted)
            count = counted[pairs]
        else:
            cells.sort()
            starts = np.flatnonzero(np.diff(cells, prepend=-1))
            pairs, count = cells[starts], np.diff(starts, append=len(cells))
        return cls(classes, pairs // width, pairs % width, count.astype(np.int64), overall)

    @classmethod
    def of_people(cls, classes: Classes, codes: AnyInts, people: People) -> ValueCounts:
        """Return how many people of each class have each value, each person being divided among their values.

        Somebody with two rows of value A and one of B in a class adds 2/3 to A and 1/3 to B there, and in ``overall``
        is divided among all their rows of the table. If everybody has one row, records are counted and ``sizes`` is
        None. Values are ranked by their codes, missing (-1) lowest.

        Parameters
        ----------
        classes
            Classes of equal quasi-identifier values.
        codes
            The value of each record, at least -1 (missing).
        people
            The person of each record.
        """
        if not people.with_several:
            return cls.of_codes(classes, codes)
        values, rank = np.unique(codes, return_inverse=True)
        rank, width = rank.reshape(-1).astype(np.int64), max(len(values), 1)
        keys, inverse = np.unique(classes.ids * people.count + people.of_row, return_inverse=True)
        part = 1.0 / np.bincount(inverse.reshape(-1))[inverse.reshape(-1)]
        pairs, pair_of_part = np.unique(classes.ids * width + rank, return_inverse=True)
        count = np.bincount(pair_of_part.reshape(-1), weights=part)
        overall = np.bincount(rank, weights=1.0 / people.sizes[people.of_row], minlength=width) / max(people.count, 1)
        sizes = np.bincount(keys // max(people.count, 1), minlength=classes.count).astype(np.int64)
        return cls(classes, pairs // width, pairs % width, count, np.asarray(overall), sizes)

    @property
    def values(self) -> int:
        """Number of different values in the table; missing is one of them."""
        return len(self.overall)

    @cached_property
    def share(self) -> Floats:
        """The share of its class's records (or people) that each pair's value has, float64, shape (pairs,)."""
        sizes = self.classes.sizes if self.sizes is None else self.sizes
        return np.asarray(self.count / sizes[self.of])

    @cached_property
    def rank(self) -> Ints:
        """The rank by frequency of each pair's value in its class, 0 for the most frequent, int64, shape (pairs,).

        Of equally frequent values the lower one comes first.
        """
        order = np.lexsort((-on_grid(self.count), self.of))
        rank_of_pair = np.empty(len(order), dtype=np.int64)
        rank_of_pair[order] = np.arange(len(order)) - self._first[self.of[order]]
        return rank_of_pair

    @cached_property
    def _first(self) -> Ints:
        """The index of each class's first (class, value) pair, int64, shape (classes,)."""
        return np.searchsorted(self.of, np.arange(self.classes.count)).astype(np.int64)


def count_distinct_values(counts: ValueCounts) -> Ints:
    """Return the number of different values in each class, missing being one, int64, shape (classes,).

    It is 0 for an empty class.
    """
    return np.bincount(counts.of, minlength=counts.classes.count).astype(np.int64)


def entropy_values(counts: ValueCounts) -> Floats:
    """Return exp(entropy) of the values in each class, shape (classes,); 1 for a single value or no record.

    It is the number of equally frequent values that would be as uncertain.
    """
    entropy = -np.bincount(counts.of, counts.share * np.log(counts.share), counts.classes.count)
    return np.exp(entropy)


def closeness_nominal(counts: ValueCounts) -> Floats:
    """Return each class's t-closeness for values without an order, shape (classes,), from 0 (equal) to 1.

    It is half the sum of absolute differences between the shares of values in the class and in the table; 0 for a class
    without records.
    """
    # What a class has too much of equals what it has too little of, and that needs no value it lacks.
    more = np.maximum(counts.share - counts.overall[counts.value], 0.0)
    return np.asarray(np.bincount(counts.of, more, counts.classes.count), dtype=np.float64)


def closeness_ordered(counts: ValueCounts) -> Floats:
    """Return each class's t-closeness for ordered values, shape (classes,), from 0 (equal) to 1.

    It is the earth mover's distance between the values of the class and those of the table, where neighbouring values
    are 1 / (values - 1) apart. 0 for a column of fewer than two values, and for a class without records. Time and
    memory grow with the classes' own values, not with all values.
    """
    values, classes = counts.values, counts.classes.count
    if values < 2 or not len(counts.of):
        return np.zeros(classes)
    table = np.cumsum(counts.overall)
    sums = np.concatenate([[0.0], np.cumsum(table)])
    distances = np.zeros(classes)
    begin = 0
    while begin < len(counts.of):
        # Whole classes, so many pairs together that what is worked out of them takes little memory.
        last = counts.of[min(begin + _PAIRS_AT_ONCE, len(counts.of)) - 1]
        end = int(np.searchsorted(counts.of, last, side="right"))
        part = slice(begin, end)
        first = int(counts.of[begin])
        distances[first : int(last) + 1] = _sum_share_differences(
            counts.of[part] - first, counts.value[part], counts.share[part], table, sums
        )
        begin = end
    return distances / (values - 1)


def _sum_share_differences(of: Ints, value: Ints, share: Floats, table: Floats, sums: Floats) -> Floats:
    """Return for each class the sum over all values of the absolute differences of cumulated shares, (classes,).

    The shares compared are those of the class and those of the table.

    Parameters
    ----------
    of, value, share
        Class, rank of the value and share of the class's records of each (class, value) pair, sorted, for whole classes
        numbered from 0.
    table, sums
        Cumulated shares of the table, shape (values,), and their sums from 0, shape (values + 1,).
    """
    values = len(table)
    first = of != np.concatenate([[-1], of[:-1]])
    filled = int(np.count_nonzero(first))
    # A piece begins at each value of a class and holds the share up to it; one of share 0 lies before.
    starts = np.concatenate([value, np.zeros(filled, dtype=np.int64)])
    within = np.cumsum(share)
    before = np.where(first, within - share, 0.0)
    np.maximum.accumulate(before, out=before)
    level = np.concatenate([within - before, np.zeros(filled)])
    following = np.append(value[1:], values)
    following[np.append(first[1:], True)] = values
    ends = np.concatenate([following, value[first]])
    owner = np.concatenate([of, of[first]])
    crossing = np.empty(len(level), dtype=np.int64)
    for at in range(0, len(level), _BLOCK):
        progress.check()
        crossing[at : at + _BLOCK] = np.searchsorted(table, level[at : at + _BLOCK], side="right")
    crossing = np.clip(crossing, starts, ends)
    progress.check()
    below = level * (crossing - starts) - (sums[crossing] - sums[starts])
    above = sums[ends] - sums[crossing] - level * (ends - crossing)
    return np.asarray(np.bincount(owner, below + above), dtype=np.float64)
