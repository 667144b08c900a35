"""Attacks on reflected noise: an intruder who knows the law, and one whose kernel is wrong."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ppdm_desktop.engine.arrays import Floats
from ppdm_desktop.engine.attacks import noise_belief
from ppdm_desktop.engine.attacks.noise_belief import beliefs_behind_noise, beliefs_beyond_prediction
from ppdm_desktop.engine.attacks.noise_filter import (
    ReflectedColumn,
    compute_rms_errors,
    estimate_noise_covariances,
    fit_filter,
)
from ppdm_desktop.engine.attacks.noisy_column import (
    LevelNoise,
    NoisyColumn,
    compute_change_moments,
    compute_guess_error,
    compute_linear_error,
    estimate_true_shares,
    rebuilt_prior,
)
from ppdm_desktop.engine.noise.kernels import NoiseLaw, chance_between, reflect_values

SD, CELL = 4.0, 4.0


def shown_of(truth: Floats, noise: Floats, cell: float, rng: np.random.Generator) -> Floats:
    turned = np.rint(np.abs(truth + noise + 0.5) - 0.5)
    return np.asarray(turned // cell * cell + rng.integers(int(cell), size=len(truth)))


def days(rows: int = 4_000, cell: float = CELL, sd: float = SD, seed: int = 3) -> NoisyColumn:
    rng = np.random.default_rng(seed)
    truth = np.minimum(rng.poisson(rng.gamma(1.2, 3.0, rows)), 40).astype(float)
    shown = shown_of(truth, sd * rng.normal(size=rows), cell, rng)
    law = LevelNoise(NoiseLaw("gaussian", sd), cell)
    return NoisyColumn(truth, shown, np.zeros(rows, dtype=np.int64), (law,), 1.0, 0.0, 40.0, -0.5)


def test_beliefs_are_bayes_rule_with_every_cell_turned_back() -> None:
    column = days(600)
    beliefs = beliefs_behind_noise(column)
    prior = np.bincount(column.truth.astype(int), minlength=41) / 600
    belief = beliefs["rebuilt"]
    for shown in (0.0, 3.0, 17.0):
        person = int(np.flatnonzero(column.released == shown)[0])
        start = shown // CELL * CELL
        lattice = np.arange(start, start + CELL)
        grid = belief.grid
        chance = np.zeros(len(grid))
        for value in [*lattice, *(-1 - lattice)]:
            law = column.levels[0].law
            chance += law.cumulative(value + 0.5 - grid) - law.cumulative(value - 0.5 - grid)
        expected = chance * belief.prior
        np.testing.assert_allclose(belief.rows[belief.row_index[person]], expected / expected.sum(), atol=1e-9)
    assert np.abs(rebuilt_prior(column) - prior).sum() < 0.6


def test_at_both_ends_beliefs_are_bayes_rule_and_declared_noise_counts_as_it_is() -> None:
    rng, span, straight = np.random.default_rng(5), 11, NoiseLaw("gaussian", SD)
    truth = rng.binomial(10, 0.7, 3_000).astype(float)
    shown = np.rint(reflect_values(truth + SD * rng.normal(size=3_000) + 0.5, 2.0 * span) - 0.5)
    assert (shown.min(), shown.max()) == (0, 10)
    level = LevelNoise(replace(straight, period=2.0 * span), 1.0)
    column = NoisyColumn(truth, shown, np.zeros(3_000, dtype=np.int64), (level,), 1.0, 0.0, 10.0, -0.5)
    assert column.with_measured_noise().levels[0].law.sd == SD
    belief = beliefs_behind_noise(column)["rebuilt"]
    for value in (0.0, 4.0, 10.0):
        images = [side + 2 * span * turn for side in (value, -1 - value) for turn in range(-5, 6)]
        chance = sum(
            straight.cumulative(at + 0.5 - belief.grid) - straight.cumulative(at - 0.5 - belief.grid) for at in images
        )
        expected = chance * belief.prior
        person = int(np.flatnonzero(shown == value)[0])
        np.testing.assert_allclose(belief.rows[belief.row_index[person]], expected / expected.sum(), atol=1e-9)
    by_law = compute_guess_error(column, belief.means())
    below = replace(column, levels=(LevelNoise(straight, 1.0),))
    assert by_law < 0.97 * compute_guess_error(below, beliefs_behind_noise(below)["rebuilt"].means())
    law = ReflectedColumn.of(shown, (level,), (1.0,), 1.0, -0.5, (0.0, 10.0))
    np.testing.assert_allclose(law.kernel.sum(axis=0), 1.0)
    assert law.edges[-1] <= 10.5
    assert abs(law.stand_ins(shown).mean() - truth.mean()) < 0.5


def test_the_intruder_who_knows_the_law_errs_less_than_one_with_the_kernel_of_added_noise() -> None:
    """A wrong kernel would make the attack weaker than it is: both errors are measured on the same people."""
    column = days()
    by_law = compute_guess_error(column, beliefs_behind_noise(column)["rebuilt"].means())
    straight = compute_guess_error(column, beliefs_behind_noise(replace(column, mirror=None))["rebuilt"].means())
    best = compute_guess_error(column, _with_the_true_prior(column))
    assert by_law < 0.97 * straight
    assert by_law < 1.03 * best, "nearly as good as with the true distribution"
    assert by_law <= compute_linear_error(column) * 1.01


def _with_the_true_prior(column: NoisyColumn) -> Floats:
    grid = np.arange(41.0)
    prior = np.bincount(column.truth.astype(int), minlength=41) / len(column.truth)
    start = column.released // CELL * CELL - 0.5
    rows = chance_between(column.levels[0].law, start[:, None], start[:, None] + CELL, grid[None], -0.5) * prior
    return np.asarray(rows @ grid / rows.sum(axis=1))


def test_declared_noise_counts_as_it_is_and_too_little_is_seen() -> None:
    column = days()
    assert column.with_measured_noise().levels[0].law.sd == SD, (
        "turning back makes the squares smaller: that is expected"
    )
    weak = days(sd=2.0)
    weak = replace(weak, levels=(LevelNoise(NoiseLaw("gaussian", SD), CELL),))
    assert weak.with_measured_noise().levels[0].law.sd == pytest.approx(2.0, rel=0.1)


def test_what_noise_adds_is_summed_over_every_cell() -> None:
    level = LevelNoise(NoiseLaw("gaussian", SD), CELL)
    offsets, shares = np.array([0.5, 9.5]), np.array([0.25, 0.75])
    found = compute_change_moments(level, offsets, shares, 1.0, reflected=True)[0]
    expected = 0.0
    for offset, share in zip(offsets, shares, strict=True):
        for start in np.arange(0, 80, CELL):
            chance = chance_between(level.law, np.array(start), np.array(start + CELL), np.array(offset), 0.0)
            values = start + 0.5 + np.arange(CELL)
            expected += float(share * chance * np.mean((values - offset) ** 2))
    assert found == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("top", [500, 2_000, 50_000])
def test_the_width_of_the_column_adds_no_noise(top: int) -> None:
    """Far from the mirror what noise adds is its variance and that of the rounding, however far the values reach."""
    rng = np.random.default_rng(4)
    truth = np.concatenate([[0.0, float(top)], rng.integers(200, top, 398)])
    shown = shown_of(truth, 2.0 * rng.normal(size=len(truth)), 1.0, rng)
    law = LevelNoise(NoiseLaw("gaussian", 2.0), 1.0)
    column = NoisyColumn(truth, shown, np.zeros(len(truth), dtype=np.int64), (law,), 1.0, 0.0, float(top), -0.5)
    away = compute_change_moments(law, truth[2:] + 0.5, np.full(398, 1 / 398), 1.0, reflected=True)[0]
    assert away == pytest.approx(2.0**2 + 1 / 12, rel=1e-6)
    assert column.with_measured_noise().levels[0].law.sd == 2.0, "as much as was declared is there"


def test_another_column_that_foretells_the_value_helps_and_by_law_more() -> None:
    rng = np.random.default_rng(8)
    column = days(3_000)
    beside = column.truth + rng.normal(0, 2.0, len(column.truth))
    slope, middle = np.polyfit(beside, column.released, 1)
    predicted = slope * beside + middle
    base = beliefs_behind_noise(column)
    found = compute_guess_error(column, beliefs_beyond_prediction(column, predicted, base["informed"]).means)
    plain = replace(column, mirror=None)
    straight = beliefs_beyond_prediction(plain, predicted, beliefs_behind_noise(plain)["informed"])
    assert found < compute_guess_error(column, base["rebuilt"].means())
    assert found < compute_guess_error(column, straight.means)


def test_between_two_ends_no_chance_of_a_rest_is_negative(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(6)
    kernels: list[Floats] = []

    def noted(counts: Floats, kernel: Floats) -> Floats:
        kernels.append(kernel)
        return estimate_true_shares(counts, kernel)

    monkeypatch.setattr(noise_belief, "estimate_true_shares", noted)
    truth = rng.integers(0, 31, 2_000).astype(float)
    shown = np.rint(reflect_values(truth + SD * rng.normal(size=2_000) + 0.5, 62.0) - 0.5)
    level = LevelNoise(NoiseLaw("gaussian", SD, 62.0), 1.0)
    column = NoisyColumn(truth, shown, np.zeros(2_000, dtype=np.int64), (level,), 1.0, 0.0, 30.0, -0.5)
    base = beliefs_behind_noise(column)["informed"]
    found = beliefs_beyond_prediction(column, truth + 3 * rng.normal(size=2_000), base)
    assert kernels
    assert min(kernel.min() for kernel in kernels) >= 0
    assert np.isfinite(found.means).all()


# --- the linear filter ----------------------------------------------------------------------


def law_of(shown: Floats) -> ReflectedColumn:
    return ReflectedColumn.of(shown, [LevelNoise(NoiseLaw("gaussian", SD), CELL)], [1.0], 1.0, -0.5, (0.0, 40.0))


def test_stand_ins_have_the_true_values_for_their_means() -> None:
    column = days()
    law = law_of(column.released)
    stands = law.stand_ins(column.released)
    assert stands.mean() == pytest.approx(column.truth.mean(), abs=4 * stands.std() / np.sqrt(len(stands)))
    assert column.released.mean() > column.truth.mean() + 0.5, "as released, the mean is too large"
    off = law._stand_ins @ law.kernel - law.grid
    assert float(np.sqrt(law.prior @ off**2)) < 0.3
    rng = np.random.default_rng(2)
    other = column.truth + rng.normal(0, 3, len(column.truth))
    assert np.cov(stands, other)[0, 1] == pytest.approx(np.cov(column.truth, other)[0, 1], rel=0.1)
    np.testing.assert_allclose(law.kernel.sum(axis=0), 1.0, atol=1e-12)


def test_the_filter_by_law_leaves_less_than_the_one_that_takes_a_variance_off() -> None:
    rng = np.random.default_rng(4)
    column = days(6_000)
    clean = np.column_stack([column.truth + rng.normal(0, 2.5, 6_000), rng.normal(size=6_000)])
    noisy = column.released[:, None]
    truth = column.truth[:, None]
    noise = np.array([[SD**2 + (2 * CELL**2 - 1) / 12]])
    by_law = fit_filter(noisy, clean, noise, [law_of(column.released)])
    added = fit_filter(noisy, clean, noise)
    assert (
        compute_rms_errors(truth, by_law.separately(noisy))[0] < compute_rms_errors(truth, added.separately(noisy))[0]
    )
    assert (
        compute_rms_errors(truth, by_law.together(noisy, clean))[0]
        < compute_rms_errors(truth, added.together(noisy, clean))[0]
    )
    assert (
        compute_rms_errors(truth, by_law.together(noisy, clean))[0]
        < 0.8 * compute_rms_errors(truth, by_law.separately(noisy))[0]
    )


def test_two_columns_with_matched_noise_give_no_more_than_there_is() -> None:
    """Of unrelated columns with related noise the other one tells of the noise alone; the filter may use that."""
    rng = np.random.default_rng(6)
    truth = np.minimum(rng.poisson(6.0, (6_000, 2)), 40).astype(float)
    noise = rng.multivariate_normal([0, 0], [[16, 8], [8, 16]], 6_000)
    shown = np.column_stack([shown_of(truth[:, each], noise[:, each], CELL, rng) for each in range(2)])
    covariance = np.array([[16.0, 8.0], [8.0, 16.0]]) + np.eye(2) * (2 * CELL**2 - 1) / 12
    laws = [law_of(shown[:, each]) for each in range(2)]
    found = fit_filter(shown, np.zeros((6_000, 0)), covariance, laws)
    assert (
        compute_rms_errors(truth, found.together(shown, np.zeros((6_000, 0))))
        <= 1.02 * compute_rms_errors(truth, found.separately(shown))
    ).all()


def test_beside_a_column_whose_noise_is_added_each_is_guessed_by_its_own_law() -> None:
    """The added column tells of the reflected one what both have in common, and no more than is left of the noise."""
    rng = np.random.default_rng(8)
    first = np.minimum(rng.poisson(6.0, 6_000), 40).astype(float)
    truth = np.column_stack([first, 100 + 5 * first + rng.normal(0, 4, 6_000)])
    noise = rng.multivariate_normal([0, 0], [[16, 12], [12, 36]], 6_000)
    shown = np.column_stack([shown_of(truth[:, 0], noise[:, 0], CELL, rng), truth[:, 1] + noise[:, 1]])
    covariance = np.array([[16.0 + (2 * CELL**2 - 1) / 12, 12.0], [12.0, 36.0]])
    nothing = np.zeros((6_000, 0))
    found = fit_filter(shown, nothing, covariance, [law_of(shown[:, 0]), None])
    by_one = compute_rms_errors(truth, found.separately(shown))
    by_both = compute_rms_errors(truth, found.together(shown, nothing))
    assert (by_both <= 1.02 * by_one).all()
    assert by_both[0] < 0.8 * by_one[0], "the second column tells the first"
    best = np.column_stack([shown, shown[:, 0] ** 2, np.ones(6_000)])
    least = truth - best @ np.linalg.lstsq(best, truth, rcond=None)[0]
    assert by_both[0] < 1.15 * float(np.sqrt(np.mean(least[:, 0] ** 2))), "the best line, which nobody can know"


def test_noise_that_is_never_turned_back_shares_what_added_noise_shares() -> None:
    """Far above the mirror both laws are one: of the covariance all is left, up to what is drawn to find it."""
    rng = np.random.default_rng(5)
    shown = np.rint(rng.normal(500, 30, 4_000) + SD * rng.normal(size=4_000))
    law = ReflectedColumn.of(shown, [LevelNoise(NoiseLaw("gaussian", SD), 1.0)], [1.0], 1.0, -0.5, (300.0, 700.0))
    for covariance in (6.0, -9.0):
        assert estimate_noise_covariances(law, 5.0, covariance) == estimate_noise_covariances(law, 5.0, covariance), (
            "no draw of a release"
        )
        stands, _ = estimate_noise_covariances(law, 5.0, covariance)
        assert stands == pytest.approx(covariance, abs=1.0)
        assert estimate_noise_covariances(5.0, law, covariance)[1] == pytest.approx(covariance, abs=1.0)


def test_draws_of_one_person_are_put_together_by_law() -> None:
    rng = np.random.default_rng(9)
    truth = np.minimum(rng.poisson(4.0, 800), 40).astype(float)
    of_row = np.repeat(np.arange(800), 6)
    shown = shown_of(truth[of_row], SD * rng.normal(size=4_800), 1.0, rng)
    law = ReflectedColumn.of(shown, [LevelNoise(NoiseLaw("gaussian", SD), 1.0)], [1.0], 1.0, -0.5, (0.0, 40.0))
    together = law.means_together(shown, of_row, 800)
    mean = np.bincount(of_row, shown) / 6
    signal = shown.var() - SD**2
    added = shown.mean() + 6 / (6 + SD**2 / signal) * (mean - shown.mean())
    assert compute_rms_errors(truth, together) < 0.9 * compute_rms_errors(truth, added), (
        "the guess for noise that is added"
    )
    slope, middle = np.polyfit(mean, truth, 1)
    assert compute_rms_errors(truth, together) < 1.05 * compute_rms_errors(truth, slope * mean + middle), (
        "the best line, which nobody can know"
    )
