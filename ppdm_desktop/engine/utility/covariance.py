"""How well a release keeps the covariance structure (Aggarwal & Yu 2005, section 4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import Floats
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.wording.catalogue import joined, lazy, untranslated

_TOO_FEW_NUMBERS = lazy("needs at least two numeric columns that are not constant")
_ALL_EQUAL = lazy("all entries of a covariance matrix are equal")
_TOO_FEW_RECORDS = lazy("fewer than two records without a missing number")
_ENTRIES = untranslated("correlation of the entries of both covariance matrices, diagonal included")
_STANDARDISED = joined(_ENTRIES, untranslated("columns standardised by their spread before"))
_RAW = joined(_ENTRIES, untranslated("raw units"))


@dataclass(frozen=True)
class Compatibility:
    """Covariance compatibility of two tables: 1 for proportional covariance matrices, -1 for opposed ones.

    Attributes
    ----------
    standardised
        On columns divided by their standard deviation before: every column counts alike.
    raw
        On the columns' own units, as in the paper: the column with the largest variance
        decides nearly alone, so this figure is hardly ever below 0.999.
    """

    standardised: Figure
    raw: Figure


def covariance_compatibility(before: Floats, after: Floats) -> Compatibility:
    """Return the correlation between the entries of the two covariance matrices, diagonal included.

    Every pair (i, j) of columns gives one pair of entries, as in the paper. Columns that are
    constant before, and records with a missing value, do not take part.

    Parameters
    ----------
    before, after
        The same numeric columns, shapes (records, columns) and (other records, columns), NaN
        where missing; rows need not correspond.
    """
    unit = "correlation"
    first, second = (side[~np.isnan(side).any(axis=1)] for side in (before, after))
    if len(first) < 2 or len(second) < 2:
        absent = Figure.absent(_TOO_FEW_RECORDS, unit=unit)
        return Compatibility(absent, absent)
    spread = first.std(axis=0)
    used = spread > 1e-12 * np.maximum(np.abs(first).max(axis=0), 1e-300)
    if used.sum() < 2:
        absent = Figure.absent(_TOO_FEW_NUMBERS, unit=unit)
        return Compatibility(absent, absent)
    left_out = int((~used).sum())
    gaps = len(before) - len(first) + len(after) - len(second)
    note = joined(
        lazy("constant columns left out: {n}", n=left_out) if left_out else None,
        lazy("records with a missing number left out: {n}", n=gaps) if gaps else None,
    )
    compatibility = []
    for scale, method in ((spread[used], _STANDARDISED), (1.0, _RAW)):
        entries = [
            np.cov((side[:, used] - first[:, used].mean(axis=0)) / scale, rowvar=False).ravel()
            for side in (first, second)
        ]
        mu = _correlation(entries[0], entries[1])
        if mu is None:
            compatibility.append(Figure.absent(_ALL_EQUAL, unit=unit, method=method))
        else:
            compatibility.append(Figure(mu, n=len(second), unit=unit, method=method, note=note))
    return Compatibility(*compatibility)


def _correlation(first: Floats, second: Floats) -> float | None:
    """Return Pearson's correlation, None where one of the two columns is constant."""
    x, y = first - first.mean(), second - second.mean()
    spread = float(np.sqrt((x * x).sum())) * float(np.sqrt((y * y).sum()))
    if not spread > 1e-12 * float(np.abs(first).max() * np.abs(second).max()):
        return None
    return float(np.clip((x * y).sum() / spread, -1.0, 1.0))
