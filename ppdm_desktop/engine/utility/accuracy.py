"""How well a release keeps the covariance structure (Aggarwal & Yu 2005, section 4), and the information it loses.

Loss is measured record by record, where each released row is one source row.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import Floats
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.wording.catalogue import join_remarks, lazy, untranslated
from ppdm_desktop.engine.wording.values import LazyText

# --- covariance ---------------------------------------------------------------------------

_NOTHING_VARIES = lazy("every column is constant, or there are too few records")
_ENTRIES = untranslated("correlation of the entries of both covariance matrices, diagonal included")
_STANDARDISED = join_remarks(_ENTRIES, untranslated("columns standardised by their spread before"))
_RAW = join_remarks(_ENTRIES, untranslated("raw units"))


@dataclass(frozen=True)
class Compatibility:
    """Covariance compatibility of two tables: 1 for proportional covariance matrices, -1 for opposed ones.

    Attributes
    ----------
    standardised
        Computed on columns divided by their standard deviation before, so that all columns have equal weight.
    raw
        Computed in the columns' units, as in the paper: the column with the largest variance dominates, so this figure
        is hardly ever below 0.999.
    """

    standardised: Figure
    raw: Figure


def covariance_compatibility(before: Floats, after: Floats) -> Compatibility:
    """Return two correlations between the entries of two covariance matrices: for standardised and for raw columns.

    1 means that they are equal, or differ by a common factor and constant only. Every pair (i, j) of columns, i = j
    included, gives one pair of entries, as in the paper. Columns are standardised by their mean and spread before.
    Columns that are constant before, and records with a missing value, are left out, and a note counts them. Both
    figures are absent, with a reason, where either table has fewer than two complete records, or fewer than two columns
    vary before; either one is absent where all entries of one of its matrices are equal.

    Parameters
    ----------
    before, after
        The same numeric columns, shapes (records, columns) and (other records, columns), NaN where missing; rows need
        not correspond.
    """
    unit = "correlation"
    first, second = (side[~np.isnan(side).any(axis=1)] for side in (before, after))
    absent = Figure.absent(_NOTHING_VARIES, unit=unit)
    if len(first) < 2 or len(second) < 2:
        return Compatibility(absent, absent)
    spread = first.std(axis=0)
    used = spread > 1e-12 * np.maximum(np.abs(first).max(axis=0), 1e-300)
    if used.sum() < 2:
        return Compatibility(absent, absent)
    left_out = int((~used).sum())
    gaps = len(before) - len(first) + len(after) - len(second)
    note = join_remarks(
        lazy("constant columns left out: {n}", n=left_out) if left_out else None,
        lazy("records with a missing number left out: {n}", n=gaps) if gaps else None,
    )
    compatibility = []
    for scale, method in ((spread[used], _STANDARDISED), (1.0, _RAW)):
        entries = [_list_covariances((side[:, used] - first[:, used].mean(axis=0)) / scale) for side in (first, second)]
        mu = _correlation(entries[0], entries[1])
        if mu is None:
            compatibility.append(Figure.absent(_NOTHING_VARIES, unit=unit, method=method))
        else:
            compatibility.append(Figure(mu, n=len(second), unit=unit, method=method, note=note))
    return Compatibility(*compatibility)


def _list_covariances(table: Floats) -> Floats:
    """Return all entries of the covariance matrix of a table's columns, row by row, with 0 for rounding errors."""
    noise = 1e-12 * np.abs(table).max(axis=0)
    covariance = np.cov(table, rowvar=False)
    return np.where(np.abs(covariance) <= np.outer(noise, noise), 0.0, covariance).ravel()


def _correlation(first: Floats, second: Floats) -> float | None:
    """Return Pearson's correlation of two arrays without missing values, from -1 to 1.

    None where one of them is constant, but for rounding errors.
    """
    x, y = first - first.mean(), second - second.mean()
    spread = float(np.sqrt((x * x).sum())) * float(np.sqrt((y * y).sum()))
    if not spread > 1e-12 * float(np.abs(first).max() * np.abs(second).max()):
        return None
    return float(np.clip((x * y).sum() / spread, -1.0, 1.0))


# --- loss ---------------------------------------------------------------------------------

NO_NUMBERS = lazy("no column of numbers or ordered categories was treated")
_SQUARED = untranslated("squared changes over total, standardised")
_ABSOLUTE = untranslated("mean absolute change")


@dataclass(frozen=True)
class Loss:
    """Loss of information in treated columns of numbers and ordered categories.

    Attributes
    ----------
    sse_sst
        Sum of squared changes over the total sum of squares, columns standardised: 0 when
        nothing changed, 1 when every value became its column's mean, above 1 when noise was
        larger than the data's own spread (Domingo-Ferrer & Mateo-Sanz 2002).
    il1s
        Mean absolute change in units of the square root of two times the standard deviation:
        the mean of |x - x'| / (sqrt(2) s) over all cells (Yancey, Winkler & Creecy 2002).
    """

    sse_sst: Figure
    il1s: Figure

    @classmethod
    def absent(cls, why: LazyText) -> Loss:
        """Return a loss without figures, with the reason."""
        return cls(Figure.absent(why), Figure.absent(why))


def information_loss(before: Floats, after: Floats) -> Loss:
    """Return how much information is lost between two versions of the same cells, as two figures.

    The first figure is the sum of squared changes as a share of the total sum of squares: 0 if nothing changed, 1 if
    each value was replaced by its column's mean, more for larger changes. The second is the mean absolute change of a
    cell in units of sqrt(2) standard deviations before (divisor n - 1). Columns are standardised by their spread
    before. Both are absent where all cells are left out.

    Parameters
    ----------
    before, after
        Shape (records, columns), NaN where missing; ordered categories as ranks. Row i of both is the same record.
        Cells missing in either and columns constant before are left out, and a note counts them.
    """
    in_both = ~(np.isnan(before) | np.isnan(after))
    changed, whole, steps, cells, constant = 0.0, 0.0, 0.0, 0, 0
    for column in range(before.shape[1]):
        rows = in_both[:, column]
        x, y = before[rows, column], after[rows, column]
        spread = float(x.std()) if len(x) else 0.0
        if not spread > 1e-12 * max(float(np.abs(x).max(initial=0.0)), 1e-300):
            constant += 1
            continue
        changed += float((((x - y) / spread) ** 2).sum())
        whole += float((((x - x.mean()) / spread) ** 2).sum())
        steps += float((np.abs(x - y) / (np.sqrt(2.0) * float(x.std(ddof=1)))).sum())
        cells += len(x)
    if not cells:
        return Loss.absent(NO_NUMBERS if not before.shape[1] else _NOTHING_VARIES)
    gaps = int((~in_both).sum())
    note = join_remarks(
        lazy("constant columns left out: {n}", n=constant) if constant else None,
        lazy("missing cells left out: {n}", n=gaps) if gaps else None,
    )
    return Loss(
        Figure(changed / whole, n=cells, unit="share", method=_SQUARED, note=note),
        Figure(steps / cells, n=cells, unit="sqrt(2) standard deviations", method=_ABSOLUTE, note=note),
    )
