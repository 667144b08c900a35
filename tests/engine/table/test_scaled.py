"""Numbers read and written many at a time: as one by one, whatever they look like."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppdm_desktop.engine.table.exact_numbers import (
    distinct_values,
    scaled_floats,
    scaled_int,
    scaled_ints,
    scaled_text,
    scaled_texts,
    text_floats,
)

ROWS = 700
ORDINARY = [str(value) for value in range(-150, 150)]
ODD = ["", "-", "--5", "5-3", "5-", "1e5", " 5", "1.2.3", "1_0", "5\n6", "٣", "nan", "9" * 25]


@given(
    seed=st.integers(0, 2**32 - 1),
    digits=st.integers(1, 15),
    decimals=st.integers(0, 6),
    mark=st.sampled_from([".", ","]),
    cut=st.booleans(),
)
def test_many_texts_are_read_and_written_as_each_by_itself(
    seed: int, digits: int, decimals: int, mark: str, cut: bool
) -> None:
    rng = np.random.default_rng(seed)
    values = rng.integers(-(10**digits) + 1, 10**digits, ROWS)
    values[:3] = 0, 1, -1
    texts = [scaled_text(value, decimals, mark) for value in values.tolist()]
    assert scaled_texts(values, decimals, mark) == texts
    if cut and decimals:
        texts = [text.rstrip("0").rstrip(mark) if at % 2 else text for at, text in enumerate(texts)]
        texts = [text if text.strip("-") else "0" for text in texts]
    found = scaled_ints(texts, decimals, mark)
    assert found.tolist() == values.tolist() == [scaled_int(text, decimals, mark) for text in texts]
    exact = [Decimal(text.replace(mark, ".")) for text in texts]
    assert text_floats(texts, mark).tolist() == [float(value) for value in exact]
    again = scaled_floats(found, decimals)
    assert again is not None
    assert again.tolist() == [float(value) for value in exact]


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("decimals", [0, 2])
def test_a_text_that_is_no_plain_number_is_judged_as_by_itself(odd: str, decimals: int) -> None:
    texts = [*ORDINARY, odd, *ORDINARY]
    try:
        alone = scaled_int(odd, decimals) if decimals else int(odd)
        due = np.array([alone], dtype=np.int64)
    except (ValueError, OverflowError) as error:
        with pytest.raises(type(error)):
            scaled_ints(texts, decimals)
    else:
        assert scaled_ints(texts, decimals)[len(ORDINARY)] == due[0]
    try:
        number = float(odd)
    except ValueError:
        with pytest.raises(ValueError, match="could not convert"):
            text_floats(texts)
    else:
        np.testing.assert_equal(text_floats(texts)[len(ORDINARY)], number)


@pytest.mark.parametrize(("odd", "decimals"), [("1.55", 1), ("1.5", 0)])
def test_digits_behind_the_unit_are_refused(odd: str, decimals: int) -> None:
    for texts in ([*ORDINARY, odd], [odd]):
        with pytest.raises(ValueError, match="more decimals|invalid literal"):
            scaled_ints(texts, decimals)
    with pytest.raises(ValueError, match="more decimals"):
        scaled_int(odd, decimals)


def test_values_beyond_64_bits_are_refused_not_wrapped() -> None:
    for texts in (["123456789012345", "0.000001"], [*ORDINARY, "123456789012345", "0.000001"]):
        with pytest.raises(OverflowError):
            scaled_ints(texts, 6)


def test_floats_that_would_be_rounded_twice_are_left_to_the_texts() -> None:
    assert scaled_floats(np.array([2**53 + 1]), 2) is None
    assert scaled_floats(np.array([5]), 23) is None
    assert text_floats([*ORDINARY, "90071992547409.93"])[-1] == 90071992547409.93


def test_zero_has_no_sign() -> None:
    for texts in (["-0", "-0.00"], [*ORDINARY, "-0", "-0.00"]):
        assert not np.signbit(text_floats(texts)[-2:]).any()


@given(
    seed=st.integers(0, 2**32 - 1),
    low=st.sampled_from([0, -(10**14), 2**61]),
    span=st.sampled_from([1, 50, 10**6, 10**14, 2**61]),
    rows=st.integers(0, 400),
)
def test_distinct_values_are_those_of_sorting(seed: int, low: int, span: int, rows: int) -> None:
    values = np.random.default_rng(seed).integers(0, span, rows) + low
    distinct, place = distinct_values(values)
    assert distinct.tolist() == sorted(set(values.tolist()))
    assert distinct[place].tolist() == values.tolist()
