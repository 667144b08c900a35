"""Groups of near records: everybody's need met on any table, nothing lost by refining, no chance involved."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from thoroughness import examples

from ppdm_desktop.engine.methods.algorithms.grouping import kd_batches, near_points, pca_tree, refinement
from ppdm_desktop.engine.methods.algorithms.grouping.grouped_columns import near_groups
from ppdm_desktop.engine.methods.algorithms.grouping.kd_batches import kd_batch_groups
from ppdm_desktop.engine.methods.algorithms.grouping.mdav import mdav_groups
from ppdm_desktop.engine.methods.algorithms.grouping.pca_tree import (
    _find_leading_by_columns,
    _find_leading_by_records,
    pca_tree_groups,
)
from ppdm_desktop.engine.methods.algorithms.grouping.refinement import (
    Groups,
    best_steps,
    check_sizes,
    refine,
    within_ssq,
)

Search = Callable[[np.ndarray, np.ndarray], np.ndarray]
SEARCHES: dict[str, Search] = {
    "mdav": mdav_groups,
    "kd": kd_batch_groups,
    "pca": pca_tree_groups,
    "near": near_groups,
}
Problem = tuple[np.ndarray, np.ndarray]


@st.composite
def problems(draw: st.DrawFn, most: int = 120) -> Problem:
    """Any records: many equal ones, constant columns, needs of any mixture up to the number of records."""
    rows, width = draw(st.integers(1, most)), draw(st.integers(1, 4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    fine = draw(st.sampled_from([1, 2, 5, 1_000_000]))
    points = rng.integers(0, fine, size=(rows, width)).astype(np.float64)
    if draw(st.booleans()):
        points[:, 0] = 7.0
    points *= draw(st.sampled_from([1e-6, 1.0, 1e6]))
    top = draw(st.one_of(st.integers(1, rows), st.integers(1, min(rows, 6))))
    needs = rng.integers(draw(st.sampled_from([1, top])), top + 1, size=rows)
    return points, needs


def clouds(kind: str, rows: int, width: int = 6) -> np.ndarray:
    """Standardised records without relations, with few directions, or in clusters."""
    rng = np.random.default_rng(5)
    points = rng.normal(size=(rows, width))
    if kind == "correlated":
        points = points[:, :2] @ rng.normal(size=(2, width)) + 0.1 * points
    if kind == "clustered":
        points = 3 * rng.normal(size=(20, width))[rng.integers(0, 20, rows)] + 0.5 * points
    return np.asarray((points - points.mean(axis=0)) / points.std(axis=0))


# --- every search on every table ------------------------------------------------------------


@pytest.mark.parametrize("name", list(SEARCHES))
@examples(50)
@given(problem=problems())
def test_everybody_gets_a_group_as_large_as_needed(name: str, problem: Problem) -> None:
    points, needs = problem
    group = SEARCHES[name](points, needs)
    assert sorted(set(group.tolist())) == list(range(int(group.max()) + 1))
    assert check_sizes(group, needs)
    assert group.tolist() == SEARCHES[name](points.copy(), needs.copy()).tolist()


@pytest.mark.parametrize("rows", [20, 57, 400])
@pytest.mark.parametrize("need", [2, 3, 10])
def test_one_need_for_all_gives_groups_below_twice_its_size(rows: int, need: int) -> None:
    points, needs = clouds("gauss", rows), np.full(rows, need)
    for name, search in SEARCHES.items():
        sizes = np.bincount(search(points, needs))
        assert sizes.min() >= need, name
        assert sizes.max() < 2 * need, name
    if rows % need == 0:
        assert set(np.bincount(pca_tree_groups(points, needs)).tolist()) == {need}


# --- the steps of the refinement ----------------------------------------------------------------


@examples(100)
@given(st.integers(0, 2**32), st.integers(2, 5), st.integers(2, 5))
def test_a_step_gains_what_it_says_and_no_step_gains_more(seed: int, one: int, other: int) -> None:
    rng = np.random.default_rng(seed)
    rows = one + other
    points = rng.normal(size=(rows, 2))
    group = np.repeat([0, 1], [one, other])
    needs = rng.integers(1, min(one, other) + 1, size=rows)
    before = within_ssq(points, group)
    best = 0.0
    for leaves, enters in itertools.product([-1, *range(one)], [-1, *range(one, rows)]):
        tried = group.copy()
        tried[[at for at in (leaves,) if at >= 0]] = 1
        tried[[at for at in (enters,) if at >= 0]] = 0
        if len(set(tried.tolist())) == 2 and check_sizes(tried, needs):
            best = max(best, before - within_ssq(points, tried))
    groups = Groups.of(points, needs, group)
    gain, leaves_, enters_ = best_steps(groups, np.array([0]), np.array([1]))
    assert gain[0] == pytest.approx(best, abs=1e-8)
    done = group.copy()
    done[leaves_[leaves_ >= 0]], done[enters_[enters_ >= 0]] = 1, 0
    if gain[0] > 0:
        assert before - within_ssq(points, done) == pytest.approx(gain[0], abs=1e-9)
        assert check_sizes(done, needs)
        renewed = Groups.of(points, needs, done, groups, np.array([True, True]))
        assert renewed.centres.tolist() == Groups.of(points, needs, done).centres.tolist()
        assert renewed.squares.sum() == pytest.approx(within_ssq(points, done))


def test_what_did_not_change_is_kept() -> None:
    points, group = np.arange(14.0).reshape(7, 2), np.array([0, 0, 1, 1, 1, 2, 2])
    before, after = Groups.of(points, np.ones(7, np.int64), group), np.array([1, 0, 0, 1, 1, 2, 2])
    before.centres[2] = 99.0
    renewed = Groups.of(points, np.ones(7, np.int64), after, before, np.array([True, True, False]))
    assert renewed.centres.tolist() == [[3.0, 4.0], [14 / 3, 17 / 3], [99.0, 99.0]]
    assert renewed.centred[[0, 1]].tolist() == [[-14 / 3, 1 - 17 / 3], [-1.0, -1.0]]


# --- how good they are ---------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["gauss", "correlated", "clustered"])
@pytest.mark.parametrize("need", [3, 10])
def test_refined_groups_lose_less_than_mdav(kind: str, need: int) -> None:
    points, needs = clouds(kind, 1_500), np.full(1_500, need)
    exact = within_ssq(points, mdav_groups(points, needs))
    for search in (pca_tree_groups, kd_batch_groups):
        refined = refine(points, needs, search(points, needs))
        assert within_ssq(points, refined) <= 1.02 * exact * (1.05 if search is pca_tree_groups else 1)
    assert within_ssq(points, near_groups(points, needs)) <= 0.99 * exact


@pytest.mark.parametrize("kind", ["gauss", "correlated", "clustered"])
def test_batches_by_tree_refined_lose_no_more_than_mdav(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    points, needs = clouds(kind, 2_000), np.full(2_000, 5)
    exact = within_ssq(points, mdav_groups(points, needs))
    monkeypatch.setattr(kd_batches, "BRUTE_LIMIT", 300)
    for few, measured in ((20_000, range(0)), (0, range(0)), (0, range(3_000))):
        monkeypatch.setattr(kd_batches, "_FEW", few)
        monkeypatch.setattr(kd_batches, "_MEASURED", measured)
        monkeypatch.setattr(kd_batches, "TREE_COLUMNS", 0)
        group = kd_batch_groups(points, needs)
        assert check_sizes(group, needs)
        assert within_ssq(points, group) <= 1.25 * exact
        assert within_ssq(points, refine(points, needs, group)) <= exact


@pytest.mark.parametrize("tied", [False, True])
def test_nearest_points_are_those_that_measuring_everything_finds(tied: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(6)
    points = rng.standard_normal((700, 13)) * 10.0 ** rng.integers(-3, 4, 13)
    points = np.round(points[:, :2] / 500) if tied else points
    some = rng.permutation(700)[:90]
    apart = ((points[:, None, :] - points[None, some, :]) ** 2).sum(axis=2).T
    apart[np.arange(90), some] = -1.0
    for cells in (5_000_000, 10_000, 1):
        monkeypatch.setattr(near_points, "_CELLS", cells)
        for count in (1, 4, 30, 700):
            found = near_points.NearPoints(points).nearest(some, count)
            assert found.tolist() == np.argsort(apart, axis=1, kind="stable")[:, :count].tolist()


def test_neighbours_of_many_groups_in_many_columns_are_the_nearest(monkeypatch: pytest.MonkeyPatch) -> None:
    centres = np.random.default_rng(8).standard_normal((300, 11))
    monkeypatch.setattr(refinement, "_MEASURED", range(100, 1_000))
    one, other = refinement._find_neighbour_pairs(centres)
    apart = ((centres[:, None] - centres[None]) ** 2).sum(axis=2)
    near = np.argsort(apart, axis=1)[:, : refinement.NEIGHBOURS + 1]
    expected = {
        tuple(sorted((place, each))) for place, row in enumerate(near.tolist()) for each in row if each != place
    }
    assert set(zip(one.tolist(), other.tolist(), strict=True)) == expected
    assert (one < other).all()


def test_squares_of_far_off_values_keep_their_digits() -> None:
    points = np.array([[1.0], [3.0], [10.0]]) + 1e9
    assert within_ssq(points, np.array([0, 0, 1])) == pytest.approx(2.0, rel=1e-6)
    assert not check_sizes(np.array([0, 0, 1]), np.array([2, 2, 2]))


def test_small_parts_are_cut_along_the_axis_of_their_covariance_too(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(4)
    sizes = np.array([7, 12, 7, 3, 9])
    points = random.normal(size=(int(sizes.sum()), 30))
    ends = np.cumsum(sizes)
    for end, size in zip(ends, sizes, strict=True):
        points[end - size : end] -= points[end - size : end].mean(axis=0)
    points[ends[2] : ends[3]] = 0.0
    by_records = _find_leading_by_records(points, sizes)
    by_columns = _find_leading_by_columns(points, sizes)
    spread = np.arange(len(sizes)) != 3
    assert np.allclose(by_records[spread], by_columns[spread], atol=1e-9)
    assert not by_records[3].any()
    monkeypatch.setattr(pca_tree, "_MANY", 0)
    monkeypatch.setattr(pca_tree, "_LONG", 1)
    by_matrices = _find_leading_by_columns(points, sizes)
    assert np.allclose(by_matrices[spread], by_columns[spread], atol=1e-9)
    assert (by_matrices != by_columns).any(), "its sums are added in another order"
