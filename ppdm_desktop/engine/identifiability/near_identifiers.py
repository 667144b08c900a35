"""Columns that work like a name: values of one's own, or shared by few, and the smallest sets that do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ppdm_desktop.engine.identifiability.classes import classes_of_codes
from ppdm_desktop.engine.progress import Progress, silent
from ppdm_desktop.engine.table.column import Column

LARGEST_SET = 3
"""Columns in the largest set that is looked for."""
HALF = 0.5
"""Share of the people that a set has to single out to be named."""
_TRIED = 12


@dataclass(frozen=True)
class NearIdentifier:
    """How far one column works like a name.

    Attributes
    ----------
    column
        Its name.
    alone
        People with a value that nobody else has.
    few
        People with a value that fewer than k_min people share, those alone among them.
    people
        People who have a value in it.
    """

    column: str
    alone: int
    few: int
    people: int


def near_identifiers(columns: Sequence[Column], k_min: int, progress: Progress | None = None) -> list[NearIdentifier]:
    """Count for each column who has a value of their own, worst first; a missing value is nobody's.

    Parameters
    ----------
    columns
        Columns that are released truly or broader.
    k_min
        People that should share a value.
    progress
        Checked at each column.
    """
    progress = progress or silent()
    found = []
    for column in columns:
        progress.check()
        codes = column.category_codes
        sizes = np.bincount(codes[codes >= 0], minlength=len(column.categories))
        alone, few = int((sizes == 1).sum()), int(sizes[sizes < k_min].sum())
        found.append(NearIdentifier(column.name, alone, few, int(sizes.sum())))
    return sorted(found, key=lambda each: (-each.alone, -each.few))


@dataclass(frozen=True)
class TellingSet:
    """A set of columns, and the people who are unique in it."""

    columns: tuple[str, ...]
    alone: int


def smallest_telling_set(columns: Sequence[Column], rows: int, progress: Progress | None = None) -> TellingSet | None:
    """Return the smallest set of columns by which half of the people are unique, None where no three are enough.

    Sets are looked for among the columns with most different values.
    """
    progress = progress or silent()
    usable = sorted(columns, key=lambda each: -len(each.categories))[:_TRIED]
    best: TellingSet | None = None
    for size in range(1, min(LARGEST_SET, len(usable)) + 1):
        for chosen in combinations(usable, size):
            progress.check()
            sizes = classes_of_codes([column.category_codes for column in chosen], rows).sizes
            alone = int((sizes == 1).sum())
            if best is None or alone > best.alone:
                best = TellingSet(tuple(column.name for column in chosen), alone)
        if best is not None and best.alone >= HALF * rows:
            return best
    return None
