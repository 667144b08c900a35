"""Sentences by text id: what the program says, kept apart from what it computes.

``resources/texts/<language>.toml`` maps an id to title, sentence and remedy with named
places such as ``{column}``. Every id that is raised must be there; a test proves it.
A remedy that names a key of the recipe or an option has beside it, as ``window``, what
somebody who works in the window is told instead.
A place with two forms, ``{rows} {rows:row was|rows were} read``, becomes the first where the
value is one and the second otherwise. An argument may itself be a `Note`, whose sentence then stands there.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

from ppdm_desktop.engine.errors import PpdmError

_LONG = 1_000


@dataclass(frozen=True)
class Text:
    """One entry: a short title, a sentence, and what to do about it; ``window`` is the same said in the window."""

    title: str
    sentence: str
    remedy: str
    window: str


@dataclass(frozen=True)
class Note:
    """Something to tell a person: a text by id, with its arguments."""

    id: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


@cache
def all_texts(language: str = "en") -> Mapping[str, Text]:
    """Return every text of a language by id."""
    raw = (resources.files("ppdm_desktop.resources") / "texts" / f"{language}.toml").read_bytes()
    return {
        id: Text(
            entry.get("title", ""),
            entry.get("sentence", ""),
            entry.get("remedy", ""),
            entry.get("window", entry.get("remedy", "")),
        )
        for id, entry in tomllib.loads(raw.decode("utf-8")).items()
    }


def plural(number: object, one: str, many: str) -> str:
    """Return the form of a word that goes with a number: the first for 1, the second for all else."""
    is_one = number == 1 or (isinstance(number, str) and number.strip() == "1")
    return one if is_one and not isinstance(number, bool) else many


def listed(names: Sequence[str], most: int = 12) -> str:
    """Return names for a sentence, in quotation marks, cut where it gets long."""
    shown = ", ".join(f'"{name}"' for name in names[:most])
    return shown + (f" and {len(names) - most} more" if len(names) > most else "")


class _Place:
    """A value as a sentence shows it, or the form of a word that goes with it."""

    def __init__(self, value: object) -> None:
        self._value = value

    def __format__(self, forms: str) -> str:
        if not forms:
            return _shown(self._value)
        one, _, many = forms.partition("|")
        return plural(self._value, one, many)


def _fill(template: str, arguments: Mapping[str, object]) -> str:
    return template.format_map({key: _Place(value) for key, value in arguments.items()})


def _shown(value: object) -> str:
    if isinstance(value, int) and abs(value) >= _LONG:
        # A million is not told from ten by counting noughts.
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.0f}" if value.is_integer() and abs(value) >= _LONG else f"{value:.6g}"
    if isinstance(value, Note):
        return render(value.id, value.arguments).sentence
    if isinstance(value, list | tuple):
        return ", ".join(_shown(each) for each in value)
    return str(value)


def render(id: str, arguments: Mapping[str, object] | None = None, language: str = "en") -> Text:
    """Return a text with its places filled in.

    Raises
    ------
    KeyError
        When the id or one of its arguments does not exist (a fault of the program).
    """
    text = all_texts(language)[id]
    filled = arguments or {}
    return Text(*(_fill(part, filled) for part in (text.title, text.sentence, text.remedy, text.window)))


def explain(error: PpdmError, language: str = "en", *, window: bool = False) -> str:
    """Return an error as one line: place, what is wrong, what to do, there or in the window."""
    places = []
    if error.file is not None:
        places.append(error.file)
    if error.column is not None:
        places.append(f'column "{error.column}"')
    if error.row is not None:
        places.append(f"row {error.row}")
    text = render(error.id, error.arguments, language)
    remedy = text.window if window else text.remedy
    place = ", ".join(places)
    return " ".join(part for part in (place + ":" if place else "", text.sentence, remedy) if part)
