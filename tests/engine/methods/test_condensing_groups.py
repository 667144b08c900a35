"""The groups of condensation: the paper's toys, the invariant, and who is best."""

from __future__ import annotations

import numpy as np
import pytest
from condensing_support import PATTERNS, PrintedProcedure, partition, random_table, too_small
from hypothesis import given, settings
from hypothesis import strategies as st

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.methods.algorithms.condensation import grouping
from ppdm_desktop.engine.methods.algorithms.condensation.grouping import (
    ALGORITHMS,
    BEST,
    BLOCKS,
    REFINED,
    TOP_DOWN,
    TREE,
    Pool,
    check_enough,
    form_groups,
    paper_groups,
)
from ppdm_desktop.engine.wording.values import Name

TABLES = {
    "seed": st.integers(0, 2**32 - 1),
    "count": st.integers(5, 80),
    "width": st.integers(1, 3),
    "pattern": st.sampled_from(PATTERNS),
    "rounded": st.booleans(),
}


def _array(values: list[list[float]]) -> np.ndarray:
    return np.array(values, dtype=np.float64)


# --- the paper's toys -----------------------------------------------------------------------


def test_figure_1_the_outlier_of_level_4_joins_the_group_of_level_3() -> None:
    points = _array([[0, 0], [1, 0], [0, 1], [10, 10], [11, 10], [10, 11], [11, 11], [1.2, 1.2]])
    needs = np.array([3, 3, 3, 4, 4, 4, 4, 4])
    for order in (np.arange(8), np.arange(8)[::-1]):
        found = paper_groups(points[order], needs[order])
        assert {frozenset(order[list(each)].tolist()) for each in partition(found.group)} == {
            frozenset({0, 1, 2, 7}),
            frozenset({3, 4, 5, 6}),
        }
        assert (found.moved, found.repairs) == (1, 0)


def test_figure_6_a_pair_that_is_no_cluster_goes_to_the_groups_of_level_3() -> None:
    points = _array([[0, 0], [1, 0], [0, 1], [20, 0], [21, 0], [20, 1], [1, 1], [20.5, 1.5]])
    needs = np.array([3, 3, 3, 3, 3, 3, 2, 2])
    found = paper_groups(points, needs)
    assert partition(found.group) == {frozenset({0, 1, 2, 6}), frozenset({3, 4, 5, 7})}
    assert found.dissolved == 1


def test_the_second_of_a_pair_meets_the_centre_that_the_first_moved() -> None:
    # The pair's own squares are 49.005. Added one by one to the three at 0 it costs
    # 3/4 25 + 4/5 (4.9 + 1.25)^2 = 49.008; with the centre left at 0 it would seem 36.8.
    points = _array([[0.0], [0.0], [0.0], [5.0], [-4.9]])
    found = paper_groups(points, np.array([3, 3, 3, 2, 2]))
    assert found.dissolved == 0
    assert partition(found.group) == {frozenset({0, 1, 2}), frozenset({3, 4})}


# --- the paper's procedure as printed, and made feasible --------------------------------------


@pytest.mark.parametrize("pattern", PATTERNS[1:])
def test_the_printed_procedure_alone_leaves_records_short(pattern: str) -> None:
    short = 0
    for seed in range(30):
        points, needs = random_table(seed, 40, 2, pattern, False)
        short += too_small(PrintedProcedure(points, needs).run(), needs)
        assert too_small(paper_groups(points, needs).group, needs) == 0
    assert short > 0


# --- the invariant ----------------------------------------------------------------------------


