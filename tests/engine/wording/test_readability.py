"""Sentences are short: at most 24 words, and few above 20, in English and in each translation."""

from __future__ import annotations

import pytest

pytest.importorskip("babel")

from tests.benchmarks.readability import LONG, TOO_LONG, Reading, readings


@pytest.fixture(scope="module")
def found() -> dict[str, Reading]:
    return dict(readings())


@pytest.mark.thorough
@pytest.mark.parametrize("language", ["English", "de"])
def test_no_sentence_has_more_than_24_words_and_few_more_than_20(found: dict[str, Reading], language: str) -> None:
    read = found[language]
    assert read.sentences > 1_000
    assert read.too_long == ()
    assert len(read.long) <= 0.05 * read.sentences


def test_a_sentence_of_25_words_is_found_and_one_of_24_is_not() -> None:
    from tests.benchmarks.readability import read

    for words, is_long, is_too_long in ((LONG, 0, 0), (LONG + 1, 1, 0), (TOO_LONG, 1, 0), (TOO_LONG + 1, 1, 1)):
        sentence = " ".join(["word"] * words)
        counted = read([f"Short enough to pass. {sentence}."], "en")
        assert (len(counted.long), len(counted.too_long)) == (is_long, is_too_long)
    # A place counts as a word, an expert's formula and a mark-up of the text do not.
    assert read(["<b>{n}</b> of {all} {all:row|rows} `a b c`."], "en").words == 4
