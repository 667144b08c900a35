"""Statistics of groups: what is added, split and pooled keeps mean and covariance (page, part B3)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ppdm_desktop.engine.methods.algorithms.condensation.moments import (
    axes,
    oriented,
    split,
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


def test_signs_of_eigenvectors_are_fixed() -> None:
    rng = np.random.default_rng(2)
    made = rng.normal(size=(30, 4, 4))
    values, vectors = axes(made @ made.transpose(0, 2, 1))
    assert (values >= 0).all()
    assert (np.diff(values, axis=1) >= 0).all()
    largest = np.take_along_axis(vectors, np.abs(vectors).argmax(axis=1)[:, None, :], axis=1)
    assert (largest > 0).all()
    assert np.array_equal(oriented(-vectors), vectors)
