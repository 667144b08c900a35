"""The catalogue of sentences and translations for engine, command line and window.

A sentence is written in the code in English, and its translation is looked up by this English text. The catalogues are
gettext files under ``resources/locale``, two for each language: ``messages`` and ``help``. A message that has no
translation, or an unconfirmed (fuzzy) one, appears entirely in English, including its numbers.

Placeholders are named, ``{rows}``. They may say how their value is written, ``{share:people}``, or be replaced by the
right form of a word, ``{rows:row|rows}``: one form for each plural category of the language, in the order that CLDR
has them.
"""

from __future__ import annotations

import gettext
import string
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from io import BytesIO

from ppdm_desktop.engine.wording.numbers import Numbers
from ppdm_desktop.engine.wording.pseudo import PSEUDO, pseudo_translate
from ppdm_desktop.engine.wording.rows import choose_counted_unit, reword_for_rows, rows_are_counted
from ppdm_desktop.engine.wording.values import (
    KINDS,
    Figure,
    LazyText,
    Value,
    choose_plural_form,
    format_sentence_value,
    refuse_untyped,
)

SOURCE = "en"
"""The language in which sentences are written in the program."""

DOMAINS = ("messages", "help")
"""The files of a language: what the program says, and the written help, which is read once it is asked for."""

_FOLDER = "locale"
_default: list[str] = [SOURCE]
_chosen: ContextVar[str | None] = ContextVar("language", default=None)


# --- which language -----------------------------------------------------------------------


def language() -> str:
    """Return the code of the language in which sentences are currently written, such as ``en``.

    It is the language chosen for the document being written (`speak_language`), else the program's.
    """
    return _chosen.get() or _default[0]


def program_language() -> str:
    """Return the code of the program's language, even while a document is written in a different one."""
    return _default[0]


def set_language(code: str) -> None:
    """Set the program's language, for all threads; to be called before the first sentence is written.

    Raises
    ------
    ValueError
        When there is no catalogue for this language.
    """
    if code not in (*list_languages(), PSEUDO):
        raise ValueError(code)
    _default[0] = code


@contextmanager
def speak_language(code: str) -> Iterator[None]:
    """Write all sentences of this thread inside the context in one language, for documents and machine output.

    Inside it sentences speak of people, whatever is counted in the open file, unless `choose_counted_unit` makes them
    speak of rows.
    """
    token = _chosen.set(code)
    try:
        with choose_counted_unit(rows=False):
            yield
    finally:
        _chosen.reset(token)


@dataclass(frozen=True)
class Language:
    """A language that has a catalogue.

    Attributes
    ----------
    code
        ISO 639 code, such as ``de``.
    name
        Name of the language in the language itself.
    reviewed_by, reviewed_on
        Name of the practitioner who reviewed the translation, and the date; empty without a review.
    """

    code: str
    name: str
    reviewed_by: str = ""
    reviewed_on: str = ""

    @property
    def reviewed(self) -> bool:
        """Return whether a practitioner has reviewed the translation, with name and date; always True for English."""
        return self.code == SOURCE or bool(self.reviewed_by and self.reviewed_on)


@cache
def list_languages() -> Mapping[str, Language]:
    """Return the available languages by code, English first, then by code."""
    language_of = {}
    for folder in (resources.files("ppdm_desktop.resources") / _FOLDER).iterdir():
        if (about := folder / "about.toml").is_file():
            language_of[folder.name] = Language(folder.name, **tomllib.loads(about.read_text(encoding="utf-8")))
    return dict(sorted(language_of.items(), key=lambda item: (item[0] != SOURCE, item[0])))


def match_language(tag: str | None) -> str:
    """Return the code of the available language for a system's tag: ``de`` for ``de_AT.UTF-8`` or ``de-CH``.

    It is English where there is no tag, or no catalogue for its language.
    """
    code = (tag or "").replace("-", "_").split("_")[0].split(".")[0].lower()
    return code if code in list_languages() else SOURCE


