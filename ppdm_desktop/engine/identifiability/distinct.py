"""One record for each class of equal quasi-identifier values, so that subsets of the columns are counted quickly.

Records that are equal in all columns are equal in some of them, so every figure about fewer or
coarser columns can be counted on one record a class, weighted by the size of the class.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import AnyInts, Bools, Codes, Ints
from ppdm_desktop.engine.identifiability.classes import Classes, classes_of_codes, equivalence_classes
from ppdm_desktop.engine.identifiability.risk import MATCHES_ANYTHING
from ppdm_desktop.engine.table.column import Column

# Below this many possible patterns a counting table is faster than sorting.
_COUNTING_LIMIT = 1 << 22


@dataclass(frozen=True, eq=False)
class Distinct:
    """The classes of equal values in some columns, each by its first record.

    Attributes
    ----------
    classes
        Classes of equal values in all columns (missing a value of its own).
    first
        int64, shape (classes,): the first record of each class.
    codes
        For each column int32, shape (classes,): its category, -1 where missing.
    weights
        int64, shape (classes,): records in each class.
    """

    classes: Classes
    first: Ints
    codes: tuple[Codes, ...]
    weights: Ints

    @classmethod
    def of(cls, columns: Sequence[Column], rows: int) -> Distinct:
        """Group records by equal values of all columns."""
        classes = equivalence_classes(columns, rows)
        first = np.zeros(classes.count, dtype=np.int64)
        first[classes.ids[::-1]] = np.arange(rows - 1, -1, -1, dtype=np.int64)
        return cls(classes, first, tuple(column.category_codes[first] for column in columns), classes.sizes)

    def refined(self, ids: Classes, codes: AnyInts) -> Classes:
        """Return classes (of the distinct records) parted further by one more column's codes."""
        # Ids are shifted because codes begin at -1 (missing).
        return classes_of_codes([ids.ids - 1, codes], len(self.weights))

    def together(self) -> Classes:
        """Return all distinct records as one class: equal in no column at all."""
        return Classes(np.zeros(len(self.weights), dtype=np.int64), int(len(self.weights) > 0))

    def sizes(self, ids: Classes) -> Ints:
        """Return how many records each class of distinct records holds."""
        # Float weights are exact: counts of records stay far below 2^53.
        return np.bincount(ids.ids, weights=self.weights, minlength=ids.count).astype(np.int64)

    def alone(self, ids: Classes) -> Bools:
        """Say for each distinct record whether it is one record that shares its class with nobody."""
        return np.asarray(self.sizes(ids)[ids.ids] == 1)

    def count_alone(self, places: Sequence[int]) -> int:
        """Return how many records are alone by some of the columns (their places)."""
        keys = np.zeros(len(self.weights), dtype=np.int64)
        possible = 1
        for place in places:
            width = int(self.codes[place].max(initial=-1)) + 2
            if possible * width > _COUNTING_LIMIT:
                compressed = classes_of_codes([self.codes[each] for each in places], len(self.weights))
                return int((self.sizes(compressed) == 1).sum())
            keys = keys * width + (self.codes[place] + 1)
            possible *= width
        return int((np.bincount(keys, weights=self.weights, minlength=possible) == 1).sum())


def missing_matches(columns: Sequence[Column], missing_rule: str) -> bool:
    """Say whether some values are missing and may stand for anything: then equal classes do not tell who matches."""
    return missing_rule == MATCHES_ANYTHING and any(bool(column.missing.any()) for column in columns)
