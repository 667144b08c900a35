"""Association of two columns: covariance, correlation, Cramer's V and the correlation ratio."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Floats, Ints

_CHUNK = 1 << 16
_CRUMB = 1e-13  # of a column's mean: a spread below it is rounding


@dataclass(frozen=True, eq=False)
class Covariances:
    """Covariance and correlation of every pair of numeric columns, over records that have both numbers.

    Attributes
    ----------
    covariance
        Divided by n - 1; NaN where fewer than two records have both numbers.
    correlation
        NaN where a column is constant.
    """

    covariance: Floats
    correlation: Floats


def covariances(columns: Sequence[Floats]) -> Covariances:
    """Return covariance and correlation of every pair of columns; missing numbers are NaN."""
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
    """Return Cramer's V of two lists of cells, corrected for chance (Bergsma 2013, equation 5).

    Parameters
    ----------
    first, second
        Cells from 0, -1 where missing; records with a missing cell do not take part.

    Returns
    -------
    float or None
        0 to 1; None where one side shows a single cell, or there are too few records to say.
    """
    rows, columns = int(first.max(initial=-1)) + 1, int(second.max(initial=-1)) + 1
    if rows < 2 or columns < 2:
        return None
    # Missing ones fill row and column 0 and are cut off.
    joint = np.bincount((first + 1) * (columns + 1) + second + 1, minlength=(rows + 1) * (columns + 1))
    counts = joint.reshape(rows + 1, columns + 1)[1:, 1:].astype(np.float64)
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
    """Return the corrected correlation ratio: how much of a number's variance its cell explains.

    The square is 1 - (1 - r2) (n - 1) / (n - k), r2 the share of the variance between k cells
    (Kelley 1935), and never below 0.

    Parameters
    ----------
    cells
        Cells from 0, -1 where missing.
    numbers
        NaN where missing; records with either missing do not take part.

    Returns
    -------
    float or None
        0 to 1; None where there is one cell, no spread, or no record beyond one a cell.
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
