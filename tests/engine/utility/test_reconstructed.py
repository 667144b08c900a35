"""Learning from reconstructed distributions: what is redistributed, what never is, and a tree's nodes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.noise.kernels import NoiseLaw
from ppdm_desktop.engine.noise.reconstruction import CellSystem, Scope
from ppdm_desktop.engine.utility.models.crossval import Learner
from ppdm_desktop.engine.utility.models.features import Records
from ppdm_desktop.engine.utility.models.naive_bayes import NaiveBayes
from ppdm_desktop.engine.utility.models.reconstructed import (
    LocalTree,
    NoisyColumns,
    Reconstructing,
    Way,
    learners_reconstructing,
)
from ppdm_desktop.engine.utility.models.suite import DecisionTree

ROWS = 3000
EDGES = np.linspace(0.0, 100.0, 41)


def noisy(sd: float = 20.0, seed: int = 3) -> tuple[Floats, Floats, Ints]:
    """Two classes apart in one number, and the number with noise as large as its spread."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(2, size=ROWS)
    x = np.clip(30 + 40 * labels + rng.normal(0, 8, ROWS), 0, 100)
    return x, x + rng.normal(0, sd, ROWS), labels.astype(np.int64)


def columns(sd: float = 20.0) -> NoisyColumns:
    return NoisyColumns({0: CellSystem.of(NoiseLaw("gaussian", sd), EDGES)})


def right(classifier: object, x: Floats, labels: Ints) -> float:
    return float((classifier.predict(Records.of_numbers(x[:, None])) == labels).mean())  # type: ignore[attr-defined]


@pytest.mark.parametrize("scope", ["global", "by-class"])
def test_only_noisy_columns_are_redistributed_and_gaps_stay(scope: Scope) -> None:
    _, w, labels = noisy()
    beside = np.arange(ROWS, dtype=np.float64)
    w = np.where(beside % 7 == 0, np.nan, w)
    given = Records.of_numbers(np.column_stack([w, beside]))
    found = columns().reconstructed(given, labels, scope)
    np.testing.assert_array_equal(found.numbers[:, 1], beside)
    np.testing.assert_array_equal(np.isnan(found.numbers[:, 0]), np.isnan(w))
    known = ~np.isnan(w)
    assert set(np.unique(found.numbers[known, 0])) <= set((EDGES[:-1] + EDGES[1:]) / 2)
    assert np.array_equal(given.numbers[:, 0], w, equal_nan=True), "the records given are not changed"


def test_a_class_gets_its_own_distribution_back() -> None:
    x, w, labels = noisy()
    found = columns().reconstructed(Records.of_numbers(w[:, None]), labels, "by-class").numbers[:, 0]
    together = columns().reconstructed(Records.of_numbers(w[:, None]), labels, "global").numbers[:, 0]
    for label in (0, 1):
        own = labels == label
        assert abs(found[own].mean() - x[own].mean()) < 1.0
        assert abs(found[own].std() - x[own].std()) < 2.0
        assert abs(together[own].std() - x[own].std()) > 4.0, "over all records a class stays as wide as its noise"


def test_a_tree_gets_back_what_the_noise_cost_it() -> None:
    x, w, labels = noisy()
    perturbed = Records.of_numbers(w[:, None])
    tree = DecisionTree(5)
    plain = right(tree.fit(perturbed, labels, 2), x, labels)
    by_class = right(Reconstructing(tree, columns(), "by-class").fit(perturbed, labels, 2), x, labels)
    local = right(LocalTree(5, columns()).fit(perturbed, labels, 2), x, labels)
    best = right(tree.fit(Records.of_numbers(x[:, None]), labels, 2), x, labels)
    assert plain < 0.93
    assert min(by_class, local) > best - 0.015


# --- the tree that reconstructs at every node -----------------------------------------------------


def numbers_of(group: Ints, labels: Ints, rng: np.random.Generator) -> Floats:
    return np.asarray(12.0 + 11 * group + 12 * labels + rng.normal(0, 2, len(group)))


def mixed_records(rows: int = 6000, seed: int = 8) -> tuple[Records, Ints]:
    """Six groups smear the number over all of its range; inside each it tells the class well."""
    rng = np.random.default_rng(seed)
    group = rng.integers(6, size=rows).astype(np.int64)
    labels = (rng.random(rows) < np.where(group % 2 == 0, 0.75, 0.25)).astype(np.int64)
    w = numbers_of(group, labels, rng) + rng.normal(0, 22, rows)
    return Records(w[:, None], group[:, None], (6,), np.zeros(1, dtype=np.bool_)), labels


def truth(records: Records, labels: Ints, seed: int = 108) -> Records:
    return replace(records, numbers=numbers_of(records.codes[:, 0], labels, np.random.default_rng(seed))[:, None])


def test_at_a_node_the_distribution_is_that_of_the_node() -> None:
    """Over the whole file each class is smeared; below the questions about the name it is not."""
    records, labels = mixed_records()
    unseen = truth(records, labels)
    system = NoisyColumns({0: CellSystem.of(NoiseLaw("gaussian", 22.0), EDGES)})
    local = LocalTree(5, system).fit(records, labels, 2)
    by_class = Reconstructing(DecisionTree(5), system, "by-class").fit(records, labels, 2)
    share = {name: float((each.predict(unseen) == labels).mean()) for name, each in (("l", local), ("c", by_class))}
    assert share["l"] > share["c"] + 0.05


def test_no_leaf_is_smaller_than_asked_and_the_leaves_are_counted() -> None:
    records, labels = mixed_records()
    system = NoisyColumns({0: CellSystem.of(NoiseLaw("gaussian", 22.0), EDGES)})
    few = LocalTree(400, system).fit(records, labels, 2)
    many = LocalTree(20, system).fit(records, labels, 2)
    assert 1 < few.leaves < many.leaves
    assert few.leaves <= len(records) // 400


def test_local_is_for_trees_and_by_class_for_the_others() -> None:
    learners: dict[str, Learner] = {"naive-bayes": NaiveBayes(), "decision-tree": DecisionTree(5)}
    ways: tuple[Way, ...] = ("global", "by-class", "local")
    ids = {way: [each.id for each in learners_reconstructing(way, columns(), learners, 5).values()] for way in ways}
    assert ids == {
        "global": ["naive-bayes-global", "decision-tree-global"],
        "by-class": ["naive-bayes-by-class", "decision-tree-by-class"],
        "local": ["naive-bayes-by-class", "decision-tree-local"],
    }
