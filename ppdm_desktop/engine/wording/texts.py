"""Texts by id: titles, sentences and remedies of errors, checks and notes.

``resources/texts/en.toml`` maps an id to title, sentence and remedy with placeholders such as ``{column}``. Every id
that is used must be there; a test proves it. A remedy names where to act in the window; its words about the recipe or
options are between ``<cli>`` and ``</cli>``, and the window leaves them out. ``or_reason = true`` adds that a written
reason is enough. Each part is a message of the catalogue.

Also the names of column kinds and roles in sentences, and the names of privacy levels: the name on screen, and the
words with which the file asks for a level.
"""

from __future__ import annotations

import re
import tomllib
from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, is_dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Protocol

from ppdm_desktop.engine.wording.catalogue import _, language, lazy, numbers_of, translate
from ppdm_desktop.engine.wording.values import KINDS, LazyText, Name, Terms, Value, refuse_untyped, restore_values

PARTS = ("title", "sentence", "remedy")
_OR_REASON = lazy("Or give a reason why this is acceptable here.")
COMMAND_LINE_ONLY = re.compile("<cli>(.*?)</cli>")
"""What a remedy says of the recipe and of options of the command line."""


@dataclass(frozen=True)
class TextEntry:
    """A text in English as it is written in the file of texts, with placeholders unfilled.

    Attributes
    ----------
    remedy
        What the user can do; the window leaves out what is between ``<cli>`` and ``</cli>``.
    or_reason
        Whether writing a reason is enough instead.
    """

    title: str
    sentence: str
    remedy: str
    or_reason: bool = False


@dataclass(frozen=True)
class Text:
    """A translated text with title, sentence and remedy; ``window`` is the remedy for users of the window."""

    title: str
    sentence: str
    remedy: str
    window: str


@dataclass(frozen=True)
class Note(LazyText):
    """A message as the id of its text, and the values to be inserted; it is translated when shown."""

    id: str
    arguments: Mapping[str, Value] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Raise TypeError for a value that is not one of the types of `wording.values`."""
        refuse_untyped(self.id, self.arguments)

    def __str__(self) -> str:
        """Return the sentence in the current language."""
        return render(self.id, self.arguments).sentence


KINDS["note"] = Note


@dataclass(frozen=True)
class Sentences(LazyText):
    """Several messages that are written one after the other, separated by blanks."""

    notes: tuple[Note, ...]

    def __str__(self) -> str:
        """Return the sentences in the current language, separated by blanks."""
        return " ".join(map(str, self.notes))


KINDS["sentences"] = Sentences


@dataclass(frozen=True)
class Title(LazyText):
    """The title of a text by id (a check, an attack, a release type), written in quotation marks."""

    id: str

    def __str__(self) -> str:
        """Return the title in the current language, in quotation marks."""
        opening, closing = numbers_of(language()).locale.quotes
        return f"{opening}{render_title(self.id)}{closing}"


KINDS["title"] = Title


@dataclass(frozen=True)
class PlainTitle(LazyText):
    """The title of a text by id, written without quotation marks."""

    id: str

    def __str__(self) -> str:
        """Return the title in the current language, without quotation marks."""
        return render_title(self.id)


KINDS["plaintitle"] = PlainTitle


_added: dict[str, TextEntry] = {}
"""Texts that plug-ins brought, and those of `declare_text`."""


def all_texts() -> Mapping[str, TextEntry]:
    """Return every text in English by id, placeholders unfilled; those added by plug-ins and code are included."""
    return ChainMap(_added, _load_own_texts()) if _added else _load_own_texts()  # type: ignore[arg-type]  # nothing writes there


_HEADER = re.compile(r'^\["([^"\n]+)"\]$', re.MULTILINE)


class SectionTexts(Mapping[str, TextEntry]):
    """The texts of a TOML file by id; each is parsed when first used, because a run of the program needs few.

    Parameters
    ----------
    toml
        Content of the file. Each section begins with a line ``["id"]``, and no other line has this form.
    """

    def __init__(self, toml: str) -> None:
        """Split the content of a file of texts into its sections, without parsing them."""
        _, *parts = _HEADER.split(toml.replace("\r\n", "\n"))
        self._sections = dict(zip(parts[::2], parts[1::2], strict=True))
        self._read: dict[str, TextEntry] = {}

    def __getitem__(self, id: str) -> TextEntry:
        """Return the text of an id, parsed at first use; raise KeyError for an unknown id."""
        text = self._read.get(id)
        if text is None:
            text = self._read[id] = _to_text_entry(tomllib.loads(self._sections[id]))
        return text

    def __contains__(self, id: object) -> bool:
        """Return whether the file has a section of this id."""
        return id in self._sections

    def __iter__(self) -> Iterator[str]:
        """Yield the ids in the order of the file."""
        return iter(self._sections)

    def __len__(self) -> int:
        """Return the number of texts."""
        return len(self._sections)


@cache
def _load_own_texts() -> Mapping[str, TextEntry]:
    """Return the texts that come with the program by id, from ``resources/texts/en.toml``; the file is read once."""
    raw = (resources.files("ppdm_desktop.resources") / "texts" / "en.toml").read_bytes()
    return SectionTexts(raw.decode("utf-8"))


def _to_text_entry(entry: Mapping[str, Any]) -> TextEntry:
    """Return a text from its keys in the file; a missing title, sentence or remedy is empty."""
    title, sentence, remedy = (entry.get(part, "") for part in PARTS)
    return TextEntry(title, sentence, remedy, entry.get("or_reason", False))


def add_texts(texts: Mapping[str, Mapping[str, str]]) -> tuple[str, ...]:
    """Add the texts of a plug-in and return (); if ids exist with different words, add none and return these ids.

    An id that exists with the same words is accepted.

    Parameters
    ----------
    texts
        The texts by id, each with ``title``, ``sentence`` and ``remedy`` in English.
    """
    text_of = {id: _to_text_entry(entry) for id, entry in texts.items()}
    taken = tuple(id for id, text in text_of.items() if all_texts().get(id, text) != text)
    if not taken:
        _added.update({id: text for id, text in text_of.items() if id not in _load_own_texts()})
    return taken


def declare_text(id: str, *, title: str = "", sentence: str = "") -> str:
    """Add a text that is declared in the code, and return its id.

    The module that calls this function has to be imported before the text is used.

    Raises
    ------
    ValueError
        When another text in code or a plug-in has this id; files are not looked at.
    """
    if id in _added:
        raise ValueError(f"two texts are called {id}")
    _added[id] = _to_text_entry({"title": title, "sentence": sentence})
    return id


_ID = re.compile(r"[a-z]+(?:-[a-z]+)*(?:\.[a-z0-9-]+)+")


def values_declared(declaration: type) -> Iterator[object]:
    """Yield the values of a class's attributes, inherited ones too, and the items of containers among them.

    Containers are mappings (their values), tuples and dataclass objects; attributes that begin with ``__`` are left
    out.
    """
    attributes = [(name, value) for parent in declaration.__mro__ for name, value in vars(parent).items()]
    values = [value for name, value in attributes if not name.startswith("__")]
    while values:
        value = values.pop()
        yield value
        if isinstance(value, Mapping):
            values += value.values()
        elif isinstance(value, tuple):
            values += value
        elif is_dataclass(value) and not isinstance(value, type):
            values += vars(value).values()


def refuse_unknown_texts(declaration: type) -> None:
    """Raise ValueError if an attribute of a class looks like a text id but no text has this id.

    Items of containers are checked, too; ``a-b.c`` looks like an id.

    Raises
    ------
    ValueError
        Naming the class and the id.
    """
    for value in values_declared(declaration):
        if isinstance(value, str) and _ID.fullmatch(value) and value not in all_texts():
            raise ValueError(f"{declaration.__name__} declares the text {value}, which there is not")


def remove_texts(ids: Iterable[str]) -> None:
    """Remove texts that a plug-in or the code added, by id; the program's own texts and unknown ids are ignored."""
    for id in ids:
        _added.pop(id, None)


