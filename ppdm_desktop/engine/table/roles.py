"""Suggesting a role for each column by an ordered list of rules, each with a reason; a person decides.

The rules look at a column's name, at its values, and at its relation to other columns. Where no rule applies, no role
is suggested.
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
from ppdm_desktop.engine.table.column import Column, Table, to_floats
from ppdm_desktop.engine.table.column_names import (
    NamedAs,
    interpret_column_name,
    is_called_people,
    is_in_list,
    means_people_count,
    name_lists,
    name_words,
)
from ppdm_desktop.engine.table.dates import DateFormat, guess_date_format
from ppdm_desktop.engine.table.full_names import given_name
from ppdm_desktop.engine.table.kinds import present_texts
from ppdm_desktop.engine.table.levels import LevelMap
from ppdm_desktop.engine.table.likeness import (
    LEAST_PAIRS,
    Agreement,
    Coded,
    Compared,
    determines_others,
    evidence_of_people,
    find_record_key,
    is_one_to_one,
    measure_agreement,
    select_comparable_columns,
)
from ppdm_desktop.engine.table.patterns import PATTERNS, count_patterns
from ppdm_desktop.engine.table.reading.long_numbers import are_cut
from ppdm_desktop.engine.table.reading.looks import classify_texts
from ppdm_desktop.engine.table.rules.pairs import determines_either
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Name, Ratio, Share, Term, Value

STRONG, WEAK = "strong", "weak"
_MOSTLY = 0.95
_NEARLY_UNIQUE = 0.9
_HALF = 0.5
_TENTH = 0.1
_MOST_DISTINCT = 0.6
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
_UNDECIDED = "reason.role.undecided"
_ONE_TOWN, _ONE_REGION, _LONG_REGION = 1.0, 20.0, 6.0
_PLACES, _STRIDE, _NEARER = 2000, 1009, 0.7
_FEWEST_NAMES, _NAMES_READ = 2, 2000
_ANSWERS, _LONGEST_ANSWER = 11, 3
_MEETINGS, _MOST_KEYS = 7.0, 2
_LIGHTEST_BODY = 2.0
_NAME = re.compile(r"(?=.*(?:[^\W\d_]{2}|[^\x00-\u02ff]))[^\W\d_][^\d_@]{0,59}")
_SEVERAL_CAPITALS = re.compile(r"^[^\Wa-z\d_].*[ .][^\Wa-z\d_]")
_DIGIT_OR_AT = re.compile(r"[\d@]")
_WORD_OF_LETTERS = re.compile(r"\S*[^\W\d_]\S*")


@dataclass(frozen=True)
class RoleSuggestion:
    """The suggested role of a column, with its reason.

    Attributes
    ----------
    role
        A role of the recipe (``identifier``, ``other`` and so on), unconfirmed; None where a person has to decide.
    reason
        Id of the message that says why.
    arguments
        The values to fill into the message.
    strength
        ``strong`` where it may be confirmed together with others, ``weak`` where a person should look at the column.
    kind
        The kind to give the column with this role, where its values alone would suggest another; else None.
    repeats_like_people
        Whether the column may hold person ids that occur in several rows.
    """

    role: str | None
    reason: str
    arguments: Mapping[str, Value] = field(default_factory=dict)
    strength: str = STRONG
    kind: str | None = None
    repeats_like_people: bool = False


def _make_suggestion(role: str | None, reason: str, strength: str = STRONG, **arguments: Value) -> RoleSuggestion:
    """Return a suggestion of a role; ``reason`` is the id of a message, and ``arguments`` are to be filled into it."""
    return RoleSuggestion(role, reason, arguments, strength)


class _Facts:
    """The facts about one column that the rules use, each computed once."""

    def __init__(self, column: Column, context: _TableFacts) -> None:
        """Interpret the column's name and list its values; other facts are computed when they are asked for.

        ``context`` has the facts about the other columns.
        """
        self.column = column
        self.of_table = context
        self.named: NamedAs = interpret_column_name(column.header, column.label)
        self.texts = present_texts(column)
        self.coded = Coded.of(column)
        self.filled = self.coded.filled

    @property
    def many(self) -> bool:
        """Return whether the column has 20 different values or more, which a categorical column seldom has."""
        return len(self.texts) >= _MANY

    @property
    def few_repeat(self) -> bool:
        """Return whether at most 20 values fill more than twice as many rows, so that the column identifies nobody."""
        return len(self.texts) <= _MANY and not self.mostly_distinct

    @property
    def mostly_distinct(self) -> bool:
        """Return whether at least half as many different values exist as filled rows."""
        return len(self.texts) >= _HALF * self.filled

    @property
    def tells_people_apart(self) -> bool:
        """Return whether at least a tenth as many different values exist as filled rows (fewer may be places)."""
        return len(self.texts) >= _TENTH * self.filled

    @property
    def fractions(self) -> bool:
        """Return whether some value is no whole number or the file calls the column a weight: no key is like that."""
        return self.column.has_fractions

    @property
    def counts_people(self) -> bool:
        """Return whether the column is numeric and its whole name means a number of people, as "members" does.

        The name has to be in the list of such names ("n", "inhabitants"), apart from digits at the ends of its words:
        "members2" is True, "household_members" is False.
        """
        return self.column.kind == "numeric" and means_people_count(self.column.header)

    @property
    def is_text(self) -> bool:
        """Return whether the column is neither numeric nor a date column."""
        return self.column.kind not in ("numeric", "date")

    @cached_property
    def free_text(self) -> bool:
        """Return whether the column has 20 or more different texts with three words or more on average.

        How often each text occurs does not matter. False for numbers and dates.
        """
        if not self.is_text or not self.many:
            return False
        sample = self.texts[:: max(1, len(self.texts) // _SAMPLE)]
        return sum(len(_WORD_OF_LETTERS.findall(text)) for text in sample) >= _WORDS_OF_TEXT * len(sample)

    @cached_property
    def looks(self) -> str | None:
        """Return ``dates`` or ``amounts`` where the values look like these but were not read as such; else None.

        None also for date columns, and for numeric columns with decimals.
        """
        has_decimals = self.column.style is not None and self.column.style.decimals > 0
        if self.column.kind == "date" or (self.column.kind == "numeric" and has_decimals):
            return None
        return classify_texts(self.texts)

    @cached_property
    def agreements(self) -> list[Agreement]:
        """Return the columns whose agreement suggests that this column's values are people, strongest first.

        Empty for numbers with fractions and for columns named as weights.
        """
        return [] if self.fractions or self.named.weight else self.of_table.evidence_of_people(self.coded)

    @cached_property
    def differs_in_traits(self) -> bool:
        """Return whether rows with the same value seldom agree in a person's lasting traits, such as sex.

        True if the likeness (1 if all such rows agree, 0 if as many as any two rows) is below 0.5 for every column of
        such a trait, as for a teacher's name among pupils. False where no such column can be compared.
        """
        agreeing = [
            agreement
            for agreement in self.of_table.list_agreements(self.coded)
            if self.of_table.is_lasting(agreement.column)
        ]
        return bool(agreeing) and max(agreement.likeness for agreement in agreeing) < _HALF

    @cached_property
    def may_be_names(self) -> bool:
        """Return whether at least 95 % of the different values may be names of people by their form.

        They begin with a letter, hold more than accents, have at most 60 characters, neither digits nor "@", and their
        first word is no common answer such as "yes". False for numbers and dates, and for fewer than two different
        values. Places and products can have this form too.
        """
        if not self.is_text or len(self.texts) < _FEWEST_NAMES:
            return False
        sample = self.texts[:: max(1, len(self.texts) // _SAMPLE)]
        no_names = name_lists()["no-name"].whole
        names = sum(bool(_NAME.fullmatch(text.strip()) and {*name_words(text)[:1]} - no_names) for text in sample)
        return names >= _MOSTLY * len(sample)

    @cached_property
    def never_twice(self) -> bool:
        """Return whether whole numbers are all different although as many random numbers from their range would not be.

        True for 1,000 different numbers between 1 and 10,000. False for columns that are not numeric or have decimals,
        and for fewer than 20 filled rows.
        """
        count, style = self.filled, self.column.style
        if (
            self.column.kind != "numeric"
            or style is None
            or style.decimals
            or len(self.texts) < max(count, _ENOUGH_ROWS)
        ):
            return False
        numbers = to_floats(self.texts, style.decimal)
        return count * (count - 1) / 2 >= _MEETINGS * (float(np.ptp(numbers)) + 1)

    @cached_property
    def roles(self) -> list[str]:
        """Return the roles that the column's name suggests and its values do not contradict.

        If the name is a question, the values must be possible answers. A weight of a row is no quasi-identifier,
        although the weight of a body is.
        """
        roles = [role for role in self.named.roles if not self.named.sentence or self._fits_question(role)]
        return [role for role in roles if not (self._is_survey_weight and role == "quasi-identifier")]

    @property
    def _is_survey_weight(self) -> bool:
        """Return whether the values are survey weights of rows, rather than weights of people's bodies.

        The file may say so; or the name means a weight, and the values have fractions and a mean, over rows, below 2.
        """
        if self.column.is_weight or not (self.named.weight and self.fractions):
            return self.column.is_weight
        values, rows = self.column.counted_numbers()
        return bool(np.average(values, weights=rows) < _LIGHTEST_BODY)

    def _fits_question(self, role: str) -> bool:
        """Return whether the values fit a column whose name, such as "What is your name?", suggests this role.

        - ``identifier``: if a name is asked for, the values have the form of names; else more than half of the texts
        have a digit or "@", as addresses do; a column of numbers or dates has a value of six characters or more.
        - ``confidential``: always.
        - ``quasi-identifier``: the values are no answers on a scale (at most 11 numbers of up to 3 characters, since 1
        to 5 are no towns), unless a lasting trait of a person or an amount is asked for.
        """
        if role == "identifier" and self.named.name:
            return self.may_be_names
        if role == "identifier" and self.is_text:
            return sum(bool(_DIGIT_OR_AT.search(text)) for text in self.texts) > _HALF * len(self.texts)
        if role == "identifier":
            return len(max(self.texts, key=len, default="")) >= _LONG_NUMBER
        longest = max(map(len, self.texts), default=0)
        scale = self.column.kind == "numeric" and len(self.texts) <= _ANSWERS and longest <= _LONGEST_ANSWER
        return role == "confidential" or not scale or bool(self.named.trait) or self.named.amount

    @cached_property
    def settles(self) -> bool:
        """Return whether rows with the same value agree in nearly all other columns that can be compared.

        Nearly all are four in five. False for values with fractions, where values repeat fewer than 20 times (a value
        in n rows repeats n - 1 times), and where fewer than three other columns can be compared.
        """
        if self.fractions or self.coded.pairs < _ENOUGH_ROWS:
            return False
        return determines_others(self.of_table.list_agreements(self.coded))


class _TableFacts:
    """Facts about the other columns of the table, which the rules about one column use.

    Attributes
    ----------
    identifiers
        Columns for which the role ``identifier`` was suggested so far, with the suggestion.
    coordinates
        Names of columns that may be degrees of latitude and longitude.
    record_key, occasion
        The column that tells records with several events apart, and the column of the events; "" without one.
    never_twice
        How many columns of whole numbers never repeat a number; if there are several, they are measurements, not keys.
    """

    def __init__(self) -> None:
        """Begin without any facts; ``compute_facts`` sets them."""
        self.identifiers: list[tuple[_Facts, RoleSuggestion]] = []
        self.coordinates: frozenset[str] = frozenset()
        self.record_key = self.occasion = ""
        self.never_twice = 0
        self._others = Compared([], [])
        self._traits: dict[str, str] = {}
        self._likenesses: dict[str, list[Agreement]] = {}

    def compute_facts(self, columns: Sequence[_Facts]) -> None:
        """Compute and store the facts that concern several columns of the table.

        These are: columns of lasting traits such as sex, columns in which rows can be compared, the key of records with
        several events and the first column of events, how many number columns never repeat, and pairs of neighbouring
        columns that may be coordinates.
        """
        self._traits = {facts.column.name: facts.named.trait for facts in columns if facts.named.trait}
        self._others = select_comparable_columns([facts.coded for facts in columns], self._traits)
        occasions = [facts.column.name for facts in columns if facts.named.occasion]
        self.record_key = find_record_key([facts.coded for facts in columns], occasions)
        self.occasion = next(iter(occasions), "")
        self.never_twice = sum(facts.never_twice for facts in columns)
        degrees = [(facts, _find_degrees(facts)) for facts in columns]
        self.coordinates = frozenset(
            facts.column.name
            for (left, first), (right, second) in pairwise(degrees)
            if _may_be_coordinates(first, second)
            for facts in (left, right)
        )

    @property
    def about_things(self) -> bool:
        """Return whether no column is named as sex, birth or ethnicity, so that a "name" may be the name of a thing."""
        return not set(self._traits.values()) - {"name"}

    def is_lasting(self, name: str) -> bool:
        """Return whether a column's name means a lasting trait of a person: sex, birth, ethnicity or name."""
        return name in self._traits

    def evidence_of_people(self, column: Coded) -> list[Agreement]:
        """Return the columns whose agreement suggests that a column's values are people, strongest first."""
        return evidence_of_people(column, self._others, self._traits)

    def list_agreements(self, column: Coded) -> list[Agreement]:
        """Return how far rows with the same value of this column agree in each comparable column; computed once.

        The entries are in the order of the table. The column itself is left out, as are columns in which fewer than 20
        pairs of such rows can be compared; empty where no value repeats.
        """
        if column.name not in self._likenesses:
            self._likenesses[column.name] = measure_agreement(column, self._others)
        return self._likenesses[column.name]


