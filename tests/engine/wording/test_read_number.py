"""What a person types as a number: taken where it can mean one thing only, else refused with what may be meant."""

from __future__ import annotations

import pickle
from decimal import Decimal

import pytest
from cases import case_rows
from hypothesis import given
from hypothesis import strategies as st

from ppdm_desktop.engine.wording.locales import locale_of
from ppdm_desktop.engine.wording.numbers import Numbers, UnreadableNumber, read_number


@pytest.mark.parametrize(("text", "language", "number"), case_rows("read-number-taken"))
def test_taken(text: str, language: str, number: str) -> None:
    assert read_number(text, language) == Decimal(number)


@pytest.mark.parametrize(("text", "language", "why", "readings"), case_rows("read-number-refused"))
def test_refused(text: str, language: str, why: str, readings: tuple[str, ...]) -> None:
    with pytest.raises(UnreadableNumber) as caught:
        read_number(text, language)
    assert (caught.value.why, caught.value.readings) == (why, readings)
    # What is offered can be typed.
    for reading in readings:
        read_number(reading, language)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.why, again.readings) == (why, readings)


@given(st.decimals(-(10**9), 10**9, places=None, allow_nan=False), st.sampled_from(["en", "de"]))
def test_what_is_typed_with_the_languages_own_mark_is_taken_exactly(number: Decimal, language: str) -> None:
    typed = f"{number:f}".replace(".", locale_of(language).decimal)
    assert read_number(typed, language) == number


def outcome(text: str, language: str) -> Decimal | UnreadableNumber:
    try:
        return read_number(text, language)
    except UnreadableNumber as refusal:
        return refusal


@given(st.integers(-(10**15), 10**15), st.sampled_from(["en", "de"]))
def test_what_the_program_wrote_is_read_or_questioned_but_never_misread(number: int, language: str) -> None:
    written = Numbers(language).count(number)
    found = outcome(written, language)
    if 1_000 <= abs(number) < 1_000_000:
        # One group mark could be a decimal mark.
        assert isinstance(found, UnreadableNumber)
        assert found.why == "ambiguous"
        assert str(number) in found.readings
    else:
        assert found == number


@given(st.text("0123456789.,eE+- −", max_size=9), st.sampled_from(["en", "de"]))
def test_any_text_is_read_or_refused(text: str, language: str) -> None:
    found = outcome(text, language)
    if isinstance(found, UnreadableNumber):
        assert all(isinstance(outcome(reading, language), Decimal) for reading in found.readings)
    else:
        assert found.is_finite()
