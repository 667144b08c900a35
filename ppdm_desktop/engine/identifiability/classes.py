"""Equivalence classes of records with equal quasi-identifiers, and the people in each class.

A class may have several rows of the same person.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import AnyInts, Bools, Floats, Ints, every_row, to_smallest_int_type
from ppdm_desktop.engine.identifiability.ranks import rank_values
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.people import People

# Below so many possible patterns, and so many for each record, a counting table is faster than sorting.
_COUNTING_LIMIT, _COUNTED_EACH = 1 << 22, 128
_LARGEST_KEY = (1 << 62) - 1
_AT_ONCE = 1_000_000


@dataclass(frozen=True, eq=False)
class Classes:
    """Equivalence classes: groups of records that have equal values in some columns.

    Attributes
    ----------
    ids
        int64, shape (records,): class of each record, 0 .. count-1.
    count
        Number of classes.
    """

    ids: Ints
    count: int

    @cached_property
    def sizes(self) -> Ints:
        """Number of records in each class, int64, shape (classes,)."""
        return np.bincount(self.ids, minlength=self.count).astype(np.int64, copy=False)

    @cached_property
    def size_of_record(self) -> Ints:
        """Number of records in the class of each record, int64, shape (records,)."""
        return self.sizes[self.ids]

    @cached_property
    def first(self) -> Ints:
        """Index of the first record of each class, int64, shape (classes,); undefined for a class without records."""
        first = np.empty(self.count, dtype=np.int64)
        first[self.ids[::-1]] = every_row(len(self.ids))[::-1]
        return first

    @cached_property
    def smallest(self) -> int:
        """Size of the smallest class (k); 0 without records."""
        return int(self.sizes.min()) if self.count else 0


def _renumber_keys(keys: Ints, possible: int) -> tuple[Ints, int]:
    """Return keys renumbered from 0 without gaps (smaller keys get smaller numbers), and the number of distinct keys.

    For 7, 2, 7 the result is 1, 0, 1 and 2. ``keys`` are whole numbers from 0 to below ``possible``.
    """
    if possible <= max(min(_COUNTING_LIMIT, _COUNTED_EACH * len(keys)), len(keys)):
        present = np.zeros(possible, dtype=np.bool_)
        present[keys] = True
        seen = np.flatnonzero(present)
        # Only the places of keys that are there are written and read; a running sum of all is slower,
        # and holds Python's lock meanwhile.
        new = np.empty(possible, dtype=np.int32)
        new[seen] = np.arange(len(seen), dtype=np.int32)
        compressed = np.empty(len(keys), dtype=np.int64)
        for start in range(0, len(keys), _AT_ONCE):
            progress.check()
            compressed[start : start + _AT_ONCE] = new[keys[start : start + _AT_ONCE]]
        return compressed, len(seen)
    return rank_values(keys)


def classes_of_codes(codes: Iterable[AnyInts], rows: int) -> Classes:
    """Return the equivalence classes of records with equal codes in every column.

    Classes are numbered without gaps by rising codes, the first column being the most important. Without records there
    are no classes.

    Parameters
    ----------
    codes
        One array of shape (rows,) for each column, at least -1 (missing, a value of its own); each is read once.
    rows
        Number of records, so that no column at all gives one class.
    """
    keys = np.zeros(rows, dtype=np.int64)
    possible = 1
    # Keys that leave room for their places are ranked several times as fast as larger ones.
    largest = _LARGEST_KEY >> rows.bit_length()
    for column in codes:
        progress.check()
        width = int(column.max(initial=-1)) + 2
        if possible > 1 and possible * width > largest:
            keys, possible = _renumber_keys(keys, possible)
            if possible == rows:
                return Classes(keys, rows)  # nothing divides single records, and their order stays
        keys *= width
        keys += column
        keys += 1
        possible *= width
    if rows == 0:
        return Classes(keys, 0)
    progress.check()
    ids, count = _renumber_keys(keys, possible)
    return Classes(ids, count)


def equivalence_classes(columns: Sequence[Column], rows: int) -> Classes:
    """Return the classes of records with equal categories in all given columns; missing counts as a category.

    ``rows`` is the number of records; without columns they are one class.
    """
    # One after another: those of stored columns are made when they are asked for.
    return classes_of_codes((column.category_codes for column in columns), rows)


def quasi_identifier_classes(table: Table) -> Classes:
    """Return the classes of records with equal quasi-identifiers; missing counts as a value."""
    return equivalence_classes(table.with_role("quasi-identifier"), table.rows)


def count_flagged_classes(classes: Classes, records: Bools) -> int:
    """Return how many classes hold at least one of the marked records; ``records`` is bool, shape (records,)."""
    has_record = np.zeros(classes.count, dtype=np.bool_)
    has_record[classes.ids[records]] = True
    return int(has_record.sum())


def find_class_extremes(classes: Classes, codes: AnyInts) -> tuple[AnyInts, AnyInts]:
    """Return the lowest and the highest code in each class, two arrays of shape (classes,); -1 is a missing value.

    The arrays have the smallest integer type that holds the codes. For a class without records the lowest code is the
    largest number of that type and the highest is -2.
    """
    # Codes of another width would be converted one by one, which takes thirty times as long.
    narrow = to_smallest_int_type(codes)
    lowest = np.full(classes.count, np.iinfo(narrow.dtype).max, dtype=narrow.dtype)
    highest = np.full(classes.count, -2, dtype=narrow.dtype)
    np.minimum.at(lowest, classes.ids, narrow)
    np.maximum.at(highest, classes.ids, narrow)
    return lowest, highest


def count_fewest_distinct(classes: Classes, codes: AnyInts) -> int:
    """Return the smallest number of distinct values in any class, missing being one.

    It is 0 without classes, and where a class is empty. ``codes`` has the value of each record as a whole
    number from 0, or -1 where it is missing.
    """
    if classes.smallest <= 1:
        return classes.smallest  # one record has one value
    width = int(codes.max(initial=-1)) + 2
    keys = classes.ids * width
    keys += codes
    keys += 1
    if classes.count * width <= max(_COUNTING_LIMIT, len(keys)):
        present = np.zeros(classes.count * width, dtype=np.bool_)
        present[keys] = True
        return int(present.reshape(classes.count, width).sum(axis=1).min())
    # Sorted by hand: NumPy's own search for distinct whole numbers takes many times as long where most differ.
    keys.sort()
    new = np.ones(len(keys), dtype=np.bool_)
    np.not_equal(keys[1:], keys[:-1], out=new[1:])
    return int(np.bincount(keys[new] // width, minlength=classes.count).min())


def pure_classes(classes: Classes, codes: AnyInts) -> Bools:
    """Return which classes have the same value in all records, none missing, bool, shape (classes,).

    False for a class without records. ``codes`` has the value of each record, -1 where missing.
    """
    lowest, highest = find_class_extremes(classes, codes)
    return np.asarray((lowest == highest) & (lowest >= 0))


# --- people -------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Members:
    """The people of each class: one member for each pair of a class and a person with a row in it.

    Attributes
    ----------
    classes
        The classes of rows.
    of_class
        int64, shape (members,): the member's class, rising.
    person
        int64, shape (members,): the member's person, rising within a class.
    rows
        int64, shape (members,): the number of the person's rows in the class.
    """

    classes: Classes
    of_class: Ints
    person: Ints
    rows: Ints

    @classmethod
    def of_rows(cls, classes: Classes, people: People) -> Members:
        """Return the members of classes of rows: one for each pair of a class and a person with a row in it."""
        return cls.of(classes, people.of_row, people.count)

    @classmethod
    def of(cls, classes: Classes, person: Ints, count: int) -> Members:
        """Return the members of classes: one for each pair of a class and a person with a row in it.

        ``person`` is the person of each row, as a number below ``count``. Members are sorted by class, then by person.
        """
        # Sorted by hand: NumPy's own search for distinct whole numbers takes many times as long where most differ.
        keys = np.sort(classes.ids * count + person)
        first = np.ones(len(keys), dtype=np.bool_)
        np.not_equal(keys[1:], keys[:-1], out=first[1:])
        places = np.flatnonzero(first)
        distinct_keys, width = keys[places], max(count, 1)
        rows = np.diff(places, append=len(keys)).astype(np.int64)
        return cls(classes, distinct_keys // width, distinct_keys % width, rows)

    @property
    def people(self) -> Ints:
        """Number of different people in each class, int64, shape (classes,)."""
        return np.bincount(self.of_class, minlength=self.classes.count).astype(np.int64)

    @property
    def share(self) -> Floats:
        """The share of its class's rows that each member holds, shape (members,)."""
        return np.asarray(self.rows / self.classes.sizes[self.of_class])


