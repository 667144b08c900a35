"""What is said of rows and codes without looking at each: every row, where rows stand, how narrow codes can be."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppdm_desktop.engine import arrays
from ppdm_desktop.engine.arrays import every_row, is_every_row, places_among


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
    assert rising[places_among(rising, wanted)].tolist() == wanted.tolist()
    assert places_among(rising, rising.copy()).tolist() == list(range(len(rising)))
