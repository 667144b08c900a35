"""How strongly every two released columns are associated, before and after.

The measure depends on the kinds of the two columns:

- two numbers: Pearson's correlation;
- two columns of categories: Cramer's V, corrected for the strength that chance alone shows (Bergsma 2013, "A
  bias-correction for Cramer's V and Tschuprow's T", equation 5);
- a number and categories: the correlation ratio, corrected in the same way (Kelley 1935, "An unbiased correlation
  ratio measure").

Both corrected figures are 0 where chance explains all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Floats, Ints, find_first_largest
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.utility.cells import MOST_VALUES, merged_categories, number_commonest

# --- ties ---------------------------------------------------------------------------------

_CHUNK = 1 << 16
_CRUMB = 1e-13  # of a column's mean: a spread below it is rounding


@dataclass(frozen=True, eq=False)
class Covariances:
    """Covariance and correlation of every pair of numeric columns, over records that have both numbers.

    Attributes
    ----------
    covariance
        Covariances with divisor n - 1, shape (columns, columns); NaN where fewer than two records have both numbers.
    correlation
        Correlations, shape (columns, columns); NaN also where a column is constant.
    """

    covariance: Floats
    correlation: Floats


def covariances(columns: Sequence[Floats]) -> Covariances:
    """Return covariance and correlation of every pair of columns, each of shape (columns, columns).

    All columns have the same length. A pair is computed from the records that have both values, with divisor n - 1.
    The result is NaN with fewer than two such records, and a correlation also where a column is constant. Missing
    numbers are given as NaN.
    """
    size = len(columns)
    if not size:
        return Covariances(np.empty((0, 0)), np.empty((0, 0)))
    rows = len(columns[0])
    is_filled = [~np.isnan(column) for column in columns]
    whole = all(bool(filled.all()) for filled in is_filled)
    # Taken from the middle first, so that large numbers with a small spread lose no digits.
    middles = np.array(
        [
            float(column[filled].mean()) if filled.any() else 0.0
            for column, filled in zip(columns, is_filled, strict=True)
        ]
    )
    n, s, q, p = (np.zeros((size, size)) for _ in range(4))
    for start in range(0, rows, _CHUNK):
        progress.report(start / max(rows, 1), "doing.utility")
        end = min(start + _CHUNK, rows)
        values = np.stack([column[start:end] for column in columns], axis=1) - middles
        if whole:
            n += end - start
            s += values.sum(axis=0)[:, None]
            q += np.square(values).sum(axis=0)[:, None]
        else:
            mask = np.stack([filled[start:end] for filled in is_filled], axis=1).astype(np.float64)
            values = np.where(mask > 0, values, 0.0)
            n += mask.T @ mask
            s += values.T @ mask  # sums of the row's column over records that have the other
            q += np.square(values).T @ mask
        p += values.T @ values
    with np.errstate(invalid="ignore", divide="ignore"):
        cross = p - s * s.T / n
        squares = q - s * s / n
        covariance = np.where(n >= 2, cross / (n - 1), np.nan)
        scale = np.sqrt(squares * squares.T)
        # Rounding leaves crumbs of a constant column's spread.
        flat = squares <= np.maximum(1e-10 * q, n * np.square(_CRUMB * middles)[:, None])
        correlation = np.where((n >= 2) & ~flat & ~flat.T & (scale > 0), cross / scale, np.nan)
    return Covariances(covariance, np.clip(correlation, -1.0, 1.0))


def corrected_cramers_v(first: Ints, second: Ints) -> float | None:
    """Return Cramer's V of two columns of categories, corrected for chance (Bergsma 2013, equation 5).

    Parameters
    ----------
    first, second
        Category numbers from 0, -1 where missing, shape (records,); records with a missing one are left out.

    Returns
    -------
    float or None
        0 to 1; None where a column shows a single category, or the correction is undefined for so few records.
    """
    rows, columns = int(first.max(initial=-1)) + 1, int(second.max(initial=-1)) + 1
    if rows < 2 or columns < 2:
        return None
    # Missing ones fill row and column 0 and are cut off.
    joint = np.bincount((first + 1) * (columns + 1) + second + 1, minlength=(rows + 1) * (columns + 1))
    return corrected_cramers_v_of_table(joint.reshape(rows + 1, columns + 1)[1:, 1:].astype(np.float64))


def corrected_cramers_v_of_table(counts: Floats) -> float | None:
    """Return Cramer's V of a contingency table, corrected for chance (Bergsma 2013, equation 5), 0 to 1.

    None where fewer than two rows or columns have a count, or the correction is undefined for so few records.
    """
    across, down = counts.sum(axis=1), counts.sum(axis=0)
    counts, across, down = counts[across > 0][:, down > 0], across[across > 0], down[down > 0]
    r, c, n = len(across), len(down), float(across.sum())
    if r < 2 or c < 2:
        return None
    # Sum of observed squares over the product of the margins: chi square / n is one less.
    phi = float((np.square(counts) / across[:, None] / down).sum()) - 1.0
    phi = max(0.0, phi - (r - 1) * (c - 1) / (n - 1))
    least = min(r - (r - 1) ** 2 / (n - 1), c - (c - 1) ** 2 / (n - 1)) - 1
    return float(min(1.0, np.sqrt(phi / least))) if least > 0 else None


def correlation_ratio(cells: Ints, numbers: Floats) -> float | None:
    """Return the corrected correlation ratio of a number and a category: how far the category explains the number.

    It is the square root of 1 - (1 - r2) (n - 1) / (n - k), or 0 where this is negative; r2 is the share of the
    number's variance that lies between the k categories, and n the number of records (Kelley 1935).

    Parameters
    ----------
    cells
        Category numbers from 0, -1 where missing, shape (records,).
    numbers
        Numbers, NaN where missing, shape (records,); records with either missing are left out.

    Returns
    -------
    float or None
        0 to 1; None where the records show a single category, the numbers have no spread, or there are no more records
        than categories.
    """
    in_both = (cells >= 0) & ~np.isnan(numbers)
    if not in_both.all():
        cells, numbers = cells[in_both], numbers[in_both]
    n = len(numbers)
    if n < 2:
        return None
    middle = float(numbers.mean())
    values = numbers - middle
    total = float(np.square(values).sum())
    counts = np.bincount(cells)
    used = counts > 0
    k = int(used.sum())
    if k < 2 or n <= k or not total > n * (_CRUMB * middle) ** 2:
        return None
    sums = np.bincount(cells, weights=values)
    between = float((np.square(sums[used]) / counts[used]).sum())
    corrected = 1.0 - (1.0 - min(between / total, 1.0)) * (n - 1) / (n - k)
    return float(np.sqrt(max(0.0, corrected)))


# --- associations -------------------------------------------------------------------------

PEARSON, CRAMER, RATIO = "pearson", "cramers-v", "correlation-ratio"
MOST_COLUMNS = 40
MOST_ROWS = 100_000
"""Pairs with categories are measured on at most this many rows, drawn once; two numbers on all rows."""
_SEED = 20_130_319  # any number: measured twice, a table has the same rows drawn


@dataclass(frozen=True, eq=False)
class Associations:
    """Strength of the association of every pair of columns before and after.

    Attributes
    ----------
    names
        Names of the columns measured, at least two, in the order of the release; if there are more than 40, changed
        columns are preferred.
    kinds
        Name of the measure for each pair, shape (names, names): ``pearson``, ``cramers-v`` or ``correlation-ratio``;
        empty on the diagonal.
    before, after
        Shape (names, names), symmetric; -1 to 1 for ``pearson``, 0 to 1 otherwise. NaN on the diagonal and where a
        column shows one value only.
    left_out
        Columns not measured: free texts, and those beyond the first 40.
    rows_before, rows_after
        Number of rows on which pairs with categories were measured.
    numeric
        Names of the columns that are numbers on both sides.
    covariance_before, covariance_after
        Covariances of the columns ``numeric`` over all rows that have both numbers, divisor n - 1, shape (numeric,
        numeric); NaN where fewer than two rows have both.
    """

    names: tuple[str, ...]
    kinds: tuple[tuple[str, ...], ...]
    before: Floats
    after: Floats
    left_out: tuple[str, ...]
    rows_before: int
    rows_after: int
    numeric: tuple[str, ...]
    covariance_before: Floats
    covariance_after: Floats

    @property
    def change(self) -> Floats:
        """Change of each strength, positive where it grew, shape (names, names); NaN where one is undefined.

        The sign is relative to the direction before: from -0.3 to -0.1 it is -0.2, from 0.3 to -0.1 it is -0.4. From 0
        every strength counts as growth.
        """
        direction = np.where(self.before < 0, -1.0, 1.0)
        after = np.where(self.before == 0, np.abs(self.after), direction * self.after)
        return np.asarray(after - np.abs(self.before), dtype=np.float64)

    def largest_change(self) -> tuple[int, int] | None:
        """Return the indexes in ``names`` of the two columns whose association changed most, the lower index first.

        Of equal changes the first pair is taken. None where no pair has a defined change.
        """
        sizes = np.where(np.isnan(self.change), -1.0, np.abs(self.change))
        sizes[np.tril_indices(len(self.names))] = -1.0
        first, second = np.unravel_index(int(find_first_largest(sizes.reshape(1, -1))[0]), sizes.shape)
        return (int(first), int(second)) if sizes[first, second] >= 0 else None


def compare_associations(before: Sequence[Column], after: Sequence[Column]) -> Associations | None:
    """Return how strongly all pairs of columns are associated before and after.

    Pairs of numbers get Pearson's correlation, a number and a category the correlation ratio, two categories Cramér's V
    (both corrected for chance); NaN where it is undefined. A column counts as a category, as dates do, unless it is
    numeric in both versions. Free texts are not used, and of more than 40 other columns 40 are measured, changed ones
    first; ``left_out`` lists all columns that are not measured. None where fewer than two are. In tables of more than
    100,000 rows, pairs with a category are measured on a fixed sample of as many rows.

    Parameters
    ----------
    before, after
        The same columns in the same order; rows need not correspond, and the numbers of rows may differ.

    Raises
    ------
    Cancelled
        When the work was stopped.
    """
    chosen = _choose_measured_columns(before, after)
    if len(chosen) < 2:
        return None
    first, second = [before[index] for index in chosen], [after[index] for index in chosen]
    numbers = [old.kind == "numeric" == new.kind for old, new in zip(first, second, strict=True)]
    rows = _sample_rows(len(first[0])), _sample_rows(len(second[0]))
    codes = [
        None if number else _assign_cells(old, new, rows)
        for old, new, number in zip(first, second, numbers, strict=True)
    ]
    untouched = _flag_untouched_columns(first, second)
    strengths: list[Floats] = []
    spreads: list[Covariances] = []
    for side, columns in enumerate((first, second)):
        with progress.part(side / 2, (side + 1) / 2):
            values = [column.numbers for column, number in zip(columns, numbers, strict=True) if number]
            cells = [code[side] if code is not None else None for code in codes]
            known_strengths = _keep_known_strengths(untouched, strengths[0]) if strengths else None
            measured, spread = _measure_side(values, cells, rows[side], known_strengths)
            strengths.append(measured)
            spreads.append(spread)
    return Associations(
        names=tuple(column.name for column in second),
        kinds=_list_measures(numbers),
        before=strengths[0],
        after=strengths[1],
        left_out=tuple(column.name for index, column in enumerate(after) if index not in set(chosen)),
        rows_before=min(len(first[0]), MOST_ROWS),
        rows_after=min(len(second[0]), MOST_ROWS),
        numeric=tuple(column.name for column, number in zip(second, numbers, strict=True) if number),
        covariance_before=spreads[0].covariance,
        covariance_after=spreads[1].covariance,
    )


def _measure_side(
    values: Sequence[Floats], cells: Sequence[Ints | None], rows: Ints | None, known_strengths: Floats | None
) -> tuple[Floats, Covariances]:
    """Return the strength of all pairs of columns and the covariances of the numeric ones, of one of the tables.

    Pairs with a category are measured on the sampled rows, pairs of numbers and covariances on all rows.

    Parameters
    ----------
    values, cells
        Numbers of each numeric column on all rows; category numbers of each column on the sampled rows, None for a
        numeric column.
    rows
        Indexes of the sampled rows, None for all rows.
    known_strengths
        Known strengths of pairs of unchanged columns, infinite for all other pairs; None where nothing is known.
    """
    spread = progress.part(0.0, 0.3).run(covariances, values)
    drawn = values if rows is None else [value[rows] for value in values]
    return progress.part(0.3, 1.0).run(_compute_strengths, cells, drawn, spread, known_strengths), spread


def _flag_untouched_columns(before: Sequence[Column], after: Sequence[Column]) -> list[bool]:
    """Return for each column whether both versions are one object or share their arrays.

    All are False where the tables differ in number of rows.
    """
    is_same_length = len(before[0]) == len(after[0])
    return [is_same_length and _is_unchanged(old, new) for old, new in zip(before, after, strict=True)]


def _choose_measured_columns(before: Sequence[Column], after: Sequence[Column]) -> list[int]:
    """Return the indexes, ascending, of at most 40 columns without free text in either version.

    Of more, those that the release changed are preferred, then the first ones.
    """
    usable = [index for index, column in enumerate(after) if "text" not in (column.kind, before[index].kind)]
    first = sorted(usable, key=lambda index: _is_unchanged(before[index], after[index]))
    return sorted(first[:MOST_COLUMNS])


def _list_measures(numeric: Sequence[bool]) -> tuple[tuple[str, ...], ...]:
    """Return the name of the measure for each pair of columns; empty on the diagonal."""
    size = range(len(numeric))
    return tuple(tuple("" if i == j else _choose_measure(numeric[i], numeric[j]) for j in size) for i in size)


def _choose_measure(first: bool, second: bool) -> str:
    """Return the name of the measure for a pair, given whether each column is numeric.

    ``pearson`` for two numbers, ``correlation-ratio`` for a number and a category, ``cramers-v`` for two categories.
    """
    return PEARSON if first and second else RATIO if first or second else CRAMER


def _is_unchanged(before: Column, after: Column) -> bool:
    """Return whether both versions of a column are one object or share their arrays of codes and texts.

    Equal contents in different arrays count as changed.
    """
    return before is after or (before.codes is after.codes and before.texts is after.texts)


def _sample_rows(count: int) -> Ints | None:
    """Return the indexes of 100,000 random rows, ascending; None if the table has no more rows than that.

    Equal counts give equal samples.
    """
    if count <= MOST_ROWS:
        return None
    return np.sort(np.random.default_rng(_SEED).choice(count, MOST_ROWS, replace=False, shuffle=False))


def _assign_cells(before: Column, after: Column, rows: tuple[Ints | None, Ints | None]) -> tuple[Ints, Ints]:
    """Return the category number of each used row before and after, int64, shape (used rows,) each; -1 where missing.

    Up to 50 different values have a category each; of more values, the 50 most frequent in both versions together have
    one (of equally frequent values the first in the order of ``merged_categories``), and all others share number 50.
    ``rows`` holds the indexes of the used rows of each version, None for all.
    """
    first, second, names = merged_categories(before, after)
    first, second = (side if drawn is None else side[drawn] for side, drawn in zip((first, second), rows, strict=True))
    if len(names) > MOST_VALUES:
        _, cell = number_commonest(len(names), MOST_VALUES, first, second)
        cell[-1] = -1
        first, second = cell[first], cell[second]
    return first, second


# --- one side ---------------------------------------------------------------------------


def _keep_known_strengths(untouched: Sequence[bool], strengths: Floats) -> Floats:
    """Return the strengths of pairs that no step changed; infinite for pairs that have to be measured again.

    Pairs of unchanged columns keep their strength.
    """
    flags = np.array(untouched)
    return np.where(np.outer(flags, flags), strengths, np.inf)


def _compute_strengths(
    cells: Sequence[Ints | None], numbers: Sequence[Floats], spread: Covariances, known_strengths: Floats | None
) -> Floats:
    """Return the strength of association of every pair of columns, shape (columns, columns); NaN on the diagonal.

    It is the correlation of two numbers, the correlation ratio of a number and a category, Cramér's V of two
    categories; NaN where it is undefined.

    Parameters
    ----------
    cells, numbers
        For each column its category numbers, None for a numeric column; and the values of the numeric columns, in
        order.
    spread
        The correlations of the numeric columns.
    known_strengths
        Known strengths, shape (columns, columns), which are copied for pairs with a category; NaN is a known strength
        that is undefined. Infinite where the strength has to be computed; None where nothing is known.
    """
    size = len(cells)
    strengths = np.full((size, size), np.nan)
    places = [index for index, cell in enumerate(cells) if cell is None]
    strengths[np.ix_(places, places)] = spread.correlation
    np.fill_diagonal(strengths, np.nan)
    values = dict(zip(places, numbers, strict=True))
    pairs = [(i, j) for i in range(size) for j in range(i + 1, size) if cells[i] is not None or cells[j] is not None]
    for done, (i, j) in enumerate(pairs):
        progress.report(done / len(pairs), "doing.utility")
        first, second = cells[i], cells[j]
        if known_strengths is not None and not np.isinf(known_strengths[i, j]):
            strengths[i, j] = strengths[j, i] = known_strengths[i, j]
            continue
        if first is None:
            assert second is not None
            strength = correlation_ratio(second, values[i])
        elif second is None:
            strength = correlation_ratio(first, values[j])
        else:
            strength = corrected_cramers_v(first, second)
        strengths[i, j] = strengths[j, i] = np.nan if strength is None else strength
    return strengths