def _find_degrees(facts: _Facts) -> Floats:
    """Return each row's number, NaN where missing, if the column has at least four decimals, as coordinates have.

    For other columns, and for weights, the array is empty.
    """
    column = facts.column
    is_weight = facts.named.weight or column.is_weight
    if is_weight or column.kind != "numeric" or column.style is None or column.style.decimals < _COORDINATE_DECIMALS:
        return np.empty(0)
    return np.where(column.missing, np.nan, column.numbers)


def _may_be_coordinates(first: Floats, second: Floats) -> bool:
    """Return whether two columns, row by row, may be latitude and longitude although no name says so.

    One column must stay within 90 and the other within 180 degrees, and go beyond 5. If both stay within 30, one must
    have a single sign, since scores lie on both sides of zero. The places must lie within one degree, or near one
    another more often than by chance within a region of 20 degrees that is at most six times as long as wide. False for
    fewer than 20 rows in which both are filled, or arrays of different length.
    """
    if not len(first) or len(first) != len(second):
        return False
    filled = ~(np.isnan(first) | np.isnan(second))
    first, second = first[filled], second[filled]
    if len(first) < _ENOUGH_ROWS:
        return False
    low, high = sorted(float(np.abs(values).max()) for values in (first, second))
    if not (0 < low <= _DEGREES[0] and _BEYOND_SHARES < high <= _DEGREES[1]):
        return False
    if high <= _BEYOND_SCORES and not any(values.min() * values.max() > 0 for values in (first, second)):
        return False
    spans = [float(np.ptp(values)) for values in (first, second)]
    if max(spans) <= _ONE_TOWN:
        return True
    return max(spans) <= min(_ONE_REGION, _LONG_REGION * min(spans)) and _lie_closer_than_shuffled(first, second)


