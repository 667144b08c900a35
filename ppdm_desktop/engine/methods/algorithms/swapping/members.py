"""The identifiable records of a confidential column, and which members of groups change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ppdm_desktop.engine.arrays import AnyInts, Bools, Floats, Ints
from ppdm_desktop.engine.identifiability.classes import Classes, people_in, pure_classes, row_sets
from ppdm_desktop.engine.methods.algorithms.swapping.demands import members_due
from ppdm_desktop.engine.methods.algorithms.swapping.shuffled import rank_within, shuffled_by
from ppdm_desktop.engine.randomness import RandomStream
from ppdm_desktop.engine.table.people import People


@dataclass(frozen=True, eq=False)
class Identified:
    """The paper's sets U and V of one confidential column; where people have several rows a record is a person.

    Attributes
    ----------
    unique
        Rows of the uniquely identifiable records (U), rising.
    collective
        Rows of the collectively identifiable records (V), rising.
    group
        Group of each record of ``collective``, 0 .. groups-1.
    groups
        Number of groups (the paper's G).
    unidentifiable, no_value
        Number of records that are neither, with and without a value.
    """

    unique: Ints
    collective: Ints
    group: Ints
    groups: int
    unidentifiable: int
    no_value: int

    @property
    def sizes(self) -> Ints:
        """Number of records in each group, int64, shape (groups,)."""
        return np.bincount(self.group, minlength=self.groups).astype(np.int64)


def _telling_classes(classes: Classes, truth: AnyInts, views: Sequence[Ints]) -> Bools:
    """Return for each class whether all members have one value in the column, or in any column swapped with it."""
    if not views:
        return pure_classes(classes, truth)
    present = np.asarray(truth) >= 0
    seen = (np.where(present, view[np.maximum(truth, 0)], -1) for view in views)
    return np.asarray(np.logical_or.reduce([pure_classes(classes, codes) for codes in seen]))


def identified(classes: Classes, truth: AnyInts, people: People, views: Sequence[Ints] = ()) -> Identified:
    """Return the sets U and V of a column (Li & Sarkar 2004, definition 2); records are people.

    A person with a row in a class of theirs alone is in U. A class of several people that all show one value is a
    group; a person in several such classes belongs to the one with fewest people, in a tie to that of their first
    row. Where a recipient could link a person's rows, the classes are those of people with equal rows.

    Parameters
    ----------
    classes
        Rows grouped by equal quasi-identifiers.
    truth
        Category of each person, the same in all their rows, -1 where missing.
    people
        Whose row each is.
    views
        Where categories are combinations of several columns' values: the category of each column in every one. A
        class that shows one value of any of them is a group of V.
    """
    if people.linked:
        classes, people = row_sets(classes, people, ordered=people.in_order), People.identity(people.count)
    inside = people_in(classes, people)[classes.ids]
    telling = _telling_classes(classes, truth[people.of_row], views)[classes.ids] & (inside > 1)
    has_value = np.asarray(truth) >= 0
    alone = people.with_any(inside == 1) & has_value
    fewest = people.first_by(~telling, inside)
    collective = np.flatnonzero(telling[fewest] & ~alone)
    names, group = np.unique(classes.ids[fewest[collective]], return_inverse=True)
    unique = np.flatnonzero(alone)
    no_value = int(np.count_nonzero(~has_value))
    rest = people.count - len(unique) - len(collective) - no_value
    return Identified(unique, collective, group.astype(np.int64).reshape(-1), len(names), rest, no_value)


def group_level(identified: Identified, level: AnyInts) -> Ints:
    """Return the level of the strictest member of each group, shape (groups,).

    Parameters
    ----------
    identified
        The groups.
    level
        Level of every record of the table, the weakest 0.
    """
    highest = np.zeros(identified.groups, dtype=np.int64)
    np.maximum.at(highest, identified.group, level[identified.collective])
    return highest


def draw_member_counts(identified: Identified, level: Ints, shares: Sequence[Fraction], drawn: Floats) -> Ints:
    """Return how many members of each group change, int64, shape (groups,).

    Parameters
    ----------
    identified
        The groups.
    level
        Level of each group's strictest member.
    shares
        Share of members for each level; 0 is one member.
    drawn
        Uniform numbers of the key, one a group.
    """
    sizes = identified.sizes
    due = np.ones(identified.groups, dtype=np.int64)
    for index, share in enumerate(shares):
        here = level == index
        due[here] = members_due(share, sizes[here], drawn[here])
    return due


def draw_members(identified: Identified, due: Ints, stream: RandomStream) -> Ints:
    """Return the rows, rising, of the members that change, drawn uniformly within each group.

    Row order or posterior would reveal which member changed.
    """
    order = shuffled_by(identified.group, stream)
    groups = identified.group[order]
    return np.sort(identified.collective[order[rank_within(groups) < due[groups]]])