# --- saying it ----------------------------------------------------------------------------


def _(english: str, context: str = "", /, **values: Value) -> str:
    """Return a sentence in the current language, in English if it is not translated, with its values filled in.

    Parameters
    ----------
    english
        The sentence in English, as a literal, because ``packaging/words.py`` collects the sentences from the code.
    context
        Distinguishes two meanings of the same English words, such as "verb"; also a literal.
    values
        A value for each placeholder of the sentence.
    """
    return translate(english, values, context)


@dataclass(frozen=True)
class Sentence(LazyText):
    """A sentence that is translated when it is shown, into the language that is current at that time."""

    english: str
    values: Mapping[str, Value] = field(default_factory=dict, hash=False)
    context: str = ""

    def __post_init__(self) -> None:
        """Raise TypeError for a value that is not one of the types of `wording.values`."""
        refuse_untyped(self.english, self.values)

    def format(self, **values: Value) -> str:
        """Return the sentence in the current language; values given here are added to its own."""
        return translate(self.english, {**self.values, **values}, self.context)

    def __str__(self) -> str:
        """Return the sentence in the current language."""
        return self.format()


KINDS["sentence"] = Sentence


@dataclass(frozen=True)
class Remarks(LazyText):
    """Several remarks, joined by semicolons."""

    parts: tuple[LazyText, ...]

    def __str__(self) -> str:
        """Return the remarks in the current language, joined by semicolons."""
        return "; ".join(map(str, self.parts))


KINDS["remarks"] = Remarks


def lazy(english: str, context: str = "", /, **values: Value) -> Sentence:
    """Return a sentence that is not translated now but each time it is shown.

    ``english`` is a literal with placeholders, ``context`` distinguishes two meanings of it, and ``values`` has a
    value for each placeholder.
    """
    return Sentence(english, values, context)


def untranslated(english: str, /, **values: Value) -> Sentence:
    """Return a technical remark for report.json only, which need not be translated.

    Parameters
    ----------
    english, values
        The remark in English, and a value for each of its placeholders.
    """
    return Sentence(english, values)


def remarks_in(remark: LazyText | None) -> tuple[LazyText, ...]:
    """Return the single remarks of a remark as a tuple: the parts of a joined one, else it alone; () for None."""
    if remark is None:
        return ()
    return remark.parts if isinstance(remark, Remarks) else (remark,)


def join_remarks(*remarks: LazyText | None) -> LazyText | None:
    """Return several remarks as one, joined by semicolons when written; None without any.

    Arguments that are None are left out, a single remark is returned as it is, and joined remarks are split first.
    """
    parts = tuple(part for remark in remarks for part in remarks_in(remark))
    return Remarks(parts) if len(parts) > 1 else next(iter(parts), None)


def translate(english: str, values: Mapping[str, Value], context: str = "", *, text_id: str = "") -> str:
    """Return a message with its values filled in, in the current language, or in English if it is not translated.

    Parameters
    ----------
    english, values, context
        The message in English, a value for each of its placeholders, and what distinguishes two meanings of it.
    text_id
        The text in ``resources/texts`` that the message is a part of, as ``id#part``; empty for a sentence of the code.
        While rows are counted instead of people, what a message says of counted people is reworded for rows: in
        sentences of the code, and in the texts whose id allows it (`reword_for_rows`).

    Raises
    ------
    KeyError
        When a placeholder has no value (a fault of the program).
    TypeError
        When a value is a text or a bare float (a fault of the program).
    """
    refuse_untyped(f"{text_id or context}: {english}", values)
    template, code = _look_up_message(context, english, language())
    if rows_are_counted():
        template = reword_for_rows(text_id, english, template, code)
    return fill_placeholders(template, values, code)


def domain_of(context: str) -> str:
    """Return the catalogue file that holds the messages of a context: ``help`` for ``help.…``, else ``messages``."""
    return DOMAINS[context.startswith("help.")]