def _lie_closer_than_shuffled(first: Floats, second: Floats) -> bool:
    """Return whether the points of two columns lie much nearer to each other than with one column shuffled.

    The mean distance to the nearest neighbour, computed from ranks, must be less than 0.7 times the shuffled one. Of
    more than 2,000 rows a regular sample is used.
    """
    from scipy.spatial import cKDTree  # late: SciPy takes longer to load than most commands to run

    rows = np.linspace(0, len(first) - 1, min(len(first), _PLACES)).astype(int)
    ranks = [np.argsort(np.argsort(values[rows], kind="stable")).astype(float) for values in (first, second)]
    shuffled = ranks[1][(np.arange(len(rows)) * _STRIDE + 1) % len(rows)]

    def distance(second_ranks: Floats) -> float:
        """Return the mean distance of a row to its nearest neighbour, given the ranks of the second column."""
        points = np.column_stack((ranks[0], second_ranks))
        return float(cKDTree(points).query(points, k=2)[0][:, 1].mean())

    return distance(ranks[1]) < _NEARER * distance(shuffled)


Rule = Callable[[_Facts], RoleSuggestion | None]


def _suggest_for_empty(facts: _Facts) -> RoleSuggestion | None:
    """Return the suggestion ``left-out`` for a column without values; else None."""
    return _make_suggestion("left-out", "reason.role.empty") if not facts.filled else None