def render(id: str, arguments: Mapping[str, Value] | None = None) -> Text:
    """Return title, sentence and remedy of a text in the current language with the placeholders filled.

    The remedy comes in two versions: for the command line, and for the window, without what concerns the command line
    only.

    Parameters
    ----------
    arguments
        A value for each placeholder.

    Raises
    ------
    KeyError
        When the id or one of its arguments does not exist (a fault of the program).
    TypeError
        When a value is a text or a bare float (a fault of the program).
    """
    text = all_texts()[id]
    filled = arguments or {}
    title, sentence, remedy = (translate(getattr(text, part), filled, text_id=f"{id}#{part}") for part in PARTS)
    if text.or_reason:
        remedy = f"{remedy} {_OR_REASON}"
    return Text(title, sentence, COMMAND_LINE_ONLY.sub(r"\1", remedy), COMMAND_LINE_ONLY.sub("", remedy))


def render_stored(id: str, arguments: Mapping[str, Any]) -> Text:
    """Return a text in the current language, filled with values that are stored as data in a report."""
    return render(id, restore_values(arguments))


def render_title(id: str) -> str:
    """Return the title of a text in the current language.

    Raises
    ------
    KeyError
        When the id does not exist, or its title has a placeholder (a fault of the program).
    """
    return translate(all_texts()[id].title, {}, text_id=f"{id}#title")


class Explained(Protocol):
    """The fields of an error that are needed to describe it to the user."""

    @property
    def id(self) -> str:
        """Return the id of the error's text."""

    @property
    def file(self) -> str | None:
        """Return the file or folder in which the error happened; None if it concerns none."""

    @property
    def column(self) -> str | None:
        """Return the column in which the error happened; None if it concerns none."""

    @property
    def row(self) -> int | None:
        """Return the number of the source's row in which the error happened; None if it concerns none."""

    @property
    def arguments(self) -> Mapping[str, Value]:
        """Return the values to be inserted into the error's sentence, by placeholder."""


def describe_location(error: Explained) -> str:
    """Return where an error happened as text that ends with a colon: file or folder, column and row; "" if unknown.

    Only the last part of a path is named.
    """
    return _describe_location(error, None if error.file is None else str(Name(Path(error.file).name)))


