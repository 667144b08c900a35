"""The help topics in the present language, and the search in them.

Topics on pages, figures, settings and three chapters of the guide are written texts (``engine.wording.help``). Topics
on methods, checks and attacks combine a written text with their declarations. Topics on terms come from the glossary.
Declarations are imported at the first use, after the window is painted.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

from ppdm_desktop.engine.wording.catalogue import _, language, list_languages, speak_language
from ppdm_desktop.engine.wording.help import PARTS, kind_of, topic_of, written_topics
from ppdm_desktop.engine.wording.texts import render, render_title
from ppdm_desktop.engine.wording.values import Name, Quoted, Term

_MOST = 20  # topics a search lists


@dataclass(frozen=True)
class Topic:
    """One topic of the help.

    Attributes
    ----------
    id
        Kind and name, as in ``figure.found``.
    title
        Title on screen.
    parts
        Text of each part in Markdown, by the names in ``PARTS``.
    see
        Ids of related topics.
    terms
        Other words by which the search finds the topic.
    """

    id: str
    title: str
    parts: Mapping[str, str]
    see: tuple[str, ...] = ()
    terms: tuple[str, ...] = field(default=())


def part_titles() -> dict[str, str]:
    """Return the heading of each part of a help topic by its key, in the order in which parts are shown."""
    return {
        "what": _("What it is"),
        "read": _("How to read it"),
        "bad": _("When it is bad"),
        "exact": _("Exact term"),
    }


def topic_ids() -> tuple[str, ...]:
    """Return the ids of all help topics; equally good search results are listed in this order.

    It is: pages, figures, settings, guides, methods, checks, attacks, terms of the glossary.
    """
    from ppdm_desktop.engine.methods.base.declaration import all_methods
    from ppdm_desktop.engine.release.attack_audit.base import all_attacks
    from ppdm_desktop.engine.release.gate.base import all_checks

    written = written_topics()
    return (
        *(id for kind in ("page", "figure", "setting", "guide") for id in written if kind_of(id) == kind),
        *(topic_of("method", id) for id in all_methods()),
        *(topic_of("check", id) for id in all_checks()),
        *(topic_of("attack", id) for id in all_attacks()),
        *_index_expert_terms(),
    )


def find_topic(id: str) -> Topic:
    """Return a topic by its id, such as ``method.rank``, in the present language.

    Raises
    ------
    KeyError
        When no topic has this id (a fault of the program).
    """
    kind, _, name = id.partition(".")
    makers: dict[str, Callable[[str], Topic]] = {
        "method": _method_topic,
        "check": _check_topic,
        "attack": _attack_topic,
        "term": _term_topic,
    }
    return makers[kind](name) if kind in makers else _written_topic(id)


def _written_topic(id: str) -> Topic:
    """Return a topic by its id that consists only of a written text, such as that of a page.

    Raise KeyError for an unknown id.
    """
    written = written_topics()[id]
    assert written.title is not None
    return Topic(id, str(written.title), {name: written.part(name) for name in PARTS}, written.see)


def _build_declared_topic(id: str, title: str, parts: dict[str, list[str]], see: Iterable[str]) -> Topic:
    """Return the topic of a method, check or attack; each part is its written help followed by ``parts``.

    Parameters
    ----------
    id, title
        Id and title of the topic.
    parts
        Paragraphs made from the declaration, by name of the part.
    see
        Ids of related topics, placed after those named by the written help.
    """
    written = written_topics().get(id)
    texts = {name: written.part(name) if written else "" for name in PARTS}
    whole = {name: _join_paragraphs(texts[name], *parts.get(name, [])) for name in PARTS}
    related = (*(written.see if written else ()), *see)
    return Topic(id, title, whole, tuple(dict.fromkeys(related)), (id.partition(".")[2],))


def _join_paragraphs(*paragraphs: str) -> str:
    """Return paragraphs of Markdown joined by empty lines; empty ones are left out."""
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph)


def _format_list(sentences: Iterable[object]) -> str:
    """Return a Markdown list of sentences, empty for none."""
    return "\n".join(f"- {sentence}" for sentence in sentences)


def _method_topic(name: str) -> Topic:
    """Return the help topic of a method by its id, made from its declaration and its written help.

    It has summary, guarantees, settings with their defaults, limits, exact terms and source, and refers to the page
    Protect and to the attacks that the method calls for.
    """
    from ppdm_desktop.engine.methods.base.declaration import all_methods
    from ppdm_desktop.engine.report.setting_texts import format_value

    method = all_methods()[name]
    settings = [
        _join_paragraphs(
            f"**{parameter.label_text}** (`{parameter.name}`)",
            str(parameter.help),
            str(parameter.effect or ""),
            _("Default: {value}", value=Term(format_value(parameter, parameter.default) or "–")),
        )
        for parameter in method.parameters
    ]
    parts = {
        "what": [str(method.summary)],
        "read": [_format_list(method.promises), f"### {_('Settings')}" if settings else "", *settings],
        "bad": [_format_list(method.limits)],
        "exact": [_format_list(method.expert), f"{method.paper} (`{method.id}`)"],
    }
    attacks = (topic_of("attack", attack) for attack in method.attacks)
    return _build_declared_topic(topic_of("method", name), str(method.title), parts, ("page.protect", *attacks))


def _check_topic(name: str) -> Topic:
    """Return the help topic of a check by its id, made from its declaration and its written help.

    It has the possible results, which direction is better (if there is a figure), the page on which to fix it and the
    source, and refers to that page and to the page Release.
    """
    from ppdm_desktop.engine.release.gate.base import all_checks

    check = all_checks()[name]
    statuses = {text.status for text in check.texts()}
    read = [
        _("Passed: there is nothing to do."),
        _("Needs a reason: someone must say why this is acceptable here.") if "amber" in statuses else "",
        _("Stops the release: it cannot be written like this.") if "red" in statuses else "",
    ]
    direction = ""
    if check.figure_unit:
        lower = check.direction == "at-most"
        direction = _("The lower the figure, the better.") if lower else _("The higher the figure, the better.")
    page = topic_of("page", check.fix_on)
    parts = {
        "read": [_format_list(item for item in read if item), direction],
        "bad": [_("You usually fix this on the page {page}.", page=Name(find_topic(page).title))],
        "exact": [f"{check.source} (`{check.id}`)"],
    }
    return _build_declared_topic(
        topic_of("check", name), render_title(check.texts()[0].id), parts, (page, "page.release")
    )


def _attack_topic(name: str) -> Topic:
    """Return the help topic of an attack by its id, made from its declaration and its written help.

    It describes the two figures with which its success is compared (on a control group, and by chance), without their
    values. It has the check that judges it, the exact term and the source, and refers to that check and to the page
    Compare.
    """
    from ppdm_desktop.engine.release.attack_audit.base import all_attacks

    attack = all_attacks()[name]
    called = render_title(attack.title)
    judge = topic_of("check", attack.judged_by)
    comparison = (render(attack.control).sentence, render(attack.chance).sentence)
    parts = {
        "read": [_("Its result stands beside these figures, measured on the same people:"), _format_list(comparison)],
        "bad": [
            _(
                "The check {check} judges it. If the attack succeeded, its details say what to do.",
                check=Name(find_topic(judge).title),
            )
        ],
        "exact": [render(attack.term).sentence, f"{render(attack.source).sentence} (`{attack.id}`)"],
    }
    return _build_declared_topic(
        topic_of("attack", name), called[:1].upper() + called[1:], parts, (judge, "page.compare")
    )


# --- terms --------------------------------------------------------------------------------


@cache
def _read_glossary() -> tuple[dict[str, str], ...]:
    """Return the rows of the glossary file by column name; the file is read once."""
    text = (resources.files("ppdm_desktop.resources") / "help" / "glossary.csv").read_text(encoding="utf-8")
    return tuple(csv.DictReader(io.StringIO(text)))


def glossary_rows() -> list[tuple[str, str]]:
    """Return (everyday word, exact term) in the present language for each row of the glossary with an exact term."""
    rows = [row for rows in _index_expert_terms().values() for row in rows]
    return [(_find_word(row, "officer"), _find_word(row, "expert").replace("`", "")) for row in rows]


def _find_word(row: Mapping[str, str], whose: str) -> str:
    """Return a glossary row's word in the present language, else in English.

    ``whose`` is ``officer`` (the everyday word) or ``expert`` (the exact term).
    """
    return row.get(f"{whose}_{language()}") or row[f"{whose}_en"]


@cache
def _index_expert_terms() -> Mapping[str, tuple[dict[str, str], ...]]:
    """Return the glossary's rows that have an exact term, by topic id such as ``term.intruder``.

    Rows with the same code are one topic.
    """
    members: dict[str, list[dict[str, str]]] = {}
    for row in _read_glossary():
        name = re.split(r"[ ,]", row["code"])[0].replace("_", "-")
        if name != "-" and re.search(r"[a-z]", row["expert_en"]):
            members.setdefault(topic_of("term", name), []).append(row)
    return {id: tuple(rows) for id, rows in members.items()}


def _term_topic(name: str) -> Topic:
    """Return the help topic of a glossary term by its code: the everyday word, the exact terms, their sources."""
    id = topic_of("term", name)
    rows = _index_expert_terms()[id]
    officer = _find_word(rows[0], "officer")
    sources = list(dict.fromkeys(row["source"] for row in rows if row["source"] != "-"))
    what = [
        _(
            "The exact term for {officer} is {expert}.",
            officer=Quoted(_find_word(row, "officer")),
            expert=Quoted(_find_word(row, "expert")),
        )
        for row in rows
    ]
    exact = _join_paragraphs(
        "; ".join(dict.fromkeys(_find_word(row, "expert") for row in rows)), _format_sources(sources), f"`{name}`"
    )
    terms = tuple(row["today"] for row in rows)
    return Topic(id, officer[:1].upper() + officer[1:], {"what": _join_paragraphs(*what), "exact": exact}, terms=terms)


def _format_sources(marks: Iterable[str]) -> str:
    """Return the full names of the sources that the glossary abbreviates, each once, as a Markdown list.

    Sources without an abbreviation stay as they are: "Sw; own" gives "Sweeney 2002" and "own".
    """
    works = {
        "G": _("GDPR"),
        "W": _("Article 29 Working Party, Opinion 05/2014 (WP 216)"),
        "I": _("ICO guidance"),
        "S": "Hundepool et al., Statistical Disclosure Control, 2012",
        "ISO": "ISO/IEC 20889",
        "E": "El Emam, Guide to the De-Identification of Personal Health Information, 2013",
        "Sw": "Sweeney 2002",
        "M": "Machanavajjhala et al. 2007",
        "LS": "Li, Sarkar 2004",
    }
    named = []
    for mark in marks:
        for part in re.split(r", |; ", mark):
            first, _unused, rest = part.partition(" ")
            named.append(f"{works[first]} {rest}".strip() if first in works else part)
    return "\n".join(f"- {name}" for name in dict.fromkeys(named))


# --- search -------------------------------------------------------------------------------


def fold_words(text: str) -> tuple[str, ...]:
    """Return the words of a text in a form in which they are compared: without case, accents and punctuation.

    An "e" after "a", "o" or "u" is left out, so that "Ähnlich" and "aehnlich" are equal; so are "does" and "dos".
    """
    plain = unicodedata.normalize("NFKD", text.casefold())
    letters = "".join(letter for letter in plain if not unicodedata.combining(letter))
    folded = re.sub(r"([aou])e", r"\1", letters)
    return tuple(re.findall(r"[^\W_]+", folded))


@dataclass(frozen=True)
class _Searched:
    """Searchable words of a topic in all languages: whole titles, and the sets of words in title, terms and text."""

    titles: frozenset[tuple[str, ...]]
    places: tuple[frozenset[str], ...]


@cache
def prepare_search(id: str) -> _Searched:
    """Return the searchable words of one topic in all languages, separately for title, terms and text.

    The terms include the topic's id; the exact terms of a page count only as its text, so that the topics about these
    terms are found first. The result is cached; the first call takes a few milliseconds.
    """
    titles: set[tuple[str, ...]] = set()
    title, terms, body = set[str](), set[str](), set[str]()
    for code in list_languages():
        with speak_language(code):
            topic = find_topic(id)
            titles.add(fold_words(topic.title))
            title.update(fold_words(topic.title))
            # A page names the terms of many figures: those are found first.
            exact = "" if kind_of(id) == "page" else topic.parts.get("exact", "")
            terms.update(_split_into_words((id, *topic.terms, exact)))
            body.update(_split_into_words(topic.parts.values()))
    return _Searched(frozenset(titles), (frozenset(title), frozenset(terms), frozenset(body)))


def _split_into_words(texts: Iterable[str]) -> Iterator[str]:
    """Yield the words of texts in the comparable form of ``fold_words``."""
    for text in texts:
        yield from fold_words(text)


def search_topics(text: str) -> tuple[str, ...]:
    """Return the ids of the topics in which every word of ``text`` is the start of some word, in any language.

    Case and accents do not matter. Empty for a text without words, and if nothing is found.

    Returns
    -------
    tuple of str
        At most 20 ids. Topics whose title equals the text come first. The others are sorted by where their worst
        matching word was found: in the title, in the terms, or in the text; in each, whole words come before beginnings
        of words.
    """
    asked = fold_words(text)
    if not asked:
        return ()
    ranked = []
    for index, id in enumerate(topic_ids()):
        searched = prepare_search(id)
        ranks = [rank for word in asked if (rank := _find_first_match(word, searched.places)) is not None]
        if len(ranks) == len(asked):
            ranked.append((asked not in searched.titles, max(ranks), index, id))
    return tuple(id for *_, id in sorted(ranked)[:_MOST])


def _find_first_match(word: str, places: tuple[frozenset[str], ...]) -> tuple[int, bool] | None:
    """Return where a word is found: (index of the first set that has it, whether only as the beginning of a word).

    ``places`` are the sets of words in title, terms and text. None if no set has it.
    """
    for number, text in enumerate(places):
        if word in text:
            return number, False
        if any(token.startswith(word) for token in text):
            return number, True
    return None
