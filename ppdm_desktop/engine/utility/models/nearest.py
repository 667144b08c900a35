"""Nearest-neighbour search among training records, and the learners that use it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ppdm_desktop.engine.arrays import GRID, Floats, Ints, content_order, find_nearest_pairs, on_grid
from ppdm_desktop.engine.utility.models.features import Encoder, Records
from ppdm_desktop.engine.wording.catalogue import Remarks, untranslated
from ppdm_desktop.engine.wording.values import LazyText

_COMPARED, _ROWS_AT_ONCE = 64_000, 128
"""Distances computed at a time, so few that they stay in the processor's cache; records ranked at a time."""
MOST_ASKED = 5
_SCALES = untranslated("numbers standardised, names as indicators")
"""No learner here asks more of the nearest records: their distances are measured once for all."""


@dataclass(frozen=True, eq=False)
class Compared:
    """Records prepared for distances: the squared differences of standardised numbers, and 2 for each differing name.

    This is the squared distance of records with an indicator for each name, without making the indicators.

    Attributes
    ----------
    numbers
        float64, shape (records, numeric columns and their gaps).
    names
        uint8, shape (nominal columns, records).
    """

    numbers: Floats
    names: npt.NDArray[np.uint8]

    @classmethod
    def of(cls, encoder: Encoder, records: Records) -> Compared:
        """Return records prepared for distances, standardised and with names numbered by a fitted encoder."""
        return cls(encoder.standardised(records), encoder.names(records))

    def __len__(self) -> int:
        """Return the number of records."""
        return len(self.numbers)

    def take(self, rows: Ints) -> Compared:
        """Return the records at these row indexes."""
        return Compared(self.numbers[rows], self.names.take(rows, axis=1))

    def squared_distances(self, rows: Ints, compared: Compared, places: Ints) -> Floats:
        """Return the squared distance of each pair, float64, shape (pairs,).

        It is the sum of the squared differences of numbers, plus 2 for each column of categories (``names``) in which
        the two differ. It is summed column by column, so that all processors agree.

        Parameters
        ----------
        rows, places
            Row index of each pair's record in this object and in ``compared``, shape (pairs,): pair i is row
            ``rows[i]`` here and row ``places[i]`` of ``compared``.
        compared
            Records with the same columns.
        """
        apart = np.zeros(len(rows))
        for mine, theirs in zip(self.numbers.T, compared.numbers.T, strict=True):
            apart += np.square(mine[rows] - theirs[places])
        for name, compared_name in zip(self.names, compared.names, strict=True):
            apart += 2.0 * (name[rows] != compared_name[places])
        return apart


def find_nearest_records(train: Compared, test: Compared, k: int) -> Ints:
    """Return the row indexes of the k nearest training records of each test record, nearest first.

    All distances are first measured in single precision, then exactly for records that may be among the nearest.

    Parameters
    ----------
    train, test
        The same columns of both; at least one training record.
    k
        How many, at least 1; all training records where these are fewer.

    Returns
    -------
    Ints
        int64, shape (test records, k); equally near records stand in the order of `content_order`, that is, by their
        values and not by their rows.
    """
    k = min(k, len(train))
    order = content_order([*train.numbers.T, *train.names], len(train))
    train = train.take(order)
    # Of equal records no more than the first k can be among the nearest k.
    kept = np.flatnonzero(rank_among_equals(train) < k)
    order, train = order[kept], train.take(kept)
    nearest = np.empty((len(test), k), dtype=np.int64)
    screen = _Screen(train)
    for start in range(0, len(test), _ROWS_AT_ONCE):
        part = test.take(np.arange(start, min(start + _ROWS_AT_ONCE, len(test))))
        row, candidate = screen.may_be_nearest(part, k)
        exact = on_grid(part.squared_distances(row, train, candidate))
        nearest[start : start + len(part)] = order[find_nearest_pairs(row, candidate, exact, len(part), k)]
    return nearest


def rank_among_equals(records: Compared) -> Ints:
    """Return the rank of each record in its run of neighbouring rows with equal values, int64 from 0; shape (records,).

    Rows a, a, b, a give 0, 1, 0, 0.
    """
    is_new = np.ones(len(records), dtype=np.bool_)
    is_new[1:] = (records.numbers[1:] != records.numbers[:-1]).any(axis=1)
    is_new[1:] |= (records.names[:, 1:] != records.names[:, :-1]).any(axis=0)
    first = np.flatnonzero(is_new)
    return np.arange(len(records)) - np.repeat(first, np.diff(first, append=len(records)))