def count_class_people(classes: Classes, people: People) -> Ints:
    """Return the number of different people in each class, int64, shape (classes,).

    Parameters
    ----------
    classes
        The classes of rows.
    people
        The person of each row.
    """
    return Members.of_rows(classes, people).people if people.with_several else classes.sizes


def group_people_by_rows(classes: Classes, people: People, *, ordered: bool = False) -> Classes:
    """Return classes of people who have the same rows, that is, equally many rows of every class of rows.

    A person with rows of classes 1, 1, 2 equals one with 1, 2, 1 unless ``ordered``. The comparison is exact, not by
    hashes.

    Parameters
    ----------
    classes
        The classes of rows with equal values.
    people
        The person of each row.
    ordered
        Whether the rows also have to be in the same order in the table.

    Returns
    -------
    Classes of people, ids of shape (people,).
    """
    keys = (people.of_row,) if ordered else (classes.ids, people.of_row)
    order = np.lexsort(keys)
    class_of_row = classes.ids[order]
    starts = np.cumsum(people.sizes) - people.sizes
    ids = np.zeros(people.count, dtype=np.int64)
    count = 0
    # People with equally many rows are compared place by place; no two of different length are equivalent.
    for length in np.unique(people.sizes).tolist():
        whose = np.flatnonzero(people.sizes == length)
        equal_rows = classes_of_codes(
            [class_of_row[starts[whose] + position] for position in range(length)], len(whose)
        )
        ids[whose] = equal_rows.ids + count
        count += equal_rows.count
    return Classes(ids, count)


def find_anonymity_set_sizes(classes: Classes, people: People, *, linked: bool, ordered: bool) -> Ints:
    """Return for each row the size of its person's anonymity set, the person included, int64, shape (rows,).

    Parameters
    ----------
    classes
        The classes of rows with equal values.
    people
        The person of each row.
    linked
        Whether an intruder can find out which rows belong to one person. Then people are equivalent only if they have
        the same rows. Otherwise an intruder knows one row, and the person's row that the fewest people share counts.
    ordered
        Whether the intruder also knows the order of a person's rows; ignored where rows are not linked.
    """
    if linked and people.with_several:
        return group_people_by_rows(classes, people, ordered=ordered).size_of_record[people.of_row]
    return people.of_rows(people.least(count_class_people(classes, people)[classes.ids]))
