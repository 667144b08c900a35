"""Differences between a release of group averages and an earlier one, which may reveal people who joined or left.

An average times the number of people who share it is the sum of their values. If the sums of two releases differ by one
person, their difference is that person's value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.identifiability.classes import classes_of_codes
from ppdm_desktop.engine.release.disclosure.averages import NEAREST_GUESS, shows_averages
from ppdm_desktop.engine.release.disclosure.released import Released
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.utility.cells import merged_categories

UNCHANGED = 0.5
"""Share of the other classes whose sums must be as before; otherwise the releases are of different people."""


@dataclass(frozen=True)
class Differences:
    """The values revealed by the difference of two releases.

    Attributes
    ----------
    columns
        The columns in which a difference of two sums is one person's value.
    people
        The number of people whose value is revealed, in the column with most of them.
    """

    columns: tuple[str, ...]
    people: int


def compare_with_earlier(released: Released, earlier: Sequence[Column]) -> Differences | None:
    """Return the columns whose values comparison with an earlier release reveals, and for how many people.

    The number of people is that of the column with most of them. None if no confidential column of averages can be
    compared: none is in both files, or rows are synthetic or made from groups. Without a revealed value the result has
    no columns and 0 people.

    Parameters
    ----------
    released
        The table as written.
    earlier
        The columns of the earlier release, as in its file.
    """
    before = {column.name: column for column in earlier}
    averages = [
        column
        for column in released.table.with_role("confidential")
        if column.name in before and shows_averages(released, column.name)
    ]
    if not averages or not released.rows_correspond:
        return None
    known_columns = [column for column in released.table.with_role("quasi-identifier") if column.name in before]
    now_ids, before_ids, classes = _common_classes(known_columns, before, released.table.rows, len(earlier[0]))
    revealed = {
        column.name: _count_revealed(released, column, before[column.name], now_ids, before_ids, classes)
        for column in averages
    }
    columns = tuple(name for name, people in revealed.items() if people)
    return Differences(columns, max(revealed.values()))


def _common_classes(
    columns: Sequence[Column], before: dict[str, Column], rows: int, earlier_rows: int
) -> tuple[Ints, Ints, int]:
    """Return each row's class in this release and in the earlier one, and the number of classes.

    A class is a combination of values of ``columns``, compared as texts; one that only one of the releases shows is a
    class of its own. Without columns all rows are one class. ``before`` has the earlier columns by name; ``rows`` and
    ``earlier_rows`` are the numbers of rows.
    """
    codes = []
    for column in columns:
        first, second, _ = merged_categories(column, before[column.name])
        codes.append(np.concatenate([first, second]))
    classes = classes_of_codes(codes, rows + earlier_rows)
    return classes.ids[:rows], classes.ids[rows:], classes.count


def _count_revealed(
    released: Released, column: Column, earlier: Column, now_ids: Ints, before_ids: Ints, classes: int
) -> int:
    """Return the number of people who joined or left and whose value is the difference of two sums.

    Sums are compared for classes that changed by one row, if at least half of the classes with an unchanged number of
    rows, and at least one, have the same sum as before. If that reveals nobody, they are compared for the whole file,
    provided that a single row was added or removed in all, or quasi-identifiers were changed and the files differ by
    one row. The value of a person who joined is looked up in the source; that of a person who left must be in the range
    of the others.

    Parameters
    ----------
    released
        The table as written.
    column, earlier
        The column of averages in this release and in the earlier one.
    now_ids, before_ids, classes
        Each row's class in this release and in the earlier one, and the number of classes.
    """
    style, truth, now = column.style, released.truth(column.name).numbers, np.nan_to_num(column.numbers)
    before = np.nan_to_num(_read_numbers(earlier, "." if style is None else style.decimal))
    step = 1.0 if style is None else float(style.step)
    sizes, earlier_sizes = (np.bincount(ids, minlength=classes) for ids in (now_ids, before_ids))
    difference = np.bincount(now_ids, now, classes) - np.bincount(before_ids, before, classes)
    slack = step * np.sqrt(
        _sum_squared_group_sizes(now, now_ids, classes) + _sum_squared_group_sizes(before, before_ids, classes)
    )
    changed = sizes - earlier_sizes
    same = (changed == 0) & (np.abs(difference) <= slack)
    revealed = 0
    if same.any() and same.sum() >= UNCHANGED * np.count_nonzero(changed == 0):
        for number in np.flatnonzero(np.abs(changed) == 1).tolist():
            revealed += _is_revealed(truth[now_ids == number], int(changed[number]), difference[number], slack[number])
    joined = int(changed.sum())
    one_changed = np.abs(changed).sum() == 1 or (_are_changed(released) and abs(joined) == 1)
    if not revealed and one_changed:
        everybody = (np.zeros(len(values), dtype=np.int64) for values in (now, before))
        squares = sum(
            _sum_squared_group_sizes(values, ids, 1)[0] for values, ids in zip((now, before), everybody, strict=True)
        )
        revealed += _is_revealed(truth, joined, float(difference.sum()), step * float(np.sqrt(squares)))
    return revealed


def _sum_squared_group_sizes(averages: Floats, ids: Ints, classes: int) -> Floats:
    """Return for each class the sum of the squared sizes of the groups that share an average.

    A class with groups of 3 and 2 rows has 9 + 4 = 13. A written average is rounded, so the sum of a class is
    uncertain: this figure is twelve times its variance in squared rounding steps, and its root is more than three
    standard deviations.
    """
    groups = classes_of_codes([ids, np.unique(averages, return_inverse=True)[1].reshape(-1)], len(ids))
    size = groups.size_of_record.astype(np.float64)
    return np.bincount(ids, size, classes).astype(np.float64)


def _is_revealed(truth: Floats, joined: int, difference: float, slack: float) -> bool:
    """Return whether the difference of two sums gives away the value of the person who joined (1) or left (-1).

    The value is the difference for a person who joined (sums of 100 and then 150 give 50), and its negative for one who
    left. Joined: it must be within ``slack`` of a value in ``truth``. Left: it must be in or near the range of
    ``truth``, the values of those now in the class; True if the class is empty now. False if ``slack``, the uncertainty
    from rounding, is too large a share of the value to tell.
    """
    value = joined * difference
    if slack > NEAREST_GUESS * abs(value):
        return False
    if joined > 0:
        return bool((np.abs(truth - value) <= slack).any())
    beyond = NEAREST_GUESS * abs(value)
    return bool(np.nanmin(truth) - beyond <= value <= np.nanmax(truth) + beyond) if len(truth) else True


def _are_changed(released: Released) -> bool:
    """Return whether a step changed a quasi-identifier, so that labels of classes may differ between releases."""
    return any(released.changing_steps(column.name) for column in released.table.with_role("quasi-identifier"))


def _read_numbers(column: Column, decimal: str) -> Floats:
    """Return the numbers in a column of a file, NaN where a cell is no number, shape (rows,).

    ``decimal`` is the decimal separator of the file; a point counts as one, too. With a comma as separator "1.234" is
    1.234, and "1.234,5" is no number.
    """
    numbers = np.full(len(column.texts), np.nan)
    for index, text in enumerate(column.texts):
        try:
            numbers[index] = float(text.replace(decimal, "."))
        except ValueError:
            continue
    return numbers[column.codes]
