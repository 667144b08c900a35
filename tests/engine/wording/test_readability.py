"""Sentences are short: at most 24 words, and few above 20, in English and in each translation."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Iterator

import pytest

pytest.importorskip("babel")

from words import gather, load

LONG, TOO_LONG = 20, 24
_SENTENCE = re.compile(r"[^.!?…:]+[.!?…:]*")
_WORD = re.compile(r"[^\W\d_]+(?:[-’'][^\W\d_]+)*")


def plain(message: str) -> str:
    """Return a message with a word in each of its places, and the many of its forms; formulas and tags left out."""
    parts = []
    for text, name, form, _ in string.Formatter().parse(message):
        parts.append(text)
        if name is not None:
            parts.append(form.split("|")[-1] if form and "|" in form else "ten")
    return re.sub(r"<[^>]*>|`[^`]*`", " ", "".join(parts))


def lengths(messages: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield each sentence behind the number of its words; a label of fewer than three words is no sentence."""
    for message in messages:
        for sentence in _SENTENCE.findall(plain(message)):
            if (count := len(_WORD.findall(sentence))) >= 3:
                yield count, sentence


def messages_in(language: str) -> list[str]:
    if language == "English":
        return [english for _, english in gather()]
    return [str(message.string) for message in load(language).values() if message.string and not message.fuzzy]


@pytest.mark.thorough
@pytest.mark.parametrize("language", ["English", "de"])
def test_no_sentence_has_more_than_24_words_and_few_more_than_20(language: str) -> None:
    sentences = list(lengths(messages_in(language)))
    assert len(sentences) > 1_000
    assert [sentence for count, sentence in sentences if count > TOO_LONG] == []
    assert sum(count > LONG for count, _ in sentences) <= 0.05 * len(sentences)
