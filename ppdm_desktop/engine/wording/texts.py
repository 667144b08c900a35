"""Sentences by text id: what the engine raises, judges and notes, kept apart from what it computes.

``resources/texts/en.toml`` maps an id to title, sentence and remedy with named places such as ``{column}``. Every id
that is raised must be there; a test proves it. A remedy that names a key of the recipe or an option has beside it, as
``window``, what a user of the window reads instead. Each part is a message of the catalogue, and
its places are filled as those of every other sentence.
"""

from __future__ import annotations

import re
import tomllib
from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, is_dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Protocol

from ppdm_desktop.engine.wording.catalogue import _, language, lazy, numbers_of, translate
from ppdm_desktop.engine.wording.values import KINDS, Name, Spoken, Value, refuse_untyped, values_of

PARTS = ("title", "sentence", "remedy", "window")


@dataclass(frozen=True)
class Text:
    """One entry: a short title, a sentence, and what to do about it; ``window`` is the same said in the window."""

    title: str
    sentence: str
    remedy: str
    window: str


@dataclass(frozen=True)
class Note(Spoken):
    """Something to tell a person: a text by id, with its arguments."""

    id: str
    arguments: Mapping[str, Value] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse what is no value."""
        refuse_untyped(self.id, self.arguments)

    def __str__(self) -> str:
        """Say its sentence, as part of another."""
        return render(self.id, self.arguments).sentence


KINDS["note"] = Note


@dataclass(frozen=True)
class Sentences(Spoken):
    """Several things to tell a person, each a sentence of its own: there are as many as apply."""

    notes: tuple[Note, ...]

    def __str__(self) -> str:
        """Say one after the other."""
        return " ".join(map(str, self.notes))


KINDS["sentences"] = Sentences


@dataclass(frozen=True)
class Title(Spoken):
    """What a check, an attack or a type of release is called: the title of a text by id, in quotation marks."""

    id: str

    def __str__(self) -> str:
        opening, closing = numbers_of(language()).locale.quotes
        return f"{opening}{title(self.id)}{closing}"


KINDS["title"] = Title


@dataclass(frozen=True)
class PlainTitle(Spoken):
    """The same without quotation marks, as a title in its turn."""

    id: str

    def __str__(self) -> str:
        return title(self.id)


KINDS["plaintitle"] = PlainTitle


_added: dict[str, Text] = {}
"""Texts that plug-ins brought, and those of `declare_text`."""


def all_texts() -> Mapping[str, Text]:
    """Return every text by id in English, its places unfilled."""
    return ChainMap(_added, _own_texts()) if _added else _own_texts()  # type: ignore[arg-type]  # nothing writes there


_HEADER = re.compile(r'^\["([^"\n]+)"\]$', re.MULTILINE)


class SectionTexts(Mapping[str, Text]):
    """The texts of a TOML file, each read when it is first asked for: a start says few of them.

    Parameters
    ----------
    toml
        The file. Each section begins with a line ``["id"]``, and no other line looks like that.
    """

    def __init__(self, toml: str) -> None:
        _, *parts = _HEADER.split(toml.replace("\r\n", "\n"))
        self._sections = dict(zip(parts[::2], parts[1::2], strict=True))
        self._read: dict[str, Text] = {}

    def __getitem__(self, id: str) -> Text:
        text = self._read.get(id)
        if text is None:
            text = self._read[id] = _text(tomllib.loads(self._sections[id]))
        return text

    def __contains__(self, id: object) -> bool:
        return id in self._sections

    def __iter__(self) -> Iterator[str]:
        return iter(self._sections)

    def __len__(self) -> int:
        return len(self._sections)


@cache
def _own_texts() -> Mapping[str, Text]:
    raw = (resources.files("ppdm_desktop.resources") / "texts" / "en.toml").read_bytes()
    return SectionTexts(raw.decode("utf-8"))


def _text(entry: Mapping[str, str]) -> Text:
    return Text(
        entry.get("title", ""),
        entry.get("sentence", ""),
        entry.get("remedy", ""),
        entry.get("window", entry.get("remedy", "")),
    )


def add_texts(texts: Mapping[str, Mapping[str, str]]) -> tuple[str, ...]:
    """Add the texts that a declaration of others brings; return those that there are with other words.

    Parameters
    ----------
    texts
        By id, with ``title``, ``sentence`` and ``remedy`` in English. None is added where one of them is taken.
    """
    text_of = {id: _text(entry) for id, entry in texts.items()}
    taken = tuple(id for id, text in text_of.items() if all_texts().get(id, text) != text)
    if not taken:
        _added.update({id: text for id, text in text_of.items() if id not in _own_texts()})
    return taken


def declare_text(id: str, *, title: str = "", sentence: str = "") -> str:
    """Add a text that stands in the code, with the one declaration it is about, and return its id.

    The module of the declaration has to be imported before the text is said.

    Raises
    ------
    ValueError
        When the id is taken.
    """
    if id in _added:
        raise ValueError(f"two texts are called {id}")
    _added[id] = _text({"title": title, "sentence": sentence})
    return id


_ID = re.compile(r"[a-z]+(?:-[a-z]+)*(?:\.[a-z0-9-]+)+")


def values_declared(declaration: type) -> Iterator[object]:
    """Yield the values of a class's attributes, inherited ones too, with what stands in tuples and other containers."""
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
    """Raise an error when a class attribute has the form of a text id, and there is no such text.

    Raises
    ------
    ValueError
        Naming the class and the id.
    """
    for value in values_declared(declaration):
        if isinstance(value, str) and _ID.fullmatch(value) and value not in all_texts():
            raise ValueError(f"{declaration.__name__} declares the text {value}, which there is not")


