"""The frontier against a search of all pairs, and weights against sums done by hand."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ppdm_desktop.engine.utility.frontier import flag_pareto_frontier

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
