"""What a column's name suggests about it, by looking its words up in the lists of ``resources/roles/names.toml``."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from importlib import resources

_WORD = re.compile(r"[a-z0-9]+|[^\W_a-z0-9]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_NUMBERED = re.compile(r"[0-9]+$")
_UMLAUTS = (("ae", "a"), ("oe", "o"), ("ue", "u"))
_LETTERS = str.maketrans(
    {"ß": "ss", "ł": "l", "Ł": "L", "ı": "i", "ø": "o", "Ø": "O", "æ": "ae", "Æ": "AE", "œ": "oe", "đ": "d", "ð": "d"}
)
"""Letters that are no accented forms of others, with how they are written without them."""
_SENTENCE_WORDS, _SHORT = 5, 8
_QUESTION = re.compile(r"[?？][\s.)\"”»]*$|か[。]?$|吗[。]?$")


def _strip_accents(text: str) -> str:
    """Return a text with accents removed and full-width characters made plain: ``Café`` gives ``Cafe``."""
    split = unicodedata.normalize("NFKD", text.translate(_LETTERS))
    return unicodedata.normalize("NFC", "".join(sign for sign in split if not unicodedata.combining(sign)))


def name_words(header: str) -> list[str]:
    """Return the words of a column name in small letters without accents: ``DateOfBirth`` gives date, of, birth.

    Words are runs of letters and digits (``name2`` is one); a capital after a small letter or digit begins a new one.
    """
    return _WORD.findall(_CAMEL.sub(" ", _strip_accents(header)).lower())


def reduce_umlauts(word: str) -> str:
    """Return a word with ae, oe and ue written as a, o and u, so that ``schuler`` and ``schueler`` compare as equal.

    This is done in words of every language ("value" gives "valu"), but not with capital letters.
    """
    for written, folded in _UMLAUTS:
        word = word.replace(written, folded)
    return word


def _drop_numbers(name_parts: Sequence[str]) -> tuple[str, ...]:
    """Return the words of a name without digits at their ends and with umlauts reduced.

    Words of digits alone are left out. ``diag_1`` gives ``diag``, ``name2`` gives ``name``.
    """
    bare = (_NUMBERED.sub("", word) for word in name_parts)
    return tuple(reduce_umlauts(word) for word in bare if word)


@dataclass(frozen=True)
class NameList:
    """A list of words and word stems that mean one thing, such as "identifier" or "amount".

    Attributes
    ----------
    whole
        Words that must match a whole word of the name.
    whole_names
        Words that must be the whole name.
    starts, ends, parts
        Stems that match the beginning of a word, its end, or any part of it.
    phrases
        Sequences of words that must follow each other in the name.
    """

    whole: frozenset[str]
    whole_names: frozenset[str]
    starts: tuple[str, ...]
    ends: tuple[str, ...]
    parts: tuple[str, ...]
    phrases: tuple[tuple[str, ...], ...]

    @classmethod
    def read(cls, entry: Mapping[str, str]) -> NameList:
        """Return the word list of an entry of the TOML file, which has for each language words separated by blanks.

        ``word`` matches a whole word; ``word*``, ``*word`` and ``*word*`` match its beginning, end or any part;
        ``two_words`` matches a phrase, and ``=word`` a name that consists of this word only. A phrase of more than
        eight characters (its "_" included) also matches written as one word. The words are kept in small letters
        without accents and umlauts, those of all languages together.
        """
        entries = [reduce_umlauts(_strip_accents(word).lower()) for text in entry.values() for word in text.split()]
        patterns = [word for word in entries if word[0] != "=" and "_" not in word]
        stems = [word for word in patterns if "*" in word]
        glued = (word.replace("_", "") for word in entries if "_" in word and len(word) > _SHORT)
        return cls(
            whole=frozenset([*(word for word in patterns if "*" not in word), *glued]),
            whole_names=frozenset(word[1:] for word in entries if word[0] == "="),
            starts=tuple(word[:-1] for word in stems if word[0] != "*"),
            ends=tuple(word[1:] for word in stems if word[-1] != "*"),
            parts=tuple(word[1:-1] for word in stems if word[0] == word[-1]),
            phrases=tuple(tuple(word.split("_")) for word in entries if "_" in word),
        )

    def match(self, name_parts: tuple[str, ...]) -> dict[int, int]:
        """Return for each word of a name that the list matches, by its index in the name, how many letters matched.

        The stem "tel" matches the word "telephone" with 3; of several stems that match, the longest counts. A match of
        a whole word counts one letter more ("town": 5), the match of a phrase two more in each of its words. If the
        list has the name's words written as one word, or a name of one word as the whole name, all words are returned,
        with one letter more for a name of one word, else two.
        Empty where nothing matches. ``name_parts`` are words in small letters without accents and umlauts, as from
        `_drop_numbers`.
        """
        if self._is_whole_name(name_parts):
            further = 1 if len(name_parts) == 1 else 2
            return {position: len(word) + further for position, word in enumerate(name_parts)}
        matched: dict[int, int] = {}
        for position, word in enumerate(name_parts):
            stems = [len(stem) for stem in self.starts if word.startswith(stem)]
            stems += [len(stem) for stem in self.ends if word.endswith(stem)]
            stems += [len(stem) for stem in self.parts if stem in word]
            if word in self.whole:
                matched[position] = len(word) + 1
            elif stems:
                matched[position] = max(stems) + (max(stems) == len(word))
        for phrase in self.phrases:
            for start in range(len(name_parts) - len(phrase) + 1):
                if name_parts[start : start + len(phrase)] == phrase:
                    matched |= {start + offset: len(word) + 2 for offset, word in enumerate(phrase)}
        return matched

    def _is_whole_name(self, name_parts: tuple[str, ...]) -> bool:
        """Return whether the list holds the whole name, whether it is written as one word or as several.

        An entry ``=word`` holds only a name of one word.
        """
        return "".join(name_parts) in self.whole or (len(name_parts) == 1 and name_parts[0] in self.whole_names)


@cache
def _load_word_lists() -> dict[str, dict[str, str]]:
    """Return the contents of ``names.toml``: for each list its words by language; the file is read once."""
    return tomllib.loads((resources.files("ppdm_desktop.resources") / "roles" / "names.toml").read_text("utf-8"))


@cache
def name_lists() -> Mapping[str, NameList]:
    """Return all word lists of ``names.toml`` by their names; the table of accented words there is no list."""
    return {name: NameList.read(entry) for name, entry in _load_word_lists().items() if name != "accented"}


def _replace_lookalikes(header: str) -> str:
    """Return a column name with some accented words replaced that would mean something else without accents.

    Danish ``Løn`` (pay) would otherwise become ``lon``, a longitude.
    """
    accented = _load_word_lists()["accented"]
    pieces = re.split(r"(\W+)", unicodedata.normalize("NFC", header))
    return "".join(accented.get(word.lower(), word) for word in pieces)


@dataclass(frozen=True)
class NamedAs:
    """Roles and other properties that a column's name suggests.

    Attributes
    ----------
    roles
        Those of ``identifier``, ``quasi-identifier`` and ``confidential`` that the name suggests, in this order; for a
        sensitive name ``confidential`` comes first. A name of a score, an answer or a weight of a row never suggests
        ``quasi-identifier``.
    key
        Whether the name means the number or code of something, such as "patient id".
    person
        Whether a word of the name means a person.
    people
        Whether the name is a single word for a person.
    name
        Whether the name means a person's name.
    vague
        Whether the name says only "name", so that it may be the name of a thing.
    sentence
        Whether the name is a question or a sentence, in which a single word says little.
    sensitive
        Whether the name means something that people keep to themselves, such as a diagnosis.
    privacy
        Whether the name means a wish for privacy.
    trait
        ``name``, ``sex``, ``birth`` or ``ethnicity`` where the name means such a lasting trait of a person; else empty.
    occasion
        Whether the name says at which event, or for which time, a row was written.
    weight
        Whether the name means a weight of a body or of a row, so that the column cannot be a key.
    sample_weight
        Whether the name means a weight that a survey gives to a row.
    amount
        Whether the name means a count, age, duration or amount, which is never below zero.
    signed
        Whether the name means something that may be below zero, such as a balance.
    """

    roles: tuple[str, ...]
    key: bool
    person: bool
    people: bool
    name: bool
    vague: bool
    sentence: bool
    sensitive: bool
    privacy: bool
    trait: str
    occasion: bool
    weight: bool
    sample_weight: bool
    amount: bool
    signed: bool

    @property
    def lasting(self) -> bool:
        """Whether the name means a lasting trait of a person: name, sex, birth or ethnicity."""
        return bool(self.trait)


_TRAITS = ("name", "sex", "birth", "ethnicity")
_ROLES = {
    "name": "identifier",
    "identifier": "identifier",
    **dict.fromkeys(("sex", "birth", "ethnicity", "known"), "quasi-identifier"),
    "confidential": "confidential",
}


@cache
def interpret_column_name(header: str, label: str = "") -> NamedAs:
    """Return the roles and other properties that a column's name, and its label where it has one, suggest.

    A name of a score, an answer or a survey weight does not suggest ``quasi-identifier``. A sensitive name that
    suggests no identifier suggests ``confidential`` before any other role.

    Parameters
    ----------
    header
        The name that the source gives to the column.
    label
        A description of the column, as files of statistics programs have it. It is interpreted in the same way, and
        what it suggests is added (see `_merge_properties`).
    """
    if label.strip():
        return _merge_properties(interpret_column_name(header), interpret_column_name(label))
    name_parts, lists = _drop_numbers(name_words(_replace_lookalikes(header))), name_lists()
    roles, matches = _find_roles(name_parts)
    trait = next((trait for trait in _TRAITS if matches[trait]), "")
    sample_weight = bool(lists["sample-weight"].match(name_parts))
    if sample_weight or _is_answer(name_parts, trait):
        roles = [role for role in roles if role != "quasi-identifier"]
    sensitive = "identifier" not in roles and bool(lists["sensitive"].match(name_parts))
    if sensitive:
        roles = ["confidential", *(role for role in roles if role != "confidential")]
    person = lists["person"].match(name_parts)
    return NamedAs(
        roles=tuple(roles),
        key=_is_key(name_parts, bool(person), matches["known"]),
        person=bool(person),
        people=len(name_parts) == 1 and person.get(0, 0) > len(name_parts[0]),
        name=bool(matches["name"]),
        vague=len(name_parts) == 1 and name_parts[0] in lists["name"].whole_names,
        sentence=len(header.split()) >= _SENTENCE_WORDS or _QUESTION.search(header.strip()) is not None,
        sensitive=sensitive,
        privacy=bool(lists["privacy"].match(name_parts)),
        trait=trait,
        occasion=bool(lists["occasion"].match(name_parts)),
        weight=sample_weight or bool(lists["weight"].match(name_parts)),
        sample_weight=sample_weight,
        amount=bool(lists["amount"].match(name_parts)),
        signed=bool(lists["signed"].match(name_parts)),
    )


def _is_key(name_parts: tuple[str, ...], is_person: bool, known: Mapping[int, int]) -> bool:
    """Return whether a name means a number or code of something, such as "patient id" or "id patient".

    Its last word means a key, unless the phrase is known otherwise (as "zip code" is); or its first word means a key,
    a word means a person, and there is no "of".

    Parameters
    ----------
    name_parts
        The words of the name.
    is_person
        Whether one of them means a person.
    known
        The words, by index, that mean facts which others know of a person, such as an address.
    """
    lists = name_lists()
    if lists["key"].match(name_parts[-1:]) and len(name_parts) - 1 not in known:
        return True
    return is_person and bool(lists["first-key"].match(name_parts[:1])) and "of" not in name_parts


def _is_answer(name_parts: tuple[str, ...], trait: str) -> bool:
    """Return whether a name means a score, or an answer to a question that does not ask for sex, birth or ethnicity.

    ``trait`` is the lasting trait that the name means, or empty.
    """
    asks = bool(name_lists()["question"].match(name_parts)) and trait in ("", "name")
    return asks or bool(name_lists()["answer"].match(name_parts))


def _find_roles(name_parts: tuple[str, ...]) -> tuple[list[str], dict[str, dict[int, int]]]:
    """Return the roles that the words of a name suggest, and the matches of each list of roles by the list's name.

    The roles are in the order of ``_ROLES``. A list suggests its role only by a word that no list before it matched
    with more letters; of what others know and what is confidential, the one that matched more letters counts
    ("Abschlussnote" is a mark, not a degree), or both if they match equally many. In the list of names, words such as
    "name of" together with a word for a person or a relative match, too. Matches are as in ``NameList.match``, {} for a
    list that matches no word.
    """
    roles: list[str] = []
    matches, lists = {}, name_lists()
    kept_private = lists["confidential"].match(name_parts)
    taken: dict[int, int] = {}
    for name, role in _ROLES.items():
        matches[name] = matched = lists[name].match(name_parts)
        if name == "name" and (called := lists["name-of"].match(name_parts)):
            somebody = lists["person"].match(name_parts) | lists["relative"].match(name_parts)
            matched |= {at: letters + 1 for at, letters in (called | somebody).items() if somebody}
        # "Geburtsname" is in the first list as it stands, and in the second for its beginning only.
        rivals = Counter(taken) | Counter(kept_private) if role == "quasi-identifier" else taken
        if role not in roles and any(letters >= rivals.get(position, 0) for position, letters in matched.items()):
            roles.append(role)
        taken |= {position: max(letters, taken.get(position, 0)) for position, letters in matched.items()}
    return roles, matches


def _merge_properties(header: NamedAs, label: NamedAs) -> NamedAs:
    """Return the properties that a column's name and its label suggest together: each that one of them suggests.

    If they suggest different traits, the name decides. If one of them is sensitive, only the roles ``confidential`` and
    ``quasi-identifier`` remain, in this order; otherwise the order is identifier, quasi-identifier, confidential. If
    one of them is a sample weight, ``quasi-identifier`` is left out.
    """
    flags = [field.name for field in fields(NamedAs) if field.name != "roles"]
    either = {flag: getattr(header, flag) or getattr(label, flag) for flag in flags}
    order = ["confidential", "quasi-identifier"] if either["sensitive"] else dict.fromkeys(_ROLES.values())
    roles = {*header.roles, *label.roles} - ({"quasi-identifier"} if either["sample_weight"] else set())
    return NamedAs(roles=tuple(role for role in order if role in roles), **either)


@cache
def is_in_list(header: str, name: str) -> bool:
    """Return whether the list ``name`` of ``names.toml`` matches any word of a column's name."""
    return bool(name_lists()[name].match(_drop_numbers(name_words(_replace_lookalikes(header)))))


@cache
def means_people_count(header: str) -> bool:
    """Return whether a column's whole name is one of the listed names for a number of people, as in a table of groups.

    Digits at the ends of its words do not count: "n", "members2" and "number of people" are True, "household_members"
    is False.
    """
    name_parts = _drop_numbers(name_words(header))
    return "".join(name_parts) in name_lists()["people-count"].whole


def is_called_people(header: str, label: str, kind: str) -> bool:
    """Return whether a column's name or label means people or their key, such as "patient" or "patient id".

    The word for a key may stand in one and the word for a person in the other. False for a numeric column whose name
    (not its label) means a number of people.
    """
    named = interpret_column_name(header, label)
    if kind == "numeric" and means_people_count(header):
        return False
    return named.people or (named.key and named.person)
