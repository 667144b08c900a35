"""What is learnt about people who are found: true values of columns that are not called confidential."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.attacks.doubt import (
    COMMON,
    FEWEST_HOLDERS,
    NEARLY_CERTAIN,
    ONE_SECRET,
    RARE_CATEGORY,
    SURE_BEFORE,
)
from ppdm_desktop.engine.identifiability.classes import Classes, equivalence_classes
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.release.disclosure.picked_out import MOSTLY_TRUE, share_true, telling_columns
from ppdm_desktop.engine.release.disclosure.released import Released
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.tie_breaking import GRID

FOLLOWS = 0.95
"""Share of classes with one value each from which on a column only repeats what others know: a town's province."""


@dataclass(frozen=True, eq=False)
class Learnt:
    """What a column tells of people whose class others can recognise.

    Attributes
    ----------
    column
        Its name.
    certain
        Whose true value is certain, bool of shape (rows,).
    one_secret
        Who is in a class of at least ``k_min`` people nearly all of whom have one rare value, of shape (rows,).
    """

    column: str
    certain: Bools
    one_secret: Bools


def true_columns(released: Released) -> list[Column]:
    """Return the columns that are neither confidential nor binned and show the source's own values."""
    sections = released.candidate.prepared.complete.columns
    return [
        column
        for column in (released.table.columns if released.rows_correspond else ())
        if column.role in ("quasi-identifier", "other")
        and not (column.name in sections and sections[column.name].bins is not None)
        and share_true(released, column) > MOSTLY_TRUE
    ]


def found_classes(released: Released, progress: Progress) -> Classes:
    """Return classes of rows by the quasi-identifiers that are released truly or broader."""
    quasi = released.table.with_role("quasi-identifier")
    if not any(released.changing_steps(column.name) for column in quasi):
        return released.by_others
    known = [column for column in telling_columns(released) if column.role == "quasi-identifier"]
    return released.judged(equivalence_classes(known, released.table.rows, progress))


def learnt_of(
    released: Released, column: Column, classes: Classes, people_of_class: Ints, *, in_large_classes: bool
) -> Learnt:
    """Return of whom a true column tells a value that fewer than nine in ten people hold.

    Parameters
    ----------
    released, column
        The table as written, and one of its true columns.
    classes
        Of rows that others cannot tell apart.
    people_of_class
        People in each row's class, shape (rows,). Below ``k_min`` every value counts.
    in_large_classes
        Whether values that at most one in ten people hold count in classes of any size, too.
    """
    shown = column.category_codes.astype(np.int64)
    rows = np.flatnonzero(shown >= 0)
    width = len(column.categories)
    pairs, place, counts = np.unique(classes.ids[rows] * width + shown[rows], return_inverse=True, return_counts=True)
    held, size = counts[place.reshape(-1)].astype(np.float64), classes.size_of_record[rows].astype(np.float64)
    total = np.bincount(shown[rows], minlength=width)[shown[rows]]
    share = total / len(shown)
    # Belief of who knows all other rows of the class, with k_min further people who are like everybody else.
    elsewhere = (total - 1) / max(len(shown) - 1, 1)
    before = (held - 1 + released.k_min * elsewhere) / (size - 1 + released.k_min)
    sure = (held == size) | ((1 - held / size) <= NEARLY_CERTAIN * np.maximum(1 - before, SURE_BEFORE) + GRID)
    sure &= released.shown_is_true(column.name)[rows]
    small = people_of_class[rows] < released.k_min
    rare = share <= RARE_CATEGORY + GRID
    counted = small & (share < COMMON)
    one_secret = np.zeros(len(rows), dtype=np.bool_)
    if in_large_classes:
        values_of_class = np.bincount(pairs // width, minlength=classes.count)
        if float((values_of_class == 1).mean()) < FOLLOWS:
            counted |= rare
            one_secret = ~small & rare & (held >= ONE_SECRET * size - GRID) & (held >= FEWEST_HOLDERS)
    found = [np.zeros(len(shown), dtype=np.bool_) for _ in range(2)]
    for of_all, of_rows in zip(found, (sure & counted, one_secret), strict=True):
        of_all[rows] = of_rows
    return Learnt(column.name, *found)


def hold_rare_values(released: Released, columns: Collection[Column], people: Bools) -> bool:
    """Say whether some rows show a value of a true column that fewer than ``k_min`` people share."""
    for column in columns:
        shown = column.category_codes.astype(np.int64)
        held = shown
        if released.people is not None:
            held = (
                np.unique(released.people.of_row * (len(column.categories) + 1) + shown + 1)
                % (len(column.categories) + 1)
                - 1
            )
        holders = np.bincount(held[held >= 0], minlength=len(column.categories))
        mine = shown[people & (shown >= 0)]
        if bool((holders[mine] < released.k_min).any()):
            return True
    return False
