"""Two shares and their difference in one sentence add up as they are read."""

from __future__ import annotations

from decimal import Decimal

import pytest
from cases import case_rows
from hypothesis import given
from hypothesis import strategies as st

from ppdm_desktop.engine.wording.numbers import Numbers
from ppdm_desktop.engine.wording.values import Points, Ratio, Share, as_data, format_sentence_value, from_data

EN, DE = Numbers("en"), Numbers("de")


def read(words: str) -> Decimal:
    return Decimal(words.removesuffix("%"))


@pytest.mark.parametrize(("one", "other", "shown"), case_rows("apart-shares-beside-their-difference"))
def test_shares_beside_their_difference(one: float | None, other: float, shown: tuple[str, str]) -> None:
    assert (EN.apart(one, other), EN.apart(other, one)) == shown


@given(st.floats(0.002, 0.998), st.floats(0.002, 0.998))
def test_what_is_read_adds_up(one: float, other: float) -> None:
    gain = round(100 * (one - other), 1)
    got = read(EN.apart(one, other)) - read(EN.apart(other, one))
    # Two decimals each are the most that a sentence bears: what is read then misses the stated decimal by its half.
    assert abs(got - Decimal(str(gain))) <= Decimal("0.06") if abs(gain) < 10 else abs(got - Decimal(str(gain))) < 1


@given(st.integers(100, 100_000), st.data())
def test_a_whole_difference_is_that_of_the_words(of: int, data: st.DataObject) -> None:
    hits, without = data.draw(st.integers(0, of)), data.draw(st.integers(0, of))
    one, other = Share(hits, of, beside=without / of), Share(without, of, beside=hits / of)
    words = format_sentence_value(one, EN, "people"), format_sentence_value(other, EN)
    if any("than" in each for each in words):
        return
    got = read(words[0].removesuffix(" of the people")) - read(words[1])
    assert round(got) in {round(100 * (hits - without) / of) + step for step in (-1, 0, 1)}
    assert abs(got - Decimal(100 * (hits - without)) / of) <= Decimal("0.5")


def test_few_people_stay_counts_and_the_data_says_no_more_than_it_did() -> None:
    assert format_sentence_value(Share(9, 16, beside=0.375), EN, "people") == "9 of 16 people"
    assert as_data(Share(9, 16)) == {"is": "share", "hits": 9, "of": 16, "noun": "people"}
    assert as_data(Ratio(0.5)) == {"is": "ratio", "value": 0.5, "noun": "people"}
    kept = Ratio(0.136, beside=0.064)
    assert from_data(as_data(kept)) == kept
    assert format_sentence_value(kept, DE, "people") == "13,6\N{NO-BREAK SPACE}% der Personen"
    assert format_sentence_value(Points(0.072), EN) == "7.2 percentage points"
