"""How much information is lost record by record, where each released row is one source row."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import Floats
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.wording.catalogue import joined, lazy, untranslated
from ppdm_desktop.engine.wording.values import Spoken

NO_NUMBERS = lazy("no column of numbers or ordered categories was treated")
_NOTHING_VARIES = lazy("every column is constant")
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
    def absent(cls, why: Spoken) -> Loss:
        """Return a loss without figures, with the reason."""
        return cls(Figure.absent(why), Figure.absent(why))


def information_loss(before: Floats, after: Floats) -> Loss:
    """Return the loss of information between two versions of the same cells.

    Parameters
    ----------
    before, after
        Shape (records, columns), NaN where missing; ordered categories as ranks. Row i of both
        is the same record. Cells missing in either and columns constant before do not count.
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
    note = joined(
        lazy("constant columns left out: {n}", n=constant) if constant else None,
        lazy("missing cells left out: {n}", n=gaps) if gaps else None,
    )
    return Loss(
        Figure(changed / whole, n=cells, unit="share", method=_SQUARED, note=note),
        Figure(steps / cells, n=cells, unit="sqrt(2) standard deviations", method=_ABSOLUTE, note=note),
    )