def explain(error: Explained, *, window: bool = False) -> str:
    """Return an error in one line: where it happened, the problem, and the remedy.

    A file or folder is named by its path, as it was typed. With ``window`` the remedy is that for users of the window,
    else that of the command line.
    """
    text = render(error.id, error.arguments)
    remedy = text.window if window else text.remedy
    return " ".join(part for part in (_describe_location(error, error.file), text.sentence, remedy) if part)


def _describe_location(error: Explained, file: str | None) -> str:
    """Return where an error happened: "data.csv, column “age”, row 12:", as far as these are known; "" if none is.

    ``file`` is written as it is given.
    """
    column = "" if error.column is None else _("column {column}", column=Name(error.column))
    row = "" if error.row is None else _("row {row:place}", row=error.row)
    position = ", ".join(filter(None, (column, row)))
    if file is None:
        return f"{position[:1].upper()}{position[1:]}:" if position else ""
    return ", ".join(filter(None, (file, position))) + ":"


# --- column words -------------------------------------------------------------------------

_KINDS = {
    "numeric": "kind.numeric",
    "ordinal": "kind.ordinal",
    "nominal": "kind.nominal",
    "date": "kind.date",
    "text": "kind.text",
}
_ROLES = {
    "identifier": "role.identifier",
    "quasi-identifier": "role.quasi-identifier",
    "confidential": "role.confidential",
    "other": "role.other",
    "privacy-level": "role.privacy-level",
    "left-out": "role.left-out",
    None: "role.none",
}


def describe_kind(kind: str) -> Note:
    """Return the words for a kind of column, such as "ranked values"; raise KeyError for an unknown kind."""
    return Note(_KINDS[kind])


def describe_kinds(kinds: Iterable[str]) -> Terms:
    """Return the words for several kinds of columns as a list, in the order of the kinds' ids."""
    return Terms(tuple(map(describe_kind, sorted(kinds))))


def describe_role(role: str | None) -> Note:
    """Return the name of a column's role as on screen; None or "" is a role not decided yet."""
    return Note(_ROLES[role or None])


def describe_roles(roles: Iterable[str]) -> Terms:
    """Return the names of several roles as a list, in the order of the roles' ids."""
    return Terms(tuple(map(describe_role, sorted(roles))))


# --- level titles -------------------------------------------------------------------------

_NUMBER = "group "
_TITLES = {
    "normal": "level.normal",
    "cautious": "level.cautious",
    "extra-cautious": "level.extra-cautious",
    "paranoid": "level.paranoid",
    "earlier records": "level.earlier-records",
}

LevelLabels = Mapping[str, Sequence[str]]
"""The words with which a file asks for each level, by the level's name."""


def level_title(name: str | int, level_labels: LevelLabels | None = None) -> str:
    """Return a privacy level's name, with the words that the file uses for it in brackets: "High (high, hoch)".

    Parameters
    ----------
    name
        The level's name in recipe and report; a number, also written ``group 7``, is a demanded group size. A name
        that is not the program's own is the owner's, and written unchanged.
    level_labels
        The file's words by level, from ``list_level_labels``. A word that equals the level's title is not repeated.
    """
    text = str(name)
    number = text.removeprefix(_NUMBER)
    if number.isdigit():
        title = render("level.number", {"size": int(number)}).sentence
    else:
        # A level of the owner's own is called as its owner called it.
        title = render(_TITLES[text]).sentence if text in _TITLES else text
    synonyms = [
        word for word in (level_labels or {}).get(f"{_NUMBER}{text}" if text.isdigit() else text, ()) if word != title
    ]
    return f"{title} ({', '.join(synonyms)})" if synonyms else title


@dataclass(frozen=True)
class LevelTitle(LazyText):
    """The name of a privacy level, translated together with the sentence that contains it.

    Attributes
    ----------
    name
        The level's name in recipe and report.
    words
        The words that the file uses for the level.
    """

    name: str
    words: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the level's name in the current language, with the words for it in the file in brackets."""
        key = f"{_NUMBER}{self.name}" if self.name.isdigit() else self.name
        return level_title(self.name, {key: self.words})

    @classmethod
    def of(cls, name: str, level_labels: LevelLabels) -> LevelTitle:
        """Return the title of a privacy level: its name, and the file's words for it in ``level_labels``."""
        return cls(name, tuple(level_labels.get(f"{_NUMBER}{name}" if name.isdigit() else name, ())))


KINDS["leveltitle"] = LevelTitle


def list_level_labels(meanings: Mapping[str, str | int]) -> dict[str, tuple[str, ...]]:
    """Return the words with which a file asks for each privacy level, by the level's name, in the order given.

    ``meanings`` has the level of each word. Space around words is removed and the empty word is left out. A level that
    is a number is a demanded group size and named like ``group 7``.
    """
    words_of: dict[str, tuple[str, ...]] = {}
    for word, level in meanings.items():
        if word.strip():
            name = f"{_NUMBER}{level}" if str(level).isdigit() else str(level)
            words_of[name] = (*words_of.get(name, ()), word.strip())
    return words_of