def remove_texts(ids: Iterable[str]) -> None:
    """Take texts out again that a declaration of others brought."""
    for id in ids:
        _added.pop(id, None)


def render(id: str, arguments: Mapping[str, Value] | None = None) -> Text:
    """Return a text in the language spoken here, its places filled in.

    Parameters
    ----------
    arguments
        Its values.

    Raises
    ------
    KeyError
        When the id or one of its arguments does not exist (a fault of the program).
    TypeError
        When one of them is a text or a bare float (a fault of the program).
    """
    text = all_texts()[id]
    filled = arguments or {}
    title, sentence, remedy = (translate(getattr(text, part), filled, text_id=f"{id}#{part}") for part in PARTS[:3])
    same = text.window == text.remedy
    return Text(title, sentence, remedy, remedy if same else translate(text.window, filled, text_id=f"{id}#window"))


def render_kept(id: str, arguments: Mapping[str, Any]) -> Text:
    """Return a text in the language spoken here, its places filled in from the data that a report keeps."""
    return render(id, values_of(arguments))


def title(id: str) -> str:
    """Return the title of a text in the language spoken here.

    Raises
    ------
    KeyError
        When the id does not exist, or its title has a place (a fault of the program).
    """
    return translate(all_texts()[id].title, {}, text_id=f"{id}#title")


class Explained(Protocol):
    """An error that is explained in words."""

    @property
    def id(self) -> str:
        """Its text."""

    @property
    def file(self) -> str | None:
        """Where it happened."""

    @property
    def is_folder(self) -> bool:
        """Whether that is a folder."""

    @property
    def column(self) -> str | None:
        """In which column."""

    @property
    def row(self) -> int | None:
        """In which row."""

    @property
    def arguments(self) -> Mapping[str, Value]:
        """What stands in its sentence."""


_PLACES = {
    (True, False, False): lazy("In the file {file}:"),
    (True, True, False): lazy("In the file {file}, column {column}:"),
    (True, False, True): lazy("In the file {file}, row {row:place}:"),
    (True, True, True): lazy("In the file {file}, column {column}, row {row:place}:"),
    (False, True, False): lazy("In the column {column}:"),
    (False, False, True): lazy("In row {row:place}:"),
    (False, True, True): lazy("In the column {column}, row {row:place}:"),
}
"""Where something is, by whether a file, a column and a row are known."""
_FOLDER = lazy("Folder {file}:")


def place_words(error: Explained) -> str:
    """Return where an error was found: folder or file, by its name, column and row; empty where it has no place."""
    sentence = _PLACES.get((error.file is not None, error.column is not None, error.row is not None))
    if error.is_folder:
        sentence = _FOLDER
    if sentence is None:
        return ""
    return sentence.said(file=Name(Path(error.file or "").name), column=Name(error.column or ""), row=error.row or 0)


def explain(error: Explained, *, window: bool = False) -> str:
    """Return an error as one line: place, what is wrong, what to do, there or in the window.

    A file or folder is named by its path, as it was typed.
    """
    where = place_words(error) if error.file is None else _by_path(error, error.file)
    text = render(error.id, error.arguments)
    remedy = text.window if window else text.remedy
    return " ".join(part for part in (where, text.sentence, remedy) if part)


def _by_path(error: Explained, file: str) -> str:
    places = [file]
    if error.column is not None:
        places.append(_("column {column}", column=Name(error.column)))
    if error.row is not None:
        places.append(_("row {row:place}", row=error.row))
    return ", ".join(places) + ":"
