"""Belief behind noise against a second implementation, an idle noise, and an intruder who knows the true law."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppdm_desktop.engine.arrays import Floats
from ppdm_desktop.engine.attacks.noise_belief import NoiseBelief, beliefs_behind_noise, beliefs_beyond_prediction
from ppdm_desktop.engine.attacks.noisy_column import LevelNoise, NoisyColumn, compute_guess_error, compute_linear_error
from ppdm_desktop.engine.attacks.uncertainty import measure_worst_case, uncertainty_ratio, worst_secret
from ppdm_desktop.engine.noise.kernels import NoiseLaw
from ppdm_desktop.engine.table.people import People
from tests.golden import verdict_belief as oracle


def column_of(
    truth: Floats, shown: Floats, sd: float, cell: float, step: float, low: float, high: float
) -> NoisyColumn:
    law = LevelNoise(NoiseLaw("gaussian", float(sd)), float(cell))
    return NoisyColumn(truth, shown, np.zeros(len(truth), dtype=np.int64), (law,), step, float(low), float(high))


def ours(truth: Floats, *noise: Any) -> dict[str, dict[str, Any]]:
    column = column_of(truth, *noise)
    linear, found = compute_linear_error(column), {}
    for name, belief in beliefs_behind_noise(column).items():
        uncertainty = belief.uncertainty(truth)
        exposed = measure_worst_case(uncertainty, belief.control_right(truth))
        rare = worst_secret([each for each in belief.rare(truth, People.identity(len(truth))) if each.recall >= 0.25])
        left = compute_guess_error(column, belief.means())
        found[name] = {
            "left": left,
            "ratio": left / linear,
            "near_certain": int(uncertainty.certain.sum()),
            "exposed": (exposed.right, exposed.people),
            "rare": rare,
        }
    return found


def populations() -> dict[str, Floats]:
    rng, n = np.random.default_rng(7), 8_000
    return {
        "normal": rng.normal(100, 15, n),
        "lognormal": 1_000 * rng.lognormal(0, 0.75, n),
        "exponential": rng.exponential(1_000, n),
        "two humps": np.where(rng.random(n) < 0.5, rng.normal(40, 5, n), rng.normal(80, 5, n)),
        "Poisson": rng.poisson(5, n) * 1.0,
        "90 % zeros": np.where(rng.random(n) < 0.9, 0, rng.normal(2_000, 300, n)),
        "half": (rng.random(n) < 0.5) * 1.0,
        "tenth": (rng.random(n) < 0.1) * 1.0,
        "fiftieth": (rng.random(n) < 0.02) * 1.0,
    }


@pytest.mark.thorough
@pytest.mark.parametrize("name", populations())
def test_every_figure_is_that_of_a_second_implementation(name: str) -> None:
    truth = np.round(populations()[name])
    noise = oracle.default_noise(truth, np.random.default_rng(1))
    expected, found = oracle.figures(truth, *noise), ours(truth, *noise)
    assert expected.keys() == found.keys()
    for prior, wanted in expected.items():
        mine = found[prior]
        assert mine["left"] == pytest.approx(wanted["left"], abs=0.02)
        assert mine["ratio"] == pytest.approx(wanted["ratio"], abs=0.02)
        assert mine["near_certain"] == pytest.approx(wanted["near_certain"], abs=3)
        # Everyone tied with the last one counts: the people of one cell of the noise, who come in or do not.
        assert mine["exposed"][1] == pytest.approx(wanted["exposed"][1], abs=5)
        assert mine["exposed"][0] == pytest.approx(wanted["exposed"][0], abs=5)
        if wanted["rare"] is None:
            assert mine["rare"] is None
        else:
            share, right, recall, named, holders = wanted["rare"]
            rare = mine["rare"]
            assert (rare.share, rare.recall) == pytest.approx((share, recall), abs=0.02)
            # The second implementation has 801 points, the first eight for each standard deviation of the noise.
            assert (rare.right, rare.named, rare.holders) == pytest.approx((right, named, holders), abs=6, rel=0.07)


def test_noise_below_half_a_step_hides_nothing() -> None:
    """Verdict page, 2.7: 2 % yes, signal to noise 1, bounds 0 and 1, grid 1."""
    rng = np.random.default_rng(3)
    truth = (np.arange(2_000) < 36).astype(np.float64)
    sd = 0.13295
    shown = np.round(truth + rng.normal(0, sd, len(truth)))
    column = column_of(truth, shown, sd, 1.0, 1.0, 0.0, 1.0)
    beliefs = beliefs_behind_noise(column)
    informed = beliefs["informed"]
    uncertainty = informed.uncertainty(truth)
    assert int(uncertainty.certain.sum()) >= 1_998
    assert float(uncertainty.ratio[truth == 1].max()) < 0.01
    assert float(informed.rows[informed.row_index[truth == 1]][0][-1]) == pytest.approx(0.9954, abs=0.001)


def test_declared_noise_that_is_not_there_is_not_believed() -> None:
    """A tenth of the cells were put back: the more of the truth is shown, the more is certain, never less."""
    rng = np.random.default_rng(5)
    truth = np.round(rng.normal(1_000, 300, 1_200))
    shown = np.round(truth + rng.normal(0, 300, 1_200))
    found = []
    for share in (0.0, 0.1, 0.5, 1.0):
        back = rng.random(1_200) < share
        column = column_of(truth, np.where(back, truth, shown), 300.0, 1.0, 1.0, truth.min(), truth.max())
        beliefs = beliefs_behind_noise(column).values()
        worst = max(int(each.uncertainty(truth).certain.sum()) for each in beliefs)
        found.append((worst, min(compute_guess_error(column, each.means()) for each in beliefs)))
    assert [each[0] for each in found] == sorted(each[0] for each in found)
    assert [each[1] for each in found] == sorted((each[1] for each in found), reverse=True)
    assert found[0][0] == 0
    assert found[-1][0] == 1_200
    assert found[-1][1] == pytest.approx(0.0, abs=0.01)


def test_noise_smaller_than_declared_counts_as_what_it_is() -> None:
    rng = np.random.default_rng(6)
    truth = np.round(rng.normal(1_000, 300, 3_000))
    shown = np.round(truth + rng.normal(0, 20, 3_000))
    honest = column_of(truth, shown, 20.0, 1.0, 1.0, truth.min(), truth.max())
    boasting = column_of(truth, shown, 300.0, 1.0, 1.0, truth.min(), truth.max())
    for prior in ("rebuilt", "informed"):
        true, told = (beliefs_behind_noise(each)[prior].means() for each in (honest, boasting))
        assert np.sqrt(np.mean((told - truth) ** 2)) == pytest.approx(np.sqrt(np.mean((true - truth) ** 2)), rel=0.05)


def test_levels_have_their_own_noise() -> None:
    rng = np.random.default_rng(8)
    truth = np.round(rng.normal(1_000, 300, 4_000))
    level = (np.arange(4_000) % 2).astype(np.int64)
    sds = np.array([30.0, 600.0])
    shown = np.round(truth + rng.normal(0, 1, 4_000) * sds[level])
    laws = tuple(LevelNoise(NoiseLaw("gaussian", float(sd)), 1.0) for sd in sds)
    column = NoisyColumn(truth, shown, level, laws, 1.0, truth.min(), truth.max())
    belief = beliefs_behind_noise(column)["informed"]
    error = np.abs(belief.means() - truth)
    assert error[level == 0].mean() == pytest.approx(30 * np.sqrt(2 / np.pi), rel=0.1)
    assert error[level == 1].mean() > 5 * error[level == 0].mean()


def test_members_of_one_class_are_as_safe_as_the_mean_over_them() -> None:
    rng = np.random.default_rng(9)
    truth = np.round(rng.normal(100, 15, 400))
    shown = np.round(truth + rng.normal(0, 15, 400))
    column = column_of(truth, shown, 15.0, 1.0, 1.0, truth.min(), truth.max())
    belief = beliefs_behind_noise(column)["informed"]
    ids = (np.arange(400) // 8).astype(np.int64)
    found = belief.uncertainty_in_classes(truth, ids, 50, 5)
    windows = belief.sum_within_half_width(belief.rows)[belief.row_index]
    control = belief.sum_within_half_width(belief.prior[None])[0]
    for person in range(0, 400, 37):
        mates = np.flatnonzero(ids == ids[person])
        b = windows[mates].mean(axis=0)
        a = (windows[mates].sum(axis=0) - windows[person] + 5 * control) / (len(mates) - 1 + 5)
        ratio = (1 - b) / (1 - a)
        assert found.ratio[person] == pytest.approx(ratio.min(), abs=1e-9)
    alone = belief.uncertainty_in_classes(truth, np.arange(400), 400, 5)
    assert np.allclose(alone.ratio, belief.uncertainty(truth).ratio)


def test_what_other_columns_foretell_is_taken_off_first() -> None:
    """Hours times rate give the pay: with them, next to nothing of the noise is left."""
    rng = np.random.default_rng(6)
    truth = (rng.integers(20, 45, 3_000) * rng.integers(12, 60, 3_000)).astype(np.float64)
    shown = np.round(truth + rng.normal(0, truth.std(), 3_000))
    column = column_of(truth, shown, truth.std(), 1.0, 1.0, truth.min(), truth.max())
    base = beliefs_behind_noise(column)["informed"]
    found = beliefs_beyond_prediction(column, truth + rng.normal(0, 0.04 * truth.std(), 3_000), base)
    assert compute_guess_error(column, base.means()) > 0.6
    assert compute_guess_error(column, found.means) == pytest.approx(0.04, abs=0.015)
    nothing = beliefs_beyond_prediction(column, np.full(3_000, truth.mean()), base)
    assert compute_guess_error(column, nothing.means) == pytest.approx(
        compute_guess_error(column, base.means()), abs=0.02
    )


def test_classes_of_any_size_are_counted_as_one_by_one() -> None:
    """One, two and many people in a class, values that many share and values that nobody else has."""
    rng = np.random.default_rng(14)
    truth = np.where(rng.random(700) < 0.8, 0.0, np.round(rng.normal(60, 9, 700)))
    shown = np.round(truth + rng.normal(0, 9, 700))
    column = column_of(truth, shown, 9.0, 1.0, 1.0, truth.min(), truth.max())
    ids = rng.permutation(np.concatenate([np.arange(60), 60 + np.arange(120) // 2, 120 + np.arange(520) % 20]))
    for belief in beliefs_behind_noise(column).values():
        found = belief.uncertainty_in_classes(truth, ids, int(ids.max()) + 1, 5)
        windows, control = (
            belief.sum_within_half_width(belief.rows)[belief.row_index],
            belief.sum_within_half_width(belief.prior[None])[0],
        )
        for person in range(700):
            mates = np.flatnonzero(ids == ids[person])
            b = windows[mates].mean(axis=0)
            a = (windows[mates].sum(axis=0) - windows[person] + 5 * control) / (len(mates) - 1 + 5)
            ratio = uncertainty_ratio(np.clip(b, 0, 1), np.clip(a, 0, 1))
            guess = int(ratio.argmin())
            assert found.ratio[person] == pytest.approx(float(ratio[guess]), abs=1e-8)
            if np.sort(ratio)[1] - ratio[guess] > 1e-9:
                assert found.right[person] == (abs(belief.grid[guess] - truth[person]) <= belief.half[guess])


@given(st.floats(-50, 250), st.floats(0.5, 40), st.integers(2, 300))
@settings(deadline=None)
def test_the_prior_around_a_value_is_the_sum_of_its_points(centre: float, half: float, points: int) -> None:
    grid, prior = np.linspace(0, 200, points), np.arange(1.0, points + 1) / (points * (points + 1) / 2)
    belief = NoiseBelief(grid, prior, prior[None], np.zeros(1, np.int64), np.full(points, half), 0.0)
    near = np.abs(np.abs(belief.grid - centre) - half) < 1e-6
    by_hand = float(belief.prior[np.abs(belief.grid - centre) <= half].sum())
    found = float(belief.compute_prior_within(np.array([centre]), half)[0])
    assert abs(found - by_hand) <= float(belief.prior[near].sum()) + 1e-12
