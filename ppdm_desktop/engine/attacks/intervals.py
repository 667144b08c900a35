"""Confidence intervals for the success of an attack."""

from __future__ import annotations

from ppdm_desktop.engine.arrays import Floats
from ppdm_desktop.engine.figure import Figure, wilson
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.values import Spoken

NO_RECORD = lazy("no record to attack")


def success_figure(
    gains: Floats, most: float, method: Spoken, *, unit: str = "share", note: Spoken | None = None
) -> Figure:
    """Return the mean gain of an attack with its 95 % interval.

    A gain lies between 0 and ``most``, so its variance is at most that of ``most`` times a coin that shows heads with
    chance mean/``most``: Wilson's interval for such a coin, times ``most``, is wide enough and never leaves 0 to
    ``most``. Records count as independent of one another.

    Parameters
    ----------
    gains
        What the attack gains on each target (1 for a person named without doubt).
    most
        The largest gain possible.
    method, unit, note
        Of the figure.
    """
    if not len(gains):
        return Figure.absent(NO_RECORD, unit=unit, method=method)
    count, mean = len(gains), float(gains.mean())
    share = min(mean / most, 1.0) if most > 0 else 0.0
    low, high = (most * end for end in wilson(share, count))
    return Figure(mean, low=min(low, mean), high=max(high, mean), n=count, unit=unit, method=method, note=note)
