"""Learning from statistics of groups alone: the nearest group, and a mixture of Gaussians."""

from __future__ import annotations

import numpy as np
from scipy.stats import multivariate_normal

from ppdm_desktop.engine.release.measures.condensed_models import (
    RIDGE,
    GroupStatistics,
    predict_by_mixture,
    predict_by_nearest_group,
)

WIDE = np.array([[4.0, 0.0], [0.0, 0.01]])
TALL = np.array([[0.01, 0.0], [0.0, 4.0]])


def two(**more: object) -> GroupStatistics:
    """A wide group left of a tall one."""
    given: dict[str, object] = {
        "n": np.array([100, 300]),
        "mean": np.array([[0.0, 0.0], [3.0, 0.0]]),
        "covariance": np.array([WIDE, TALL]),
        "names": (),
        "labels": np.array([[100.0, 0.0], [0.0, 300.0]]),
    }
    return GroupStatistics(**{**given, **more})  # type: ignore[arg-type]


def test_the_nearest_group_knows_centres_and_the_mixture_knows_shapes() -> None:
    points = np.array([[0.2, 0.0], [2.0, 0.0], [3.0, 2.0], [3.0, 0.0]])
    assert predict_by_nearest_group(two(), points, []).tolist() == [0, 1, 1, 1]
    assert predict_by_mixture(two(), points, []).tolist() == [0, 0, 1, 1]


def test_the_mixture_is_bayes_rule_on_shrunken_covariances() -> None:
    rng = np.random.default_rng(3)
    points = rng.normal(size=(500, 2)) * 2 + np.array([1.5, 0.0])
    labels = np.array([[80.0, 20.0], [30.0, 270.0]])
    pooled = 0.25 * WIDE + 0.75 * TALL
    posterior = np.zeros((500, 2))
    for at, (n, middle, own) in enumerate([(100, 0.0, WIDE), (300, 3.0, TALL)]):
        keeps = n / (n + 2)
        covariance = keeps * own + (1 - keeps) * pooled + RIDGE * np.eye(2)
        density = multivariate_normal(np.array([middle, 0.0]), covariance).pdf(points)
        posterior += (n / 400 * density)[:, None] * labels[at] / n
    found = predict_by_mixture(two(labels=labels), points, [])
    assert np.array_equal(found, posterior.argmax(axis=1))
    assert {0, 1} == set(found.tolist())


def test_names_count_and_unknown_ones_say_nothing() -> None:
    names = (np.array([[100.0, 0.0], [0.0, 300.0]]),)
    same = np.zeros((3, 2))
    for predict in (predict_by_nearest_group, predict_by_mixture):
        groups = two(mean=same[:2], covariance=np.array([np.eye(2)] * 2), names=names)
        assert predict(groups, same, [np.array([0, 1, -1])]).tolist()[:2] == [0, 1]
    # Nothing is known of the third: the larger group has it.
    assert predict_by_mixture(groups, same, [np.array([0, 1, -1])]).tolist() == [0, 1, 1]


def test_groups_of_one_record_do_not_break_the_mixture() -> None:
    groups = two(n=np.array([1, 1]), covariance=np.zeros((2, 2, 2)), labels=np.eye(2))
    points = np.array([[0.1, 0.0], [2.9, 0.0]])
    assert predict_by_mixture(groups, points, []).tolist() == [0, 1]
