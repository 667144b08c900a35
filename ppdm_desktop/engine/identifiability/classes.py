"""Equivalence classes of quasi-identifier values and Li & Sarkar's identifiable records."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import AnyInts, Bools, Ints, every_row, narrowed
from ppdm_desktop.engine.identifiability.ranks import ranked
from ppdm_desktop.engine.table.column import Column, Table

# Below so many possible patterns, and so many for each record, a counting table is faster than sorting.
_COUNTING_LIMIT, _COUNTED_EACH = 1 << 22, 128
_LARGEST_KEY = (1 << 62) - 1
_AT_ONCE = 1_000_000

UNIDENTIFIABLE, UNIQUE, COLLECTIVE, NO_VALUE = 0, 1, 2, 3


@dataclass(frozen=True, eq=False)
class Classes:
    """Equivalence classes: records that have equal values in some columns.

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
        """Index of the first record of each class, int64, shape (classes,)."""
        first = np.empty(self.count, dtype=np.int64)
        first[self.ids[::-1]] = every_row(len(self.ids))[::-1]
        return first

    @cached_property
    def smallest(self) -> int:
        """Size of the smallest class (k); 0 without records."""
        return int(self.sizes.min()) if self.count else 0


def _compress(keys: Ints, possible: int) -> tuple[Ints, int]:
    """Return keys renumbered without gaps in the same order, and how many there are."""
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
    return ranked(keys)


def classes_of_codes(codes: Iterable[AnyInts], rows: int) -> Classes:
    """Return the equivalence classes of records with equal codes in every column.

    Parameters
    ----------
    codes
        One array of shape (rows,) a column, each at least -1 (missing, a value of its own); each is taken once.
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
            keys, possible = _compress(keys, possible)
            if possible == rows:
                return Classes(keys, rows)  # nothing divides single records, and their order stays
        keys *= width
        keys += column
        keys += 1
        possible *= width
    if rows == 0:
        return Classes(keys, 0)
    progress.check()
    ids, count = _compress(keys, possible)
    return Classes(ids, count)


def equivalence_classes(columns: Sequence[Column], rows: int) -> Classes:
    """Return the classes of records with equal values in all given columns; missing counts as a value."""
    # One after another: those of stored columns are made when they are asked for.
    return classes_of_codes((column.category_codes for column in columns), rows)


def quasi_identifier_classes(table: Table) -> Classes:
    """Return the classes of records with equal quasi-identifiers; missing counts as a value."""
    return equivalence_classes(table.with_role("quasi-identifier"), table.rows)


@dataclass(frozen=True, eq=False)
class Identifiable:
    """The status of each record for one confidential column (Li & Sarkar 2004, definition 2).

    Attributes
    ----------
    status
        int8, shape (records,): UNIDENTIFIABLE, UNIQUE, COLLECTIVE or NO_VALUE.
    classes
        The quasi-identifier classes the status was read from.
    """

    status: npt.NDArray[np.int8]
    classes: Classes

    @property
    def unique(self) -> Bools:
        """Flags of the uniquely identifiable records (the paper's set U), bool, shape (records,)."""
        return np.asarray(self.status == UNIQUE)

    @property
    def collective(self) -> Bools:
        """Flags of the collectively identifiable records (the paper's set V), bool, shape (records,)."""
        return np.asarray(self.status == COLLECTIVE)

    @property
    def groups(self) -> int:
        """Number of classes that hold collectively identifiable records."""
        return classes_among(self.classes, self.collective)


def classes_among(classes: Classes, records: Bools) -> int:
    """Return how many classes hold at least one of the flagged records (bool, shape (records,))."""
    has_record = np.zeros(classes.count, dtype=np.bool_)
    has_record[classes.ids[records]] = True
    return int(has_record.sum())


def lowest_and_highest(classes: Classes, codes: AnyInts) -> tuple[AnyInts, AnyInts]:
    """Return the lowest and the highest code in each class, two arrays of shape (classes,) in the codes' smallest type.

    The lowest of a class without records is the largest number of the type, the highest -2.
    """
    # Codes of another width would be converted one by one, which takes thirty times as long.
    narrow = narrowed(codes)
    lowest = np.full(classes.count, np.iinfo(narrow.dtype).max, dtype=narrow.dtype)
    highest = np.full(classes.count, -2, dtype=narrow.dtype)
    np.minimum.at(lowest, classes.ids, narrow)
    np.maximum.at(highest, classes.ids, narrow)
    return lowest, highest


def fewest_distinct(classes: Classes, codes: AnyInts) -> int:
    """Return the smallest number of distinct values in any class; missing counts as a value. 0 without classes."""
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
    """Return the flags of classes whose records all have the same value, none missing; bool, shape (classes,)."""
    lowest, highest = lowest_and_highest(classes, codes)
    return np.asarray((lowest == highest) & (lowest >= 0))


def identifiable_records(classes: Classes, codes: AnyInts) -> Identifiable:
    """Return for each record whether its class reveals its confidential value, and whether the record is unique.

    Parameters
    ----------
    classes
        Classes of equal quasi-identifier values.
    codes
        Category of the confidential column for each record, -1 where missing. A missing
        value makes its class impure and its record NO_VALUE.
    """
    pure = pure_classes(classes, codes)[classes.ids]
    alone = classes.size_of_record == 1
    status = np.zeros(len(codes), dtype=np.int8)
    status[pure & alone] = UNIQUE
    status[pure & ~alone] = COLLECTIVE
    status[codes < 0] = NO_VALUE
    return Identifiable(status, classes)