def find_translation(english: str, context: str = "") -> str | None:
    """Return the message in the current language with placeholders unfilled; None where it is not translated.

    If the current language is English, the message itself is returned. ``context`` tells equal messages apart.
    """
    template, code = _look_up_message(context, english, language())
    return template if code == language() else None


_IS_INSIDE: ContextVar[bool] = ContextVar("is_inside", default=False)
"""Whether the message that is written becomes a part of another one, and does not open its sentence."""


@contextmanager
def _set_inside(is_inside: bool) -> Iterator[None]:
    """Declare whether messages written in the block become a part of another sentence.

    A figure in words at the beginning of such a message gets no capital letter.
    """
    token = _IS_INSIDE.set(is_inside)
    try:
        yield
    finally:
        _IS_INSIDE.reset(token)


def fill_placeholders(template: str, values: Mapping[str, Value], code: str) -> str:
    """Return a message with its placeholders replaced by values, written as the language ``code`` requires.

    ``{rows:row|rows}`` is replaced by the plural form that goes with the value, not by the value: "row" for 1. A figure
    in words at the very beginning gets a capital letter ("Less than 0.1%"), unless the message is a part of another
    sentence.

    Raises
    ------
    KeyError
        When a placeholder has no value (a fault of the program).
    TypeError
        When a value is of no kind that a sentence can show.
    """
    numbers = numbers_of(code)
    text_so_far, is_part = "", _IS_INSIDE.get()
    for text, name, form in _parse_template(template):
        text_so_far += text
        if name is None:
            continue
        if "|" in form:
            text_so_far += choose_plural_form(values[name], form.split("|"), numbers)
        else:
            opens_text = not text_so_far.strip()
            with _set_inside(is_part if opens_text else not text_so_far.rstrip().endswith(".")):
                figure = format_sentence_value(values[name], numbers, form)
            # "Less than 0.1%" opens a sentence with its capital; names and texts stay as they are.
            opens = opens_text and not is_part and isinstance(values[name], Figure)
            text_so_far += figure[:1].upper() + figure[1:] if opens else figure
    return text_so_far


@cache
def _parse_template(template: str) -> tuple[tuple[str, str | None, str], ...]:
    """Return the pieces of a message as tuples: a text, and name and format of the placeholder that follows it.

    The name is None if no placeholder follows; the format is "" if none is given.
    """
    return tuple((text, name, form or "") for text, name, form, _ in string.Formatter().parse(template))


def _look_up_message(context: str, english: str, code: str) -> tuple[str, str]:
    """Return a message in a language, placeholders not filled in, and the code of the language that it really is in.

    It is in English where a translation is missing, and if it is empty. The pseudo-language is made from the English.
    """
    if code == PSEUDO:
        return pseudo_translate(english), PSEUDO
    if code == SOURCE or not english:
        return english, SOURCE
    catalogue = _load_catalogue(code, domain_of(context))
    translation = catalogue.pgettext(context, english) if context else catalogue.gettext(english)
    return (translation, code) if translation else (english, SOURCE)


class _Missing(gettext.NullTranslations):
    """A catalogue without translations, which returns "" so that the caller notices a missing translation."""

    def gettext(self, message: str) -> str:
        """Return an empty text, which means that there is no translation."""
        return ""

    def pgettext(self, context: str, message: str) -> str:
        """Return an empty text, which means that there is no translation."""
        return ""


@cache
def numbers_of(code: str) -> Numbers:
    """Return the object that writes numbers in a language; it is created once for each language."""
    return Numbers(code)


@cache
def _load_catalogue(code: str, domain: str) -> gettext.NullTranslations:
    """Return the catalogue of a language and domain, read once; one without translations if no file is compiled."""
    file = resources.files("ppdm_desktop.resources") / _FOLDER / code / "LC_MESSAGES" / f"{domain}.mo"
    if not file.is_file():  # not compiled yet: everything is said in English
        return _Missing()
    translations = gettext.GNUTranslations(BytesIO(file.read_bytes()))
    translations.add_fallback(_Missing())
    return translations
