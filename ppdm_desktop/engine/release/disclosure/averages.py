"""Released group averages in which one person's value makes up nearly the whole sum."""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.arrays import GRID, Bools, Floats, Ints
from ppdm_desktop.engine.release.disclosure.released import Released

MOST_OF_ONE = 0.75
"""If the largest part is more than this share of a sum, it dominates the sum: the (1, 75 %) rule."""
NEAREST_GUESS = 0.15
"""The second-largest person must not be able to guess the largest value within this share of it: the p % rule."""


def dominated_averages(released: Released, name: str) -> Bools | None:
    """Return which released averages of a column consist almost wholly of one person's value.

    Parts and sums are of absolute values. One person's part is more than 75 % of the sum, or the sum without the two
    largest parts is below 15 % of the largest part; so an average of one or two people always counts unless it is of
    zeros. Averages are in rising order.

    Parameters
    ----------
    released, name
        The table as written, and the name of the column.

    Returns
    -------
    Bools or None
        Shape (averages,). None if the column does not show averages of the people who share them.

    Examples
    --------
    An average of 100 over ten people, one of whom has 910 and nine have 10, is dominated: 910 is 91 % of the sum.
    """
    averages = _find_released_averages(released, name)
    if averages is None:
        return None
    rows, values, average_of_row = averages
    true = released.truth(name).numbers
    person_of_row = released.people.of_row[rows]
    pairs, part = np.unique(average_of_row * (int(person_of_row.max()) + 1) + person_of_row, return_inverse=True)
    parts = np.bincount(part.reshape(-1), np.abs(true[rows]))
    average_of_part = pairs // (int(person_of_row.max()) + 1)
    order = np.lexsort((-parts, average_of_part))
    first = np.searchsorted(average_of_part[order], np.arange(len(values)))
    total, largest = np.bincount(average_of_part, parts), parts[order][first]
    following = np.minimum(first + 1, len(order) - 1)
    has_second = (average_of_part[order][following] == np.arange(len(values))) & (following > first)
    second = np.where(has_second, parts[order][following], 0.0)
    rest = total - largest - second
    return np.asarray(
        (largest > 0) & ((largest > MOST_OF_ONE * total + GRID) | (rest < NEAREST_GUESS * largest - GRID))
    )


def shows_averages(released: Released, name: str) -> bool:
    """Return whether a column shows averages of groups, and each is shared by at least two rows on average."""
    averages = _find_released_averages(released, name)
    return averages is not None and 2 * len(averages[1]) <= len(averages[0])


def _find_released_averages(released: Released, name: str) -> tuple[Ints, Floats, Ints] | None:
    """Return the rows with a true and a released number, the different averages, and the index of each row's average.

    Averages rise; the rows and the indices have the same shape. None if the column holds no averages: it does if it is
    numeric and each released number equals the mean of the true values in whose rows it stands, up to one unit of the
    last digit. None too if rows are not source rows or none has both numbers.
    """
    truth, column = released.truth(name), released.table.column(name)
    if not released.rows_correspond or not truth.kind == column.kind == "numeric":
        return None
    true, released_column = truth.numbers, column.numbers
    rows = np.flatnonzero(~np.isnan(true) & ~np.isnan(released_column))
    if not len(rows):
        return None
    values, average_of_row = np.unique(released_column[rows], return_inverse=True)
    average_of_row = average_of_row.reshape(-1)
    step = max(column.style.step if column.style is not None else 1.0, GRID)
    means = np.bincount(average_of_row, true[rows]) / np.bincount(average_of_row)
    is_average = bool((np.abs(means - values) <= step).all())
    return (rows, values, average_of_row) if is_average else None
