"""Tables whose rows are groups of people: how many people are in each row, and what is certain about all of them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import GRID, Bools, Floats, Ints
from ppdm_desktop.engine.identifiability.classes import classes_of_codes, find_class_extremes, quasi_identifier_classes
from ppdm_desktop.engine.identifiability.groups_of_people import GroupCounts, count_people
from ppdm_desktop.engine.recipe.models import InputSection
from ppdm_desktop.engine.release.disclosure.averages import MOST_OF_ONE
from ppdm_desktop.engine.release.disclosure.released import Released
from ppdm_desktop.engine.table.column import Column, Table

MOST_REPEATED = 0.2
"""If more than this share of the rows repeat the combination of another row, rows are not groups of people."""
FEWEST_PRESENT = 0.2
"""In a table of groups, at least this share of all combinations of dimensions occurs."""
LEAST_REPETITION = 3
"""A numeric column may be a dimension, such as a year, if it has at least this many rows for each different value."""
_DIMENSION_ROLES = ("quasi-identifier", "other", "confidential")


def count_released_people(released: Released, input_section: InputSection) -> GroupCounts:
    """Return the number of people in each released row, from the column that counts them.

    That is the column named in the recipe, else any with role ``other`` whose header means a number of people; it must
    hold whole numbers. Of several such columns the one with the smallest number is used. Where a step changed a count,
    the smaller of the true and the released number is taken; an empty cell counts as 0. Synthetic rows have the
    released number. Without such a column every row counts the recipe's fewest people of a group (0 if it states none).
    The result also says which rows are suppressed: those without any value besides quasi-identifiers, none without such
    a column.

    Parameters
    ----------
    released
        The table as written.
    input_section
        The recipe's section on the input: the count column, and the fewest people of a group if no count is released.
    """

    def smaller(column: Column) -> Floats | None:
        """Return the smaller of the true and the released numbers of a column, an empty cell counting as 0.

        The released numbers if rows are synthetic; None if the source's column is not numeric.
        """
        if not released.rows_correspond:
            return column.numbers
        truth = released.truth(column.name)
        if truth.kind != "numeric":
            return None
        return np.minimum(np.nan_to_num(column.numbers), np.nan_to_num(truth.numbers))

    return count_people(released.table, input_section, smaller)


@dataclass(frozen=True)
class Combinations:
    """How the rows of a table fill the cross product of its dimensions.

    Attributes
    ----------
    rows, repeated
        Number of rows, and of rows whose combination also occurs in another row.
    present, possible
        Number of combinations that occur, and of all combinations of the dimensions' values.
    """

    rows: int
    repeated: int
    present: int
    possible: int

    @property
    def are_often_repeated(self) -> bool:
        """Whether more than a fifth of the rows have the same combination as another row.

        Groups of people have a combination each, so many repeats suggest that rows are single people.
        """
        return self.repeated > MOST_REPEATED * self.rows

    @property
    def are_few(self) -> bool:
        """Whether less than a fifth of the possible combinations occur, as in a table of single people."""
        return self.present < FEWEST_PRESENT * self.possible


def combinations_of(table: Table, counted: str) -> Combinations:
    """Return how rows that are said to be groups of people fill the cross product of their dimensions.

    Dimensions are quasi-identifiers, columns that are not numeric, and repeating numbers with role ``other``, the
    latter only if they make the rows look more like groups. A dimension that follows from another one, as a region
    follows from a district, is left out.

    Parameters
    ----------
    table
        The released columns of the source.
    counted
        Name of the column that counts people.
    """
    columns = [column for column in table.columns if column.name != counted and column.role in _DIMENSION_ROLES]
    is_word = [column.role == "quasi-identifier" or column.kind != "numeric" for column in columns]
    text_columns = [column for column, chosen in zip(columns, is_word, strict=True) if chosen]
    repeating = [
        column
        for column, chosen in zip(columns, is_word, strict=True)
        if chosen or (column.role == "other" and LEAST_REPETITION * len(column.categories) <= table.rows)
    ]
    both = [_count_combinations(dimensions, table.rows) for dimensions in (text_columns, repeating)]
    return min(
        both, key=lambda combinations: (combinations.are_often_repeated or combinations.are_few, combinations.repeated)
    )


def _count_combinations(columns: list[Column], rows: int) -> Combinations:
    """Return how the rows fill the cross product of these columns; an empty cell is a value.

    A column that follows from a finer one is left out. The result has the number of rows, of rows that share their
    combination with another row, of different combinations, and the product of the numbers of values.
    """
    codes = [column.category_codes.astype(np.int64) for column in columns]
    sizes = [len(np.unique(code)) for code in codes]
    kept: list[int] = []
    for index in sorted(range(len(codes)), key=lambda index: -sizes[index]):
        pairs = [classes_of_codes([codes[index], codes[finer]], rows).count for finer in kept]
        if all(count > sizes[finer] for count, finer in zip(pairs, kept, strict=True)):
            kept.append(index)
    classes = classes_of_codes([codes[index] for index in kept], rows)
    repeated = int(np.count_nonzero(classes.size_of_record > 1)) if kept else 0
    return Combinations(rows, repeated, classes.count, math.prod(sizes[index] for index in kept))


def find_all_or_none(released: Released, column: Column, counts: GroupCounts) -> Bools:
    """Return for which rows a confidential value reveals something about all of the row's people, or about none.

    - The number 0 says that nobody has anything, in a column without negative numbers.
    - 1 says that everybody has it, if all numbers lie between 0 and 1; so does 100 if they lie between 0 and 100, and
      the row's number of people if whole numbers never exceed it.
    - In a column that is not numeric, a value is certain if all rows with the same quasi-identifiers show it and other
      rows another one; being empty counts as a value.

    Parameters
    ----------
    released
        The table as written.
    column
        A confidential column of it.
    counts
        The people of each row.

    Returns
    -------
    Bools
        Shape (rows,).
    """
    if column.kind != "numeric":
        return _find_homogeneous_rows(released, column)
    numbers = column.numbers
    values = numbers[~np.isnan(numbers)]
    if not len(values) or values.min() < 0:
        return np.zeros(len(numbers), dtype=np.bool_)
    tells = numbers == 0
    if values.max() <= 100:
        tells |= numbers == (1 if values.max() <= 1 else 100)
    if bool((values == np.round(values)).all() and (values <= counts.of_row[~np.isnan(numbers)]).all()):
        tells |= numbers == counts.of_row
    return np.asarray(tells)


def _find_homogeneous_rows(released: Released, column: Column) -> Bools:
    """Return which rows have the same text as all rows with equal quasi-identifiers, if the column has other texts.

    An empty cell counts as a text: rows are marked if all cells of their group are empty, but not if only some are, or
    if some are empty and others "NA". Shape (rows,).
    """
    codes, classes = column.category_codes, quasi_identifier_classes(released.table)
    least, largest = find_class_extremes(classes, codes)
    return np.asarray((least == largest)[classes.ids] & (len(np.unique(codes)) > 1))


def dominated_rows(released: Released, largest: Mapping[str, str]) -> dict[str, Bools]:
    """Return for each column of sums in ``largest`` the rows in which one person makes up nearly all, bool, (rows,).

    Sums and contributions are the true ones, before the first step, in absolute values. Nearly all is more than three
    quarters of the sum: 80 of 100, but not 75. If some largest contribution is above the number in its row, the column
    holds averages; each is then multiplied by the row's number of people.

    Parameters
    ----------
    released
        The table as written.
    largest
        For a released numeric column, the source's column with the largest contribution of one person to each row.

    Returns
    -------
    dict of str to Bools
        Only columns that are in the release and numeric, and whose column of contributions is; empty if rows are not
        source rows.
    """
    input_section = released.candidate.prepared.complete.input
    counts = count_released_people(released, input_section).of_row
    dominated = {}
    for name, part_name in largest.items():
        if name not in released.table or part_name not in released.candidate.prepared.table:
            continue
        truth, parts = released.truth(name), released.truth(part_name)
        if released.rows_correspond and truth.kind == parts.kind == "numeric":
            dominated[name] = _is_nearly_all(truth.numbers, parts.numbers, counts)
    return dominated


def _is_nearly_all(values: Floats, parts: Floats, counts: Ints) -> Bools:
    """Return in which rows one person's largest part is more than three quarters of the sum, bool, shape (rows,).

    If any part exceeds its value, all values are averages and are multiplied by the row's number of people
    (``counts``). Absolute values are compared. False where a number is missing.
    """
    present = ~np.isnan(values) & ~np.isnan(parts)
    are_averages = bool((np.abs(parts[present]) > np.abs(values[present]) + GRID).any())
    sums = np.abs(values) * counts if are_averages else np.abs(values)
    return np.asarray(present & (np.abs(parts) > MOST_OF_ONE * sums + GRID))
