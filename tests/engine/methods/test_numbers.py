"""Additive noise and the digit shifts: the paper's figures, exact digits, and what anybody can undo."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from number_support import GOLDEN, applied, number_column, number_table
from optional import existing
from thoroughness import examples

from ppdm_desktop.engine.errors import InputError, PpdmError, RecipeError
from ppdm_desktop.engine.methods.algorithms.digits.constants import TwoConstants, exact_sum
from ppdm_desktop.engine.methods.algorithms.digits.digits import shift_digits
from ppdm_desktop.engine.methods.algorithms.digits.scaled import scaled_int, scaled_text
from ppdm_desktop.engine.methods.base.declaration import find_method
from ppdm_desktop.engine.table.column import NumberStyle

PAY = GOLDEN["original"]
NUMBERS = st.integers(0, 4).flatmap(
    lambda scale: st.lists(st.integers(-99_999, 99_999), min_size=1, max_size=30).map(
        lambda many: [scaled_text(each, scale) for each in many]
    )
)


def shown(method: str, values: Sequence[object], **parameters: Any) -> list[str]:
    return applied(method, number_table(values), **parameters).table.column("A").values()


# --- the paper's Table 2 ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "golden", "printed"), [("bit-plus-plus", "bit_plus", "bpp"), ("bit-minus-minus", "bit_minus", "bmm")]
)
def test_table_2_digits(method: str, golden: str, printed: str) -> None:
    found = [int(text) for text in shown(method, PAY)]
    assert found == GOLDEN[golden]
    assert found[:-1] == GOLDEN["printed"][printed][:-1]


def test_table_2_additive_noise_before_rounding() -> None:
    parts = TwoConstants.of(np.array(PAY, dtype=np.int64))
    expected = GOLDEN["additive"]
    assert (parts.n_high, parts.n_low) == (expected["countgre"], expected["countmin"])
    assert float(parts.mean) == expected["mean"]
    assert float(parts.taken_from_high) == pytest.approx(expected["noise1"], rel=1e-15)
    assert float(parts.given_to_low) == expected["noise2"]
    down, up = parts.taken_from_high, parts.given_to_low
    exact = [value - down if high else value + up for value, high in zip(PAY, parts.high.tolist(), strict=True)]
    assert [float(value) for value in exact] == pytest.approx(expected["values"], rel=1e-14)
    assert sum(exact) == sum(PAY)


def test_table_2_additive_noise_as_printed() -> None:
    found = [int(text) for text in shown("additive-noise", PAY, rounding="paper")]
    assert found == GOLDEN["additive"]["rounded_each_step_half_up"]["values"]
    assert found[:-1] == GOLDEN["printed"]["an"][:-1]


def test_table_2_additive_noise_by_steps_keeps_the_total() -> None:
    found = [int(text) for text in shown("additive-noise", PAY)]
    assert sum(found) == sum(PAY)
    assert all(abs(a - b) < 1 for a, b in zip(found, GOLDEN["additive"]["values"], strict=True))


def test_table_2_unrounded_and_paper_rounding_are_undone_by_anybody() -> None:
    for rounding in ("paper", "none"):
        table = number_table(PAY)
        method = find_method("additive-noise")
        settings = method.settings(table, None, {"rounding": rounding})
        released = applied("additive-noise", table, rounding=rounding).table.column("A")
        assert released.values() != table.column("A").values()
        undone = method.undo(released, settings)  # type: ignore[attr-defined]
        assert undone.numbers.tolist() == PAY
        safe = method.settings(table, None, {})
        assert method.undo(released, safe) is None  # type: ignore[attr-defined]


# --- digits -------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "expected"), list(GOLDEN["bit_edge"].items()))
def test_digit_edges(text: str, expected: list[str]) -> None:
    assert [shown("bit-plus-plus", [text])[0], shown("bit-minus-minus", [text])[0]] == expected


def test_scale_writes_and_shifts_more_decimals_but_never_fewer() -> None:
    assert shown("bit-plus-plus", ["12.5", "7"], scale=2) == ["13.61", "7.11"]
    assert shown("bit-plus-plus", ["0.05", "-3", "", "0"], scale=2) == ["0.05", "-3.11", "", "0"]
    with pytest.raises(RecipeError) as refused:
        shown("bit-plus-plus", ["12.55"], scale=1)
    assert refused.value.id == "error.digits.scale-too-small"
    with pytest.raises(InputError):
        shown("bit-plus-plus", ["12.55"], scale=14)


def test_decimal_comma_and_missing_marks() -> None:
    column = number_column("A", ["12,50", "", "3,05"], mark=",")
    table = number_table(["1"])
    table = type(table)((column,), np.arange(1, 4))
    assert applied("bit-plus-plus", table).table.column("A").values() == ["13,61", "", "3,16"]
    marked = number_column("A", ["98", "55"])
    marked = replace(marked, missing_texts=frozenset({"", "99"}))
    with pytest.raises(InputError) as refused:
        applied("bit-plus-plus", type(table)((marked,), np.arange(1, 3)))
    assert refused.value.id == "error.numeric.becomes-missing"


def test_a_step_of_its_own_is_refused() -> None:
    with pytest.raises(RecipeError) as refused:
        applied("bit-minus-minus", number_table([10, 15, 20], step=5))
    assert refused.value.id == "error.digits.step"


@pytest.mark.parametrize("by", [1, -1])
@pytest.mark.parametrize("length", [1, 2, 3, 4])
def test_the_shift_is_a_bijection_on_each_length(by: int, length: int) -> None:
    numbers = np.arange(10 ** (length - 1), 10**length)
    images = shift_digits(numbers, by)
    assert sorted(images.tolist()) == numbers.tolist()
    assert shift_digits(images, -by).tolist() == numbers.tolist()
    assert shift_digits(-numbers, by).tolist() == (-images).tolist()
    for number, image in zip(map(str, numbers.tolist()), map(str, images.tolist()), strict=True):
        assert image == number[0] + "".join(str((int(digit) + by) % 10) for digit in number[1:])


@examples(200)
@given(NUMBERS, st.sampled_from(["bit-plus-plus", "bit-minus-minus"]))
def test_anybody_turns_digits_back_and_the_shape_stays(texts: list[str], name: str) -> None:
    table = number_table(texts)
    method = find_method(name)
    settings = method.settings(table, None, {})
    released = applied(name, table).table.column("A")
    for old, new in zip(texts, released.values(), strict=True):
        assert len(old) == len(new)
        assert [sign for sign in old if not sign.isdigit()] == [sign for sign in new if not sign.isdigit()]
        assert next((d for d in old if d in "123456789"), "") == next((d for d in new if d in "123456789"), "")
    undone = method.undo(released, settings)  # type: ignore[attr-defined]
    assert undone.numbers.tolist() == table.column("A").numbers.tolist()


# --- additive noise -------------------------------------------------------------------------


@examples(200)
@given(
    st.lists(st.one_of(st.none(), st.integers(-9_999, 99_999)), min_size=1, max_size=40),
    st.integers(0, 3),
    st.sampled_from([None, 1, 5]),
    st.sampled_from(["step", "paper", "none"]),
)
def test_additive_noise_keeps_total_grid_and_gaps(
    values: list[int | None], scale: int, step: int | None, rounding: str
) -> None:
    texts = ["" if value is None else scaled_text(value, scale) for value in values]
    table = number_table(texts, step=step)
    known = [Decimal(text) for text in texts if text]
    try:
        found = applied("additive-noise", table, rounding=rounding).table.column("A")
        refusal = ""
    except PpdmError as error:
        refusal = error.id
    if len(set(known)) < 2:
        assert refusal == "error.additive-noise.constant"
    elif sum(known) == 0:
        assert refusal == "error.additive-noise.zero-mean"
    else:
        assert not refusal or rounding == "paper"
    if refusal:
        return
    assert [text == "" for text in found.values()] == [text == "" for text in texts]
    released = [Decimal(text) for text in found.values() if text]
    grid = existing(table.column("A").style).step
    mean = sum(map(Fraction, known)) / len(known)
    high = [Fraction(value) >= mean for value in known]
    if rounding == "step":
        assert abs(sum(released, Decimal(0)) - sum(known, Decimal(0))) < grid
    if rounding != "none" and found.values() != table.column("A").values():
        changed = [new for old, new in zip(known, released, strict=True) if old != new]
        assert all(new % grid == 0 for new in changed)
    for is_high, old, new in zip(high, known, released, strict=True):
        exact = Fraction(old) - 2 * mean / sum(high) if is_high else Fraction(old) + 2 * mean / (high.count(False))
        assert rounding == "paper" or abs(Fraction(new) - exact) < Fraction(grid)


@pytest.mark.parametrize("values", [["5", "5", "5"], ["", ""], ["7"]])
def test_constant_columns_are_refused(values: list[str]) -> None:
    with pytest.raises(InputError) as refused:
        applied("additive-noise", number_table(values))
    assert refused.value.id == "error.additive-noise.constant"


def test_zero_mean_is_refused_and_a_negative_one_is_said() -> None:
    with pytest.raises(InputError) as refused:
        applied("additive-noise", number_table([-5, 5]))
    assert refused.value.id == "error.additive-noise.zero-mean"
    table = number_table([-50, -10, -30, -20])
    method = find_method("additive-noise")
    settings = method.settings(table, None, {})
    assert "note.additive-noise.negative-mean" in {note.id for note in method.check(table, settings)}
    assert [float(text) for text in shown("additive-noise", [-50, -10])] == [-110, 50]


def test_additive_noise_writes_kept_values_like_moved_ones() -> None:
    source = ["0.5", "0.61", "0.60", "0.4"] * 500
    released = shown("additive-noise", source)
    assert {len(text) for text in released} == {4}
    assert any(float(text) == float(before) for text, before in zip(released, source, strict=True))


def test_scaled_numbers_are_exact() -> None:
    style = NumberStyle(".", 3, Decimal("0.001"))
    for value in (0, 5, -5, 1_000, -999, 123_456_789_012_345):
        text = scaled_text(value, 3)
        assert text == style.text(Decimal(value).scaleb(-3))
        assert scaled_int(text, 3) == value
    assert exact_sum(np.array([2**62, 2**62, -1, 3])) == 2**63 + 2
