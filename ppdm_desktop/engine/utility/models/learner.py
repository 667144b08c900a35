"""The interface of learners: fitted on records with labels, a learner predicts the labels of other records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.utility.models.features import Records
from ppdm_desktop.engine.wording.values import Spoken


class Classifier(Protocol):
    """A fitted learner."""

    def predict(self, records: Records) -> Ints:
        """Return the label of each record, int64."""


class Learner(Protocol):
    """A learning algorithm with its settings."""

    @property
    def id(self) -> str:
        """Return the name in the report."""

    @property
    def most_rows(self) -> int:
        """Return how many records are used at most; of more, a fixed sample is used."""

    @property
    def fewest_rows(self) -> int:
        """Return with how many records the algorithm is tried at least."""

    @property
    def method(self) -> Spoken:
        """Return the settings as a sentence for the figures."""

    def fit(self, records: Records, labels: Ints, classes: int) -> Classifier:
        """Return a classifier fitted to records; labels are 0 .. classes-1 and none is missing."""


@dataclass(frozen=True)
class Always:
    """Predicts one label for every record, for training data with a single label."""

    label: int

    def predict(self, records: Records) -> Ints:
        """Return the same label for every record."""
        return np.full(len(records), self.label, dtype=np.int64)


def commonest(labels: Ints, classes: int) -> int:
    """Return the most frequent label, the lowest of equally frequent ones."""
    return int(np.argmax(np.bincount(labels, minlength=classes)))
