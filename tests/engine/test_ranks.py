"""Ranks among distinct values, found in parts: the same as NumPy finds at once."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ppdm_desktop.engine.identifiability import ranks
from ppdm_desktop.engine.identifiability.ranks import looked_up, ranked

VALUES = st.one_of(
    st.lists(st.integers(-4, 4), max_size=60).map(lambda found: np.array(found, dtype=np.int64)),
    st.lists(st.integers(0, 9), max_size=60).map(lambda found: np.array(found, dtype=np.int64)),
    st.lists(st.integers(0, 2**57), max_size=60).map(lambda found: np.array(found, dtype=np.int64)),
    st.lists(st.integers(-(2**62), 2**62), max_size=60).map(lambda found: np.array(found, dtype=np.int64)),
    st.lists(st.sampled_from([-1.5, -0.0, 0.0, 0.1, 2.0, np.inf, -np.inf, np.nan]), max_size=60).map(np.array),
    st.lists(st.floats(), max_size=60).map(lambda found: np.array(found, dtype=np.float64)),
)


@given(VALUES, st.integers(1, 20))
@example(np.full(9, np.nan), 2)
@example(np.full(9, 3.0), 2)
def test_parts_give_what_unique_gives(values: np.ndarray, part: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ranks, "_AT_ONCE", part)
        patch.setattr(ranks, "_PACKED_AT_ONCE", part)
        patch.setattr(ranks, "_SAMPLED", 1)
        found, count = ranked(values)
    distinct, place = np.unique(values, return_inverse=True)
    assert count == len(distinct)
    assert found.dtype == np.int64
    assert np.array_equal(found, place.reshape(-1))


@given(VALUES, VALUES, st.sampled_from(["left", "right"]), st.integers(1, 20), st.booleans())
def test_values_are_looked_up_in_parts_as_at_once(
    among: np.ndarray, wanted: np.ndarray, side: Literal["left", "right"], part: int, is_short: bool
) -> None:
    rising = np.sort(among)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ranks, "_LOOKED_UP", part)
        patch.setattr(ranks, "_SHORT", 100 if is_short else -1)
        found = looked_up(rising, wanted, side)
    assert found.tolist() == np.searchsorted(rising, wanted, side).tolist()
