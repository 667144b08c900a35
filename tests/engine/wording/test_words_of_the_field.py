"""The vocabulary: the field's words and common ones, the same everywhere, and the 265 sentences that set the bar."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from words_tool import words

from ppdm_desktop.engine.wording.catalogue import languages

GOLDEN = Path(__file__).resolve().parents[2] / "golden"
# Words that the officer does not know, or that the field has another word for (words.md, section 2).
HOME_MADE = (
    r"snoopers?|nought|coarser|anew|mend(?:s|ed|ing)?|whoever|told|somebody|made-up|describing columns?|"
    r"right match(?:es)?|look-alikes?|passed over|parted by|stays? words"
)
CLAIMS = r"(?<!k-)anonym(?!isation|ised)\w*|guaranteed|compliant|certified|risk-free"
GERMAN_NEVER = r"Schnüffler\w*|Zertifikat\w*|(?<!k-)[Aa]nonym(?!isierung)\w*"


def _found(pattern: str, texts: dict[tuple[str, str], str]) -> dict[tuple[str, str], str]:
    searched = re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE)
    return {key: text for key, text in texts.items() if searched.search(re.sub(r"\{[^}]*\}|`[^`]*`", " ", text))}


@pytest.fixture(scope="module")
def english() -> dict[tuple[str, str], str]:
    """Every message in English."""
    return {key: key[1] for key in words.gather()}


@pytest.fixture(scope="module")
def german() -> dict[tuple[str, str], str]:
    """Every message in German."""
    return {key: str(message.string) for key, message in words.load("de").items()}


@pytest.mark.parametrize("pattern", [HOME_MADE, CLAIMS])
def test_no_message_speaks_home_made_words_or_claims_what_nobody_can(
    pattern: str, english: dict[tuple[str, str], str]
) -> None:
    assert list(_found(pattern, english).values()) == []


def test_no_german_message_says_what_it_must_not(german: dict[tuple[str, str], str]) -> None:
    assert list(_found(GERMAN_NEVER, german).values()) == []


def test_a_home_made_word_is_found() -> None:
    assert _found(HOME_MADE, {("x", "y"): "The snooper reads it."})
    assert _found(HOME_MADE, {("x", "y"): "Write coarser values."})
    assert not _found(HOME_MADE, {("x", "y"): "An intruder recommends {told} amendments."})


# --- the sentences of the specification -----------------------------------------------------


def specified() -> list[dict[str, str]]:
    """The sentences that were written out beforehand, in English and German."""
    with (GOLDEN / "words.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


NO_PLACE = {
    "Its name suggests that it may be confidential, and others are unlikely to know it.": "now one of many",
    "People are found with a chance of {n:versus}; the limit is {limit}. Use broader values or larger groups, or "
    "remove rare records.": "the standings it belonged to are gone; the verdict says it",
    "{n} {n:person does|people do} not have the protection level they need. Use stronger settings.": "as above",
    "Found: from group sizes or from the linkage attack, whichever is higher (upper end of the 95% interval).": "the "
    "figure comes from the linkage attack alone",
    "Some values are shared by fewer than {k_min} records: {values} (columns: {columns}). Combinations of empty cells "
    "that only one record has: {patterns}. Rare values that appear only through swapping: {moved}.": "people now",
    "An unprotected column reveals values that a method hides in another one: {pairs}.": "sets, formulas and learners",
    "The shares of the values of {column} changed by {shift:share} in total; {departure} {departure:record|records} "
    "could not be balanced.": "the check is gone",
    "{percent:share} of the records or of the values of column {column} were removed. The rest may not represent the "
    "whole.": "the check is gone",
    "Internal: keep this page with the report of {{ report.created }}, which proves every figure. Do not send it with "
    "the data.": "has a place in the catalogue's own form",
    "The smallest group with the same details has {k} people; at least {k_min} are needed. {records} {records:person "
    "is|people are} in groups that are too small. Their confidential values may or may not be true.": "a group may "
    "have 1 person: the word goes with its number",
    "The smallest group with the same details has {k} people; a public release needs at least {k_min}. {records} "
    "{records:person is|people are} in groups that are too small, and {columns} {columns:is|are} not protected.": "as "
    "the one before",
    "This order is not possible. {method} needs the original records, but {earlier} replaces them. Put {method} first, "
    "or switch one of the two off.": "titles of methods are quoted in full, however long",
    "{found} is not a protection level.": "names several words, with rows and people",
}
"""English of sentences that have no place in the program any more, each with the reason."""


def test_the_sentences_of_the_specification_are_in_both_catalogues(german: dict[tuple[str, str], str]) -> None:
    said: dict[str, set[str]] = {}
    for (_, told), translation in german.items():
        said.setdefault(told, set()).add(translation)
    missing = [row["english"] for row in specified() if row["english"] not in said and row["english"] not in NO_PLACE]
    other = [
        (row["english"], row["german"], sorted(said[row["english"]]))
        for row in specified()
        if row["english"] in said and row["german"] not in said[row["english"]]
    ]
    assert missing == []
    assert other == []


def test_no_exception_is_left_over() -> None:
    assert sorted(NO_PLACE) == sorted(row["english"] for row in specified() if row["english"] in NO_PLACE)
    assert "de" in languages()
