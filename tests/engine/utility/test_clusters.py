"""Cluster agreement and value accuracy against scikit-learn, brute force and hand arithmetic."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.metrics import adjusted_rand_score

from ppdm_desktop.engine.figure import Figure
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
    return cluster_agreement(np.asarray(before, float), np.asarray(after, float), k, **options)


def values(found: ClusterAgreement) -> list[float | None]:
    return [found.by_sizes.value, found.matched.value, found.ari.value]


def number(figure: Figure) -> float:
    assert figure.value is not None
    return float(figure.value)


@pytest.mark.thorough
@settings(max_examples=300, deadline=None)
@given(LABELS)
def test_the_index_is_scikit_learns(labels: tuple[np.ndarray, np.ndarray]) -> None:
    assert adjusted_rand(contingency(*labels)) == pytest.approx(adjusted_rand_score(*labels), abs=1e-12)


# --- the three figures ----------------------------------------------------------------------


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


# --- clustering -----------------------------------------------------------------------------


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
