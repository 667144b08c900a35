"""National numbers that python-stdnum does not test, against numbers printed as examples."""

from __future__ import annotations

import pytest
from cases import case_rows

from ppdm_desktop.engine.table.national_numbers import (
    is_austrian_insurance_number,
    is_british_insurance_number,
    is_german_health_number,
    is_german_pension_number,
)


# The first two are printed as examples; the digit sums of the third add up to 43.
@pytest.mark.parametrize("text", ["10010490A443", "15070649C103", "65 170839 J 003", "65 170839 j 003"])
def test_printed_pension_numbers_pass_and_no_other_check_digit_does(text: str) -> None:
    assert is_german_pension_number(text)
    others = [text[:-1] + digit for digit in "0123456789" if digit != text[-1]]
    assert not any(map(is_german_pension_number, others))


def test_a_pension_number_has_a_day_that_can_be() -> None:
    def passing(start: str) -> int:
        return sum(is_german_pension_number(f"{start}{digit}") for digit in range(10))

    assert passing("65170839J00") == passing("65810839J00") == passing("65000039J00") == 1
    assert passing("65990839J00") == passing("65171339J00") == passing("00170839J00") == 0


# Of the specification of the German health card.
@pytest.mark.parametrize("text", ["A123456780", "X110411675"])
def test_printed_health_numbers_pass_and_no_other_check_digit_does(text: str) -> None:
    assert is_german_health_number(text)
    assert not any(is_german_health_number(text[:-1] + digit) for digit in "0123456789" if digit != text[-1])


@pytest.mark.parametrize(("text", "right"), case_rows("national-numbers-british-numbers-have-letters-that-are"))
def test_british_numbers_have_letters_that_are_given_out(text: str, right: bool) -> None:
    assert is_british_insurance_number(text) is right


@pytest.mark.parametrize(
    ("text", "right"), [("1237 010180", True), ("1237010180", True), ("1247 010180", False), ("123701", False)]
)
def test_austrian_numbers(text: str, right: bool) -> None:
    assert is_austrian_insurance_number(text) is right


def test_an_austrian_number_ends_in_a_birthday() -> None:
    """Only the check digit tells the first from the second in python-stdnum, and one of eleven passes that."""
    ends = ("010180", "011380", "320180")
    passing = [sum(is_austrian_insurance_number(f"{start} {end}") for start in range(1000, 3000)) for end in ends]
    assert passing[0] > 100
    assert passing[1:] == [0, 0]
