"""Values of sentences: written in each language, and kept as data from which they can be said again."""

from __future__ import annotations

import datetime
import json
from typing import Any

import pytest

from ppdm_desktop.engine.wording.catalogue import fill_placeholders, lazy, speak_language
from ppdm_desktop.engine.wording.texts import Note, Sentences
from ppdm_desktop.engine.wording.values import (
    KINDS,
    Amount,
    Between,
    Chance,
    ChangeBetween,
    Day,
    Exact,
    FilePath,
    LimitOf,
    Name,
    Names,
    Number,
    Points,
    Quoted,
    Ratio,
    Reason,
    Row,
    Share,
    Size,
    Span,
    Term,
    Terms,
    Value,
    Versus,
    as_data,
    from_data,
    to_year_or_amount,
)

NBSP = "\N{NO-BREAK SPACE}"
SAID: list[tuple[Any, str, str, str]] = [
    (Share(37_654, 101_766), "share", "37%", f"37{NBSP}%"),
    (Share(6, 16), "share:people", "6 of 16 people", "6 von 16 Personen"),
    (Share(6, 16, "rows"), "share:people", "6 of 16 rows", "6 von 16 Zeilen"),
    (Share(37_654, 101_766), "share:full", "37,654 of 101,766 (37%)", f"37.654 von 101.766 (37{NBSP}%)"),
    (Share(6, 16), "share:percent", "38%", f"38{NBSP}%"),
    (Ratio(0.125), "share", "13%", f"13{NBSP}%"),
    (Between(0.334, 0.402), "share", "33% to 41%", f"33{NBSP}% bis 41{NBSP}%"),
    (Versus(0.2004, 0.2), "share", "20.04%", f"20,04{NBSP}%"),
    (LimitOf(0.2004, 0.2), "share", "20%", f"20{NBSP}%"),
    (Chance(0.05), "share", "1 in 20", "1 von 20"),
    (Points(0.014), "share", "1.4 percentage points", "1,4 Prozentpunkte"),
    (
        FilePath("/data/someone/Documents/releases/2026/people-of-the-survey.csv"),
        "share",
        "“/data/some…/people-of-the-survey.csv”",
        "„/data/some…/people-of-the-survey.csv“",
    ),
    (
        ChangeBetween(-0.1001, 0.0361),
        "share",
        "\N{MINUS SIGN}11 to +3.7 percentage points",
        "\N{MINUS SIGN}11 bis +3,7 Prozentpunkte",
    ),
    (Number(1880.4), "share", "1,880", "1.880"),
    (Amount(1000.0, "EUR"), "share", f"1,000{NBSP}EUR", f"1.000{NBSP}EUR"),
    (Span(19), "share", "About 20 seconds", "Etwa 20 Sekunden"),
    (Size(18_300_000), "share", f"18.3{NBSP}MB", f"18,3{NBSP}MB"),
    (Day(datetime.date(2026, 11, 22)), "share", "22 November 2026", "22. November 2026"),
    (Row(12_345), "share", "12345", "12345"),
    (12_345, "share", "12,345", "12.345"),
    (12_345, "share:place", "12345", "12345"),
    (Name("Age"), "share", "“Age”", "„Age“"),
    (Names(("A", "B", "C")), "share", "“A”, “B” and “C”", "„A“, „B“ und „C“"),
    (Exact(1_234_567.0), "share", "1,234,567", "1.234.567"),
    (to_year_or_amount(1975.0, (1850.0, 1975.0)), "share", "1975", "1975"),
    (to_year_or_amount(2000.0, (2000.0, 7500.0)), "share", "2,000", "2.000"),
    (to_year_or_amount(2000.0, (1200.5, 2000.0)), "share", "2,000", "2.000"),
    (Exact(-0.00025), "share", "−0.00025", "−0,00025"),
    (Quoted("x"), "share", "“x”", "„x“"),
    (Reason("No space left"), "share", "No space left", "No space left"),
    (Term("[privacy]"), "share", "[privacy]", "[privacy]"),
    (Terms(("A", "B")), "share", "A and B", "A und B"),
]


@pytest.mark.parametrize(("value", "place", "english", "german"), SAID)
def test_a_value_is_written_in_each_language_and_said_again_from_its_data(
    value: Any, place: str, english: str, german: str
) -> None:
    for code, words in (("en", english), ("de", german)):
        assert fill_placeholders(f"{{{place}}}", {"share": value}, code) == words
    again = from_data(json.loads(json.dumps(as_data(value))))
    assert again == value
    assert type(again) is type(value)


def test_every_kind_of_value_is_among_them() -> None:
    assert {type(value).__name__.lower() for value, *_ in SAID} - {"int"} == set(KINDS) - {
        "note",
        "sentence",
        "title",
        "leveltitle",
        "plaintitle",
        "sentences",
        "remarks",
    }


def test_a_sentence_within_a_sentence_is_kept_as_data() -> None:
    note = Note("error.work.cancelled", {"figure": Share(1, 2), "names": Names(("a",))})
    assert from_data(json.loads(json.dumps(as_data(note)))) == note


def test_sentences_one_after_the_other_are_kept_as_data_and_said_in_each_language() -> None:
    both = Sentences((Note("error.work.cancelled"), Note("reason.rare-values.patterns", {"patterns": 2})))
    assert from_data(json.loads(json.dumps(as_data(both)))) == both
    assert str(both).endswith(" 2 people have a combination of empty cells that nobody else has.")
    with speak_language("de"):
        assert str(both).endswith(" 2 Personen haben eine Kombination leerer Zellen, die sonst niemand hat.")


def test_a_figure_in_words_opens_a_sentence_with_its_capital_and_a_name_does_not() -> None:
    values: dict[str, Value] = {"share": Ratio(0.0004), "name": Term("age")}
    assert fill_placeholders("{share} are unique.", values, "en") == "Less than 0.1% are unique."
    assert fill_placeholders("Now {share} are unique.", values, "en") == "Now less than 0.1% are unique."
    assert fill_placeholders("{name} is unique.", values, "en") == "age is unique."
    listed = Terms((lazy("{share} of the rows", share=Ratio(0.9996)), lazy("{share} of the cells", share=Ratio(0.5))))
    assert str(lazy("It keeps {parts}.", parts=listed)) == "It keeps more than 99.9% of the rows and 50% of the cells."
    second = lazy("{share} are unique.", share=Ratio(0.0004))
    assert str(lazy("Done. {second}", second=second)) == "Done. Less than 0.1% are unique."


def test_words_go_with_counts_shares_and_lists() -> None:
    forms = "{x:is|are}"
    for value, word in (
        (1, "is"),
        (0, "are"),
        (2, "are"),
        (Share(1, 16), "is"),
        (Share(1, 1_000), "are"),
        (Names(("a",)), "is"),
        (Names(("a", "b")), "are"),
    ):
        assert fill_placeholders(forms, {"x": value}, "en") == word


def test_a_place_without_a_value_is_a_fault() -> None:
    with pytest.raises(KeyError):
        fill_placeholders("{there} {not}", {"there": 1}, "en")
