"""Guesses at the values before a step, scored; digits shifted back and two constants taken off."""

import numpy as np
import pytest
from optional import existing

from ppdm_desktop.engine.attacks.comparison import paired_advantage, severity_of_advantage
from ppdm_desktop.engine.attacks.reversal import commonest, recovered
from ppdm_desktop.engine.methods.algorithms.digits.constants import TwoConstants
from ppdm_desktop.engine.methods.algorithms.digits.digits import shifted_values
from ppdm_desktop.engine.methods.algorithms.digits.two_constant_undo import undo_rounded, undo_unrounded


@pytest.mark.parametrize("by", [1, -1])
def test_digit_shifts_are_undone_for_everybody(by: int) -> None:
    truth = np.random.default_rng(1).integers(-(10**7), 10**7, 20_000)
    released = shifted_values(truth, by)
    found = recovered(truth.astype(float), shifted_values(released, -by).astype(float), released.astype(float), 0.0)
    assert found.success.mean() == 1.0
    assert found.control.mean() < 0.01
    assert found.blind.mean() < 0.001
    success = paired_advantage(found.success, np.zeros(20_000))
    assert severity_of_advantage(success, paired_advantage(found.success, found.control), 0.05, 0.5) == "total"


@pytest.mark.parametrize("rows", [100, 1_000])
def test_unrounded_two_constant_noise_is_undone_for_everybody(rows: int) -> None:
    truth = np.random.default_rng(rows).lognormal(10, 0.5, rows).round().astype(np.int64)
    parts = TwoConstants.of(truth)
    decimals = parts.spare_decimals()
    released = parts.unrounded(decimals)
    guess = existing(undo_unrounded(released, 10**decimals))
    found = recovered(truth.astype(float), guess.astype(float), released / 10.0**decimals, 0.0)
    assert found.success.mean() == 1.0
    assert found.control.mean() < 0.05


def test_rounding_by_steps_hides_nothing_in_a_large_column() -> None:
    truth = np.random.default_rng(3).lognormal(10, 0.5, 20_000).round().astype(np.int64)
    released = TwoConstants.of(truth).on_grid(1)
    guess = existing(undo_rounded(released, 1))
    found = recovered(truth.astype(float), guess.astype(float), released.astype(float), 1.0)
    assert found.success.mean() > 0.99
    assert found.control.mean() < 0.05


def test_pure_noise_is_chance() -> None:
    rng = np.random.default_rng(4)
    truth, released = rng.normal(size=4_000), rng.normal(size=4_000)
    found = recovered(truth, released, released, 0.1)
    assert found.success.mean() == pytest.approx(found.blind.mean(), abs=0.012)
    # The commonest value is the better blind guess: 0.08 of a normal column is within 0.1 of the middle.
    assert found.control.mean() == pytest.approx(0.08, abs=0.015)


def test_missing_values_and_exact_tolerance() -> None:
    found = recovered(
        np.array([1.0, 2.0, np.nan, 4.0]), np.array([1.0, np.nan, 3.0, 4.1]), np.array([1.0, 2.0, np.nan, 2.0]), 0.1
    )
    assert found.success.tolist() == [1.0, 0.0, 1.0]
    assert found.control.tolist() == [0.0, 1.0, 0.0]
    assert found.blind == pytest.approx([1 / 3, 2 / 3, 0])


@pytest.mark.parametrize("seed", range(5))
def test_the_commonest_value_against_trying_all(seed: int) -> None:
    shown = np.sort(np.random.default_rng(seed).integers(0, 40, 60).astype(float))
    best = max(np.count_nonzero(np.abs(shown - middle) <= 1.5) for middle in np.arange(0, 40, 0.5))
    assert np.count_nonzero(np.abs(shown - commonest(shown, 1.5)) <= 1.5) == best


def test_interval_of_a_paired_difference() -> None:
    # Agresti & Min 2005, adjusted interval: b, c and n of a table of pairs.
    gains = np.repeat([1.0, 0.0, 1.0, 0.0], [20, 30, 10, 40])
    other = np.repeat([1.0, 0.0, 0.0, 1.0], [20, 30, 10, 40])
    found = paired_advantage(gains, other)
    n, b, c = 102, 10.5, 40.5
    half = 1.959963984540054 * np.sqrt(b + c - (b - c) ** 2 / n) / n
    assert found.value == pytest.approx(-0.3)
    assert (found.low, found.high) == pytest.approx(((b - c) / n - half, (b - c) / n + half))


def test_intervals_hold_what_they_promise() -> None:
    rng = np.random.default_rng(8)
    missed = 0
    for _ in range(400):
        one, other = rng.random(150) < 0.3, rng.random(150) < 0.25
        found = paired_advantage(one.astype(float), other.astype(float))
        missed += not existing(found.low) <= 0.05 <= existing(found.high)
    assert missed <= 36


def test_without_records_there_is_no_figure() -> None:
    assert paired_advantage(np.zeros(0), np.zeros(0)).value is None
