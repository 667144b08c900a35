"""The results of a sweep: a curve with a band for each figure, and the proposed value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from ppdm_desktop.engine.arrays import on_grid
from ppdm_desktop.engine.release.sweep.run import BLOCKED, MEASURES, REFUSED, RELEASED, USE, SweepRow, Value


@dataclass(frozen=True)
class Point:
    """One figure at one value of the parameter: its mean, minimum and maximum over the keys, and the number of keys."""

    value: Value
    mean: float
    low: float
    high: float
    keys: int


@dataclass(frozen=True)
class Curve:
    """One figure of a sweep at each value at which it was measured, in the order of the sweep."""

    measure: str
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Proposal:
    """The parameter value that keeps most usefulness among those within the limits.

    Attributes
    ----------
    value
        The value; None where no value is within the limits.
    keeps
        Mean of the figures of usefulness that were measured at every value within the limits; None without such a
        figure.
    reasons
        Whether a written reason is needed with some key.
    blocking
        Without a value: ids of the blocking checks, the most frequent first.
    """

    value: Value | None
    keeps: float | None
    reasons: bool
    blocking: tuple[str, ...]


def curves_of(rows: Sequence[SweepRow]) -> tuple[Curve, ...]:
    """Return a curve for each figure that was measured in the rows of a sweep, in the order of ``MEASURES``."""
    return tuple(curve for measure in MEASURES if (curve := _compute_curve(measure.id, rows)).points)


def _compute_curve(measure: str, rows: Sequence[SweepRow]) -> Curve:
    """Return the mean, minimum and maximum of a figure over all keys, for each parameter value that was tried.

    Example: a value tried with three keys, figures 0.8, 0.9 and 1.0, gives the point (0.9, 0.8, 1.0) with count 3.
    ``measure`` is the figure's id. Keys without the figure do not count, and values without it are left out; the rest
    are in the order in which they were first tried.
    """
    points = []
    for value in dict.fromkeys(row.value for row in rows):
        figures = [row.figures[measure] for row in rows if row.value == value and measure in row.figures]
        if figures:
            points.append(Point(value, fmean(figures), min(figures), max(figures), len(figures)))
    return Curve(measure, tuple(points))


def _list_common_figures(rows: Sequence[SweepRow]) -> list[str]:
    """Return the ids of the figures of usefulness that are shares and that every row has."""
    use = [measure.id for measure in MEASURES if measure.kind == USE and measure.is_share]
    return [id for id in use if all(id in row.figures for row in rows)]


def propose_value(rows: Sequence[SweepRow]) -> Proposal:
    """Return the parameter value to propose: the one that keeps most usefulness among those that can be released.

    - A value that is blocked or refused with any key is out of the question. Verdicts are those of a release.
    - Values that need no written reason with any key come before all others.
    - Usefulness is the mean, over all keys, of the shares that all these values have with every key (columns, pairs of
      columns and predictions kept); of equal values the one tried first is taken. Without such a share ``keeps`` is
      None.
    - If no value is left, the proposal has none, and lists the blocking checks, those of most rows first. The list is
      empty if every value was refused.
    """
    values = list(dict.fromkeys(row.value for row in rows))
    by_value = {value: [row for row in rows if row.value == value] for value in values}
    within = [value for value in values if not any(row.outcome in (BLOCKED, REFUSED) for row in by_value[value])]
    if not within:
        stopped = Counter(id for row in rows for id in row.blocking)
        return Proposal(None, None, reasons=False, blocking=tuple(id for id, _ in stopped.most_common()))
    common = _list_common_figures([row for value in within for row in by_value[value]])

    def keeps(value: Value) -> float:
        """Return the mean of the common figures of usefulness of a value over all keys; 0 without such a figure."""
        return fmean(row.figures[id] for row in by_value[value] for id in common) if common else 0.0

    def needs_reasons(value: Value) -> bool:
        """Return whether a value needs written reasons with at least one key."""
        return any(row.outcome != RELEASED for row in by_value[value])

    chosen = min(within, key=lambda value: (needs_reasons(value), -on_grid(keeps(value)), values.index(value)))
    return Proposal(chosen, keeps(chosen) if common else None, reasons=needs_reasons(chosen), blocking=())
