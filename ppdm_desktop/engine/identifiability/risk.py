"""The risk of a table: how many people are identifiable, and how likely an intruder's guess is right.

Identifiable records are Li & Sarkar's (2004, definitions 1 and 2); prosecutor and marketer risk are counted from the
sizes of equivalence classes. Where people have several rows, everything is counted in people, by two measures
(``measures``). Records with equal quasi-identifiers are counted as one record with a weight (``Distinct``), so that
subsets of the columns are counted quickly. The figures of households are reported besides; no limit applies to them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import AnyInts, Bools, Codes, Floats, Ints, to_smallest_int_type
from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.identifiability.classes import (
    Classes,
    Members,
    classes_of_codes,
    equivalence_classes,
    group_people_by_rows,
)
from ppdm_desktop.engine.identifiability.measures import (
    Matches,
    Measure,
    measure_all_rows,
    measure_one_row,
    wildcard_matches,
)
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.people import People


@dataclass(frozen=True, eq=False)
class Households:
    """The identifiability figures of all households of a table.

    Attributes
    ----------
    members
        int64, shape (households,): people in each household.
    equivalent
        int64, shape (households,): how many households are equivalent to it, itself included, having equally many
        members of each class of equivalent people.
    chance
        float64, shape (households,): the chance that at least one member is found, 1 - product of (1 - 1 / n), where n
        is the number of people that a member cannot be distinguished from (people-and-import, section 3).
    """

    members: Ints
    equivalent: Ints
    chance: Floats

    @property
    def count(self) -> int:
        """The number of households."""
        return len(self.members)

    @property
    def with_several(self) -> int:
        """The number of households with two people or more."""
        return int(np.count_nonzero(self.members > 1))

    @property
    def unique(self) -> int:
        """The number of households that are equivalent to no other."""
        return int(np.count_nonzero(self.equivalent == 1))

    @property
    def found_mean(self) -> float:
        """The mean over the households of the chance that a member is found; 0 without households."""
        return float(self.chance.mean()) if self.count else 0.0

    @property
    def found_max(self) -> float:
        """The largest chance over the households that a member is found; 0 without households."""
        return float(self.chance.max()) if self.count else 0.0


def measure_households(classes: Classes, people: People, matches: Ints) -> Households | None:
    """Return the figures of all households; None where the table has no household column.

    For each household, in the order of their numbers, they are its number of members, how many households have
    equivalent members (itself included), and the chance that at least one member is found. Members are equivalent if
    they have equally many rows of each class.

    Parameters
    ----------
    classes
        The classes of rows with equal values.
    people
        The person of each row. A person with rows of two households is a member of both.
    matches
        int64, shape (people,): how many people each person cannot be distinguished from.
    """
    if people.household is None:
        return None
    every = Classes(people.household, int(people.household.max(initial=-1)) + 1)
    members = Members.of_rows(every, people)
    # Each member once in each household; of a class of people with the same rows.
    kinds = Classes(group_people_by_rows(classes, people).ids[members.person], people.count)
    as_members = replace(people, of_row=members.of_class, has_no_id=np.zeros(len(members.of_class), dtype=np.bool_))
    equivalent = group_people_by_rows(kinds, as_members).size_of_record
    hidden = np.ones(every.count)
    np.multiply.at(hidden, members.of_class, 1.0 - 1.0 / matches[members.person])
    return Households(members.people, equivalent, 1.0 - hidden)


OWN_VALUE, MATCHES_ANYTHING = "own-value", "matches-anything"


@dataclass(frozen=True, eq=False)
class RiskFigures:
    """All risk figures of one table for one set of columns that an intruder knows.

    Without a person column each row is another person, and both measures are the same.

    Attributes
    ----------
    scope
        Names of the columns that an intruder is taken to know.
    missing_rule
        ``own-value``: a missing value equals only missing ones; ``matches-anything``: it equals every value.
    classes
        Classes of rows with equal values in the scope (missing being a value of its own).
    people
        The person of each row.
    one_row
        The figures against an intruder who knows one row of a person.
    all_rows
        The figures against an intruder who knows all rows of a person and can link them.
    """

    scope: tuple[str, ...]
    missing_rule: str
    classes: Classes
    people: People
    one_row: Measure
    all_rows: Measure

    @property
    def judged(self) -> Measure:
        """The measure that limits apply to: all rows where the released table lets them be linked, else one row."""
        return self.all_rows if self.people.linked else self.one_row

    @property
    def unjudged(self) -> Measure | None:
        """The measure that limits do not apply to; None where nobody has several rows, so that both are equal."""
        if not self.people.with_several:
            return None
        return self.one_row if self.people.linked else self.all_rows

    @cached_property
    def judged_classes(self) -> Classes:
        """The classes of rows by the measure that limits apply to.

        Usually that is rows with equal values in the scope. If rows of a person can be linked, all rows of people who
        have equally many rows of each such class are one class, provided that these come in the same order if
        ``people.in_order``.
        """
        if not self.people.linked:
            return self.classes
        sets = group_people_by_rows(self.classes, self.people, ordered=self.people.in_order)
        return Classes(sets.ids[self.people.of_row], sets.count)

    @cached_property
    def households(self) -> Households | None:
        """The figures of households, by the judged measure of their members; None without a household column."""
        return measure_households(self.classes, self.people, self.judged.matches)

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.classes.ids)

    @property
    def records(self) -> int:
        """The number of people, which are rows where no person has several."""
        return self.judged.people

    @cached_property
    def matches(self) -> Ints:
        """For each row, how many people its person cannot be distinguished from (judged measure), shape (rows,)."""
        return self.people.of_rows(self.judged.matches)

    @cached_property
    def unique(self) -> Bools:
        """The rows of uniquely identifiable people, bool, shape (rows,); of unique ones if nothing is confidential."""
        return self.people.of_rows(self.judged.unique)

    @cached_property
    def collective(self) -> Bools:
        """The rows of collectively identifiable people, bool, shape (rows,)."""
        return self.people.of_rows(self.judged.collective)

    @property
    def k(self) -> int:
        """The smallest number of people that any person cannot be distinguished from (judged measure), or 0."""
        return self.judged.k

    @property
    def unique_people(self) -> int:
        """The number of people who match nobody else, by the judged measure."""
        return self.judged.unique_people

    def class_sizes(self) -> list[tuple[int, int, int]]:
        """Return triples (class size, classes of that size, people who match that many people), smallest size first.

        Only sizes that occur are listed: ten people of whom two are unique, while the others form two classes of four,
        give (1, 2, 2) and (4, 2, 8). A person with several rows is counted once: by the row that fewest people share,
        or by all rows if these can be linked. Where missing values match anything, classes still count them as a value
        of their own, so that people who match a number of people that is no class's size are in no triple.
        """
        sizes, classes = np.unique(self.judged.sizes, return_counts=True)
        people = np.bincount(self.judged.matches, minlength=int(sizes.max(initial=0)) + 1)
        return [(int(size), int(count), int(people[size])) for size, count in zip(sizes, classes, strict=True)]


def risk_figures(
    quasi: Sequence[Column],
    confidential: Sequence[Column],
    people: People,
    missing_rule: str = OWN_VALUE,
) -> RiskFigures:
    """Return the risk figures of a table that is given as columns.

    Parameters
    ----------
    quasi
        The columns that an intruder is taken to know.
    confidential
        The columns that the intruder wants to learn; without any, only unique people are counted.
    people
        The person of each row, and whether the released table lets an intruder link their rows.
    missing_rule
        ``own-value``: a missing value equals only missing ones; ``matches-anything``: it equals every value.
    """
    classes = equivalence_classes(quasi, people.rows)
    secrets = _CategoryCodes(confidential)
    progress.check()
    matched = single = None
    if missing_rule == MATCHES_ANYTHING and any(column.missing.any() for column in quasi):
        quasi_codes = [column.category_codes for column in quasi]
        sought = [column.category_codes for column in confidential]
        matched = wildcard_matches(quasi_codes, sought, people)
        if people.with_several:
            single = _match_single_rows(quasi_codes, sought, people)
    known_row = measure_one_row(classes, secrets, people, matched, progress.check)
    known_rows = known_row
    if people.with_several:
        known_rows = measure_all_rows(classes, secrets, people, single, progress.check)
    return RiskFigures(
        scope=tuple(column.name for column in quasi),
        missing_rule=missing_rule,
        classes=classes,
        people=people,
        one_row=known_row,
        all_rows=known_rows,
    )


class _CategoryCodes(Mapping[str, AnyInts]):
    """Category codes of columns by column name, computed only when asked for."""

    def __init__(self, columns: Sequence[Column]) -> None:
        """Store the columns by name; no codes are computed yet."""
        self._columns = {column.name: column for column in columns}

    def __getitem__(self, name: str) -> AnyInts:
        """Return a column's category codes in the smallest integer type that holds them.

        Raises KeyError for an unknown name.
        """
        return to_smallest_int_type(self._columns[name].category_codes)

    def __iter__(self) -> Iterator[str]:
        """Return an iterator over the names of the columns."""
        return iter(self._columns)

    def __len__(self) -> int:
        """Return the number of columns."""
        return len(self._columns)


def _match_single_rows(quasi: Sequence[Ints | np.ndarray], secrets: Sequence[np.ndarray], people: People) -> Matches:
    """Return what the rows of people with exactly one row match among each other, in the table's order.

    ``quasi`` and ``secrets`` are the codes of quasi-identifiers and confidential columns, shape (rows,) each.
    """
    rows = people.first_rows[people.sizes == 1]
    return wildcard_matches(
        [codes[rows] for codes in quasi], [codes[rows] for codes in secrets], People.identity(len(rows))
    )


def table_risk(table: Table, missing_rule: str = OWN_VALUE, *, all_released: bool = False) -> RiskFigures:
    """Return the risk figures of a table by its columns' roles, counted in people where a person column is known.

    Parameters
    ----------
    table
        Columns with roles.
    missing_rule
        ``own-value``: a missing value equals only missing ones; ``matches-anything``: it equals every value.
    all_released
        Whether an intruder is taken to know the columns of role ``other``, too, instead of only the quasi-identifiers.

    Raises
    ------
    RecipeError
        When no column is a quasi-identifier, also with ``all_released``.
    """
    quasi = table.with_role("quasi-identifier", "other") if all_released else table.with_role("quasi-identifier")
    if not table.with_role("quasi-identifier"):
        raise RecipeError("error.risk.no-quasi-identifier")
    return risk_figures(quasi, table.with_role("confidential"), known_people(table), missing_rule)


def known_people(table: Table) -> People:
    """Return the person of each row, marked as linked where the table has a pseudonym column.

    Without a person column every row is another person.
    """
    if table.people is None:
        return table.persons
    return table.people.linked_by_code() if table.with_role("pseudonym") else table.people


# --- distinct -----------------------------------------------------------------------------

# Below this many possible patterns a counting table is faster than sorting.
_COUNTING_LIMIT = 1 << 22


@dataclass(frozen=True, eq=False)
class Distinct:
    """One record for each class of equal values in some columns, so that subsets of the columns are counted quickly.

    Attributes
    ----------
    classes
        Classes of equal values in all columns (missing being a value of its own).
    first
        int64, shape (classes,): the first record of each class.
    codes
        For each column int32, shape (classes,): its category, -1 where missing.
    weights
        int64, shape (classes,): records in each class.
    owner
        int64, shape (classes,): the person to whom all records of the class belong, -1 if they belong to several
        people.
    """

    classes: Classes
    first: Ints
    codes: tuple[Codes, ...]
    weights: Ints
    owner: Ints

    @classmethod
    def of(cls, columns: Sequence[Column], people: People) -> Distinct:
        """Return one record for each class of equal values in all columns, with the class's size and owner.

        The size is the number of rows in the class; the owner is the person of all these rows, -1 if they belong to
        several.
        """
        classes = equivalence_classes(columns, people.rows)
        first = classes.first
        codes = tuple(column.category_codes[first] for column in columns)
        owner = find_only_owners(classes.ids, people.of_row, classes.count)
        return cls(classes, first, codes, classes.sizes, owner)

    def refined(self, ids: Classes, codes: AnyInts) -> Classes:
        """Return the classes ``ids`` of distinct records split further by one more column's codes.

        A distinct record stands for all records with equal values in all columns.
        """
        # Ids are shifted because codes begin at -1 (missing).
        return classes_of_codes([ids.ids - 1, codes], len(self.weights))

    def together(self) -> Classes:
        """Return a single class that holds all distinct records; no class where there are none."""
        return Classes(np.zeros(len(self.weights), dtype=np.int64), int(len(self.weights) > 0))

    def sizes(self, ids: Classes) -> Ints:
        """Return how many original records each class of distinct records has, int64, shape (classes,)."""
        # Float weights are exact: counts of records stay far below 2^53.
        return np.bincount(ids.ids, weights=self.weights, minlength=ids.count).astype(np.int64)

    def count_unique(self, places: Sequence[int]) -> int:
        """Return how many people are in a class with nobody else, by the columns with the given indices."""
        owners = np.sort(self._find_owners_by_columns(places))
        return int(np.count_nonzero(np.diff(owners))) + int(len(owners) > 0)

    def has_unique_people(self, places: Sequence[int]) -> bool:
        """Return whether anybody is in a class with nobody else, by the columns with the given indices."""
        return bool(len(self._find_owners_by_columns(places)))

    def _find_owners_by_columns(self, places: Sequence[int]) -> Ints:
        """Return the owner of each class, by the columns with the given indices, that has one person's records only.

        They are in the order of the classes; a person with several such classes has several entries.
        """
        keys = np.zeros(len(self.weights), dtype=np.int64)
        possible = 1
        for index in places:
            width = int(self.codes[index].max(initial=-1)) + 2
            if possible * width > _COUNTING_LIMIT:
                compressed = classes_of_codes([self.codes[other_index] for other_index in places], len(self.weights))
                return self._find_class_owners(compressed.ids, compressed.count)
            keys = keys * width + (self.codes[index] + 1)
            possible *= width
        return self._find_class_owners(keys, possible)

    def _find_class_owners(self, ids: Ints, count: int) -> Ints:
        """Return the owners of the classes whose records all belong to one person; other classes have no entry.

        ``ids`` is the class of each distinct record, below ``count``.
        """
        owners = find_only_owners(ids, self.owner, count)
        return owners[owners >= 0]


def find_only_owners(ids: Ints, owner: Ints, count: int) -> Ints:
    """Return for each class the person to whom all its members belong, int64, shape (count,); -1 where there is none.

    Parameters
    ----------
    ids
        The class of each member, 0 .. count-1.
    owner
        The person of each member, -1 where it belongs to several.
    count
        Number of classes; a class without members has no owner.
    """
    owner_of_class = np.full(count, -1, dtype=np.int64)
    owner_of_class[ids] = owner
    owner_of_class[ids[owner != owner_of_class[ids]]] = -1
    return owner_of_class


def has_wildcard_values(columns: Sequence[Column], missing_rule: str) -> bool:
    """Return whether missing values match anything by ``missing_rule`` and some column has a missing value."""
    return missing_rule == MATCHES_ANYTHING and any(bool(column.missing.any()) for column in columns)
