"""What is said of rows and codes without looking at each: every row, where rows stand, how narrow codes can be."""

from __future__ import annotations

import weakref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppdm_desktop.engine import arrays
from ppdm_desktop.engine.arrays import every_row, is_every_row, narrowed, no_less_than_least, places_among


def test_all_who_ask_for_every_row_share_one_array_that_nobody_can_change() -> None:
    rows = every_row(5)
    assert rows.tolist() == [0, 1, 2, 3, 4]
    assert every_row(5) is rows
    assert every_row(4).tolist() == [0, 1, 2, 3]
    gone = weakref.ref(rows)
    with pytest.raises(ValueError, match="read-only"):
        rows[0] = 1
    del rows
    assert gone() is None, "a large table that was closed leaves none behind"


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


@pytest.mark.parametrize(
    ("least", "most", "kind"),
    [
        (0, 0, np.int8),
        (-1, 127, np.int8),
        (-128, 5, np.int8),
        (-2, 128, np.int16),
        (-129, 0, np.int16),
        (-1, 2**15, np.int32),
        (0, 2**31 - 1, np.int32),
        (-1, 2**31, np.int64),
    ],
)
def test_codes_are_kept_in_the_smallest_type_that_holds_them(least: int, most: int, kind: type) -> None:
    codes = np.array([least, most, least])
    found = narrowed(codes)
    assert found.dtype == kind
    assert found.tolist() == codes.tolist()
    assert narrowed(codes[:0]).dtype == np.int8


@given(st.integers(0, 10_000), st.integers(1, 400), st.integers(1, 9))
def test_up_to_the_bound_of_the_least_there_are_as_many_as_wanted(seed: int, columns: int, count: int) -> None:
    rng, count = np.random.default_rng(seed), min(count, columns)
    values = np.round(rng.standard_normal((3, columns)), seed % 3)
    values[rng.random(values.shape) < 0.1] = np.inf
    bound = no_less_than_least(values, count)
    assert bound.shape == (3, 1)
    assert (bound[:, 0] >= np.sort(values, axis=1)[:, count - 1]).all()
    # The bound is a value that stands there, so that no more are taken than have to be.
    assert (values == bound).any(axis=1).all()
