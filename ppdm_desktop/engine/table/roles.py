"""Suggest roles by an ordered list of rules, each with a reason; a person decides.

The rules look at a column's name, at its values, and at its relation to other columns. Where no rule applies there is
no suggestion.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Floats
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.column_names import NamedAs, named_as
from ppdm_desktop.engine.table.dates import DateFormat, guess_date_format
from ppdm_desktop.engine.table.kinds import present_texts
from ppdm_desktop.engine.table.levels import LevelMap
from ppdm_desktop.engine.table.likeness import (
    LEAST_PAIRS,
    Alike,
    Coded,
    Compared,
    alikeness,
    comparable,
    like_people,
    may_be_people,
    mirrors,
    settles_others,
)
from ppdm_desktop.engine.table.numbers import to_floats
from ppdm_desktop.engine.table.patterns import PATTERNS, count_patterns
from ppdm_desktop.engine.table.reading.looks import looks_like
from ppdm_desktop.engine.wording.values import Name, Ratio, Share, Term, Value

STRONG, WEAK = "strong", "weak"
_MOSTLY = 0.95
_NEARLY_UNIQUE = 0.9
_HALF = 0.5
_TENTH = 0.1
_MOST_OWN = 0.6
_ENOUGH_ROWS = 20
_MANY = 20
_LONG_NUMBER = 6
_SAMPLE = 20_000
_LEVEL_WORDS = 10
_WORDS_OF_TEXT = 3.0
_RISING = 0.99
_BIRTH_YEARS = (5, 110)
_COORDINATE_DECIMALS = 4
_DEGREES = (90.0, 180.0)
_BEYOND_SHARES, _BEYOND_SCORES = 5.0, 30.0
_LOOKS = {"dates": "reason.role.looks-like-dates", "amounts": "reason.role.looks-like-amounts"}
_WORD_OF_LETTERS = re.compile(r"\S*[^\W\d_]\S*")


@dataclass(frozen=True)
class RoleSuggestion:
    """The suggested role of a column, with its reason.

    Attributes
    ----------
    role
        As in the recipe, unconfirmed; None where a person has to decide.
    reason
        Text id of why.
    arguments
        Arguments of the reason.
    strength
        ``strong`` where it may be confirmed together with others, ``weak`` where it is to be looked at.
    kind
        Kind that goes with it, where the values alone would be taken for another.
    """

    role: str | None
    reason: str
    arguments: Mapping[str, Value] = field(default_factory=dict)
    strength: str = STRONG
    kind: str | None = None


def _suggest(role: str | None, reason: str, strength: str = STRONG, **arguments: Value) -> RoleSuggestion:
    """Return a suggestion of a role with its reason and strength."""
    return RoleSuggestion(role, reason, arguments, strength)


class _Facts:
    """The facts about one column that the rules use, each computed once."""

    def __init__(self, column: Column, context: _Beside) -> None:
        self.column = column
        self.beside = context
        self.named: NamedAs = named_as(column.header, column.label)
        self.texts = present_texts(column)
        self.coded = Coded.of(column)
        self.filled = self.coded.filled

    @property
    def many(self) -> bool:
        """Return whether there are more values than a categorical column has."""
        return len(self.texts) >= _MANY

    @property
    def few_repeat(self) -> bool:
        """Return whether few values cover many rows, so that the column cannot identify anybody."""
        return len(self.texts) <= _MANY and not self.mostly_own

    @property
    def mostly_own(self) -> bool:
        """Return whether there are at least half as many values as rows."""
        return len(self.texts) >= _HALF * self.filled

    @property
    def tells_people_apart(self) -> bool:
        """Return whether at least a tenth of the filled rows have different values; fewer may be codes of places."""
        return len(self.texts) >= _TENTH * self.filled

    @property
    def fractions(self) -> bool:
        """Return whether the values are numbers with decimals: measurements, which are no keys."""
        return self.column.has_fractions

    @property
    def words(self) -> bool:
        """Return whether the values are neither numbers nor dates."""
        return self.column.kind not in ("numeric", "date")

    @cached_property
    def free_text(self) -> bool:
        """Return whether the values are sentences or phrases; how often each occurs does not matter."""
        if not self.words or not self.many:
            return False
        sample = self.texts[:: max(1, len(self.texts) // _SAMPLE)]
        return sum(len(_WORD_OF_LETTERS.findall(text)) for text in sample) >= _WORDS_OF_TEXT * len(sample)

    @cached_property
    def looks(self) -> str | None:
        """Return what values that were not read as dates or amounts look like: dates, amounts, or None."""
        if self.column.kind == "date" or (self.column.kind == "numeric" and self.fractions):
            return None
        return looks_like(self.texts)

    @cached_property
    def alike(self) -> list[Alike]:
        """Return the columns in which rows with the same value agree as often as rows of one person do."""
        if self.fractions or not may_be_people(self.coded):
            return []
        return like_people(self.beside.alikeness(self.coded))

    @cached_property
    def settles(self) -> bool:
        """Return whether the value determines nearly all other columns."""
        if self.fractions or self.coded.pairs < _ENOUGH_ROWS:
            return False
        return settles_others(self.beside.alikeness(self.coded))


class _Beside:
    """The other columns of the table, as context for the rules about one column.

    Attributes
    ----------
    identifiers
        Columns that were found to point at a person, with why.
    coordinates
        Names of columns that may be degrees of latitude and longitude.
    """

    def __init__(self) -> None:
        self.identifiers: list[tuple[_Facts, RoleSuggestion]] = []
        self.coordinates: frozenset[str] = frozenset()
        self._others = Compared([], [])
        self._named: dict[str, NamedAs] = {}
        self._found: dict[str, list[Alike]] = {}

    def know(self, columns: Sequence[_Facts]) -> None:
        """Set the table's columns and compare them where rules need it."""
        lasting = {facts.column.name for facts in columns if facts.named.lasting}
        self._others = comparable([facts.coded for facts in columns], lasting)
        self._named = {facts.column.name: facts.named for facts in columns}
        degrees = [(facts, _degrees(facts)) for facts in columns]
        self.coordinates = frozenset(
            facts.column.name
            for (left, first), (right, second) in pairwise(degrees)
            if _may_be_a_position(first, second)
            for facts in (left, right)
        )

    def named(self, name: str) -> NamedAs:
        """Return what a column's name suggests."""
        return self._named[name]

    def alikeness(self, column: Coded) -> list[Alike]:
        """Return how far rows with the same value of a column agree in each other column."""
        if column.name not in self._found:
            self._found[column.name] = alikeness(column, self._others)
        return self._found[column.name]


