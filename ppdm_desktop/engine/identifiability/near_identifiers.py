"""Columns that work like a name because many of their values belong to few people, and small sets of such columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.people import People, count_holders

LARGEST_SET = 3
"""Most columns in a set."""
HALF = 0.5
"""The search stops at a set that singles out this share of the people."""


@dataclass(frozen=True)
class NearIdentifier:
    """How many people one column singles out, or nearly singles out.

    Attributes
    ----------
    column
        Name of the column.
    unique_people
        Number of people with a value that nobody else has.
    few
        Number of people with a value that fewer than k_min people share, including those that nobody else has.
    people
        Number of people who have a value in the column.
    """

    column: str
    unique_people: int
    few: int
    people: int


def near_identifiers(columns: Sequence[Column], k_min: int, people: People) -> list[NearIdentifier]:
    """Return for each column how many people have a value that nobody, or fewer than k_min people, share.

    Every column is listed, sorted by the first number (``unique_people``), then by the second (``few``, which includes
    the first for a k_min above 1), most first; equal columns keep their order. Missing values do not count; how many
    people have a value is stated as ``people``.

    Parameters
    ----------
    columns
        Columns that are released unchanged or generalised.
    k_min
        Number of people that should share a value.
    people
        The person of each row; a person counts who has such a value in any row.
    """
    identifiers = []
    for column in columns:
        progress.check()
        codes = column.category_codes
        holders = count_holders(codes, len(column.categories), people)
        # A missing value is shared with enough people.
        least = people.least(np.append(holders, max(k_min, 2))[codes])
        unique_people, few = (int(np.count_nonzero(least < most)) for most in (2, k_min))
        identifiers.append(NearIdentifier(column.name, unique_people, few, people.among(codes >= 0)))
    return sorted(identifiers, key=lambda identifier: (-identifier.unique_people, -identifier.few))


@dataclass(frozen=True)
class RevealingSet:
    """A set of columns, and the number of people who are unique by these columns together."""

    columns: tuple[str, ...]
    unique_people: int


def find_identifying_sets(
    columns: Sequence[Column], people: int, count_unique: Callable[[Sequence[Column]], int]
) -> tuple[RevealingSet, ...]:
    """Return up to three sets of columns that single out many people: the best column, the best pair with it, so on.

    Every set holds the set before it, as in (postcode,), (postcode, age). Columns are added until half of the people
    are unique; sets at the end that make no more people unique than the one before are left out. Of columns that make
    equally many people unique, the one with most values is taken. Empty without columns. The first set is returned even
    if it singles out nobody.

    Parameters
    ----------
    columns
        Columns that are released unchanged or generalised.
    people
        Number of people.
    count_unique
        Returns the number of people who are unique by the given columns.
    """
    # Of columns that make as many unique, the one with most values leaves fewest together for the next.
    left = sorted(columns, key=lambda column: -len(column.categories))
    chosen: list[Column] = []
    sets: list[RevealingSet] = []
    while left and len(chosen) < LARGEST_SET and not (sets and sets[-1].unique_people >= HALF * people):
        counts = []
        for column in left:
            progress.check()
            counts.append(count_unique([*chosen, column]))
        best = counts.index(max(counts))
        chosen.append(left.pop(best))
        sets.append(RevealingSet(tuple(column.name for column in chosen), counts[best]))
    while len(sets) > 1 and sets[-1].unique_people == sets[-2].unique_people:
        sets.pop()
    return tuple(sets)
