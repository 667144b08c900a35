"""The vocabulary: the field's words and common ones, the same everywhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from words import gather, load

ROOT = Path(__file__).resolve().parents[3]
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


@pytest.mark.parametrize("pattern", [HOME_MADE, CLAIMS])
def test_no_message_speaks_home_made_words_or_claims_what_nobody_can(pattern: str) -> None:
    assert list(_found(pattern, {key: key[1] for key in gather()}).values()) == []


def test_no_german_message_says_what_it_must_not() -> None:
    assert list(_found(GERMAN_NEVER, {key: str(said.string) for key, said in load("de").items()}).values()) == []


@pytest.mark.parametrize("name", ["README.md", "SECURITY.md", "CONTRIBUTING.md", "packaging/README.md"])
def test_no_document_of_the_project_speaks_home_made_words(name: str) -> None:
    spoken = re.compile(rf"\b(?:{HOME_MADE}|guaranteed|certified|risk-free)\b", re.IGNORECASE)
    assert spoken.findall((ROOT / name).read_text("utf-8")) == []
