"""Disclosure of true values in columns that are not called confidential, about people who can be found."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import GRID, Bools, Ints
from ppdm_desktop.engine.attacks.uncertainty import (
    FEWEST_HOLDERS,
    MOST_ELSEWHERE,
    NEARLY_CERTAIN,
    ONE_SECRET,
    RARE_CATEGORY,
    SURE_BEFORE,
)
from ppdm_desktop.engine.identifiability.classes import Classes, classes_of_codes, equivalence_classes
from ppdm_desktop.engine.recipe.models import COMMON
from ppdm_desktop.engine.release.disclosure.released import Released
from ppdm_desktop.engine.release.disclosure.singled_out import (
    MOSTLY_TRUE,
    compute_true_share,
    list_identifying_columns,
    may_be_known,
)
from ppdm_desktop.engine.release.disclosure.value_groups import SHORT_SCALE, rows_in_groups
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.people import count_holders

FOLLOWS = 0.95
"""If at least this share of classes has one value each, the column repeats what others know, as a town gives its
province.
"""
OFTEN_FOLLOWS = 0.5
"""From this share on, values of more than one in ten people repeat what others know, as a town gives its hospital."""
FEWEST_FLAGS = 3
UNUSUAL = 0.3
"""Largest share of people with a value that still says something about a class, if others do not know the column."""


@dataclass(frozen=True, eq=False)
class Learnt:
    """What a column reveals about people whose class (equal quasi-identifiers) others can recognise.

    Attributes
    ----------
    column
        Its name.
    certain
        Whether the person's true value is certain, bool of shape (rows,).
    one_secret
        Who is in a class of at least ``k_min`` people of whom nearly all have one rare value, or no value, bool, shape
        (rows,).
    one_value
        As ``one_secret``, for a value that is not rare but that at most half of all people have.
    """

    column: str
    certain: Bools
    one_secret: Bools
    one_value: Bools


def true_columns(released: Released) -> list[Column]:
    """Return the columns, neither confidential nor in bins, of which over 90 % of the cells are true or empty.

    They are quasi-identifiers and columns with role ``other``; none if rows are not source rows.
    """
    return [
        column
        for column in (released.table.columns if released.rows_correspond else ())
        if column.role in ("quasi-identifier", "other")
        and released.candidate.prepared.column_section(column.name).bins is None
        and compute_true_share(released, column) > MOSTLY_TRUE
    ]


def build_findable_classes(released: Released) -> Classes:
    """Return classes of rows by the quasi-identifiers that are released truly or generalised.

    If rows of a person can be linked, two rows are equal only if all rows of their persons are.
    """
    quasi = released.table.with_role("quasi-identifier")
    if not any(released.changing_steps(column.name) for column in quasi):
        return released.by_others
    known_columns = [column for column in list_identifying_columns(released) if column.role == "quasi-identifier"]
    return released.judged(equivalence_classes(known_columns, released.table.rows))


def find_learnt_people(
    released: Released, column: Column, classes: Classes, people_of_class: Ints, *, in_large_classes: bool
) -> Learnt:
    """Return about which people a true column reveals a value that fewer than nine in ten rows show.

    A value is revealed if it is true, and all or nearly all rows of a class show it. An empty cell reveals nothing,
    except in large classes if at most half of the cells are empty.

    Parameters
    ----------
    released, column
        The table as written, and one of its true columns.
    classes
        Classes of rows that others cannot distinguish.
    people_of_class
        People in each row's class, shape (rows,). In a class of fewer than ``k_min`` every such value counts.
    in_large_classes
        Whether rare values count in larger classes, too: those that at most one in ten rows show, or three in ten if
        others are not assumed to know the column; none if the column follows from what they know. If False,
        ``one_secret`` and ``one_value`` of the result are False for everybody.
    """
    # Of a small class an empty cell tells nothing; of a large one it is a value if at most half of the cells are empty.
    draw = column.category_codes.astype(np.int64)
    empty = int(np.count_nonzero(draw < 0))
    if in_large_classes and 0 < 2 * empty <= len(draw):
        draw = np.where(draw < 0, len(column.categories), draw)
    rows = np.flatnonzero(draw >= 0)
    width = len(column.categories) + 1
    pairs = classes_of_codes([classes.ids[rows], draw[rows]], len(rows))
    holders, size = pairs.size_of_record.astype(np.float64), classes.size_of_record[rows].astype(np.float64)
    total = np.bincount(draw[rows], minlength=width)[draw[rows]]
    share = total / len(draw)
    # Belief of who knows all other rows of the class, with k_min further people who are like everybody else.
    elsewhere = (total - 1) / max(len(draw) - 1, 1)
    before = (holders - 1 + released.k_min * elsewhere) / (size - 1 + released.k_min)
    sure = (holders == size) | ((1 - holders / size) <= NEARLY_CERTAIN * np.maximum(1 - before, SURE_BEFORE) + GRID)
    is_value = draw[rows] < len(column.categories)
    sure &= released.is_true_value(column.name)[rows] | ~is_value
    small = people_of_class[rows] < released.k_min
    counted = small & is_value & (share < COMMON)
    one_secret, one_value = np.zeros((2, len(rows)), dtype=np.bool_)
    if in_large_classes:
        class_of_pair = np.empty(pairs.count, dtype=np.int64)
        class_of_pair[pairs.ids] = classes.ids[rows]
        most_rare, most = _choose_largest_shares(column, classes, class_of_pair, released.k_min)
        # A question that is put to some only is left empty by many: that says little of a class.
        rare = share <= np.where(is_value, most_rare, min(most_rare, RARE_CATEGORY)) + GRID
        counted |= ~small & rare
        nearly_all = ~small & (holders >= ONE_SECRET * size - GRID) & (holders >= FEWEST_HOLDERS)
        one_secret, one_value = nearly_all & rare, nearly_all & is_value & ~rare & (share <= most + GRID)
        if most > RARE_CATEGORY:
            one_secret |= _hold_few_values(column, classes, released.k_min)[rows]
    learnt = [np.zeros(len(draw), dtype=np.bool_) for _ in range(3)]
    for of_all, of_rows in zip(learnt, (sure & counted, one_secret, one_value), strict=True):
        of_all[rows] = of_rows
    return Learnt(column.name, *learnt)


def _hold_few_values(column: Column, classes: Classes, k_min: int) -> Bools:
    """Return which rows are in a class of which at least 90 % have one of several values that few others have.

    What "few others" means is defined in `groups_of_classes`. All are False for numbers and dates with more than 12
    different values: many of those go with age or place and are no secret of a class.
    """
    codes, width = column.category_codes.astype(np.int64), len(column.categories)
    has_few_values = np.zeros(len(codes), dtype=np.bool_)
    if column.kind in ("numeric", "date") and width > SHORT_SCALE:
        return has_few_values
    is_scale = column.kind in ("numeric", "date") or bool(column.order)
    for is_ordered in (True, False) if is_scale else (False,):
        has_few_values |= rows_in_groups(codes, width, classes.ids, classes.count, k_min, is_ordered=is_ordered)
    return has_few_values


def find_learnt_by_flags(released: Released, columns: Sequence[Column], classes: Classes) -> list[Learnt]:
    """Return what columns of two values reveal together about a large class, such as that all have one of three signs.

    Each of these columns is returned with the same rows (``one_secret``, perhaps without any row); ``certain`` and
    ``one_value`` are False. Empty with fewer than three columns of two values that others cannot know.

    Parameters
    ----------
    released, columns
        The table as written, and its true columns that others are not assumed to know.
    classes
        Classes of rows that others cannot distinguish.
    """
    flags = [column for column in columns if len(column.categories) == 2 and not may_be_known(column)]
    if len(flags) < FEWEST_FLAGS:
        return []
    together = classes_of_codes([flag.category_codes for flag in flags], released.table.rows)
    rows = rows_in_groups(together.ids, together.count, classes.ids, classes.count, released.k_min)
    no_rows = np.zeros_like(rows)
    return [Learnt(flag.name, no_rows, rows, no_rows) for flag in flags]


def _choose_largest_shares(column: Column, classes: Classes, class_of_pair: Ints, k_min: int) -> tuple[float, float]:
    """Return the largest share of all people that a value may have to count as rare, and to count as informative.

    They are for values that nearly all of a large class show:

    - 0 and 0 if at least 95 % of the large classes have a single value, or there are none: the column then follows from
      the known ones, and nothing counts.
    - 0.1 and 0.1 if at least half of them have, or if others may know the column.
    - 0.3 and 0.5 otherwise.

    Parameters
    ----------
    column, classes
        A true column, and classes of rows that others cannot distinguish.
    class_of_pair
        The class of each different pair of a class and a value.
    k_min
        Smaller classes are not looked at.
    """
    values = np.bincount(class_of_pair, minlength=classes.count)[classes.sizes >= k_min]
    follows = float((values == 1).mean()) if len(values) else 1.0
    if follows >= FOLLOWS:
        return 0.0, 0.0
    if follows >= OFTEN_FOLLOWS or may_be_known(column):
        return RARE_CATEGORY, RARE_CATEGORY
    return UNUSUAL, MOST_ELSEWHERE


def has_rare_value(released: Released, columns: Collection[Column], people: Bools) -> bool:
    """Return whether a row marked in ``people`` shows, in some column, a value that fewer than ``k_min`` people show.

    ``people`` is bool, shape (rows,). The columns, released truly, are looked at one by one; a person counts once for
    each value, and missing values do not count.
    """
    for column in columns:
        released_codes = column.category_codes.astype(np.int64)
        holders = count_holders(released_codes, len(column.categories), released.people)
        mine = released_codes[people & (released_codes >= 0)]
        if bool((holders[mine] < released.k_min).any()):
            return True
    return False
