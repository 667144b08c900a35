"""Ranks among distinct values, found in parts: the same as NumPy finds at once."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ppdm_desktop.engine import arrays
from ppdm_desktop.engine.arrays import every_row, find_row_positions, is_every_row
from ppdm_desktop.engine.identifiability import ranks
from ppdm_desktop.engine.identifiability.ranks import find_sorted_positions, rank_values

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
        found, count = rank_values(values)
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
        found = find_sorted_positions(rising, wanted, side)
    assert found.tolist() == np.searchsorted(rising, wanted, side).tolist()


# --- what is said of rows and codes without looking at each ---------------------------------------


@given(st.integers(0, 12), st.integers(0, 11), st.integers(0, 11))
def test_rows_are_every_row_only_in_their_order(count: int, one: int, other: int) -> None:
    rows = np.arange(count)
    assert is_every_row(rows, count)
    assert is_every_row(every_row(count), count)
    assert not is_every_row(rows, count + 1)
    if one < count and other < count and one != other:
        rows[[one, other]] = rows[[other, one]]
        assert not is_every_row(rows, count)


def test_a_row_out_of_place_is_seen_in_any_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays, "_AT_ONCE", 3)
    for place in range(1, 7):
        rows = np.arange(8)
        rows[place] = 0
        assert not is_every_row(rows, 8)


@given(st.lists(st.integers(1, 60), unique=True, min_size=1), st.data())
def test_row_numbers_stand_where_searching_finds_them(numbers: list[int], data: st.DataObject) -> None:
    rising = np.sort(np.array(numbers))
    wanted = np.array(data.draw(st.lists(st.sampled_from(numbers))), dtype=np.int64)
    assert rising[find_row_positions(rising, wanted)].tolist() == wanted.tolist()
    assert find_row_positions(rising, rising.copy()).tolist() == list(range(len(rising)))
