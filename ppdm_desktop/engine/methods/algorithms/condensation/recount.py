"""Checks the promise of condensation by a recount: group sizes, and which values each group shows in the release."""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.methods.algorithms.digits.scaled import step_units, style_of
from ppdm_desktop.engine.table.column import Column


def group_sizes(group: Ints) -> Ints:
    """Return for each record the number of records in its group, int64, shape (records,)."""
    return np.bincount(group)[group].astype(np.int64) if len(group) else np.zeros(0, dtype=np.int64)


def find_short_records(group: Ints, needs: Ints) -> Ints:
    """Return the indexes, rising, of the records whose group is smaller than they ask for.

    ``group`` is each record's group number, ``needs`` the size it asks for.
    """
    return np.flatnonzero(group_sizes(group) < needs).astype(np.int64)


def count_misplaced_values(before: Column, after: Column, group: Ints) -> int:
    """Return how many released values of a column break the promise that condensation makes for its kind.

    For nominal and ordinal columns, each group must show exactly the values that its members had, in any order; values
    that differ are counted as by ``_count_other_values``. For numbers and dates, each group must have as many missing
    values as its members had, and numbers must be multiples of the column's step. A group with too many or too few
    missing values counts with the difference. For numbers and dates, all values count as breaking it where kinds or
    numbers of rows differ, or numbers have more decimals than before.

    Parameters
    ----------
    before, after
        The column before and after.
    group
        The group of each row, 0 and up.
    """
    if before.kind in ("nominal", "ordinal"):
        return _count_other_values(before, after, group)
    if after.kind != before.kind or len(after) != len(before):
        return len(before)
    groups = int(group.max(initial=-1)) + 1
    gaps = [np.bincount(group, column.missing, groups) for column in (before, after)]
    wrong = int(np.abs(gaps[0] - gaps[1]).sum())
    if after.kind == "numeric":
        old, new = style_of(before), style_of(after)
        if new.decimals > old.decimals:
            return len(before)
        released = after.scaled * 10 ** (old.decimals - new.decimals)
        wrong += int(np.count_nonzero(released % step_units(old)))
    return wrong


def _count_other_values(before: Column, after: Column, group: Ints) -> int:
    """Return how many values differ before and after, once both are sorted inside each group.

    For a group with a, a, b before and a, b, b after the count is 1; the order of its rows makes no difference. A text
    that the column did not have before is sorted last.
    """
    code_of = {text: code for code, text in enumerate(before.texts)}
    lookup = np.array([code_of.get(text, len(code_of)) for text in after.texts], dtype=np.int64)
    width = len(code_of) + 1
    old = np.sort(group * width + before.codes)
    new = np.sort(group * width + lookup[after.codes])
    return int(np.count_nonzero(old != new))
