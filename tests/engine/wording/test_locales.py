"""How a language writes, beside the Unicode CLDR as Babel has it."""

from __future__ import annotations

import re
from dataclasses import fields
from datetime import date
from decimal import Decimal

import numpy as np
import pytest
from babel import Locale as Cldr
from babel.dates import format_date
from babel.lists import format_list
from babel.numbers import format_decimal, format_percent

from ppdm_desktop.engine.wording.locales import LOCALES, PLURALS, locale_of
from ppdm_desktop.engine.wording.numbers import Numbers

CLDR = {"en": "en_GB", "de": "de"}
both = pytest.mark.parametrize("language", CLDR)


@both
def test_marks_and_percentages(language: str) -> None:
    numbers, cldr = Numbers(language), CLDR[language]
    symbols = Cldr.parse(cldr).number_symbols["latn"]
    assert (locale_of(language).decimal, locale_of(language).group) == (symbols["decimal"], symbols["group"])
    for number in (0, 12, 999, 1_000, 9_999, 101_766, 1_048_576, 10**12):
        assert numbers.count(number) == format_decimal(number, locale=cldr)
    for share in range(101):
        assert numbers.percent(share / 100) == format_percent(Decimal(share) / 100, locale=cldr)
    for tenths in range(1, 10):
        assert numbers.number(tenths / 10) == format_decimal(Decimal(tenths) / 10, locale=cldr)


@both
def test_days(language: str) -> None:
    for month in range(1, 13):
        for day in (1, 9, 28):
            assert Numbers(language).day(2026, month, day) == format_date(
                date(2026, month, day), "long", locale=CLDR[language]
            )


@both
def test_lists(language: str) -> None:
    for names in (["A"], ["A", "B"], ["A", "B", "C"], ["A", "B", "C", "D", "E"]):
        assert Numbers(language).list(names) == format_list(names, locale=CLDR[language])


@pytest.mark.parametrize(("language", "cldr"), [("en", "en_GB"), ("de", "de"), ("pl", "pl"), ("qps", "en_GB")])
def test_plurals(language: str, cldr: str) -> None:
    rule, ours = Cldr.parse(cldr).plural_form, PLURALS[language]
    assert set(ours.categories) == {*rule.rules, "other"}
    draws = np.random.default_rng(1).integers(0, 10**9, 2_000).tolist()
    texts = ["0.0", "0.5", "1.0", "1.4", "2.0", "12.30", "1.00", "22.1"]
    for number in [*range(1_200), *draws, *map(Decimal, texts)]:
        assert ours.form(number, ours.categories) == rule(number), number
        assert ours.form(-number, ours.categories) == rule(number), number


def test_polish_has_more_than_two_forms() -> None:
    forms = ("wiersz", "wiersze", "wierszy", "wiersza")
    asked = {1: "wiersz", 2: "wiersze", 5: "wierszy", 12: "wierszy", 22: "wiersze", 112: "wierszy", 0: "wierszy"}
    assert {number: PLURALS["pl"].form(number, forms) for number in asked} == asked
    assert PLURALS["pl"].form(Decimal("1.5"), forms) == "wiersza"
    with pytest.raises(ValueError, match="4"):
        PLURALS["pl"].form(1, ("wiersz", "wiersze"))


@pytest.mark.parametrize("language", LOCALES)
def test_every_pattern_has_its_places(language: str) -> None:
    locale = locale_of(language)
    assert locale.plurals is PLURALS[language]
    english = LOCALES["en"].phrases
    for field in fields(locale.phrases):
        ours, theirs = getattr(locale.phrases, field.name), getattr(english, field.name)
        if isinstance(theirs, tuple):
            assert len(ours) == len(locale.plurals.categories)
            assert all(form.count("{}") == 1 for form in ours)
        else:
            assert re.findall(r"\{.*?\}", ours) == re.findall(r"\{.*?\}", theirs), field.name
    assert len(set(locale.months)) == 12


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(ValueError, match="xx"):
        locale_of("xx")
