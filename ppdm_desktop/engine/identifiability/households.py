"""Households: how many are equivalent, and the chance that an intruder finds at least one member.

Reported together with the risk of people; no limit applies to these figures.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.identifiability.classes import Classes, Members, row_sets
from ppdm_desktop.engine.table.people import People


@dataclass(frozen=True, eq=False)
class Households:
    """The identifiability figures of all households of a table.

    Attributes
    ----------
    members
        int64, shape (households,): people in each.
    alike
        int64, shape (households,): households with as many people of each kind of rows, itself included.
    found
        float64, shape (households,): the chance that at least one member is found, 1 - product of (1 - 1 / n) over the
        people n that each member cannot be distinguished from (people-and-import, section 3).
    """

    members: Ints
    alike: Ints
    found: Floats

    @property
    def count(self) -> int:
        """Number of households."""
        return len(self.members)

    @property
    def with_several(self) -> int:
        """Number of households with two people or more."""
        return int(np.count_nonzero(self.members > 1))

    @property
    def unique(self) -> int:
        """Number of households that are equivalent to no other."""
        return int(np.count_nonzero(self.alike == 1))

    @property
    def found_mean(self) -> float:
        """Mean over the households of the chance that a member is found; 0 without households."""
        return float(self.found.mean()) if self.count else 0.0

    @property
    def found_max(self) -> float:
        """Largest chance over the households that a member is found; 0 without households."""
        return float(self.found.max()) if self.count else 0.0


def households(classes: Classes, people: People, matches: Ints) -> Households | None:
    """Return the figures of the households; None where the table has no household column.

    Parameters
    ----------
    classes
        Of rows with equal values.
    people
        Whose row each is. Who has rows of two households is a member of both.
    matches
        int64, shape (people,): people each person cannot be distinguished from.
    """
    if people.household is None:
        return None
    every = Classes(people.household, int(people.household.max(initial=-1)) + 1)
    members = Members.of_rows(every, people)
    # Each member once in each household; of a class of people with the same rows.
    kinds = Classes(row_sets(classes, people).ids[members.person], people.count)
    as_members = replace(people, of_row=members.of_class, lacking=np.zeros(len(members.of_class), dtype=np.bool_))
    alike = row_sets(kinds, as_members).size_of_record
    hidden = np.ones(every.count)
    np.multiply.at(hidden, members.of_class, 1.0 - 1.0 / matches[members.person])
    return Households(members.people, alike, 1.0 - hidden)
