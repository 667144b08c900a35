"""Sentences that count people, said of rows: whole ones, in every language, and no others."""

from __future__ import annotations

import re
import string

import pytest
import words
from cases import case_rows

from ppdm_desktop.engine.wording.catalogue import _, find_translation, list_languages, speak_language
from ppdm_desktop.engine.wording.rows import choose_counted_unit, reword_for_rows
from ppdm_desktop.engine.wording.texts import PARTS, all_texts
from ppdm_desktop.engine.wording.values import Share

PEOPLE = {
    "en": r"(?<!\{)\b(?:person(?!’s number)|people|everyone|nobody(?! knows| has said| else is taken))\b"
    r"(?<!look for people)(?<!of other people)",
    "de": r"(?<!anderer )(?<!Nummer einer )\bPerson(?:en)?\b"
    r"|\b[Nn]iemand(?:en|em)?\b(?! hat angegeben| \{column\} kennt)",
}


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


@pytest.mark.parametrize("code", list(list_languages()))
def test_no_sentence_is_half_of_people_and_half_of_rows(code: str) -> None:
    changed = 0
    text_ids = {getattr(text, part): f"{id}#{part}" for id, text in all_texts().items() for part in PARTS}
    for context, english in words.gather():
        with speak_language(code):
            template = find_translation(english, context)
        text_id = text_ids.get(english, context)
        if template is None or reword_for_rows(text_id, english, english, "en") == english:
            continue
        of_rows = reword_for_rows(text_id, english, template, code)
        assert not re.search(PEOPLE[code], of_rows, re.IGNORECASE), of_rows
        assert fields(of_rows) == fields(template)
        changed += 1
    assert changed > 200


@pytest.mark.parametrize(
    ("text_id", "english", "of_rows"),
    case_rows("rows-what-is-said-of-rows"),
)  # fmt: skip
def test_what_is_said_of_rows(text_id: str, english: str, of_rows: str | None) -> None:
    assert reword_for_rows(text_id, english, english, "en") == (of_rows or english)


def test_a_document_counts_people_unless_it_counts_rows() -> None:
    sentence = "Someone who knows a person’s details finds at most {found:people}."
    found = []
    with choose_counted_unit(rows=True):
        found.append(_(sentence, found=Share(3, 400)))
        with speak_language("en"):
            found.append(_(sentence, found=Share(3, 400)))
    assert found == [
        "Someone who knows a row’s details finds at most 0.8% of the rows.",
        "Someone who knows a person’s details finds at most 0.8% of the people.",
    ]