@settings(max_examples=60)
@given(seed=TABLES["seed"], count=st.integers(2, 30), extra=st.integers(-3, 3), algorithm=st.sampled_from(ALGORITHMS))
def test_groups_exist_exactly_where_there_are_enough_records(seed: int, count: int, extra: int, algorithm: str) -> None:
    rng = np.random.default_rng(seed)
    needs = rng.integers(1, count + 1, count)
    needs[rng.integers(count)] = max(1, count - extra)
    points = rng.standard_normal((count, 2))
    if needs.max() <= count:
        assert too_small(form_groups(points, needs, algorithm).group, needs) == 0
        return
    with pytest.raises(InputError) as refused:
        check_enough(needs, {count - extra: "paranoid"})
    assert refused.value.id == "error.condensation.too-few"
    assert refused.value.arguments == {
        "level": Name("Very high"),
        "need": count - extra,
        "records": count,
        "lacking": -extra,
        "asking": 1,
    }


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_no_records_no_groups(algorithm: str) -> None:
    found = form_groups(np.empty((0, 2)), np.empty(0, dtype=np.int64), algorithm)
    assert len(found.group) == 0


def test_above_the_limit_only_the_best_is_refined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grouping, "QUADRATIC_LIMIT", 1_000)
    points, needs = random_table(8, 4_500, 2, "uniform mix", False)
    found = form_groups(points, needs, BEST)
    first = {TREE, TOP_DOWN, BLOCKS}
    assert set(found.tried) == first | {found.algorithm + REFINED}
    assert found.tried[found.algorithm] == min(found.tried[each] for each in first)
    assert too_small(found.group, needs) == 0
    assert found.ssq == min(found.tried.values()) < found.tried[found.algorithm]
    assert 0 < found.ssq_share < 0.05
    points, needs = points[:1_100], np.full(1_100, 5)
    more_passes = form_groups(points, needs, BEST)
    assert BLOCKS not in more_passes.tried
    monkeypatch.setattr(grouping, "LARGE_SPACE", 1_000)
    monkeypatch.setattr(grouping, "_FEW_ROUNDS", 1)
    assert form_groups(points, needs, BEST).ssq > more_passes.ssq


def test_a_few_who_ask_for_much_are_best_served_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grouping, "QUADRATIC_LIMIT", 1_000)
    rng = np.random.default_rng(2)
    points = rng.standard_normal((5_000, 6))
    needs = np.where(rng.random(5_000) < 0.02, 50, rng.integers(2, 6, 5_000))
    found = form_groups(points, needs, BEST)
    assert found.algorithm == BLOCKS
    assert found.tried[BLOCKS] < 0.9 * min(found.tried[TREE], found.tried[TOP_DOWN])


# --- large tables, faults, stopping -----------------------------------------------------------


def test_a_group_too_small_is_never_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    points, needs = random_table(4, 30, 2, "all equal", False)
    needs[:] = 2
    monkeypatch.setattr(grouping, "pca_tree_groups", lambda *_: np.arange(30))
    monkeypatch.setattr(grouping, "refine", lambda _points, _needs, group, *_, **_more: group)
    with pytest.raises(RuntimeError, match="smaller"):
        form_groups(points, needs, TREE)


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.sampled_from([-3, 0, 3]), st.booleans())
def test_the_nearest_left_are_those_that_measuring_all_finds(seed: int, scale: int, tied: bool) -> None:
    """Far outliers make rough distances rougher, and rounded values make many equal: the first rows go first."""
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(60, int(rng.integers(1, 9))))
    points = (np.round(points) if tied else points) * 10.0**scale
    points[0] *= 1e4
    pool, left = Pool(points, np.arange(60)), np.arange(60)
    for row in rng.permutation(60).tolist():
        size = int(rng.integers(1, 7))
        if not pool.holds(row) or len(pool) < size:
            continue
        apart = points[left] - points[row]
        away = np.einsum("ij,ij->i", apart, apart)
        away[left == row] = -1.0
        nearest = left[np.sort(np.argsort(away, kind="stable")[:size])]
        assert pool.take_around(row, size).tolist() == nearest.tolist()
        left = np.setdiff1d(left, nearest)
    assert pool.rows.tolist() == left.tolist()
