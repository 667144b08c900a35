"""A decision tree (entropy) and its number of leaves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.utility.models.features import Encoder, Records
from ppdm_desktop.engine.wording.catalogue import untranslated
from ppdm_desktop.engine.wording.values import Spoken

SEED = 20


@dataclass(frozen=True, eq=False)
class TreeModel:
    """A fitted decision tree.

    Attributes
    ----------
    leaves
        Number of leaves.
    """

    encoder: Encoder
    tree: Any
    leaves: int

    def predict(self, records: Records) -> Ints:
        """Return the commonest training label of each record's leaf."""
        return np.asarray(self.tree.predict(as_ranks(self.encoder, records)), dtype=np.int64)


def as_ranks(encoder: Encoder, records: Records) -> npt.NDArray[np.float32]:
    """Return records as a tree's input, shape (records, columns): numbers, and each name as its rank in the list.

    A split divides the ranks in two, where an indicator could only separate one name. With one matrix column for each
    column, and not for each name, a tree grows several times as fast.
    """
    return np.hstack([encoder.standardised(records).astype(np.float32), encoder.names(records).T.astype(np.float32)])


@dataclass(frozen=True)
class DecisionTree:
    """A decision tree that lowers the entropy of the label most at each split (scikit-learn).

    Categories are ranks in the order of their list.

    Attributes
    ----------
    smallest_leaf
        Fewest training records in a leaf.
    """

    smallest_leaf: int = 5
    most_rows: int = 10_000
    fewest_rows: int = 2

    @property
    def id(self) -> str:
        """Name in the report."""
        return "decision-tree"

    @property
    def method(self) -> Spoken:
        """Settings in a few words."""
        return untranslated(
            "entropy; at least {n} training records in a leaf; not pruned; categories as ranks (rule 2)",
            n=self.smallest_leaf,
        )

    def fit(self, records: Records, labels: Ints, classes: int) -> TreeModel:
        """Return a tree fitted to the records."""
        from sklearn.tree import DecisionTreeClassifier

        encoder = Encoder.fit(records)
        tree = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=self.smallest_leaf, random_state=SEED)
        tree.fit(as_ranks(encoder, records), labels)
        return TreeModel(encoder, tree, int(tree.get_n_leaves()))
