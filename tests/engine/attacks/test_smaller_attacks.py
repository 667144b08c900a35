"""Singling out, trying guessable keys, and lining up several releases."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from cases import case_rows
from optional import existing

from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.attacks.averaging import compute_averaged_error, compute_vote_success, shows_less_than_chance
from ppdm_desktop.engine.attacks.comparison import paired_advantage, severity_of_advantage
from ppdm_desktop.engine.attacks.homogeneity import measure_homogeneity
from ppdm_desktop.engine.attacks.reversal import compare_with_controls, find_commonest_number
from ppdm_desktop.engine.attacks.singling_out import HIDDEN, find_only_holders, find_singled_out
from ppdm_desktop.engine.methods.algorithms.digits.constants import TwoConstants
from ppdm_desktop.engine.methods.algorithms.digits.digits import shift_digits
from ppdm_desktop.engine.methods.algorithms.digits.two_constant_undo import undo_rounded, undo_unrounded
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.release.attack_audit.seed_search import people_needed, search_seeds


@pytest.mark.parametrize("seed", range(20))
def test_singling_out_and_the_only_holder_are_those_of_looking_at_every_record(seed: int) -> None:
    """People have several rows, some cells of which are hidden: one person's rows show it, or not one person's."""
    rng = np.random.default_rng(seed)
    width, people, records = int(rng.integers(1, 4)), int(rng.integers(1, 12)), int(rng.integers(1, 12))
    true = [rng.integers(-1, 3, people) for _ in range(width)]
    shown = [rng.choice([HIDDEN, -1, 0, 1, 2], records) for _ in range(width)]
    own, holder = rng.integers(-1, records, people), rng.integers(0, 4, records)
    found, holders = find_singled_out(true, shown, own), find_only_holders(true, shown, holder)
    for person in range(people):
        fits = [
            record
            for record in range(records)
            if all(other[record] in (HIDDEN, one[person]) for one, other in zip(true, shown, strict=True))
        ]
        assert found.identified[person] == (len(fits) == 1 and fits[0] == own[person])
        assert found.fooled[person] == (len(fits) == 1 and fits[0] != own[person])
        showing = {int(holder[record]) for record in fits}
        assert ({int(holders[person])} == showing) if len(showing) == 1 else holders[person] < 0


@pytest.mark.parametrize("seed", [0, 137, 999])
def test_a_key_from_a_number_is_found_by_what_a_few_people_show(seed: int) -> None:
    rows, known = 500, np.arange(12)
    values = np.random.default_rng(1).integers(0, 30, rows)

    def order(number: Any) -> Any:
        return np.argsort(np.frombuffer(Key.from_seed(number).bytes_ * 16, np.uint8)[:rows] * 1.0, kind="stable")

    released = values[order(seed)]

    def fits(number: Any) -> Any:
        place = np.empty(rows, dtype=np.int64)
        place[order(number)] = np.arange(rows)
        return np.array_equal(released[place[known]], values[known])

    assert search_seeds(range(1_000), fits) == seed
    assert search_seeds(range(seed), fits) is None


def test_how_many_known_people_are_enough() -> None:
    assert people_needed([1 / 2] * 60) == 40
    assert people_needed([1 / 1024] * 4) == 4
    assert people_needed([1.0] * 100) is None
    assert people_needed([]) is None


def averaged(releases: Sequence[Floats], noise_variance: float) -> Floats:
    """Return the best linear guess at one column from several noisy copies of it, row by row.

    Parameters
    ----------
    releases
        The same column of each release, rows lined up.
    noise_variance
        Variance of the noise of one release; it is independent between releases.
    """
    middle = np.mean(np.stack(releases), axis=0)
    left = noise_variance / len(releases)
    seen = float(middle.var(ddof=1))
    kept = max(seen - left, 0.0) / seen if seen > 0 else 0.0
    return np.asarray(middle.mean() + kept * (middle - middle.mean()))


def voted(releases: Sequence[Ints], categories: int, kept: float = 1.0) -> Ints:
    """Return the likeliest category of each row: the commonest among several releases, the first's where equal.

    Where swapping shows the truth less often than chance (``kept``, as in `vote_right`) the rarest is
    the likeliest.
    """
    votes = np.zeros((len(releases[0]), categories), dtype=np.float64)
    rows = np.arange(len(releases[0]))
    for place, codes in enumerate(releases):
        known = codes >= 0
        votes[rows[known], codes[known]] += 1.0 + (0.5 if place == 0 else 0.0)
    against = shows_less_than_chance(kept, categories)
    return np.asarray(votes.argmin(axis=1) if against else votes.argmax(axis=1), dtype=np.int64)


@pytest.mark.parametrize("releases", [1, 2, 5])
@pytest.mark.parametrize("signal_to_noise", [0.5, 1.0, 4.0])
def test_noise_averages_out_as_foretold(releases: int, signal_to_noise: float) -> None:
    rng = np.random.default_rng(releases)
    truth = rng.normal(0, np.sqrt(signal_to_noise), 40_000)
    copies = [truth + rng.normal(0, 1, len(truth)) for _ in range(releases)]
    left = float(np.sqrt(((averaged(copies, 1.0) - truth) ** 2).mean()))
    assert left == pytest.approx(compute_averaged_error(signal_to_noise, releases), rel=0.02)


@pytest.mark.parametrize(("kept", "releases", "values"), case_rows("smaller-attacks-swaps-are-voted-away-as-foretold"))
def test_swaps_are_voted_away_as_foretold(kept: float, releases: int, values: int) -> None:
    rng = np.random.default_rng(releases)
    truth = rng.integers(0, values, 40_000)
    other = [(truth + rng.integers(1, values, len(truth))) % values for _ in range(releases)]
    copies = [np.where(rng.random(len(truth)) < kept, truth, wrong) for wrong in other]
    right = (voted(copies, values, kept) == truth).mean()
    assert right == pytest.approx(compute_vote_success(kept, releases, values), abs=0.01)
    assert right >= max(kept, 1 / values) - 0.01, "a guess from all releases is no worse than one or none"


# --- the intervals of what classes give away are those of a count ---------------------------------


def wilson(right: int, of: int) -> tuple[float, float]:
    share, z = right / of, 1.959963984540054
    middle = (share + z * z / (2 * of)) / (1 + z * z / of)
    half = z / (1 + z * z / of) * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    return middle - half, middle + half


def test_each_interval_is_that_of_so_many_people() -> None:
    """One class of two shows one value; the commonest value of each class is right of five, that of all of three."""
    found = measure_homogeneity(np.array([0, 0, 1, 1, 2, 2, 2]), np.array([0, 0, 0, 1, 1, 2, 2]))
    for figure, right in ((found.one_valued, 2), (found.majority, 5), (found.baseline, 3)):
        assert (figure.low, figure.high) == pytest.approx(wilson(right, 7), abs=1e-6)


# --- guesses at the values before a step, scored; digits shifted back and two constants taken off ---


@pytest.mark.parametrize("by", [1, -1])
def test_digit_shifts_are_undone_for_everybody(by: int) -> None:
    truth = np.random.default_rng(1).integers(-(10**7), 10**7, 20_000)
    released = shift_digits(truth, by)
    found = compare_with_controls(
        truth.astype(float), shift_digits(released, -by).astype(float), released.astype(float), 0.0
    )
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
    found = compare_with_controls(truth.astype(float), guess.astype(float), released / 10.0**decimals, 0.0)
    assert found.success.mean() == 1.0
    assert found.control.mean() < 0.05


def test_rounding_by_steps_hides_nothing_in_a_large_column() -> None:
    truth = np.random.default_rng(3).lognormal(10, 0.5, 20_000).round().astype(np.int64)
    released = TwoConstants.of(truth).on_grid(1)
    guess = existing(undo_rounded(released, 1))
    found = compare_with_controls(truth.astype(float), guess.astype(float), released.astype(float), 1.0)
    assert found.success.mean() > 0.99
    assert found.control.mean() < 0.05


def test_pure_noise_is_chance() -> None:
    rng = np.random.default_rng(4)
    truth, released = rng.normal(size=4_000), rng.normal(size=4_000)
    found = compare_with_controls(truth, released, released, 0.1)
    assert found.success.mean() == pytest.approx(found.blind.mean(), abs=0.012)
    # The commonest value is the better blind guess: 0.08 of a normal column is within 0.1 of the middle.
    assert found.control.mean() == pytest.approx(0.08, abs=0.015)


def test_missing_values_and_exact_tolerance() -> None:
    found = compare_with_controls(
        np.array([1.0, 2.0, np.nan, 4.0]), np.array([1.0, np.nan, 3.0, 4.1]), np.array([1.0, 2.0, np.nan, 2.0]), 0.1
    )
    assert found.success.tolist() == [1.0, 0.0, 1.0]
    assert found.control.tolist() == [0.0, 1.0, 0.0]
    assert found.blind == pytest.approx([1 / 3, 2 / 3, 0])


@pytest.mark.parametrize("seed", range(5))
def test_the_commonest_value_against_trying_all(seed: int) -> None:
    shown = np.sort(np.random.default_rng(seed).integers(0, 40, 60).astype(float))
    best = max(np.count_nonzero(np.abs(shown - middle) <= 1.5) for middle in np.arange(0, 40, 0.5))
    assert np.count_nonzero(np.abs(shown - find_commonest_number(shown, 1.5)) <= 1.5) == best


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
