"""The nearest training records: what they are, and what they say."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.utility.models.features import Encoder, Records
from ppdm_desktop.engine.wording.catalogue import Remarks, untranslated
from ppdm_desktop.engine.wording.values import Spoken

Matrix = npt.NDArray[np.floating]

_BLOCK, _COMPARED = 2_000_000, 64_000
"""Distances held at a time; the second many stay in the processor's cache while names are compared."""
MOST_ASKED = 5
_SCALES = untranslated("numbers standardised, names as indicators")
"""No learner here asks more of the nearest records: their distances are measured once for all."""


def nearest_rows(train: Matrix, test: Matrix, k: int) -> Ints:
    """Return the k nearest training rows of each test row, nearest first.

    Parameters
    ----------
    train, test
        Shape (rows, columns), columns on one scale.
    k
        How many, at least 1; fewer where there are not so many training rows.

    Returns
    -------
    Ints
        int64, shape (test rows, k); of equally near rows the first counts as nearer.
    """
    k = min(k, len(train))
    found = np.empty((len(test), k), dtype=np.int64)
    squares = (train * train).sum(axis=1)
    block = max(1, _BLOCK // max(len(train), 1))
    for start in range(0, len(test), block):
        # |a - b|^2 without |a|^2, which is the same for every b.
        apart = test[start : start + block] @ train.T
        apart *= -2
        apart += squares
        rows = np.arange(len(apart))
        for place in range(k):
            least = apart.argmin(axis=1)
            found[start : start + block, place] = least
            apart[rows, least] = np.inf
    return found


@dataclass(frozen=True, eq=False)
class Compared:
    """Records as their distances are measured: squares of standardised numbers, and 2 for each name that differs.

    That is the squared distance of records with an indicator for each name, without making the indicators.

    Attributes
    ----------
    numbers
        float32, shape (records, numeric columns and their gaps).
    names
        uint8, shape (nominal columns, records).
    """

    numbers: npt.NDArray[np.float32]
    names: npt.NDArray[np.uint8]

    @classmethod
    def of(cls, encoder: Encoder, records: Records) -> Compared:
        """Return records as an encoder makes them comparable."""
        return cls(encoder.standardised(records), encoder.names(records))

    def __len__(self) -> int:
        """Return the number of records."""
        return len(self.numbers)


def nearest_compared(train: Compared, test: Compared, k: int) -> Ints:
    """Return the k nearest training records of each test record, as ``nearest_rows`` does of a matrix."""
    k = min(k, len(train))
    found = np.empty((len(test), k), dtype=np.int64)
    squares = (train.numbers * train.numbers).sum(axis=1)
    counted = np.uint8 if len(train.names) < 128 else np.uint16
    block = max(1, _COMPARED // max(len(train), 1))
    for start in range(0, len(test), block):
        part = slice(start, start + block)
        apart = test.numbers[part] @ train.numbers.T
        apart *= -2
        apart += squares
        differing = np.zeros(apart.shape, dtype=counted)
        for name, other in zip(test.names, train.names, strict=True):
            differing += (name[part, None] != other).view(np.uint8)
        differing *= 2
        apart += differing
        rows = np.arange(len(apart))
        for place in range(k):
            least = apart.argmin(axis=1)
            found[part, place] = least
            apart[rows, least] = np.inf
    return found


def neighbours(train: Records, test: Records) -> Ints:
    """Return the ``MOST_ASKED`` nearest training records of each test record, as every learner here measures them."""
    encoder = Encoder.fit(train)
    return nearest_compared(Compared.of(encoder, train), Compared.of(encoder, test), MOST_ASKED)


def commonest_of(near: Ints, classes: int) -> Ints:
    """Return the commonest of the labels in each row, nearest first; that of the nearest where several are."""
    if near.shape[1] == 1:
        return np.asarray(near[:, 0])
    rows = np.arange(len(near))[:, None]
    votes = np.zeros((len(near), classes))
    np.add.at(votes, (rows, near), 1.0)
    # A little more for the nearer ones decides between equal votes and changes no other.
    np.add.at(votes, (rows, near), 1e-3 * 0.5 ** np.arange(near.shape[1])[None, :])
    return np.asarray(votes.argmax(axis=1), dtype=np.int64)


def mean_of(near: Ints) -> Ints:
    """Return the mean of the numbers in each row, rounded to a whole number."""
    return np.asarray(np.floor(near.mean(axis=1) + 0.5), dtype=np.int64)


@dataclass(frozen=True, eq=False)
class NearestModel:
    """The training records, kept."""

    encoder: Encoder
    known: Compared
    labels: Ints
    classes: int
    k: int

    def predict(self, records: Records) -> Ints:
        """Return the commonest label of the k nearest, that of the nearest where several are."""
        near = nearest_compared(self.known, Compared.of(self.encoder, records), self.k)
        return commonest_of(self.labels[near], self.classes)


@dataclass(frozen=True)
class NearestNeighbours:
    """The k nearest training records vote: standardised numbers, an indicator for each name.

    Attributes
    ----------
    k
        How many are asked.
    """

    k: int = 1
    most_rows: int = 10_000
    fewest_rows: int = 2

    @property
    def id(self) -> str:
        """Name in the report."""
        return f"nearest-{self.k}"

    @property
    def method(self) -> Spoken:
        """Settings in a few words."""
        several = untranslated("the {k} nearest records vote", k=self.k)
        return Remarks((untranslated("the nearest record") if self.k == 1 else several, _SCALES))

    def say(self, near: Ints, classes: int) -> Ints:
        """Return what the labels of the ``MOST_ASKED`` nearest say, nearest first."""
        return commonest_of(near[:, : self.k], classes)

    def fit(self, records: Records, labels: Ints, classes: int) -> NearestModel:
        """Keep the training records."""
        encoder = Encoder.fit(records)
        return NearestModel(encoder, Compared.of(encoder, records), labels, classes, self.k)


@dataclass(frozen=True, eq=False)
class NearestNumberModel:
    """The training records with a number each."""

    encoder: Encoder
    known: Compared
    values: Ints
    k: int

    def predict(self, records: Records) -> Ints:
        """Return the mean of the k nearest records' numbers, rounded to a whole number."""
        return mean_of(self.values[nearest_compared(self.known, Compared.of(self.encoder, records), self.k)])


@dataclass(frozen=True)
class NearestNumber:
    """The mean of the k nearest training records tells a whole number (regression).

    Attributes
    ----------
    k
        How many are asked.
    """

    k: int = 1
    most_rows: int = 10_000
    fewest_rows: int = 2

    @property
    def id(self) -> str:
        """Name in the report."""
        return f"nearest-{self.k}"

    @property
    def method(self) -> Spoken:
        """Settings in a few words."""
        several = untranslated("the mean of the {k} nearest records, rounded", k=self.k)
        return Remarks((untranslated("the nearest record's number") if self.k == 1 else several, _SCALES))

    def say(self, near: Ints, classes: int) -> Ints:
        """Return what the numbers of the ``MOST_ASKED`` nearest say; ``classes`` is not used."""
        return mean_of(near[:, : self.k])

    def fit(self, records: Records, labels: Ints, classes: int) -> NearestNumberModel:
        """Keep the training records; labels are the numbers, ``classes`` is not used."""
        encoder = Encoder.fit(records)
        return NearestNumberModel(encoder, Compared.of(encoder, records), labels, self.k)


def nearest_mean(train: Matrix, values: npt.NDArray[np.number], test: Matrix, k: int = 1) -> Floats:
    """Return the mean value of the k nearest training rows of each test row (regression).

    Parameters
    ----------
    train, test
        Shape (rows, columns), columns on one scale.
    values
        The number to tell, shape (training rows,).
    """
    return np.asarray(values[nearest_rows(train, test, k)].mean(axis=1), dtype=np.float64)
