"""The catalogue: what is said, in which language, and that no translation breaks a sentence."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import words
from babel.messages.catalog import Message
from cases import case_rows

from ppdm_desktop.engine.wording import catalogue
from ppdm_desktop.engine.wording.catalogue import (
    Sentence,
    _,
    find_translation,
    language,
    lazy,
    list_languages,
    match_language,
    set_language,
    speak_language,
    translate,
)
from ppdm_desktop.engine.wording.pseudo import pseudo_translate
from ppdm_desktop.engine.wording.values import Name, Names, Ratio, Share

LONG = "A name of eighty letters that goes on " * 2 + "and on."
TRANSLATED = [code for code in list_languages() if code != "en"]


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    yield
    set_language("en")


@pytest.fixture(scope="module")
def messages() -> list[tuple[str, str]]:
    """Context and English of every sentence of the program."""
    return words.gather()


@pytest.mark.parametrize("code", ["en", *TRANSLATED, "qps"])
@pytest.mark.parametrize("value", [0, 1, 2, 1_000_000, Name(LONG), Names(("one",)), Names(tuple("abcdefg"))])
def test_every_message_is_said_with_any_value(code: str, value: Any, messages: list[tuple[str, str]]) -> None:
    for context, english in messages:
        values = {name: _fitting(value, english, name) for name in words.placeholders(english)}
        with speak_language(code):
            told = translate(english, values, context)
        assert "{" not in told.replace("{{", ""), told
        assert not {"None", "nan", "inf"} & (set(told.split()) - set(english.split())), told


def _fitting(value: Any, english: str, name: str) -> Any:
    """A place that asks for a share or the like gets one: the kind is part of the message."""
    asked = {kind.partition(":")[2] for kind in words.number_formats(english) if kind.startswith(f"{name}:")}
    if asked & {"people", "full", "share", "percent"}:
        return Share(6, 16) if value != 1_000_000 else Share(value, 2 * value)
    return value


def test_a_language_is_chosen_once_and_left_for_a_document() -> None:
    assert language() == "en"
    set_language("de")
    assert language() == "de"
    with speak_language("en"):
        assert language() == "en"
    assert language() == "de"
    with pytest.raises(ValueError, match="xx"):
        set_language("xx")


def test_a_thread_speaks_the_programs_language_and_its_documents_own() -> None:
    set_language("de")
    heard: list[str] = []

    def work() -> None:
        heard.append(language())
        with speak_language("en"):
            heard.append(language())

    with speak_language("qps"):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert heard == ["de", "en"]


@pytest.mark.parametrize(
    ("tag", "code"),
    [("de_AT.UTF-8", "de"), ("de-CH", "de"), ("de", "de"), ("en_US", "en"), ("fr_FR", "en"), ("C", "en"), (None, "en")],
)
def test_a_systems_language_is_found_or_english_is_spoken(tag: str | None, code: str) -> None:
    assert match_language(tag) == code


def test_what_has_no_translation_is_said_in_english_whole() -> None:
    with speak_language("de"):
        assert find_translation("Nobody says {n} of this.") is None
        assert translate("{share} of {n}.", {"share": Ratio(0.5), "n": 1_234}) == "50% of 1,234."


def test_a_declared_sentence_is_said_in_the_language_of_the_moment() -> None:
    sentence = lazy("row {row:place}")
    assert isinstance(sentence, Sentence)
    assert sentence.format(row=12_345) == "row 12345"
    with speak_language("de"):
        assert sentence.format(row=12_345) == "Zeile 12345"
    assert _("row {row:place}", row=7) == "row 7"


@pytest.mark.parametrize(("english", "shown"), case_rows("catalogue-the-pseudo-language"))
def test_the_pseudo_language(english: str, shown: str) -> None:
    assert pseudo_translate(english) == shown


# --- translations ---------------------------------------------------------------------------


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_translation_breaks_its_sentence(language: str) -> None:
    faults = [
        f"{context}: {fault}: {message.string}"
        for (context, english), message in words.load(language).items()
        if message.string and not message.fuzzy
        for fault in words.translation_faults(english, str(message.string), language)
    ]
    assert faults == []


@pytest.mark.parametrize(("english", "german", "fault"), case_rows("catalogue-what-a-translation-must-keep"))
def test_what_a_translation_must_keep(english: str, german: str, fault: str) -> None:
    found = " ".join(words.translation_faults(english, german, "de"))
    assert fault in found
    assert bool(found) == bool(fault)


@pytest.mark.parametrize(("code", "fault"), case_rows("catalogue-a-sentence-that-cannot-be-gathered-is-named"))
def test_a_sentence_that_cannot_be_gathered_is_named(
    code: str, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(words, "ROOT", tmp_path)
    path = tmp_path / "module.py"
    path.write_text(code, "utf-8")
    with pytest.raises(words.Fault, match=f"module.py:1: .*{fault}"):
        list(words.module_sentences(path))


@pytest.fixture
def locale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of translations with one language, German, that translates two sentences."""
    (tmp_path / "de").mkdir()
    (tmp_path / "de" / "about.toml").write_text('name = "Deutsch"', "utf-8")
    monkeypatch.setattr(words, "LOCALE", tmp_path)
    german = {("", "{n} rows were read."): "{n} Zeilen gelesen.", ("help.page.risk", "Risk"): "Risiko"}
    words.save(
        "de",
        german,
        {key: Message(key[1], said, context=key[0] or None, user_comments=["checked"]) for key, said in german.items()},
    )
    return tmp_path


def state(language: str = "de") -> dict[tuple[str, str], tuple[str, bool]]:
    """Return the translations in the ``.po`` files and whether they are fuzzy."""
    return {key: (str(message.string), message.fuzzy) for key, message in words.load(language).items()}


def test_new_moved_reworded_and_removed_sentences(locale: Path) -> None:
    keys = [("", "Every one of {n} rows was read."), ("verb", "Risk"), ("", "Choose a file")]
    words.save("de", keys, words.load("de"))
    assert state() == {
        ("", "Choose a file"): ("", False),
        ("", "Every one of {n} rows was read."): ("{n} Zeilen gelesen.", True),
        ("verb", "Risk"): ("Risiko", False),
    }
    fuzzy = words.load("de")["", "Every one of {n} rows was read."]
    assert fuzzy.previous_id == ["{n} rows were read."]
    assert words.translation_problems("de", [*keys, ("verb", "Added since")]) == [
        "de: : fuzzy, check the translation: Every one of {n} rows was read.",
        "de: : not translated: Choose a file",
        "de: verb: not translated: Added since",
    ]


@pytest.mark.parametrize("command", ["check", "extract"])
def test_a_missing_translation_is_listed_and_is_no_failure(
    command: str, locale: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(words, "gather", lambda: [("", "New"), ("help.page.risk", "Risk")])
    assert words.main([command]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "de: : not translated: New"
    assert lines[-1] == f"de: 1 to translate, {1 if command == 'check' else 0} unused"
    assert words.delivery_problems() == lines[:1]


def test_without_compiled_translations_english_is_spoken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.resources.files", lambda _: tmp_path)
    catalogue._load_catalogue.cache_clear()
    with speak_language("de"):
        assert _("row {row:place}", row=12_345) == "row 12345"
    catalogue._load_catalogue.cache_clear()