class _Screen:
    """The training records in single precision, to find candidates for the nearest quickly."""

    def __init__(self, train: Compared) -> None:
        """Prepare training records for rough comparison in single precision, with the bound of its error.

        ``train`` has at least one record.
        """
        numbers, self._names = train.numbers.astype(np.float32), train.names
        squares = (numbers * numbers).sum(axis=1)
        # The product with a record and a 1 is |x - y|^2 without |x|^2, which is the same for every y.
        self._numbers = np.ascontiguousarray(np.vstack([-2 * numbers.T, squares]))
        # With n numbers, m names and lengths |x| and |y| it is off by no more than (n + 6) 2^-24 times
        # |x|^2 + 2 |y|^2 + 2 m; two are compared.
        self._off = (numbers.shape[1] + 6) * 2.0**-23
        self._longest = float(2 * squares.max() + 2 * len(self._names))

    def may_be_nearest(self, test: Compared, k: int) -> tuple[Ints, Ints]:
        """Return pairs of a test and a training record that surely include the k nearest of each test record.

        They are two arrays of row indexes, shape (pairs,), ascending by test record, then training record. There are at
        least k pairs for each test record, and more where single precision cannot decide. k must be at most the number
        of training records.
        """
        numbers = np.hstack([test.numbers, np.ones((len(test), 1))]).astype(np.float32)
        candidates, also = np.empty((len(test), k), dtype=np.int64), [np.zeros(0, dtype=np.int64)]
        slack = ((np.square(numbers).sum(axis=1) + self._longest) * self._off + GRID).astype(np.float32)
        counted, train = np.uint8 if len(self._names) < 128 else np.uint16, self._numbers.shape[1]
        block = max(1, _COMPARED // train)
        for start in range(0, len(test), block):
            part = slice(start, start + block)
            apart = numbers[part] @ self._numbers
            differing = np.zeros(apart.shape, dtype=counted)
            for name, training_name in zip(test.names, self._names, strict=True):
                differing += (name[part, None] != training_name).view(np.uint8)
            differing *= 2
            apart += differing
            rows = np.arange(len(apart))
            for turn in range(k):
                least = candidates[part, turn] = apart.argmin(axis=1)
                edge = apart[rows, least]
                apart[rows, least] = np.inf
            also.append(np.flatnonzero(apart <= (edge + slack[part])[:, None]) + start * train)
        candidates += np.arange(len(test))[:, None] * train
        row, training_row = np.divmod(np.sort(np.concatenate([candidates.reshape(-1), *also])), train)
        return row, training_row


def find_neighbours(train: Records, test: Records) -> Ints:
    """Return the row indexes of the 5 nearest training records of each test record, nearest first.

    Shape (test records, 5), or fewer columns where there are fewer training records. Distances are standardised by the
    training records.
    """
    encoder = Encoder.fit(train)
    return find_nearest_records(Compared.of(encoder, train), Compared.of(encoder, test), MOST_ASKED)


def find_commonest_by_row(near: Ints, classes: int) -> Ints:
    """Return the most frequent label in each row of ``near``, int64, shape (records,).

    ``near``, shape (records, k), holds labels 0 .. classes-1, nearest first. Of equally frequent labels the one with
    the nearest entry is taken: 2, 1, 1, 2 gives 2.
    """
    if near.shape[1] == 1:
        return np.asarray(near[:, 0])
    rows = np.arange(len(near))[:, None]
    votes = np.zeros((len(near), classes))
    np.add.at(votes, (rows, near), 1.0)
    # A little more for the nearer ones decides between equal votes and changes no other.
    np.add.at(votes, (rows, near), 1e-3 * 0.5 ** np.arange(near.shape[1])[None, :])
    return np.asarray(votes.argmax(axis=1), dtype=np.int64)


@dataclass(frozen=True, eq=False)
class NearestModel:
    """A fitted nearest-neighbour learner."""

    encoder: Encoder
    training: Compared
    labels: Ints
    classes: int
    learner: NearestNeighbours

    def predict(self, records: Records) -> Ints:
        """Return the learner's prediction for each record from the labels of the k nearest training records."""
        near = find_nearest_records(self.training, Compared.of(self.encoder, records), self.learner.k)
        return self.learner.predict(self.labels[near], self.classes)


@dataclass(frozen=True)
class NearestNeighbours:
    """Classifies by a vote of the k nearest training records: standardised numbers, an indicator for each name.

    Attributes
    ----------
    k
        Number of records that vote.
    """

    k: int = 1
    most_rows: int = 10_000
    fewest_rows: int = 2

    @property
    def id(self) -> str:
        """Name in the report: ``nearest-`` with the number of records that vote, such as ``nearest-5``."""
        return f"nearest-{self.k}"

    @property
    def method(self) -> LazyText:
        """Settings in a few words, for reports: how many records vote, and the scale of distances."""
        several = untranslated("the {k} nearest records vote", k=self.k)
        return Remarks((untranslated("the nearest record") if self.k == 1 else several, _SCALES))

    def predict(self, near: Ints, classes: int) -> Ints:
        """Return the most frequent label among the k nearest records of each row, int64, shape (records,).

        Of equally frequent labels the one that comes first in the row is taken: 2, 1, 1, 2 gives 2. ``near`` has the
        labels, 0 to ``classes`` - 1, nearest record first, shape (records, k or more).
        """
        return find_commonest_by_row(near[:, : self.k], classes)

    def fit(self, records: Records, labels: Ints, classes: int) -> NearestModel:
        """Return a model that holds the training records, standardised by themselves, and their labels."""
        encoder = Encoder.fit(records)
        return NearestModel(encoder, Compared.of(encoder, records), labels, classes, self)


@dataclass(frozen=True)
class NearestNumber(NearestNeighbours):
    """Predicts a whole number by the mean of the k nearest training records, whose labels are numbers."""

    @property
    def method(self) -> LazyText:
        """Settings in a few words, for reports: how many records are averaged, and the scale of distances."""
        several = untranslated("the mean of the {k} nearest records, rounded", k=self.k)
        return Remarks((untranslated("the nearest record's number") if self.k == 1 else several, _SCALES))

    def predict(self, near: Ints, classes: int) -> Ints:
        """Return the mean of the k nearest records' numbers, rounded half up to a whole number; shape (records,).

        ``near`` holds the numbers, shape (records, k or more), nearest first; ``classes`` is not used.
        """
        return np.asarray(np.floor(near[:, : self.k].mean(axis=1) + 0.5), dtype=np.int64)