def _degrees(facts: _Facts) -> Floats:
    """Return a column's numbers if they have as many decimals as geographic degrees; else an empty array."""
    column = facts.column
    if column.kind != "numeric" or column.style is None or column.style.decimals < _COORDINATE_DECIMALS:
        return np.empty(0)
    return to_floats(facts.texts, column.style.decimal)


def _may_be_a_position(first: Floats, second: Floats) -> bool:
    """Return whether two columns may be latitude and longitude.

    Other scores lie on both sides of zero, and near it.
    """
    if not len(first) or not len(second):
        return False
    low, high = sorted(float(np.abs(values).max()) for values in (first, second))
    if not (0 < low <= _DEGREES[0] and _BEYOND_SHARES < high <= _DEGREES[1]):
        return False
    return high > _BEYOND_SCORES or any(values.min() * values.max() > 0 for values in (first, second))


Rule = Callable[[_Facts], RoleSuggestion | None]


def _empty(facts: _Facts) -> RoleSuggestion | None:
    """Suggest ``left-out`` for a column without values; else None."""
    return _suggest("left-out", "reason.role.empty") if not facts.filled else None


def _pattern(facts: _Facts) -> RoleSuggestion | None:
    """Suggest a role from the personal pattern (such as e-mail) that nearly all values match; else None."""
    sample = facts.texts[:: max(1, len(facts.texts) // _SAMPLE)]
    counted = count_patterns(sample)
    for id, count in counted.counts.items():
        if counted.cells and count >= _MOSTLY * counted.cells:
            return _suggest("identifier", PATTERNS[id].role_reason, percent=Share(count, counted.cells, "rows"))
    return None


def _levels(facts: _Facts) -> RoleSuggestion | None:
    """Suggest ``privacy-level`` for a column of level names or with such a name; else None."""
    names = {level.name for level in LevelMap().named}
    if names.issuperset(facts.texts):
        return _suggest("privacy-level", "reason.role.levels")
    if facts.named.privacy and len(facts.texts) <= _LEVEL_WORDS:
        return _suggest("privacy-level", "reason.role.privacy-name", WEAK)
    return None


def _name(facts: _Facts, role: str, reason: str) -> RoleSuggestion | None:
    """Suggest a role if the column's name stands for it, weakly if it stands for several; else None."""
    roles = facts.named.roles
    if not roles or roles[0] != role:
        return None
    if len(roles) > 1:
        return _suggest(role, "reason.role.two-names", WEAK, first=Term(role), second=Term(roles[1]))
    return _suggest(role, reason)


def _identifier_name(facts: _Facts) -> RoleSuggestion | None:
    """Suggest ``identifier`` by name unless few values repeat; else None.

    "phone: yes" identifies nobody, so a person has to decide.
    """
    if facts.few_repeat:
        return None
    suggestion = _name(facts, "identifier", "reason.role.identifier-name")
    return suggestion if suggestion is None or facts.tells_people_apart else replace(suggestion, strength=WEAK)


def _key_name(facts: _Facts) -> RoleSuggestion | None:
    """Suggest a role for a column named as a number, code or person, if it has enough values; else None."""
    named = facts.named
    if not facts.many or facts.few_repeat or not (named.key or named.people):
        return None
    count = len(facts.texts)
    if named.people or named.person:
        strength = STRONG if facts.tells_people_apart or _stays_with_people(facts) else WEAK
        reason = "reason.role.person-name" if named.people else "reason.role.person-key"
        return _suggest("identifier", reason, strength, count=count)
    if facts.mostly_own:
        return _suggest("identifier", "reason.role.number-name")
    if facts.alike:
        return _like_people(facts)
    return _suggest("identifier", "reason.role.key-name", WEAK, count=count)


def _quasi_name(facts: _Facts) -> RoleSuggestion | None:
    """Suggest ``quasi-identifier`` by the column's name; else None."""
    return _name(facts, "quasi-identifier", "reason.role.quasi-name")


def _confidential_name(facts: _Facts) -> RoleSuggestion | None:
    """Suggest ``confidential`` by the column's name; else None."""
    return _name(facts, "confidential", "reason.role.confidential-name")


def _doubted(facts: _Facts, role_suggestion: RoleSuggestion) -> RoleSuggestion:
    """Return a suggestion by name, weakened if it would release a column of keys or of free text."""
    if (
        role_suggestion.role not in ("quasi-identifier", "confidential")
        or not facts.words
        or role_suggestion.strength == WEAK
    ):
        return role_suggestion
    if len(facts.texts) > _MOST_OWN * facts.filled and (_likeness(facts) or _stands_for(facts)):
        return _suggest(role_suggestion.role, "reason.role.name-and-key", WEAK)
    if facts.column.kind == "text":
        return replace(_suggest(role_suggestion.role, "reason.role.name-and-text", WEAK), kind="text")
    if role_suggestion.role == "confidential" and _unique(facts):
        return _suggest(role_suggestion.role, "reason.role.name-and-key", WEAK)
    return role_suggestion


def _firm(facts: _Facts, role_suggestion: RoleSuggestion) -> RoleSuggestion:
    """Return a weak suggestion of an identifier as a strong one if the column corresponds one to one to a strong one.

    A badge number repeats exactly as the name does.
    """
    if role_suggestion.role != "identifier" or role_suggestion.strength == STRONG:
        return role_suggestion
    mirrored = _mirrors(facts)
    return role_suggestion if mirrored is None or mirrored.strength == WEAK else mirrored


def repeats_like_people(column: Column, role_suggestion: RoleSuggestion) -> bool:
    """Return whether a column may hold person ids in several rows.

    By its suggestion or its name, and because it repeats.
    """
    key = role_suggestion.reason in ("reason.role.alike", "reason.role.person-key", "reason.role.person-name")
    return key and Coded.of(column).pairs >= LEAST_PAIRS


def _likeness(facts: _Facts) -> RoleSuggestion | None:
    """Suggest ``identifier`` if rows with the same value agree as rows of one person do; else None."""
    return _like_people(facts) if facts.alike else None


def _stays_with_people(facts: _Facts) -> list[Alike]:
    """Return the columns, named as lasting traits such as sex, in which rows with the same value agree."""
    return [agreement for agreement in facts.alike if facts.beside.named(agreement.column).lasting]


def _like_people(facts: _Facts) -> RoleSuggestion:
    """Suggest ``identifier`` because rows with the same value agree in another column, best in a lasting trait."""
    lasting = _stays_with_people(facts)
    agreement = (lasting or facts.alike)[0]
    strength = STRONG if lasting else WEAK
    return _suggest(
        "identifier", "reason.role.alike", strength, column=Name(agreement.column), share=Ratio(agreement.share)
    )


def _stands_for(facts: _Facts) -> RoleSuggestion | None:
    """Suggest ``identifier`` for a column that mirrors an identifier or determines nearly all others; else None."""
    return _mirrors(facts) or (_suggest("identifier", "reason.role.settles", WEAK) if facts.settles else None)


def _mirrors(facts: _Facts) -> RoleSuggestion | None:
    """Suggest ``identifier`` for a column that corresponds one to one to an identifier; else None."""
    for identifier, suggestion in sorted(facts.beside.identifiers, key=lambda item: item[1].strength != STRONG):
        progress.check()
        if identifier is not facts and mirrors(facts.coded, identifier.coded):
            return _suggest(
                "identifier", "reason.role.mirrors", suggestion.strength, column=Name(identifier.column.name)
            )
    return None


def _not_understood(facts: _Facts) -> RoleSuggestion | None:
    """Suggest no role for values that look like dates or amounts and are not read as such; else None."""
    return None if facts.looks is None else _suggest(None, _LOOKS[facts.looks], WEAK)


def _free_text(facts: _Facts) -> RoleSuggestion | None:
    """Suggest ``left-out`` for a column of freely written text; else None."""
    return replace(_suggest("left-out", "reason.role.freely-written", WEAK), kind="text") if facts.free_text else None


def _unique(facts: _Facts) -> RoleSuggestion | None:
    """Suggest ``identifier`` for nearly unique texts, row counters and long numbers of one length; else None."""
    column, count = facts.column, facts.filled
    distinct = len(facts.texts)
    if count < _ENOUGH_ROWS:
        return None
    if facts.words:
        if distinct < _NEARLY_UNIQUE * count or facts.looks:
            return None
        if distinct == count:
            return _suggest("identifier", "reason.role.unique", count=count)
        return _suggest("identifier", "reason.role.nearly-unique", count=count, distinct=distinct)
    if column.kind != "numeric" or column.style is None or column.style.decimals:
        return None
    numbers = to_floats(facts.texts, column.style.decimal)
    if distinct == count:
        if numbers.max() - numbers.min() == count - 1:
            return _suggest("identifier", "reason.role.row-number", count=count)
        lengths = set(map(len, facts.texts))
        if len(lengths) == 1 and lengths.pop() >= _LONG_NUMBER:
            return _suggest("identifier", "reason.role.unique", count=count)
    in_rows = column.numbers[~column.missing]
    if facts.mostly_own and float((np.diff(in_rows) >= 0).mean()) >= _RISING:
        return _suggest("identifier", "reason.role.rising", WEAK)
    return None


def _date(facts: _Facts) -> RoleSuggestion | None:
    """Suggest ``quasi-identifier`` for dates over as many years as people are old; else None."""
    if facts.column.kind != "date":
        return None
    form = DateFormat.parse(facts.column.date_format) if facts.column.date_format else None
    form = form or guess_date_format(facts.texts).format
    if form is None:
        return None
    years = [read[0].year for text in facts.texts if (read := form.read(text)) is not None]
    if years and _BIRTH_YEARS[0] <= max(years) - min(years) <= _BIRTH_YEARS[1]:
        return _suggest("quasi-identifier", "reason.role.date", WEAK)
    return None


def _coordinates(facts: _Facts) -> RoleSuggestion | None:
    """Suggest ``quasi-identifier`` for a column of latitudes or longitudes; else None."""
    if facts.column.name in facts.beside.coordinates:
        return _suggest("quasi-identifier", "reason.role.coordinates", WEAK)
    return None


def _one_value(facts: _Facts) -> RoleSuggestion | None:
    """Suggest ``other`` for a column with the same value in all rows; else None."""
    return (
        _suggest("other", "reason.role.one-value")
        if len(facts.texts) == 1 and facts.filled == len(facts.column)
        else None
    )


FIRST: tuple[Rule, ...] = (
    _empty,
    _pattern,
    _levels,
    _identifier_name,
    _key_name,
    _quasi_name,
    _confidential_name,
    _likeness,
)
"""Rules that need no identifier to be known, in their order."""
THEN: tuple[Rule, ...] = (_stands_for, _not_understood, _free_text, _unique, _date, _coordinates, _one_value)
"""Rules for what those left open, beside the identifiers they found."""


def suggest_roles(table: Table) -> dict[str, RoleSuggestion]:
    """Return a role suggestion for each column, by name: that of the first rule that applies.

    Parameters
    ----------
    table
        As read: kinds are those that the values bear out.

    Raises
    ------
    Cancelled
        When the work was stopped.
    """
    context = _Beside()
    columns = []
    for column in table.columns:
        progress.check()
        columns.append(_Facts(column, context))
    context.know(columns)
    suggestions: dict[str, RoleSuggestion] = {}
    for done, facts in enumerate(columns):
        progress.report(0.7 * done / len(columns), "doing.roles")
        suggestion = _first(FIRST, facts)
        if suggestion is not None:
            suggestions[facts.column.name] = suggestion
            if suggestion.role == "identifier":
                context.identifiers.append((facts, suggestion))
    undecided = _suggest(None, "reason.role.undecided", WEAK)
    for done, facts in enumerate(columns):
        progress.report(0.7 + 0.3 * done / len(columns), "doing.roles")
        name = facts.column.name
        if name in suggestions:
            suggestions[name] = _firm(facts, _doubted(facts, suggestions[name]))
        else:
            suggestions[name] = _first(THEN, facts) or undecided
    return {name: suggestions[name] for name in table.names}


def _first(rules: Sequence[Rule], facts: _Facts) -> RoleSuggestion | None:
    """Return the suggestion of the first rule that makes one; else None."""
    return next((note for rule in rules if (note := rule(facts)) is not None), None)
