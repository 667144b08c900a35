"""Finding the smallest sets of columns that single a person out.

A record's smallest sets are those by which it is unique while no subset of them makes it unique (minimal sample
uniques: M. J. Elliot, A. M. Manning, R. W. Ford, A computational algorithm for handling the special uniques problem,
IJUFKS 10(5), 2002). A person with several records is unique when one of these records is in a class that holds no other
person.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
import numpy.typing as npt

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import AnyInts, Bools, Ints
from ppdm_desktop.engine.identifiability.classes import classes_of_codes
from ppdm_desktop.engine.identifiability.measures import wildcard_matches
from ppdm_desktop.engine.identifiability.risk import OWN_VALUE, Distinct, find_only_owners, has_wildcard_values
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.people import People

Bits = npt.NDArray[np.uint8]
Places = tuple[int, ...]

MOST_SETS = 1_000
"""Most sets searched for a list: all sets of up to nine columns, sets of up to seven of ten, pairs of 30."""
MOST_IN_REPORT = 200
_MOST_MATCHED = 40  # where missing values match anything, each set costs many times as much
_DOING = "doing.risk"


@dataclass(frozen=True)
class UniqueSet:
    """A set of columns by which at least one person is unique who is not unique by any subset of it.

    Attributes
    ----------
    columns
        Names of the columns, in the order of the quasi-identifiers.
    unique_people
        Number of people who share their values in these columns with nobody.
    adds
        Number of these people whom no subset of the columns singles out.
    """

    columns: tuple[str, ...]
    unique_people: int
    adds: int


@dataclass(frozen=True)
class UniqueSets:
    """The smallest sets of columns that single people out, as far as they were searched.

    Attributes
    ----------
    sets
        The sets, smallest first, then by how many people they add.
    largest
        Largest number of columns in the sets that were searched.
    columns
        Number of quasi-identifiers.
    scores
        int64, shape (people,): for each person the sum of (columns - size)! over their smallest sets, 0 if nothing
        singles them out. This is M. J. Elliot's special uniques score (SUDA).
    """

    sets: tuple[UniqueSet, ...]
    largest: int
    columns: int
    scores: Ints = field(compare=False, repr=False)

    @property
    def complete(self) -> bool:
        """Whether sets of every size were searched."""
        return self.largest >= self.columns


def find_largest_set_size(columns: int, most: int) -> int:
    """Return the largest size such that there are at most ``most`` sets of up to that many of ``columns`` columns.

    At least 1, or 0 without columns. For 10 columns and ``most`` 60 it is 2: there are 10 sets of one column and 45 of
    two.
    """
    total, size = 0, 0
    while size < columns:
        total += math.comb(columns, size + 1)
        if total > most and size >= 1:
            break
        size += 1
    return size


def smallest_unique_sets(
    quasi: Sequence[Column], people: People, missing_rule: str = OWN_VALUE, *, most: int = MOST_SETS
) -> UniqueSets:
    """Return the sets of columns that single people out, smallest first, with the number of people for each set.

    A set is listed if it singles out somebody whom no subset of it does; of sets of the same size, those that add most
    people come first. Supersets of a set that singles out all who can be singled out at all are not listed. The result
    also has each person's score, which is higher the more and the smaller the sets are that single the person out.

    Parameters
    ----------
    quasi
        The columns that an intruder is taken to know.
    people
        The person of each row.
    missing_rule
        ``own-value``: a missing value equals only missing ones; ``matches-anything``: it equals every value.
    most
        How many sets may be searched; at most 40 where missing values match anything. Sizes for which there would be
        more are left out, except single columns; ``largest`` of the result is the largest size searched.
    """
    counting = _make_search(quasi, people, missing_rule)
    largest = find_largest_set_size(len(quasi), min(most, counting.most))
    total = max(sum(math.comb(len(quasi), size) for size in range(1, largest + 1)), 1)
    unique_of_set: dict[Places, Bits] = {}
    everybody = counting.candidates
    covered: set[Places] = set()  # sets after which nobody is left to be singled out
    done = 0

    # The columns that tell most apart come first: what is left to look at without them is little.
    order = sorted(range(len(quasi)), key=lambda index: -len(quasi[index].categories))

    def deeper(places: Places, begin: int, before: object) -> None:
        """Search all sets that add columns from position ``begin`` of ``order`` on to the columns ``places``.

        Fills the enclosing variables. ``before`` is the state of the search for ``places``. A set that singles out
        all who can be singled out is not extended.
        """
        nonlocal done
        for at in range(begin, len(order)):
            progress.report(done / total, _DOING)
            done += 1
            now = tuple(sorted((*places, order[at])))
            inside, flags = counting.refined(now, order[at], before)
            unique_of_set[now] = np.packbits(flags)
            if int(flags.sum()) == everybody:
                covered.add(now)
            elif len(now) < largest:
                deeper(now, at + 1, inside)
            if not places and at + 1 < len(order):
                before = counting.merged(order[at + 1 :], before)

    if everybody:
        deeper((), 0, counting.start())
    sets, scores = [], np.zeros(people.count, dtype=np.int64)
    for places, bits in unique_of_set.items():
        smaller = [part for part in combinations(places, len(places) - 1) if part]
        if any(part in covered or part not in unique_of_set for part in smaller):
            continue
        new = bits
        for part in smaller:
            new = new & ~unique_of_set[part]
        adds = _count_set_bits(new)
        if adds:
            sets.append(UniqueSet(tuple(quasi[index].name for index in places), _count_set_bits(bits), adds))
            single = np.unpackbits(new, count=everybody).astype(np.bool_)
            scores[counting.people[single]] += math.factorial(len(quasi) - len(places))
    sets.sort(key=lambda unique_set: (len(unique_set.columns), -unique_set.adds))
    progress.report(1.0, _DOING)
    return UniqueSets(tuple(sets), largest, len(quasi), scores)


def minimal_unique_sets(
    quasi: Sequence[Column], people: People, missing_rule: str = OWN_VALUE, *, most: int = MOST_IN_REPORT
) -> list[tuple[str, ...]]:
    """Return the sets of columns that single out at least one person while no subset of them singles out anybody.

    The result has column names, by size and then in column order; it is empty where nobody is singled out.

    Parameters
    ----------
    quasi
        The columns that an intruder is taken to know.
    people
        The person of each row; somebody with several rows is singled out by any one of them.
    missing_rule
        ``own-value``: a missing value equals only missing ones; ``matches-anything``: it equals every value.
    most
        How many sets may be searched, smaller sizes first and whole sizes only; at most 40 where missing values match
        anything. Single columns are always searched.
    """
    counting = _make_search(quasi, people, missing_rule)
    if not counting.candidates:
        return []
    largest = find_largest_set_size(len(quasi), min(most, counting.most))
    minimal: list[Places] = []
    for size in range(1, largest + 1):
        for places in combinations(range(len(quasi)), size):
            progress.check()
            if any(set(smaller) <= set(places) for smaller in minimal):
                continue
            if counting.anybody(places):
                minimal.append(places)
    return [tuple(quasi[index].name for index in places) for places in minimal]


def _count_set_bits(packed: Bits) -> int:
    """Return the number of bits that are set to 1 in all bytes together."""
    return int(np.bitwise_count(packed).sum())


@dataclass(frozen=True, eq=False)
class _Searched:
    """The state of the search for unique people after some columns were combined.

    Whoever is unique by these columns stays unique with more, so only classes with people who may still become unique
    are kept. ``members`` are the distinct records in them, shape (members,), with each member's ``owner`` (the person
    to whom all its records belong, else -1) and class ``ids``; ``is_unique`` tells which candidates are unique, shape
    (candidates,).
    """

    members: Ints
    owner: Ints
    ids: Ints
    is_unique: Bools


class _ByValue:
    """Finds who is unique by some columns when a missing value counts as a value."""

    most = MOST_SETS

    def __init__(self, quasi: Sequence[Column], people: People) -> None:
        """Take as candidates the people who are unique by all columns together, since nobody else can be by fewer.

        Their numbers are kept as ``people``, rising, and how many they are as ``candidates``.
        """
        self._distinct = Distinct.of(quasi, people)
        # Only who is alone by all columns can be alone by some.
        owner = self._distinct.owner
        whose = np.zeros(people.count, dtype=np.bool_)
        whose[owner[owner >= 0]] = True
        self._index_of = np.cumsum(whose) - 1
        self.people = np.flatnonzero(whose)
        self.candidates = len(self.people)

    def start(self) -> _Searched:
        """Return the state before any column is combined: all distinct records in one class, and nobody unique."""
        members = np.arange(len(self._distinct.owner), dtype=np.int64)
        none_unique = np.zeros(self.candidates, dtype=np.bool_)
        return _Searched(members, self._distinct.owner, np.zeros_like(members), none_unique)

    def refined(self, _places: Places, new: int, before: object) -> tuple[_Searched, Bools]:
        """Return the search state after adding the column ``new``, and which candidates are unique by the columns then.

        Candidates are the people who are unique by all quasi-identifiers together; the flags have shape (candidates,).
        ``before`` is the state without the column and is not changed.
        """
        assert isinstance(before, _Searched)
        members, owner = before.members, before.owner
        # Ids are shifted because codes begin at -1 (missing).
        now = classes_of_codes([before.ids - 1, self._distinct.codes[new][members]], len(members))
        only = find_only_owners(now.ids, owner, now.count)
        is_unique = before.is_unique.copy()
        is_unique[self._index_of[only[only >= 0]]] = True
        holds = np.zeros(now.count, dtype=np.bool_)
        holds[now.ids[(owner >= 0) & (only[now.ids] < 0)]] = True
        kept = holds[now.ids]
        # Numbered again without gaps: counting tables grow with the largest number.
        ids = (np.cumsum(holds) - 1)[now.ids[kept]]
        return _Searched(members[kept], owner[kept], ids, is_unique), is_unique

    def merged(self, coming: Sequence[int], before: object) -> _Searched:
        """Return a smaller search state in which members of a class that agree in all columns ``coming`` are merged.

        It serves for adding these columns only. ``before`` is not changed, and who is unique stays the same.
        """
        assert isinstance(before, _Searched)
        members = before.members
        codes: list[AnyInts] = [before.ids - 1]
        codes += [self._distinct.codes[index][members] for index in coming]
        same = classes_of_codes(codes, len(members))
        first = same.first
        owner = find_only_owners(same.ids, before.owner, same.count)
        return _Searched(members[first], owner, before.ids[first], before.is_unique)

    def anybody(self, places: Places) -> bool:
        """Return whether the columns with the given indices make at least one person unique."""
        return self._distinct.has_unique_people(places)


class _ByMatching:
    """Finds who is unique by some columns when a missing value matches anything."""

    most = _MOST_MATCHED

    def __init__(self, quasi: Sequence[Column], people: People) -> None:
        """Take as candidates the people who are unique by all columns together; a missing value matches any value.

        Their numbers are kept as ``people``, rising, and how many they are as ``candidates``.
        """
        self._codes, self._people = [column.category_codes for column in quasi], people
        self.people = np.flatnonzero(self._find_unique_people(self._codes))
        self.candidates = len(self.people)

    def _find_unique_people(self, codes: Sequence[AnyInts]) -> Bools:
        """Return who has a row that matches no other person's row by columns with these codes, shape (people,)."""
        return self._people.with_any(wildcard_matches(codes, [], self._people).people == 1)

    def start(self) -> None:
        """Return None, since this search has no state: every set of columns is compared anew."""

    def refined(self, places: Places, _new: int, before: object) -> tuple[object, Bools]:
        """Return None, and which candidates are unique by the columns ``places``, bool, shape (candidates,).

        A missing value matches any value. ``before`` is ignored.
        """
        return None, self._find_unique_people([self._codes[index] for index in places])[self.people]

    def merged(self, _coming: Sequence[int], before: object) -> object:
        """Return ``before`` unchanged, since this search has no state."""
        return before

    def anybody(self, places: Places) -> bool:
        """Return whether the columns with the given indices, at least one, make at least one person unique."""
        return bool(self.refined(places, places[-1], None)[1].any())


def _make_search(quasi: Sequence[Column], people: People, missing_rule: str) -> _ByValue | _ByMatching:
    """Return the search for unique people by value, or by matching if missing values are present and match anything."""
    way = _ByMatching if has_wildcard_values(quasi, missing_rule) else _ByValue
    return way(quasi, people)
