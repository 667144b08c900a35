"""What a column's name suggests: its words, looked up in the lists of ``resources/roles/names.toml``."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from importlib import resources
from typing import Any

_WORD = re.compile(r"[a-z0-9]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_NUMBERED = re.compile(r"[0-9]+$")
_UMLAUTS = (("ae", "a"), ("oe", "o"), ("ue", "u"))


def name_words(header: str) -> list[str]:
    """Return the words of a column name in small letters without accents: ``DateOfBirth`` gives three."""
    spaced = _CAMEL.sub(" ", header).replace("ß", "ss")
    plain = unicodedata.normalize("NFKD", spaced).encode("ascii", "ignore").decode("ascii")
    return _WORD.findall(plain.lower())


def levelled(word: str) -> str:
    """Return a word with umlauts reduced, so that ``Schüler`` and ``Schueler`` compare as equal."""
    for written, folded in _UMLAUTS:
        word = word.replace(written, folded)
    return word


def _without_numbers(name_parts: Sequence[str]) -> tuple[str, ...]:
    """Return the words of a name without numbers: ``diag_1`` gives ``diag``, ``name2`` gives ``name``."""
    bare = (_NUMBERED.sub("", word) for word in name_parts)
    return tuple(levelled(word) for word in bare if word)


@dataclass(frozen=True)
class NameList:
    """A list of words and word stems that mean one thing, such as "identifier" or "amount".

    Attributes
    ----------
    whole
        Words that count as they stand.
    alone
        Words that count only where a name has no other.
    starts, ends, parts
        Stems after which, before which, or on both sides of which letters may stand.
    phrases
        Words that count beside each other.
    """

    whole: frozenset[str]
    alone: frozenset[str]
    starts: tuple[str, ...]
    ends: tuple[str, ...]
    parts: tuple[str, ...]
    phrases: tuple[tuple[str, ...], ...]

    @classmethod
    def read(cls, entry: Mapping[str, Any]) -> NameList:
        """Return a word list from its entry in the TOML file."""
        patterns = [levelled(word) for word in str(entry.get("words", "")).split()]
        phrases = (phrase.split() for phrase in str(entry.get("phrases", "")).split("|"))
        return cls(
            whole=frozenset(word for word in patterns if "*" not in word),
            alone=frozenset(map(levelled, entry.get("alone", ()))),
            starts=tuple(word[:-1] for word in patterns if word.endswith("*") and word[0] != "*"),
            ends=tuple(word[1:] for word in patterns if word.startswith("*") and word[-1] != "*"),
            parts=tuple(word[1:-1] for word in patterns if word.startswith("*") and word[-1] == "*"),
            phrases=tuple(tuple(map(levelled, phrase)) for phrase in phrases if phrase),
        )

    def found(self, name_parts: tuple[str, ...]) -> dict[int, int]:
        """Return the indices of the words that the list matches, each with the number of letters matched.

        A match of the whole word counts one letter more.

        Parameters
        ----------
        name_parts
            Words of a name without umlauts and numbers.
        """
        if (len(name_parts) == 1 and name_parts[0] in self.alone) or "".join(name_parts) in self.whole:
            return {position: len(word) + 1 for position, word in enumerate(name_parts)}
        matched: dict[int, int] = {}
        for position, word in enumerate(name_parts):
            stems = [len(stem) for stem in self.starts if word.startswith(stem)]
            stems += [len(stem) for stem in self.ends if word.endswith(stem)]
            stems += [len(stem) for stem in self.parts if stem in word]
            if word in self.whole:
                matched[position] = len(word) + 1
            elif stems:
                matched[position] = max(stems)
        for phrase in self.phrases:
            for start in range(len(name_parts) - len(phrase) + 1):
                if name_parts[start : start + len(phrase)] == phrase:
                    matched |= {start + offset: len(word) + 1 for offset, word in enumerate(phrase)}
        return matched


@cache
def name_lists() -> Mapping[str, NameList]:
    """Return all word lists by name."""
    raw = (resources.files("ppdm_desktop.resources") / "roles" / "names.toml").read_bytes()
    return {name: NameList.read(entry) for name, entry in tomllib.loads(raw.decode("utf-8")).items()}


@dataclass(frozen=True)
class NamedAs:
    """Roles and other properties that a column's name suggests.

    Attributes
    ----------
    roles
        Of ``identifier``, ``quasi-identifier`` and ``confidential`` those the name speaks for, in this order; of a
        sensitive name ``confidential`` comes first. A name of a score or an answer is never ``quasi-identifier``.
    key
        Whether the last word of the name means a number or code, such as "id".
    person
        Whether a word of the name means a person.
    people
        Whether the name is a single word for a person.
    sensitive
        Whether the name means something that people keep to themselves, such as a diagnosis.
    privacy
        Whether the name means a wish for privacy.
    lasting
        Whether the name means a lasting trait of a person, such as sex.
    amount
        Whether the name means a count, age, duration or amount, which is never below zero.
    signed
        Whether the name means something that may be below zero, such as a balance.
    """

    roles: tuple[str, ...]
    key: bool
    person: bool
    people: bool
    sensitive: bool
    privacy: bool
    lasting: bool
    amount: bool
    signed: bool


_ROLES = {"identifier": "identifier", "known": "quasi-identifier", "confidential": "confidential"}


@cache
def named_as(header: str, label: str = "") -> NamedAs:
    """Return the roles and properties that a column's name suggests, and its label where it has one.

    Parameters
    ----------
    header
        The name that the source has for it.
    label
        Further words of the source, as files of statistics programs have them: whatever either of both says, holds.
    """
    if label.strip():
        return _named_as_either(named_as(header), named_as(label))
    name_parts, lists = _without_numbers(name_words(header)), name_lists()
    roles: list[str] = []
    taken: dict[int, int] = {}
    known_positions: dict[int, int] = {}
    for name, role in _ROLES.items():
        matches = lists[name].found(name_parts)
        # "Geburtsname" is in the first list as it stands, and in the second for its beginning only.
        if any(letters >= taken.get(position, 0) for position, letters in matches.items()):
            roles.append(role)
        taken |= {position: max(letters, taken.get(position, 0)) for position, letters in matches.items()}
        known_positions = matches if name == "known" else known_positions
    if lists["answer"].found(name_parts) and "quasi-identifier" in roles:
        roles.remove("quasi-identifier")
    sensitive = "identifier" not in roles and bool(lists["sensitive"].found(name_parts))
    if sensitive:
        roles = ["confidential", *(role for role in roles if role != "confidential")]
    # In "zip code" the code is no key: it belongs to what others know.
    key = bool(lists["key"].found(name_parts[-1:])) and len(name_parts) - 1 not in known_positions
    person = lists["person"].found(name_parts)
    return NamedAs(
        roles=tuple(roles),
        key=key,
        person=bool(person),
        people=len(name_parts) == 1 and person.get(0, 0) > len(name_parts[0]),
        sensitive=sensitive,
        privacy=bool(lists["privacy"].found(name_parts)),
        lasting=bool(lists["lasting"].found(name_parts)),
        amount=bool(lists["amount"].found(name_parts)),
        signed=bool(lists["signed"].found(name_parts)),
    )


def _named_as_either(header: NamedAs, label: NamedAs) -> NamedAs:
    """Return the properties that a column's name or its label suggests."""
    flags = [field.name for field in fields(NamedAs) if field.name != "roles"]
    either = {flag: getattr(header, flag) or getattr(label, flag) for flag in flags}
    order = ["confidential", "quasi-identifier"] if either["sensitive"] else _ROLES.values()
    return NamedAs(roles=tuple(role for role in order if role in (*header.roles, *label.roles)), **either)


@cache
def means_people_count(header: str) -> bool:
    """Say whether a column's whole name means "number of people", as in a table of groups."""
    name_parts = _without_numbers(name_words(header))
    return "".join(name_parts) in name_lists()["people-count"].whole
