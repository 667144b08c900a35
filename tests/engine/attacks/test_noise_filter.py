"""Noise filtered out again: against closed forms, and on the Abalone data."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from optional import existing

from ppdm_desktop.engine.arrays import Floats
from ppdm_desktop.engine.attacks import noise_filter
from ppdm_desktop.engine.attacks.comparison import severity_of_filter
from ppdm_desktop.engine.wording.catalogue import untranslated

NOTHING = np.zeros((5_000, 0))


def overall(truth: Floats, guess: Floats) -> float:
    return float(np.sqrt((noise_filter.compute_rms_errors(truth, guess) ** 2).mean()))


def alone(noisy: Floats, noise: Floats) -> Floats:
    """Guess each value from its own column alone."""
    return noise_filter.fit_filter(noisy, np.zeros((len(noisy), 0)), noise).separately(noisy)


def together(noisy: Floats, clean: Floats, noise: Floats) -> Floats:
    """Guess the values from all released columns."""
    return noise_filter.fit_filter(noisy, clean, noise).together(noisy, clean)


def be_dr(noisy: Floats, noise: Floats) -> Floats:
    """Guess the values from all noisy columns, in the coordinates in which the noise is white.

    xhat = mu + E diag((l - 1)+ / ((l - 1)+ + 1)) E' (w - mu) with the eigenvalues l and vectors
    E of the whitened covariance; the noise's covariance has to be of full rank.
    """
    root = np.linalg.cholesky(noise)
    mean = noisy.mean(axis=0)
    white = np.linalg.solve(root, (noisy - mean).T).T
    values, vectors = np.linalg.eigh(np.atleast_2d(np.cov(white, rowvar=False)))
    signal = np.maximum(values - 1.0, 0.0)
    return np.asarray(mean + ((white @ vectors) * (signal / (signal + 1.0))) @ vectors.T @ root.T)


def equicorrelated(
    correlation: float, columns: int = 10, rows: int = 5_000, seed: int = 1
) -> tuple[Floats, Floats, Floats]:
    covariance = np.full((columns, columns), correlation) + (1 - correlation) * np.eye(columns)
    rng = np.random.default_rng(seed)
    truth = rng.multivariate_normal(np.zeros(columns), covariance, size=rows)
    return truth, truth + rng.standard_normal(truth.shape), covariance


@pytest.mark.parametrize(("correlation", "page"), [(0.0, 0.708), (0.5, 0.62), (0.9, 0.42), (0.99, 0.32)])
def test_what_columns_share_is_filtered_out(correlation: float, page: float) -> None:
    truth, seen, covariance = equicorrelated(correlation)
    values = np.linalg.eigvalsh(covariance)
    theory = np.sqrt((values / (1 + values)).mean())
    found = overall(truth, be_dr(seen, np.eye(10)))
    assert found == pytest.approx(theory, rel=0.02)
    assert found == pytest.approx(page, abs=0.012)
    assert overall(truth, alone(seen, np.eye(10))) == pytest.approx(np.sqrt(0.5), rel=0.02)


@pytest.mark.parametrize("correlation", [0.0, 0.5, 0.9])
def test_all_columns_without_clean_ones_is_be_dr(correlation: float) -> None:
    truth, seen, _ = equicorrelated(correlation)
    guess = together(seen, NOTHING, np.eye(10))
    assert overall(truth, guess) == pytest.approx(overall(truth, be_dr(seen, np.eye(10))), rel=1e-3)


def test_a_clean_column_helps_as_regression_says() -> None:
    rng = np.random.default_rng(2)
    clean = rng.standard_normal((20_000, 1))
    truth = 0.8 * clean + 0.6 * rng.standard_normal((20_000, 1))
    seen = truth + rng.standard_normal(truth.shape)
    guess = together(seen, clean, np.eye(1))
    # What the clean column leaves has variance 0.36; with noise 1 the error is sqrt(0.36 / 1.36).
    assert overall(truth, guess) == pytest.approx(np.sqrt(0.36 / 1.36), rel=0.02)
    ratio = noise_filter.ratio_figure(truth[:, 0], guess[:, 0], alone(seen, np.eye(1))[:, 0])
    assert ratio.low < np.sqrt(0.36 / 1.36) / np.sqrt(0.5) < ratio.high
    assert existing(ratio.high) - existing(ratio.low) < 0.03
    assert severity_of_filter(existing(ratio.value)) == "serious"


def test_a_copy_beside_the_noise_gives_it_all_away() -> None:
    rng = np.random.default_rng(3)
    truth = rng.standard_normal((3_000, 1)) * 50
    seen = truth + 50 * rng.standard_normal(truth.shape)
    guess = together(seen, truth * 3 + 7, np.array([[2500.0]]))
    ratio = noise_filter.ratio_figure(truth[:, 0], guess[:, 0], alone(seen, np.array([[2500.0]]))[:, 0])
    assert existing(ratio.value) < 0.05
    assert severity_of_filter(existing(ratio.value)) == "total"


def test_columns_that_have_nothing_to_do_with_it_do_not_help() -> None:
    rng = np.random.default_rng(4)
    truth = rng.standard_normal((5_000, 2))
    seen = truth + rng.standard_normal(truth.shape)
    clean = np.hstack([rng.standard_normal((5_000, 3)), np.ones((5_000, 1))])
    base = alone(seen, np.eye(2))
    for column in range(2):
        ratio = noise_filter.ratio_figure(
            truth[:, column], together(seen, clean, np.eye(2))[:, column], base[:, column]
        )
        assert 0.99 < existing(ratio.value) < 1.01
        assert severity_of_filter(existing(ratio.value)) == "none"


def test_the_interval_of_an_error_holds() -> None:
    rng = np.random.default_rng(5)
    missed = 0
    for _ in range(200):
        figure = noise_filter.error_figure(rng.normal(0, 3, 400), np.zeros(400), 3.0, untranslated("by hand"))
        missed += not existing(figure.low) <= 1.0 <= existing(figure.high)
    assert missed <= 20


@pytest.mark.parametrize(("matched", "expected"), [(False, 0.45), (True, 0.70)])
def test_abalone_as_the_page_says(data_folder: Path, matched: bool, expected: float) -> None:
    with (data_folder / "abalone.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    values = np.array([[float(row[name]) for name in row if name not in ("sex", "rings")] for row in rows])
    assert values.shape[1] == 7
    truth = (values - values.mean(axis=0)) / values.std(axis=0)
    noise = np.cov(truth, rowvar=False) if matched else np.eye(7)
    errors, ratios = [], []
    for seed in range(5):
        rng = np.random.default_rng(seed)
        seen = truth + rng.multivariate_normal(np.zeros(7), noise, size=len(truth))
        errors.append(overall(truth, be_dr(seen, noise)))
        ratios.append(errors[-1] / overall(truth, alone(seen, noise)))
    assert np.mean(errors) == pytest.approx(expected, abs=0.012)
    assert np.mean(ratios) == pytest.approx(1.0 if matched else 0.635, abs=0.015)