def _suggest_by_pattern(facts: _Facts) -> RoleSuggestion | None:
    """Return the suggestion ``identifier`` if 95 % of the different texts match one pattern, such as e-mail; else None.

    Of 40,000 texts or more a regular sample is used.
    """
    sample = facts.texts[:: max(1, len(facts.texts) // _SAMPLE)]
    counted = count_patterns(sample)
    for id, count in counted.counts.items():
        if counted.cells and count >= _MOSTLY * counted.cells:
            share, kind = Share(count, counted.cells, "rows"), Note(PATTERNS[id].plural)
            return _make_suggestion("identifier", "reason.role.pattern", percent=share, kind=kind)
    return None


def _suggest_by_dictionary(facts: _Facts) -> RoleSuggestion | None:
    """Return the suggestion ``identifier`` for a column that the data dictionary marks as one; else None."""
    return _make_suggestion("identifier", "reason.role.dictionary") if facts.column.is_identifier else None


def _suggest_privacy_level(facts: _Facts) -> RoleSuggestion | None:
    """Return the suggestion ``privacy-level`` if all values are names of built-in privacy levels; else None.

    It is also suggested, weakly, if the column's name means a wish for privacy and it has at most ten different values.
    """
    names = {level.name for level in LevelMap().named}
    if names.issuperset(facts.texts):
        return _make_suggestion("privacy-level", "reason.role.levels")
    if facts.named.privacy and len(facts.texts) <= _LEVEL_WORDS:
        return _make_suggestion("privacy-level", "reason.role.privacy-name", WEAK)
    return None


def _suggest_by_name(facts: _Facts, role: str, reason: str) -> RoleSuggestion | None:
    """Return the suggestion of ``role`` if it is the first role that the column's name suggests; else None.

    It is strong if the name suggests this role only, else weak. Where at most 20 different values fill more than twice
    as many rows, ``identifier`` is not counted among the roles, unless it is the wanted ``role``. ``reason`` is the id
    of the message that says why a suggestion is strong.
    """
    roles = [known for known in facts.roles if known == role or known != "identifier" or not facts.few_repeat]
    if not roles or roles[0] != role:
        return None
    if len(roles) > 1:
        return _make_suggestion(role, "reason.role.two-names", WEAK, first=Term(role), second=Term(roles[1]))
    return _make_suggestion(role, reason)


def _suggest_identifier_by_name(facts: _Facts) -> RoleSuggestion | None:
    """Return the suggestion ``identifier`` if the column's name suggests it; else None.

    None if at most 20 different values fill more than twice as many rows and are no names of people: "phone: yes"
    identifies nobody. It is weak if the name suggests a further role, or if there are fewer different values than a
    tenth of the filled rows; otherwise strong. So few values do not make it weak if they are names of people, unless
    the column's name says only "name" and the table may be about things.
    """
    names = facts.named.name and facts.may_be_names
    if facts.few_repeat and not names:
        return None
    suggestion = _suggest_by_name(facts, "identifier", "reason.role.identifier-name")
    if (
        suggestion is None
        or facts.tells_people_apart
        or (names and not (facts.named.vague and facts.of_table.about_things))
    ):
        return suggestion
    return replace(suggestion, strength=WEAK)


def _suggest_record_key(facts: _Facts) -> RoleSuggestion | None:
    """Return the suggestion ``identifier`` if this column is the key of records that have several events; else None.

    A patient number with several visits is such a key. The suggestion is strong; its reason names the column of the
    events.
    """
    if facts.column.name != facts.of_table.record_key:
        return None
    return _make_suggestion("identifier", "reason.role.events", column=Name(facts.of_table.occasion))


def _suggest_by_key_name(facts: _Facts) -> RoleSuggestion | None:
    """Return the suggestion ``identifier`` for a column named as a key or person with at least 20 values; else None.

    None also where 20 values fill more than 40 rows, and for a number of people. For a name that means people the
    suggestion is strong if there are a tenth as many values as filled rows, or if rows with the same value agree in a
    lasting trait such as sex. For any other key it is strong if there are half as many values as filled rows, else as
    `_suggest_by_agreement` finds. Otherwise it is weak, since the values may be codes of places.
    """
    named = facts.named
    if not facts.many or facts.few_repeat or not (named.key or named.people) or facts.counts_people:
        return None
    count = len(facts.texts)
    if named.people or named.person:
        strength = STRONG if facts.tells_people_apart or _stays_with_people(facts) else WEAK
        reason = "reason.role.person-name" if named.people else "reason.role.person-key"
        return _make_suggestion("identifier", reason, strength, count=count)
    if facts.mostly_distinct:
        return _make_suggestion("identifier", "reason.role.key-name", count=count)
    if facts.agreements:
        return _suggest_by_agreement(facts)
    return _make_suggestion("identifier", "reason.role.key-name", WEAK, count=count)


def _suggest_quasi_identifier(facts: _Facts) -> RoleSuggestion | None:
    """Return the suggestion ``quasi-identifier`` if the column's name suggests it; else None."""
    return _suggest_by_name(facts, "quasi-identifier", "reason.role.quasi-name")


def _suggest_confidential(facts: _Facts) -> RoleSuggestion | None:
    """Return the suggestion ``confidential`` if the column's name suggests it first; else None.

    It is weak if the name suggests a further role, else strong. For a date column named as the day on which somebody
    left or died it is a strong ``quasi-identifier`` instead, since others know that day.
    """
    suggestion = _suggest_by_name(facts, "confidential", "reason.role.confidential-name")
    if suggestion is not None and facts.column.kind == "date" and is_in_list(facts.column.header, "ended"):
        return _make_suggestion("quasi-identifier", "reason.role.quasi-name")
    return suggestion


def _weaken_if_uncertain(facts: _Facts, role_suggestion: RoleSuggestion) -> RoleSuggestion:
    """Return a weak suggestion of the same role if the column's texts look like keys or free text.

    Only strong suggestions of ``quasi-identifier`` and ``confidential`` are weakened, for columns that are neither
    numeric nor dates; any other is returned unchanged. Texts look like keys if 100 filled rows have more than 60
    different ones and other columns show it, or, for ``confidential``, if they are nearly unique. Free text is a column
    of the kind ``text``, which is then suggested as well.
    """
    if (
        role_suggestion.role not in ("quasi-identifier", "confidential")
        or not facts.is_text
        or role_suggestion.strength == WEAK
    ):
        return role_suggestion
    if len(facts.texts) > _MOST_DISTINCT * facts.filled and (
        _suggest_by_likeness(facts) or _suggest_mirror_or_key(facts)
    ):
        return _make_suggestion(role_suggestion.role, "reason.role.name-and-key", WEAK)
    if facts.column.kind == "text":
        return replace(_make_suggestion(role_suggestion.role, "reason.role.name-and-text", WEAK), kind="text")
    if role_suggestion.role == "confidential" and _suggest_for_unique(facts):
        return _make_suggestion(role_suggestion.role, "reason.role.name-and-key", WEAK)
    return role_suggestion


def _strengthen_if_mirrored(facts: _Facts, role_suggestion: RoleSuggestion) -> RoleSuggestion:
    """Return a strong suggestion in place of a weak identifier that corresponds one to one to a strong identifier.

    For example, a badge number that repeats exactly as the name does. Any other suggestion is returned unchanged.
    """
    if role_suggestion.role != "identifier" or role_suggestion.strength == STRONG:
        return role_suggestion
    mirrored = _suggest_mirror(facts)
    return role_suggestion if mirrored is None or mirrored.strength == WEAK else mirrored


def _repeats_like_people(facts: _Facts, role_suggestion: RoleSuggestion) -> bool:
    """Return whether a suggested identifier may hold person ids that occur in several rows.

    False for other roles, and where values repeat fewer than 20 times (a value in n rows repeats n - 1 times). True for
    a column named as a person's number ("patient id") or found to be the key of events. A column named for people
    ("teacher") counts unless rows with the same value seldom agree in lasting traits, as pupils of one teacher do, and
    the name means no number. Any other, except one of people's names, counts if rows with the same value agree in such
    a trait.
    """
    if role_suggestion.role != "identifier" or facts.coded.pairs < LEAST_PAIRS:
        return False
    if role_suggestion.reason in ("reason.role.person-key", "reason.role.events"):
        return True
    if is_called_people(facts.column.header, facts.column.label, facts.column.kind):
        return facts.named.key or not facts.differs_in_traits
    return facts.named.trait != "name" and _stays_with_people(facts)


def _suggest_by_likeness(facts: _Facts) -> RoleSuggestion | None:
    """Return the suggestion ``identifier`` if rows with the same value agree as rows of one person do; else None."""
    return _suggest_by_agreement(facts) if facts.agreements else None


def _stays_with_people(facts: _Facts) -> bool:
    """Return whether rows with the same value agree in a lasting trait of a person, such as sex."""
    return bool(facts.agreements) and facts.of_table.is_lasting(facts.agreements[0].column)


def _suggest_by_agreement(facts: _Facts) -> RoleSuggestion:
    """Return the suggestion ``identifier`` because rows with the same value agree in another column.

    The reason names that column. It is strong if this is a lasting trait such as sex, or is filled in a single row of
    nearly every repeated value; else weak. ``facts.agreements`` must not be empty.
    """
    agreement = facts.agreements[0]
    if agreement.once:
        return _make_suggestion("identifier", "reason.role.filled-once", column=Name(agreement.column))
    strength = STRONG if _stays_with_people(facts) else WEAK
    return _make_suggestion(
        "identifier", "reason.role.alike", strength, column=Name(agreement.column), share=Ratio(agreement.share)
    )


def _suggest_mirror_or_key(facts: _Facts) -> RoleSuggestion | None:
    """Return the suggestion ``identifier`` for a column that mirrors an identifier or determines nearly all others.

    It mirrors one when the two columns correspond one to one; this is as strong as that identifier's suggestion. A
    column that determines nearly all others gives a weak one. None for any other column.
    """
    return _suggest_mirror(facts) or (
        _make_suggestion("identifier", "reason.role.settles", WEAK) if facts.settles else None
    )


def _suggest_mirror(facts: _Facts) -> RoleSuggestion | None:
    """Return the suggestion ``identifier`` for a column that corresponds one to one to an identifier; else None.

    It is as strong as that identifier's suggestion; strong ones are tried first.
    """
    for identifier, suggestion in sorted(facts.of_table.identifiers, key=lambda item: item[1].strength != STRONG):
        progress.check()
        if identifier is not facts and is_one_to_one(facts.coded, identifier.coded):
            return _make_suggestion(
                "identifier", "reason.role.mirrors", suggestion.strength, column=Name(identifier.column.name)
            )
    return None


def _suggest_none_if_unread(facts: _Facts) -> RoleSuggestion | None:
    """Return a weak suggestion without a role for dates or amounts that were read as something else.

    Its role is None: the user corrects the reading first, as of "1.234,50 €" read as text, or 20240305 read as a
    number. None is returned if the values look like neither, or were read so.
    """
    return None if facts.looks is None else _make_suggestion(None, "reason.role.looks-unread", WEAK)


def _suggest_by_person_values(facts: _Facts) -> RoleSuggestion | None:
    """Return a weak suggestion for a column whose values are words for sex or full names of people; else None.

    Words for sex (in all of the first 20 different values) give ``quasi-identifier``, names ``identifier``. Values are
    names if the column's name means people and all are several words with capitals, or if more than half of a sample
    are full names with a known given name. None for numbers and dates, and for a single different value.
    """
    if not facts.is_text or len(facts.texts) < _FEWEST_NAMES:
        return None
    if facts.named.people and facts.may_be_names and all(map(_SEVERAL_CAPITALS.search, facts.texts)):
        return _make_suggestion("identifier", "reason.role.person-name", WEAK, count=len(facts.texts))
    sexes = name_lists()["sex-values"].whole
    if all("".join(name_words(text)) in sexes for text in facts.texts[:_MANY]):
        return _make_suggestion("quasi-identifier", "reason.role.sexes", WEAK)
    sample = facts.texts[:: max(1, len(facts.texts) // _NAMES_READ)]
    share = sum(given_name(text) is not None for text in sample) / len(sample)
    return _make_suggestion("identifier", "reason.role.full-names", WEAK, share=Ratio(share)) if share > _HALF else None


def _suggest_for_free_text(facts: _Facts) -> RoleSuggestion | None:
    """Return the weak suggestion ``left-out``, with the kind text, for a column of freely written text; else None.

    Such a column has 20 or more different texts of three words or more on average.
    """
    return (
        replace(_make_suggestion("left-out", "reason.role.freely-written", WEAK), kind="text")
        if facts.free_text
        else None
    )


def _suggest_for_unique(facts: _Facts) -> RoleSuggestion | None:
    """Return the suggestion ``identifier`` for nearly unique texts and for numbers that look issued; else None.

    Texts are nearly unique if there are 90 different ones in 100 filled rows. Numbers look issued if they count rows,
    are equally long or rise (`_suggest_for_numbering`). Values of which half are numbers whose last digits a
    spreadsheet cut off give a weak suggestion, or None if there are fewer different ones than half the filled rows.
    None for fewer than 20 filled rows, and for texts that look like dates or amounts.
    """
    count, distinct = facts.filled, len(facts.texts)
    if count < _ENOUGH_ROWS:
        return None
    if are_cut(facts.texts):
        return _make_suggestion("identifier", "reason.role.digits-cut", WEAK) if facts.mostly_distinct else None
    if not facts.is_text:
        return _suggest_for_numbering(facts)
    if distinct < _NEARLY_UNIQUE * count or facts.looks:
        return None
    if distinct == count:
        return _make_suggestion("identifier", "reason.role.unique", count=count)
    return _make_suggestion("identifier", "reason.role.nearly-unique", count=count, distinct=distinct)


def _suggest_for_numbering(facts: _Facts) -> RoleSuggestion | None:
    """Return the suggestion ``identifier`` for numbers that look issued one after another; else None.

    It is strong for numbers that are all different without gaps (1 to 500 in any order), or all different with equally
    many digits, six or more. It is weak for numbers that fall in at most 1 % of the steps from row to row (with at
    least half as many different ones as filled rows), and for numbers that never repeat although random ones would,
    unless more than two columns of the table are so. None for numbers with fractions and for columns named as weights.
    """
    column, count = facts.column, facts.filled
    if column.kind != "numeric" or column.style is None or facts.fractions or facts.named.weight:
        return None
    numbers = to_floats(facts.texts, column.style.decimal)
    if len(facts.texts) == count and numbers.max() - numbers.min() == count - 1:
        return _make_suggestion("identifier", "reason.role.row-number", count=count)
    if column.style.decimals:
        return None
    if len(facts.texts) == count and len(facts.texts[0]) >= _LONG_NUMBER and len(set(map(len, facts.texts))) == 1:
        return _make_suggestion("identifier", "reason.role.unique", count=count)
    in_rows = column.numbers[~column.missing]
    if facts.mostly_distinct and float((np.diff(in_rows) >= 0).mean()) >= _RISING:
        return _make_suggestion("identifier", "reason.role.rising", WEAK)
    if facts.never_twice and facts.of_table.never_twice <= _MOST_KEYS:
        return _make_suggestion("identifier", "reason.role.unique", WEAK, count=count)
    return None


def _suggest_for_dates(facts: _Facts) -> RoleSuggestion | None:
    """Return the weak suggestion ``quasi-identifier`` for dates whose years span 5 to 110, as births do; else None.

    None also where the format of the dates cannot be guessed.
    """
    if facts.column.kind != "date":
        return None
    form = DateFormat.parse(facts.column.date_format) if facts.column.date_format else None
    form = form or guess_date_format(facts.texts).format
    if form is None:
        return None
    years = [read[0].year for text in facts.texts if (read := form.read(text)) is not None]
    if years and _BIRTH_YEARS[0] <= max(years) - min(years) <= _BIRTH_YEARS[1]:
        return _make_suggestion("quasi-identifier", "reason.role.date", WEAK)
    return None


def _suggest_for_coordinates(facts: _Facts) -> RoleSuggestion | None:
    """Return the weak suggestion ``quasi-identifier`` if the values showed the column to be a coordinate; else None."""
    if facts.column.name in facts.of_table.coordinates:
        return _make_suggestion("quasi-identifier", "reason.role.coordinates", WEAK)
    return None


def _suggest_for_constant(facts: _Facts) -> RoleSuggestion | None:
    """Return the suggestion ``other`` for a column that has the same value in all rows, none missing; else None."""
    return (
        _make_suggestion("other", "reason.role.one-value")
        if len(facts.texts) == 1 and facts.filled == len(facts.column)
        else None
    )


FIRST: tuple[Rule, ...] = (
    _suggest_for_empty,
    _suggest_by_dictionary,
    _suggest_by_pattern,
    _suggest_privacy_level,
    _suggest_record_key,
    _suggest_identifier_by_name,
    _suggest_by_key_name,
    _suggest_quasi_identifier,
    _suggest_confidential,
    _suggest_by_likeness,
)
"""Rules that need no identifier to be known, in their order."""
THEN: tuple[Rule, ...] = (
    _suggest_mirror_or_key,
    _suggest_by_person_values,
    _suggest_none_if_unread,
    _suggest_for_free_text,
    _suggest_for_unique,
    _suggest_for_dates,
    _suggest_for_coordinates,
    _suggest_for_constant,
)
"""Rules for what those left open, beside the identifiers they found."""


def suggest_roles(table: Table) -> dict[str, RoleSuggestion]:
    """Return a role suggestion for each column, by the column's name.

    It is the suggestion of the first rule that applies; rules by name and pattern are tried on all columns before the
    others, which use the identifiers found. Afterwards a weak identifier becomes strong if it corresponds one to one to
    a strong one, and a role by name becomes weak if the values look like keys or free text. Where no rule applies, the
    suggestion is weak: the role of a quasi-identifier, else of a confidential column, that the column determines or is
    determined by; the role is None where there is no such column.
    """
    context = _TableFacts()
    columns = []
    for column in table.columns:
        progress.check()
        columns.append(_Facts(column, context))
    context.compute_facts(columns)
    suggestions: dict[str, RoleSuggestion] = {}
    for done, facts in enumerate(columns):
        progress.report(0.7 * done / len(columns), "doing.read")
        suggestion = _apply_first_rule(FIRST, facts)
        if suggestion is not None:
            suggestions[facts.column.name] = suggestion
            if suggestion.role == "identifier":
                context.identifiers.append((facts, suggestion))
    undecided = _make_suggestion(None, _UNDECIDED, WEAK)
    for done, facts in enumerate(columns):
        progress.report(0.7 + 0.3 * done / len(columns), "doing.read")
        name = facts.column.name
        if name in suggestions:
            suggestions[name] = _strengthen_if_mirrored(facts, _weaken_if_uncertain(facts, suggestions[name]))
        else:
            suggestions[name] = _apply_first_rule(THEN, facts) or undecided
        if _repeats_like_people(facts, suggestions[name]):
            suggestions[name] = replace(suggestions[name], repeats_like_people=True)
    by_others = {name: _suggest_determined_role(table, name, suggestions) for name in table.names}
    return {name: by_others[name] or suggestions[name] for name in table.names}


def _suggest_determined_role(
    table: Table, name: str, suggestions: Mapping[str, RoleSuggestion]
) -> RoleSuggestion | None:
    """Return for a column to which no rule applied the role of a column that it determines or that determines it.

    The suggestion is weak. Suggested quasi-identifiers are tried first, then confidential columns. None where there is
    no such column, and for a column to which a rule applied.
    """
    if suggestions[name].reason != _UNDECIDED:
        return None
    for role in ("quasi-identifier", "confidential"):
        for other in table.columns:
            if suggestions[other.name].role == role and determines_either(table.column(name), other):
                return _make_suggestion(role, "reason.role.gives-away", WEAK, column=Name(other.name))
    return None


def _apply_first_rule(rules: Sequence[Rule], facts: _Facts) -> RoleSuggestion | None:
    """Return the suggestion of the first rule that makes one; None where none does."""
    return next((note for rule in rules if (note := rule(facts)) is not None), None)
