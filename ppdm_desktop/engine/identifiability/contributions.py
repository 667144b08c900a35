"""How much each quasi-identifier, and each pair of them, helps to single records out.

If a unique record's class grows much without one column, its value in that column singles it out. If it stays unique
without any one column, several values together single it out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Codes, Ints
from ppdm_desktop.engine.identifiability.classes import (
    Classes,
    Members,
    classes_of_codes,
    count_class_people,
    equivalence_classes,
)
from ppdm_desktop.engine.identifiability.measures import wildcard_matches
from ppdm_desktop.engine.identifiability.risk import MATCHES_ANYTHING, OWN_VALUE, Distinct, has_wildcard_values
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.people import People

# --- pairs --------------------------------------------------------------------------------

_DOING = "doing.risk"


@dataclass(frozen=True, eq=False)
class Pairs:
    """How many people are unique by each pair of columns.

    Attributes
    ----------
    scope
        Names of the quasi-identifiers.
    unique_people
        int64, shape (n, n), symmetric: number of people who share their values in these two columns with nobody; on the
        diagonal, their value in this one column.
    """

    scope: tuple[str, ...]
    unique_people: Ints

    def strongest(self) -> tuple[int, int] | None:
        """Return the indices of the two columns that together single out most people, the higher index first.

        Of equal pairs the first in the order (1, 0), (2, 0), (2, 1), (3, 0) and so on, also if all single out nobody;
        None for fewer than two columns.
        """
        low = np.tril_indices(len(self.scope), -1)
        if not len(low[0]):
            return None
        best = int(np.argmax(self.unique_people[low]))
        return int(low[0][best]), int(low[1][best])


def count_unique_by_pairs(quasi: Sequence[Column], people: People, missing_rule: str = OWN_VALUE) -> Pairs:
    """Return how many people are unique by each pair of quasi-identifiers alone; on the diagonal by each single one.

    The matrix of counts is symmetric, in the order of ``quasi``. A person with several rows counts if one of them is
    unique.

    Parameters
    ----------
    quasi
        The columns that an intruder is taken to know.
    people
        The person of each row.
    missing_rule
        ``own-value``: a missing value equals only missing ones; ``matches-anything``: it equals every value.
    """
    wild = has_wildcard_values(quasi, missing_rule)
    distinct = None if wild else Distinct.of(quasi, people)
    counts = np.zeros((len(quasi), len(quasi)), dtype=np.int64)
    done, all_of_them = 0, max(len(quasi) * (len(quasi) + 1) // 2, 1)
    for first in range(len(quasi)):
        for second in range(first + 1):
            progress.report(done / all_of_them, _DOING)
            places = [first] if first == second else [first, second]
            if distinct is not None:
                unique_people = distinct.count_unique(places)
            else:
                lonely = find_unique_rows([quasi[index] for index in places], people, missing_rule)
                unique_people = len(np.unique(people.of_row[lonely]))
            counts[first, second] = counts[second, first] = unique_people
            done += 1
    progress.report(1.0, _DOING)
    return Pairs(tuple(column.name for column in quasi), counts)


def find_unique_rows(columns: Sequence[Column], people: People, missing_rule: str = OWN_VALUE) -> Ints:
    """Return the indices of the rows that match no row of another person in the given columns, int64, rising.

    Rows that match only rows of their own person are included. With the rule ``matches-anything`` a missing value
    equals every value, with ``own-value`` only missing ones.
    """
    codes = [column.category_codes for column in columns]
    if has_wildcard_values(columns, missing_rule):
        matches = wildcard_matches(codes, [], people).people
    else:
        classes = classes_of_codes(codes, people.rows)
        matches = count_class_people(classes, people)[classes.ids]
    return np.flatnonzero(matches == 1).astype(np.int64)


# --- contributions ------------------------------------------------------------------------

Sizes = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Contributions:
    """For each class of equal quasi-identifiers, how many people match it when one column is left out.

    Attributes
    ----------
    scope
        Names of the quasi-identifiers, in the order of the columns of ``without``.
    classes
        Classes of records with equal values in all of them (missing being a value of its own).
    without
        int32, shape (classes, quasi-identifiers): how many people have a record that equals those of the class in all
        other quasi-identifiers, the record's own person included.
    people
        The person of each record.
    """

    scope: tuple[str, ...]
    classes: Classes
    without: Sizes
    people: People

    def of_records(self, rows: Ints) -> Sizes:
        """Return for the given rows how many people match without each column, shape (len(rows), quasi-identifiers)."""
        return np.asarray(self.without[self.classes.ids[rows]])

    def strongest(self) -> Sizes:
        """Return for each record the most people that match it when one column is left out, shape (records,).

        It is 0 without columns.
        """
        return np.asarray(self.without.max(axis=1, initial=0)[self.classes.ids])

    def count_unique_without(self) -> dict[str, int]:
        """Return for each quasi-identifier how many people are still unique when this one column is left out.

        A person with several rows counts if one of the rows is unique.
        """
        return {
            name: self.people.among(self.without[self.classes.ids, index] == 1) for index, name in enumerate(self.scope)
        }

    def ranked(self, rows: Ints) -> Ints:
        """Return the given rows sorted by how many people they match after one column is left out, most first.

        For each row it is the column without which it matches most people. Rows with equally many people are sorted by
        index.
        """
        kept = np.sort(rows)
        return np.asarray(kept[np.argsort(-self.strongest()[kept], kind="stable")])


def measure_contributions(quasi: Sequence[Column], people: People, missing_rule: str = OWN_VALUE) -> Contributions:
    """Return for each record and quasi-identifier how many people match the record when that column is left out.

    The record's own person is included, so the least is 1. The counts are stored by class of equal records, in which a
    missing value is a value of its own under both rules.

    Parameters
    ----------
    quasi
        The columns that an intruder is taken to know.
    people
        The person of each row.
    missing_rule
        ``own-value``: a missing value equals only missing ones; ``matches-anything``: it equals every value.

    Notes
    -----
    One record stands for its whole class. The columns are halved again and again, each half
    refining the classes of the other, so that n columns cost n log2 n refinements, not n^2.
    """
    classes = equivalence_classes(quasi, people.rows)
    without = np.zeros((classes.count, len(quasi)), dtype=np.int32)
    first = classes.first
    if missing_rule == MATCHES_ANYTHING and any(column.missing.any() for column in quasi):
        codes = [column.category_codes for column in quasi]
        for index in range(len(quasi)):
            progress.report(index / len(quasi), "doing.risk")
            matches = wildcard_matches(codes[:index] + codes[index + 1 :], [], people)
            without[:, index] = matches.people[first]
    else:
        _fill_sizes_without(
            [column.category_codes[first] for column in quasi],
            list(range(len(quasi))),
            Classes(np.zeros(classes.count, dtype=np.int64), 1),
            _Inside(classes, people),
            without,
        )
    progress.report(1.0, "doing.risk")
    return Contributions(tuple(column.name for column in quasi), classes, without, people)


class _Inside:
    """Counts the people in coarser classes that are unions of the classes of equal values in all columns."""

    def __init__(self, classes: Classes, people: People) -> None:
        """Store the sizes of the classes, and the people in each if some people have several rows."""
        self._weights = classes.sizes
        self._members = Members.of_rows(classes, people) if people.with_several else None
        self._people = people.count

    def people_in(self, outside: Classes) -> Ints:
        """Return the number of different people in each coarser class, int64, shape (coarser classes,).

        ``outside`` assigns each class of equal values in all columns, as if it were a record, to its coarser class.
        """
        members = self._members
        if members is None:
            # Float weights are exact: counts of records stay far below 2^53.
            return np.bincount(outside.ids, weights=self._weights, minlength=outside.count).astype(np.int64)
        joined = Classes(outside.ids[members.of_class], outside.count)
        return Members.of(joined, members.person, self._people).people


def _fill_sizes_without(
    codes: Sequence[Codes], open_places: list[int], outside: Classes, inside: _Inside, without: Sizes
) -> None:
    """Fill some columns of ``without`` in place: how many people share each class's values in all other columns.

    Parameters
    ----------
    codes
        For each column the value of each class of equal records, shape (classes,).
    open_places
        Indices of the columns to fill.
    outside
        Classes of equal values in all columns that are not in ``open_places``.
    inside
        Counts the people in coarser classes.
    without
        Shape (classes of equal records, columns): entry (c, j) counts the people who share the values of class c in all
        columns but j.
    """
    progress.check()
    if not open_places or not len(without):
        return
    if len(open_places) == 1:
        without[:, open_places[0]] = inside.people_in(outside)[outside.ids]
        progress.report((open_places[0] + 1) / len(codes), "doing.risk")
        return
    middle = len(open_places) // 2
    left, right = open_places[:middle], open_places[middle:]
    for kept, still_open in ((right, left), (left, right)):
        # Ids are shifted because codes begin at -1 (missing).
        refined = classes_of_codes([outside.ids - 1, *(codes[index] for index in kept)], len(without))
        _fill_sizes_without(codes, still_open, refined, inside, without)


def find_equivalent_records(quasi: Sequence[Column], record: int, hidden: str, missing_rule: str = OWN_VALUE) -> Ints:
    """Return the indices of the rows that equal one record in all quasi-identifiers except ``hidden``, rising.

    The record itself is among them, and so are equal rows of the same person. All rows if ``hidden`` is the only
    column; empty if ``quasi`` is.

    Parameters
    ----------
    quasi
        The columns that an intruder is taken to know.
    record
        Row index of the record.
    hidden
        Name of the column whose value is hidden.
    missing_rule
        ``own-value``: a missing value equals only missing ones; ``matches-anything``: it equals every value.
    """
    is_equal = np.ones(len(quasi[0]) if quasi else 0, dtype=np.bool_)
    for column in quasi:
        if column.name == hidden:
            continue
        codes = column.category_codes
        same = codes == codes[record]
        if missing_rule == MATCHES_ANYTHING:
            same = same | (codes < 0) | (codes[record] < 0)
        is_equal &= same
    return np.flatnonzero(is_equal).astype(np.int64)
