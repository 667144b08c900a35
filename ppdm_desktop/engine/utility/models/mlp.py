"""A small neural network: one hidden layer."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.utility.models.features import Encoder, Records
from ppdm_desktop.engine.utility.models.learner import Always, Classifier
from ppdm_desktop.engine.wording.catalogue import untranslated
from ppdm_desktop.engine.wording.values import Spoken

SEED = 20


@dataclass(frozen=True, eq=False)
class NetworkModel:
    """A fitted network."""

    encoder: Encoder
    network: Any

    def predict(self, records: Records) -> Ints:
        """Return the label with the largest output for each record."""
        return np.asarray(self.network.predict(_sparse(self.encoder, records)), dtype=np.int64)


def _sparse(encoder: Encoder, records: Records) -> Any:
    """Return the encoded records as a sparse matrix: most indicators are 0, and learning takes a third less time."""
    from scipy.sparse import csr_array

    return csr_array(encoder.matrix(records).astype(np.float64))


@dataclass(frozen=True)
class Network:
    """A multilayer perceptron with one hidden layer (scikit-learn, L-BFGS).

    Attributes
    ----------
    hidden
        Units of the hidden layer.
    iterations
        The search stops after so many; it is meant to stop early, not to converge.
    """

    hidden: int = 8
    iterations: int = 40
    most_rows: int = 2_000
    fewest_rows: int = 50

    @property
    def id(self) -> str:
        """Name in the report."""
        return "multilayer-perceptron"

    @property
    def method(self) -> Spoken:
        """Settings in a few words."""
        return untranslated(
            "one hidden layer of {neurons}, at most {steps} steps of L-BFGS, fixed start",
            neurons=self.hidden,
            steps=self.iterations,
        )

    def fit(self, records: Records, labels: Ints, classes: int) -> Classifier:
        """Return a network fitted to the records; a constant classifier if there is only one label."""
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.neural_network import MLPClassifier

        if len(np.unique(labels)) < 2:
            return Always(int(labels[0]))
        encoder = Encoder.fit(records)
        network = MLPClassifier((self.hidden,), solver="lbfgs", alpha=1e-2, max_iter=self.iterations, random_state=SEED)
        with warnings.catch_warnings():
            # The cap on the steps is wanted: it is what keeps the network from learning noise.
            warnings.simplefilter("ignore", ConvergenceWarning)
            network.fit(_sparse(encoder, records), labels)
        return NetworkModel(encoder, network)
