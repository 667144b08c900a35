"""Scores that differ by rounding alone are equal, and equal ones are chosen by content, not by row number."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppdm_desktop.engine.arrays import GRID, content_order, find_first_largest, find_first_smallest, on_grid


def last_digits(scores: np.ndarray, seed: int, scale: float = 1.0) -> np.ndarray:
    """Return scores as another processor may compute them: off by up to a hundred roundings of their scale."""
    return scores + np.random.default_rng(seed).uniform(-100, 100, scores.shape) * 2.0**-53 * scale


@given(st.integers(0, 10_000), st.sampled_from([1.0, 40.0, 1e-6, 3e9]))
def test_the_best_are_the_same_whatever_the_last_digits(seed: int, scale: float) -> None:
    rng = np.random.default_rng(seed)
    exact = rng.integers(0, 5, (30, 7)) / 7
    scores = exact * scale
    assert find_first_smallest(last_digits(scores, seed, scale), scale).tolist() == exact.argmin(axis=1).tolist()
    assert find_first_largest(last_digits(scores, seed + 1, scale), scale).tolist() == exact.argmax(axis=1).tolist()
    order = np.argsort(on_grid(last_digits(scores, seed + 2, scale), scale), axis=1, kind="stable")
    assert order.tolist() == np.argsort(exact, axis=1, kind="stable").tolist()


def test_what_differs_by_more_than_rounding_is_not_equal() -> None:
    scores = np.array([[0.5, 0.5 - 3 * GRID], [0.5, 0.5 + 3 * GRID]])
    assert find_first_smallest(scores).tolist() == [1, 0]
    assert find_first_largest(scores).tolist() == [0, 1]
    assert (np.diff(on_grid(scores), axis=1) != 0).all()


def test_rows_of_scores_may_have_scales_of_their_own() -> None:
    scores = np.array([[1e6 + 1e-6, 1e6], [1.0 + 1e-6, 1.0]])
    assert find_first_smallest(scores, np.array([[1e6], [1.0]])).tolist() == [0, 1]


def test_infinite_scores_stay_what_they_are() -> None:
    assert on_grid(np.array([-np.inf, np.inf, 0.25])).tolist() == [-np.inf, np.inf, 0.25]
    assert find_first_smallest(np.array([[np.inf, 2.0], [np.inf, np.inf]])).tolist() == [1, 0]
    assert find_first_largest(np.array([[-np.inf, 2.0], [-np.inf, -np.inf]])).tolist() == [1, 0]


@pytest.mark.parametrize("products", [3, 500, 20_000])
def test_sums_in_any_order_lie_closer_together_than_the_grid(products: int) -> None:
    """The bound of the docstring, beside exact sums: 2 (n + 8) u times the magnitudes is less than the grid."""
    rng = np.random.default_rng(products)
    one, other = rng.random((2, products))
    exact = float(sum(Fraction(a) * Fraction(b) for a, b in zip(one.tolist(), other.tolist(), strict=True)))
    sums = [one @ other, float(np.sum(one * other)), sum((one * other)[::-1].tolist()), one[::-1] @ other[::-1]]
    bound = 2 * (products + 8) * 2.0**-53 * exact
    assert max(sums) - min(sums) <= bound < GRID * exact


@given(st.integers(0, 10_000))
def test_rows_stand_in_an_order_that_follows_from_their_content(seed: int) -> None:
    rng = np.random.default_rng(seed)
    codes, numbers = rng.integers(-1, 3, 60).astype(np.int32), rng.choice([-0.0, 0.0, 1.5, np.nan], 60)
    order, turned = content_order([codes, numbers], 60), rng.permutation(60)
    again = turned[content_order([codes[turned], numbers[turned]], 60)]
    assert codes[order].tolist() == codes[again].tolist()
    assert np.array_equal(numbers[order], numbers[again], equal_nan=True)


def test_copies_of_a_frequent_row_do_not_come_together() -> None:
    secret = np.repeat([0, 1, 2], [600, 300, 100])
    first = secret[content_order([secret], 1_000)][:100]
    assert 45 <= int((first == 0).sum()) <= 75
    assert 18 <= int((first == 1).sum()) <= 42


def test_no_value_is_preferred_by_the_order_of_content() -> None:
    """Of rows in ascending order the lowest value would come first of every few equally near ones."""
    low_first = sum(int(content_order([np.array([0, 1]), np.array([other, other])], 2)[0]) for other in range(2_000))
    assert 850 < low_first < 1_150
    assert content_order([], 3).tolist() == [0, 1, 2]
