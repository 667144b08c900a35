"""One record for each class of equal quasi-identifier values, so that subsets of the columns are counted quickly.

Records that are equal in all columns are equal in some of them, so every figure about fewer or
broader columns can be counted on one record a class, weighted by the size of the class.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import AnyInts, Codes, Ints
from ppdm_desktop.engine.identifiability.classes import Classes, classes_of_codes, equivalence_classes
from ppdm_desktop.engine.identifiability.risk import MATCHES_ANYTHING
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.people import People

# Below this many possible patterns a counting table is faster than sorting.
_COUNTING_LIMIT = 1 << 22


@dataclass(frozen=True, eq=False)
class Distinct:
    """One representative record for each class of equal values in some columns.

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
    owner
        int64, shape (classes,): the person whose records all of the class are, -1 where they are of several people.
        Without people each record is another person's, by its place.
    """

    classes: Classes
    first: Ints
    codes: tuple[Codes, ...]
    weights: Ints
    owner: Ints

    @classmethod
    def of(cls, columns: Sequence[Column], rows: int, people: People | None = None) -> Distinct:
        """Return representatives of the classes of equal values in all columns, and whose records each class holds."""
        classes = equivalence_classes(columns, rows)
        first = classes.first
        codes = tuple(column.category_codes[first] for column in columns)
        if people is None:
            owner = np.where(classes.sizes == 1, first, -1)
        else:
            owner = owner_of(classes.ids, people.of_row, classes.count)
        return cls(classes, first, codes, classes.sizes, owner)

    def refined(self, ids: Classes, codes: AnyInts) -> Classes:
        """Return the classes of representatives after splitting them by the codes of one more column."""
        # Ids are shifted because codes begin at -1 (missing).
        return classes_of_codes([ids.ids - 1, codes], len(self.weights))

    def together(self) -> Classes:
        """Return one class that holds all representatives."""
        return Classes(np.zeros(len(self.weights), dtype=np.int64), int(len(self.weights) > 0))

    def sizes(self, ids: Classes) -> Ints:
        """Return the number of records (not representatives) in each class, int64, shape (classes,)."""
        # Float weights are exact: counts of records stay far below 2^53.
        return np.bincount(ids.ids, weights=self.weights, minlength=ids.count).astype(np.int64)

    def count_alone(self, places: Sequence[int]) -> int:
        """Return how many people are unique by the columns at the given indexes."""
        owners = np.sort(self._alone(places))
        return int(np.count_nonzero(np.diff(owners))) + int(len(owners) > 0)

    def anybody_alone(self, places: Sequence[int]) -> bool:
        """Return whether anybody is unique by the columns at the given indexes."""
        return bool(len(self._alone(places)))

    def _alone(self, places: Sequence[int]) -> Ints:
        """Return the people who are unique by some columns, one entry for each class that is theirs alone."""
        keys = np.zeros(len(self.weights), dtype=np.int64)
        possible = 1
        for index in places:
            width = int(self.codes[index].max(initial=-1)) + 2
            if possible * width > _COUNTING_LIMIT:
                compressed = classes_of_codes([self.codes[other_index] for other_index in places], len(self.weights))
                return self._owners(compressed.ids, compressed.count)
            keys = keys * width + (self.codes[index] + 1)
            possible *= width
        return self._owners(keys, possible)

    def _owners(self, ids: Ints, count: int) -> Ints:
        """Return the owners of the classes whose members all belong to one person."""
        owners = owner_of(ids, self.owner, count)
        return owners[owners >= 0]


def owner_of(ids: Ints, owner: Ints, count: int) -> Ints:
    """Return the one person to whom all members of each class belong, int64, shape (count,); -1 where there is none.

    Parameters
    ----------
    ids
        The class of each member, 0 .. count-1.
    owner
        The person of each member, -1 where it is of several.
    count
        Number of classes; one without members has no owner.
    """
    owner_of_class = np.full(count, -1, dtype=np.int64)
    owner_of_class[ids] = owner
    owner_of_class[ids[owner != owner_of_class[ids]]] = -1
    return owner_of_class


def missing_matches(columns: Sequence[Column], missing_rule: str) -> bool:
    """Return whether a value is missing in some column while the rule lets a missing value match anything."""
    return missing_rule == MATCHES_ANYTHING and any(bool(column.missing.any()) for column in columns)
