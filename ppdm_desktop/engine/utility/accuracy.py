"""The accuracy of a numeric column value by value: mean, spread, and how many values are still true.

Statistical accuracy and the share of changed values are the figures of Vijayarani & Tamilarasi (2011), section 4.
Alone they can mislead: noise that moves each value by a fiftieth of a percent scores 100 in both. So they are
reported together with the other figures.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import Floats
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.tie_breaking import GRID
from ppdm_desktop.engine.utility.pairs import pearson
from ppdm_desktop.engine.wording.catalogue import lazy, untranslated
from ppdm_desktop.engine.wording.values import Exact

NEAR = 0.01
"""A released value within this share of the true value counts as near: it reveals it for most purposes."""
_NO_VALUES = lazy("no record has a value in both tables")


@dataclass(frozen=True)
class ValueAccuracy:
    """The accuracy of one column over the records that have a value before and after.

    Attributes
    ----------
    mean_accuracy
        Statistical accuracy: 1 - |mean' - mean| / |mean|; below 0 when the mean more than doubles.
    sd_ratio
        Standard deviation after over before.
    correlation
        Pearson, of the released with the true values.
    changed
        Share of values that are not the true one (the paper's privacy protection).
    near
        Share within 1 % of the true value, unchanged ones among them.
    """

    mean_accuracy: Figure
    sd_ratio: Figure
    correlation: Figure
    changed: Figure
    near: Figure


def value_accuracy(before: Floats, after: Floats, *, near: float = NEAR) -> ValueAccuracy:
    """Return how accurately the released numbers of a column show the true ones.

    Parameters
    ----------
    before, after
        Shape (n,), the same record in the same row, NaN where missing.
    near
        Share of the true value within which a released one counts as near.
    """
    in_both = ~(np.isnan(before) | np.isnan(after))
    true, released = before[in_both], after[in_both]
    n = len(true)
    if n == 0:
        return ValueAccuracy(*(Figure.absent(_NO_VALUES),) * 5)
    correlation = pearson(true, released)
    return ValueAccuracy(
        mean_accuracy=_mean_accuracy(true, released),
        sd_ratio=_sd_ratio(true, released),
        correlation=Figure.absent(lazy("needs two different values in each table"))
        if correlation is None
        else Figure(correlation, n=n, unit="correlation", method=untranslated("Pearson")),
        changed=Figure(float((released != true).mean()), n=n, unit="share of values"),
        near=Figure(
            float((np.abs(released - true) <= near * np.abs(true) * (1 + GRID)).mean()),
            n=n,
            unit="share of values",
            method=untranslated("within {percent} % of the true value", percent=Exact(100 * near)),
        ),
    )


def _mean_accuracy(true: Floats, values: Floats) -> Figure:
    """Return 1 minus the relative error of the mean, absent where the true mean is zero."""
    mean = float(true.mean())
    if mean == 0:
        return Figure.absent(lazy("the mean is zero"))
    return Figure(1 - abs(float(values.mean()) - mean) / abs(mean), n=len(true), unit="share")


def _sd_ratio(true: Floats, values: Floats) -> Figure:
    """Return the released standard deviation divided by the true one, absent where all true values are equal."""
    spread = float(true.std())
    if spread == 0:
        return Figure.absent(lazy("all values are the same"))
    return Figure(float(values.std()) / spread, n=len(true), unit="ratio")
