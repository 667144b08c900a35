"""People in equivalence classes, where a person may have several rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.identifiability.classes import Classes, classes_of_codes
from ppdm_desktop.engine.table.people import People


@dataclass(frozen=True, eq=False)
class Members:
    """The people of each class: one member for each person with a row in the class.

    Attributes
    ----------
    classes
        Of rows.
    of_class
        int64, shape (members,): the class, rising.
    person
        int64, shape (members,): the person, rising within a class.
    rows
        int64, shape (members,): the person's rows in the class.
    """

    classes: Classes
    of_class: Ints
    person: Ints
    rows: Ints

    @classmethod
    def of_rows(cls, classes: Classes, people: People) -> Members:
        """Return which people have rows in each class, for classes that group rows."""
        return cls.of(classes, people.of_row, people.count)

    @classmethod
    def of(cls, classes: Classes, person: Ints, count: int) -> Members:
        """Return the members, given the person of each row as a number below ``count``."""
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
        """Different people in each class, shape (classes,)."""
        return np.bincount(self.of_class, minlength=self.classes.count).astype(np.int64)

    @property
    def share(self) -> Floats:
        """Share of the rows of the class that the member holds, shape (members,)."""
        return np.asarray(self.rows / self.classes.sizes[self.of_class])


def people_in(classes: Classes, people: People | None) -> Ints:
    """Return the number of different people in each class, int64, shape (classes,).

    Parameters
    ----------
    classes
        Of rows.
    people
        Whose row each is; None where each row is another person.
    """
    if people is None:
        return classes.sizes
    return Members.of_rows(classes, people).people


def row_sets(classes: Classes, people: People, *, ordered: bool = False) -> Classes:
    """Return classes of people with the same rows: as many rows of each class. Compared exactly, not by hashes.

    Parameters
    ----------
    classes
        Of rows with equal values.
    people
        Whose row each is.
    ordered
        The rows have to be the same in the same order, that of the table.

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
    # People with equally many rows are compared place by place; no two of different length are alike.
    for length in np.unique(people.sizes).tolist():
        whose = np.flatnonzero(people.sizes == length)
        alike = classes_of_codes([class_of_row[starts[whose] + position] for position in range(length)], len(whose))
        ids[whose] = alike.ids + count
        count += alike.count
    return Classes(ids, count)


def class_people(classes: Classes, people: People | None, *, linked: bool, ordered: bool) -> Ints:
    """Return for each row how many people its person cannot be distinguished from, int64, shape (rows,).

    Parameters
    ----------
    classes
        Of rows with equal values.
    people
        Whose row each is; None where each row is another person.
    linked
        Whether an intruder could put a person's rows together: then only people with the same set of rows are alike.
        Else one row is known, and of a person's rows the one that fewest people share counts.
    ordered
        Whether the order of a person's rows is known, too; says nothing where rows are not linked.
    """
    if people is None:
        return classes.size_of_record
    if linked:
        return row_sets(classes, people, ordered=ordered).size_of_record[people.of_row]
    return np.asarray(people.least(people_in(classes, people)[classes.ids])[people.of_row], dtype=np.int64)
