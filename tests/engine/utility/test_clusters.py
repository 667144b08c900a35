"""Cluster agreement and value accuracy against scikit-learn, brute force and hand arithmetic."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from optional import existing
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.progress import silent
from ppdm_desktop.engine.utility.accuracy import value_accuracy
from ppdm_desktop.engine.utility.clusters import (
    MOST_ROWS,
    ClusterAgreement,
    adjusted_rand,
    agreement_by_sizes,
    cluster_agreement,
    contingency,
    matched_share,
)

LABELS = st.integers(2, 60).flatmap(
    lambda n: st.tuples(*(arrays(np.int64, n, elements=st.integers(0, 4)) for _ in range(2)))
)


def agree(before: object, after: object, k: int, **options: Any) -> ClusterAgreement:
    return cluster_agreement(np.asarray(before, float), np.asarray(after, float), k, silent(), **options)


def values(found: ClusterAgreement) -> list[float | None]:
    return [found.by_sizes.value, found.matched.value, found.ari.value]


def number(figure: Figure) -> float:
    assert figure.value is not None
    return float(figure.value)


# --- the three figures ----------------------------------------------------------------------


@pytest.mark.thorough
@settings(max_examples=300, deadline=None)
@given(LABELS)
def test_the_index_is_scikit_learns(labels: tuple[np.ndarray, np.ndarray]) -> None:
    assert adjusted_rand(contingency(*labels)) == pytest.approx(adjusted_rand_score(*labels), abs=1e-12)


@settings(max_examples=150, deadline=None)
@given(LABELS)
def test_the_matching_is_the_best_of_all_permutations(labels: tuple[np.ndarray, np.ndarray]) -> None:
    first, second = labels
    best = max(float((np.array(order)[second] == first).mean()) for order in permutations(range(5)))
    assert matched_share(contingency(first, second)) == pytest.approx(best)


@settings(max_examples=200, deadline=None)
@given(LABELS)
def test_sizes_know_nothing_of_names_and_bound_the_matching(labels: tuple[np.ndarray, np.ndarray]) -> None:
    first, second = labels
    by_sizes = agreement_by_sizes(first, second)
    assert by_sizes == pytest.approx(agreement_by_sizes((first + 2) % 5, second))
    assert by_sizes == pytest.approx(agreement_by_sizes(second, first))
    assert matched_share(contingency(first, second)) <= by_sizes + 1e-12


def test_sizes_by_hand() -> None:
    assert agreement_by_sizes(np.array([0, 0, 0, 1, 1, 2]), np.array([2, 2, 2, 2, 0, 1])) == pytest.approx(1 - 1 / 6)
    # The same sizes, nobody where they were.
    assert agreement_by_sizes(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])) == 1
    assert matched_share(contingency(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]))) == 0.5


# --- clustering -----------------------------------------------------------------------------


def test_a_table_agrees_with_itself_and_with_a_shift() -> None:
    points = np.random.default_rng(1).normal(size=(500, 3))
    for k in (2, 5):
        assert values(agree(points, points, k)) == [1, 1, 1]
        assert values(agree(points[:, 0], points[:, 0] + 7, k)) == [1, 1, 1]
    assert values(agree(points, points + 7, 2)) == [1, 1, 1]


def test_clear_groups_are_found_whatever_the_scale_of_a_column() -> None:
    rng = np.random.default_rng(2)
    group = np.repeat([0, 1, 2], 100)
    centres = np.array([[0, 0], [10, 0], [0, 10]])[group]
    before = (centres + rng.normal(size=(300, 2))) * [1, 1e6]
    after = before.copy()
    moved = np.array([0, 1, 100, 200])
    after[moved] = before[[150, 250, 10, 20]]
    found = agree(before, after, 3)
    said = group.copy()
    said[moved] = group[[150, 250, 10, 20]]
    assert number(found.matched) == pytest.approx(1 - 4 / 300)
    assert number(found.ari) == pytest.approx(adjusted_rand_score(group, said))
    assert number(found.by_sizes) == pytest.approx(agreement_by_sizes(group, said))
    assert number(found.by_sizes) > number(found.matched)


def test_unrelated_tables_have_an_index_about_zero() -> None:
    rng = np.random.default_rng(3)
    found = agree(rng.normal(size=(4_000, 2)), rng.normal(size=(4_000, 2)), 3)
    assert abs(number(found.ari)) < 0.01
    assert number(found.by_sizes) > 0.9
    assert number(found.matched) < 0.45


def test_one_column_is_no_worse_than_k_means() -> None:
    before = np.random.default_rng(4).lognormal(size=800)
    from ppdm_desktop.engine.table.clusters import best_clusters

    labels = best_clusters(before, 4, silent())
    ours = sum(((before[labels == each] - before[labels == each].mean()) ** 2).sum() for each in range(4))
    assert ours <= KMeans(4, n_init=20, random_state=0).fit(before[:, None]).inertia_ + 1e-9


def test_gaps_few_records_and_few_values() -> None:
    nan = np.nan
    found = agree([[1, 1], [nan, 1], [2, 2], [9, 9], [8, 8]], [[1, 1], [1, 1], [2, 2], [9, 9], [nan, 8]], 2)
    assert found.matched.n == 3
    assert values(found) == [1, 1, 1]
    assert agree([1, 2], [1, 2], 3).ari.value is None
    # One value after: a single cluster.
    found = agree([[1, 1], [1, 1], [9, 9]], [[5, 5]] * 3, 2)
    assert values(found) == [pytest.approx(2 / 3), pytest.approx(2 / 3), 0]
    assert values(agree([1, 1, 9], [5, 5, 5], 2)) == [pytest.approx(2 / 3), pytest.approx(2 / 3), 0]


@pytest.mark.parametrize("rows", range(3, 15))
def test_few_distinct_rows_in_several_columns(rows: int) -> None:
    rng = np.random.default_rng(rows)
    before, after = rng.integers(0, 2, (rows, 3)) * 0.1, rng.integers(0, 2, (rows, 3)) * 1e6
    for k in (2, 3):
        found = agree(before, after, k)
        assert number(found.matched) <= number(found.by_sizes) + 1e-12 <= 1 + 1e-9
        assert values(agree(before, before, k)) == [1, 1, 1]


def test_rows_that_are_other_people_are_compared_by_sizes_only() -> None:
    found = agree([1, 2, 9, 10, 11, 12], [1, 10, 11], 2, paired=False)
    assert number(found.by_sizes) == pytest.approx(1)
    assert found.matched.value is None
    assert found.ari.value is None


def test_large_tables_are_sampled_alike_on_both_sides() -> None:
    column = np.random.default_rng(5).normal(size=MOST_ROWS + 500)
    found = agree(column, column, 3)
    assert found.matched.n == MOST_ROWS
    assert f"{MOST_ROWS:,} of {MOST_ROWS + 500:,}" in str(found.matched.note)
    assert values(found) == [1, 1, 1]
    noisy = column + np.random.default_rng(6).normal(size=len(column))
    assert values(agree(column, noisy, 3)) == values(agree(column, noisy, 3))


def test_fewer_different_points_than_clusters_is_no_fault() -> None:
    """Warnings are errors here: scikit-learn warns of each cluster that stays empty."""
    before = np.array([[0.1, 0.0], [0.1, 0.0], [0.1, 0.0], [0.1, 0.2], [0.1, 0.2]])
    after = np.array([[-4.2, 3.6], [-4.8, 0.4], [-4.2, 0.0], [-0.2, 0.2], [-1.0, 0.2]])
    for k in (2, 3, 4):
        assert all(0 <= existing(share) <= 1 for share in values(agree(before, after, k))[:2])


def test_wrong_calls() -> None:
    with pytest.raises(ValueError, match="at least 2"):
        agree([1, 2], [1, 2], 1)
    with pytest.raises(ValueError, match="same rows"):
        agree([1, 2, 3], [1, 2], 2)


# --- value by value -------------------------------------------------------------------------


def test_accuracy_by_hand() -> None:
    found = value_accuracy(np.array([100.0, 200, 300, np.nan, 5]), np.array([100.0, 201, 330, 4, np.nan]))
    assert number(found.mean_accuracy) == pytest.approx(1 - (631 - 600) / 600)
    assert number(found.sd_ratio) == pytest.approx(np.std([100, 201, 330]) / np.std([100, 200, 300]))
    assert number(found.correlation) == pytest.approx(np.corrcoef([100, 200, 300], [100, 201, 330])[0, 1])
    assert number(found.changed) == pytest.approx(2 / 3)
    assert number(found.near) == pytest.approx(2 / 3)
    assert found.changed.n == 3


def test_accuracy_without_a_mean_a_spread_or_values() -> None:
    zero = value_accuracy(np.array([-1.0, 1]), np.array([2.0, 3]))
    assert zero.mean_accuracy.value is None
    assert number(zero.near) == 0
    same = value_accuracy(np.array([2.0, 2]), np.array([2.0, 3]))
    assert same.sd_ratio.value is None
    assert same.correlation.value is None
    assert number(same.changed) == 0.5
    assert number(value_accuracy(np.array([-10.0]), np.array([-10.1])).near) == 1
    assert value_accuracy(np.array([np.nan]), np.array([1.0])).changed.value is None
