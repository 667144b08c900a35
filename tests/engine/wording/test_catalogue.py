"""The catalogue: what is said, in which language, and that every translation is whole."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from words_tool import words

from ppdm_desktop.engine.wording import catalogue
from ppdm_desktop.engine.wording.apostrophes import with_apostrophes
from ppdm_desktop.engine.wording.catalogue import (
    DOMAINS,
    Sentence,
    domain_of,
    fill,
    language,
    languages,
    later,
    matching,
    said,
    say,
    set_language,
    speaking,
    translated,
)
from ppdm_desktop.engine.wording.help import written_topics
from ppdm_desktop.engine.wording.pseudo import pseudo
from ppdm_desktop.engine.wording.values import Name, Names, Ratio, Share

LONG = "A name of eighty letters that goes on " * 2 + "and on."
TRANSLATED = [code for code in languages() if code != "en"]


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    yield
    set_language("en")


@pytest.fixture(scope="module")
def messages() -> dict[tuple[str, str], Any]:
    """Every message of the program."""
    return words.gather()  # type: ignore[no-any-return]


def test_the_templates_are_what_the_code_says() -> None:
    wanted = words.templates()
    assert list(wanted) == list(DOMAINS)
    for domain, catalog in wanted.items():
        assert words.template_of(domain).read_bytes() == words.written(catalog)


def test_apostrophes_are_curly(messages: dict[tuple[str, str], Any]) -> None:
    assert words.straight_apostrophes(messages) == []
    assert words.straight_apostrophes([("note", "a person's rows"), ("errors", "it needs 'rows' or ';'")]) == [
        "note: write ’ for the apostrophe: a person's rows"
    ]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("a person's rows", "a person’s rows"),
        ("the columns' own units", "the columns’ own units"),
        ("'names' gives an empty name", "'names' gives an empty name"),
        ("'{key}' needs 'person'", "'{key}' needs 'person'"),
        ("the person's 'order' or ';'", "the person’s 'order' or ';'"),
        ("the columns' names in 'order'", "the columns’ names in 'order'"),
    ],
)
def test_an_apostrophe_is_no_quotation_mark(written: str, meant: str) -> None:
    assert with_apostrophes(written) == meant


@pytest.mark.parametrize("code", TRANSLATED)
def test_a_language_is_whole_and_built(code: str) -> None:
    assert list(words.faults_of(code)) == []
    for domain in DOMAINS:
        assert words.file_of(code, domain).with_suffix(".mo").read_bytes() == words.compiled(code, domain)


def read_template(domain: str) -> Catalog:
    with words.template_of(domain).open("rb") as file:
        return read_po(file)


def test_the_blocks_of_the_help_stand_in_a_file_of_their_own(messages: dict[tuple[str, str], Any]) -> None:
    blocks = {context for context, _ in messages if domain_of(context) == "help"}
    assert blocks == {block.context for topic in written_topics().values() for block in topic.blocks()}
    # As they stand beside the code, which the test of the templates compares with what the code says.
    held = {domain: {str(each.context) for each in read_template(domain) if each.id} for domain in DOMAINS}
    assert held["help"] == blocks
    assert not held["messages"] & blocks


def test_the_help_is_read_once_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def read_of(_code: str, domain: str) -> object:
        read.append(domain)
        return catalogue._Missing()

    monkeypatch.setattr(catalogue, "_catalogue", read_of)
    set_language("de")
    say("open", "No row was left out.")
    assert read == ["messages"]
    written_topics()["page.risk"].part("what")
    assert set(read) == {"messages", "help"}


@pytest.mark.parametrize("code", ["en", *TRANSLATED, "qps"])
@pytest.mark.parametrize("value", [0, 1, 2, 1_000_000, Name(LONG), Names(("one",)), Names(tuple("abcdefg"))])
def test_every_message_is_said_with_any_value(code: str, value: Any, messages: dict[tuple[str, str], Any]) -> None:
    for context, english in messages:
        values = {name: _fitting(value, english, name) for name in words.places(english)}
        with speaking(code):
            told = said(context, english, values)
        assert "{" not in told.replace("{{", ""), told
        assert not {"None", "nan", "inf"} & (set(told.split()) - set(english.split())), told


def _fitting(value: Any, english: str, name: str) -> Any:
    """A place that asks for a share or the like gets one: the kind is part of the message."""
    asked = {kind.partition(":")[2] for kind in words.kinds_of(english) if kind.startswith(f"{name}:")}
    if asked & {"people", "full", "share", "percent"}:
        return Share(6, 16) if value != 1_000_000 else Share(value, 2 * value)
    return value


def test_a_language_is_chosen_once_and_left_for_a_document() -> None:
    assert language() == "en"
    set_language("de")
    assert language() == "de"
    with speaking("en"):
        assert language() == "en"
    assert language() == "de"
    with pytest.raises(ValueError, match="xx"):
        set_language("xx")


def test_a_thread_speaks_the_programs_language_and_its_documents_own() -> None:
    set_language("de")
    heard: list[str] = []

    def work() -> None:
        heard.append(language())
        with speaking("en"):
            heard.append(language())

    with speaking("qps"):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert heard == ["de", "en"]


@pytest.mark.parametrize(
    ("tag", "code"),
    [("de_AT.UTF-8", "de"), ("de-CH", "de"), ("de", "de"), ("en_US", "en"), ("fr_FR", "en"), ("C", "en"), (None, "en")],
)
def test_a_systems_language_is_found_or_english_is_spoken(tag: str | None, code: str) -> None:
    assert matching(tag) == code


def test_what_has_no_translation_is_said_in_english_whole() -> None:
    with speaking("de"):
        assert translated("nowhere", "Nobody says {n} of this.") is None
        assert said("nowhere", "{share} of {n}.", {"share": Ratio(0.5), "n": 1_234}) == "50% of 1,234."


def test_a_declared_sentence_is_said_in_the_language_of_the_moment() -> None:
    sentence = later("errors", "row {row:place}")
    assert isinstance(sentence, Sentence)
    assert sentence.said(row=12_345) == "row 12345"
    with speaking("de"):
        assert sentence.said(row=12_345) == "Zeile 12345"
    assert say("errors", "row {row:place}", row=7) == "row 7"


@pytest.mark.parametrize(
    ("english", "shown"),
    [
        ("Choose a file", "[Chööšé á fîlé ~~~~~]"),
        ("Who will receive the file?", "[Whö wîll réçéîvé thé fîlé? ~~~~~~~~~~]"),
        ("Who will receive the file, and what for?", "[Whö wîll réçéîvé thé fîlé, áñd whát för? ~~~~~~~~~~ ~~~~]"),
        ("{rows} {rows:row|rows}", "[{rows} {rows:röw|röwš} ~~]"),
    ],
)
def test_the_pseudo_language(english: str, shown: str) -> None:
    assert pseudo(english) == shown


def test_braces_that_are_no_places_stay() -> None:
    assert fill("a {{b}} {c}", {"c": 1}, "en") == "a {b} 1"
    assert fill(pseudo("a {{b}} {c}"), {"c": 1}, "qps").startswith("[á {b} 1")
    assert pseudo("") == ""


# --- the tool -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("english", "german", "fault"),
    [
        ("{n} rows", "Zeilen", "places missing"),
        ("{n} rows", "{n} Zeilen von {m}", "places there are not"),
        ("{n:row|rows}", "{n:Zeile}", ""),
        ("{n} {n:row|rows}", "{n} {n:Zeile|Zeilen|Reihen}", "3 forms"),
        ("{share:people} know.", "{share} wissen es.", "written otherwise"),
        ("All done.", "Fertig", "mark at its end"),
        ("<b>All</b> done", "Alles fertig", "other tags"),
        ("{n} rows", "{n Zeilen", "cannot be read"),
    ],
)
def test_a_translation_that_differs_where_it_must_not_is_found(english: str, german: str, fault: str) -> None:
    found = " ".join(words.differing(english, german, 2))
    assert fault in found if fault else True
    assert bool(found) or not fault


def test_a_sentence_put_together_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "ROOT", tmp_path)
    for code, fault in (
        ('say("risk", f"{n} rows")', "not put together"),
        ('say(area, "rows")', "not put together"),
        ('say("risk", "{n} rows")', "places"),
        ('say("risk", "rows", n=1)', "places"),
    ):
        path = tmp_path / "module.py"
        path.write_text(code, "utf-8")
        with pytest.raises(words.Fault, match=fault):
            list(words.calls_in(path))


def test_a_changed_sentence_keeps_its_translation_marked_for_another_look() -> None:
    wanted = words.empty()
    wanted.add("All {n} rows were read.", context="open")
    old = {("open", "Every one of {n} rows was read."): Message("Every one of {n} rows was read.", "Gelesen: {n}.")}
    (message,) = (each for each in words.merged("de", wanted, old) if each.id)
    assert (message.string, message.fuzzy) == ("Gelesen: {n}.", True)
    assert message.previous_id == ["Every one of {n} rows was read."]


def _po(folder: Path, domain: str, *messages: Message) -> None:
    catalog = words.empty("de")
    for each in messages:
        catalog.add(each.id, each.string, context=each.context, flags=each.flags)
    (folder / "de" / "LC_MESSAGES").mkdir(parents=True, exist_ok=True)
    (folder / "de" / "LC_MESSAGES" / f"{domain}.po").write_bytes(words.written(catalog))


def test_what_was_left_in_the_other_file_moves_to_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As after joining a branch from before the files were two, or one that kept another state of them."""
    monkeypatch.setattr(words, "LOCALE", tmp_path)
    _po(
        tmp_path,
        "messages",
        Message("No row was left out.", "Keine Zeile fehlt.", context="open"),
        Message("Risk", "Altes Risiko", context="help.page.risk#1"),
        Message("Two.", "Zwei.", context="help.page.risk#2"),
    )
    _po(
        tmp_path,
        "help",
        Message("Risk", "Risiko", context="help.page.risk#1"),
        Message("Two.", "Zwo.", context="help.page.risk#2", flags={"fuzzy"}),
        Message("Risk", "Risiko", context="rail"),
    )
    found = {context: str(message.string) for (context, _), message in words.load("de").items()}
    assert found == {"open": "Keine Zeile fehlt.", "rail": "Risiko"} | {
        "help.page.risk#1": "Risiko",  # in its own file
        "help.page.risk#2": "Zwei.",  # finished, which that of its own file is not
    }
    wanted = {domain: words.empty() for domain in DOMAINS}
    for (context, english), _ in words.load("de").items():
        wanted[domain_of(context)].add(english, context=context)
    words._keep("de", wanted, words.load("de"))
    again = {domain: words._messages_in(words.file_of("de", domain), "de") for domain in DOMAINS}
    assert {domain: [str(each.context) for each in messages] for domain, messages in again.items()} == {
        "messages": ["open", "rail"],
        "help": ["help.page.risk#1", "help.page.risk#2"],
    }
    assert {context: str(message.string) for (context, _), message in words.load("de").items()} == found
