"""The frontier against a search of all pairs, and weights against sums done by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppdm_desktop.engine.utility.frontier import flag_pareto_frontier, weigh

# Few values, so that ties and equal points are common.
_VALUES = st.sampled_from([0.0, 0.1, 0.2, 0.5, 1.0, float("nan")])


def brute_force(risk: np.ndarray, usefulness: np.ndarray) -> list[bool]:
    found = []
    for r, u in zip(risk, usefulness, strict=True):
        beaten = any(
            other_r <= r and other_u >= u and (other_r < r or other_u > u)
            for other_r, other_u in zip(risk, usefulness, strict=True)
        )
        found.append(not (np.isnan(r) or np.isnan(u)) and not beaten)
    return found


@given(st.lists(st.tuples(_VALUES, _VALUES), max_size=12))
def test_is_what_no_pair_beats(points: list[tuple[float, float]]) -> None:
    risk = np.array([point[0] for point in points], dtype=np.float64)
    usefulness = np.array([point[1] for point in points], dtype=np.float64)
    assert flag_pareto_frontier(risk, usefulness).tolist() == brute_force(risk, usefulness)


def test_what_was_not_measured_beats_nothing() -> None:
    assert flag_pareto_frontier(np.array([0.0, 0.5]), np.array([np.nan, 0.1])).tolist() == [False, True]
    assert flag_pareto_frontier(np.array([np.nan, 0.5]), np.array([1.0, 0.1])).tolist() == [False, True]
    assert flag_pareto_frontier(np.array([]), np.array([])).tolist() == []


# --- weights ----------------------------------------------------------------------------


def test_the_score_is_the_weighted_mean_and_the_highest_that_can_win_wins() -> None:
    goodness = np.array([[1.0, 0.0], [0.5, 0.8], [0.9, 0.9]])
    found = weigh(goodness, np.array([1.0, 3.0]), np.array([True, True, False]))
    assert found.scores.tolist() == pytest.approx([0.25, 0.725, 0.9])
    assert found.winner == 1
    assert weigh(goodness, np.array([3.0, 1.0]), np.array([True, True, False])).winner == 0


def test_what_was_not_measured_of_one_that_can_win_counts_for_nobody() -> None:
    goodness = np.array([[0.2, np.nan], [0.1, 1.0]])
    found = weigh(goodness, np.array([1.0, 5.0]), np.array([True, True]))
    assert found.counted.tolist() == [True, False]
    assert found.winner == 0
    # Of one that cannot win, it stays open only there.
    found = weigh(goodness, np.array([1.0, 5.0]), np.array([False, True]))
    assert found.counted.tolist() == [True, True]
    assert found.winner == 1
    assert np.isnan(found.scores[0])


def test_nobody_wins_without_weights_or_without_anybody_who_can() -> None:
    goodness = np.array([[0.2, 0.4], [0.1, 1.0]])
    assert weigh(goodness, np.zeros(2), np.array([True, True])).winner is None
    assert weigh(goodness, np.ones(2), np.array([False, False])).winner is None
    with pytest.raises(ValueError, match="0 or more"):
        weigh(goodness, np.array([1.0, -1.0]), np.array([True, True]))
