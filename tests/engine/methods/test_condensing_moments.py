"""Statistics of groups: what is added, split and pooled keeps mean and covariance (page, part B3)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from condensing_support import pooled
from hypothesis import given
from hypothesis import strategies as st
from thoroughness import examples

from ppdm_desktop.engine.methods.algorithms.condensation.moments import (
    axes,
    group_moments,
    inserted,
    oriented,
    split,
    within,
)

GOLDEN: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "golden" / "aggarwal-yu.json").read_text(encoding="utf-8")
)


def longest(variance: float) -> np.ndarray:
    return np.diag([0.5, variance, 1.0])


def test_even_split_as_in_the_paper() -> None:
    case = GOLDEN["split_even"]
    first, second = split(case["n"], np.zeros(3), longest(case["lambda1"]), 12.0, case["n"] // 2)
    assert np.sqrt(12 * case["lambda1"]) == pytest.approx(case["a"])
    assert first.mean == pytest.approx([0, -case["shift"], 0])
    assert second.mean == pytest.approx([0, case["shift"], 0])
    for part in (first, second):
        assert part.n == case["n"] / 2
        assert part.covariance == pytest.approx(longest(case["lambda1_new"]))
        assert part.psum == 6.0


def test_any_split_by_the_formula() -> None:
    case = GOLDEN["split_odd_formula"]
    first, second = split(case["n"], np.zeros(3), longest(case["lambda1"]), 10.0, case["n1"])
    assert (first.n, second.n) == (case["n1"], case["n2"])
    assert first.mean == pytest.approx([0, case["shift1"], 0])
    assert second.mean == pytest.approx([0, case["shift2"], 0])
    assert first.covariance == pytest.approx(longest(case["lambda1_1"]))
    assert second.covariance == pytest.approx(longest(case["lambda1_2"]))
    assert (first.psum, second.psum) == pytest.approx((4.0, 6.0))
    for nobody in (0, case["n"]):
        with pytest.raises(ValueError, match="both parts"):
            split(case["n"], np.zeros(3), longest(3.0), 10.0, nobody)


@pytest.mark.parametrize("offset", [0.0, 1e8])
def test_the_stream_keeps_mean_and_covariance_through_thousands_of_splits(offset: float) -> None:
    rng = np.random.default_rng(5)
    points = rng.normal(size=(9_000, 3)) @ np.array([[1.0, 0.4, 0], [0, 1, 0.2], [0, 0, 2.0]]) + offset
    n, mean, covariance = [1], [points[0]], [np.zeros((3, 3))]
    splits = 0
    for point in points[1:]:
        at = int(rng.integers(len(n)))
        size, mean[at], covariance[at] = inserted(n[at], mean[at], covariance[at], point)
        n[at] = int(size)
        if n[at] >= 4:
            splits += 1
            parts = split(n[at], mean[at], covariance[at], 0.0, int(rng.integers(1, n[at])))
            for place, part in zip((at, len(n)), parts, strict=True):
                n[place : place + 1], mean[place : place + 1] = [part.n], [part.mean]
                covariance[place : place + 1] = [part.covariance]
    assert splits > 2_000
    together, centre, spread = pooled(np.array(n), np.array(mean), np.array(covariance))
    assert together == len(points)
    assert centre == pytest.approx(points.mean(axis=0), rel=1e-12)
    true = np.cov(points.T - points.mean(axis=0)[:, None], bias=True)
    assert np.abs(spread - true).max() / np.abs(true).max() < 1e-9


@pytest.mark.parametrize("offset", [0.0, 1e8])
@examples(60)
@given(seed=st.integers(0, 2**32), groups=st.integers(1, 9), width=st.integers(1, 5))
def test_groups_pool_to_the_whole(offset: float, seed: int, groups: int, width: int) -> None:
    rng = np.random.default_rng(seed)
    points = np.round(rng.normal(size=(40, width)) * 2.0**20) / 2.0**20 + offset
    group = np.concatenate([np.arange(groups), rng.integers(groups, size=40 - groups)])
    needs = rng.integers(1, 9, size=40)
    found = group_moments(points, group, needs)
    for each in range(groups):
        own = points[group == each]
        assert found.n[each] == len(own)
        near = own - offset
        assert found.mean[each] - offset == pytest.approx(near.mean(axis=0), abs=1e-7)
        assert found.covariance[each] == pytest.approx(np.cov(near.T, bias=True).reshape(width, width), abs=1e-7)
        assert found.pmax[each] == needs[group == each].max()
        assert found.psum[each] == needs[group == each].sum()
    size, mean, covariance = pooled(found.n, found.mean, found.covariance)
    near = points - offset
    assert size == 40
    assert mean - offset == pytest.approx(near.mean(axis=0), abs=1e-7)
    true = np.cov(near.T, bias=True).reshape(width, width)
    assert np.abs(covariance - true).max() <= 1e-9 * max(np.abs(true).max(), 1e-3) + (1e-7 if offset else 0)
    inside = within(found.n, found.covariance)
    assert np.trace(inside) <= np.trace(covariance) + 1e-9


def test_a_record_added_is_a_record_counted() -> None:
    rng = np.random.default_rng(1)
    points = rng.normal(size=(20, 4)) + 1e8
    group = np.arange(20) % 4
    before = group_moments(points[:16], group[:16], np.ones(16, dtype=np.int64))
    after = group_moments(points, group, np.ones(20, dtype=np.int64))
    n, mean, covariance = inserted(before.n, before.mean, before.covariance, points[16:])
    assert np.array_equal(n, after.n)
    assert mean == pytest.approx(after.mean, abs=1e-7)
    assert covariance == pytest.approx(after.covariance, abs=1e-6)


def test_signs_of_eigenvectors_are_fixed() -> None:
    rng = np.random.default_rng(2)
    made = rng.normal(size=(30, 4, 4))
    values, vectors = axes(made @ made.transpose(0, 2, 1))
    assert (values >= 0).all()
    assert (np.diff(values, axis=1) >= 0).all()
    largest = np.take_along_axis(vectors, np.abs(vectors).argmax(axis=1)[:, None, :], axis=1)
    assert (largest > 0).all()
    assert np.array_equal(oriented(-vectors), vectors)
