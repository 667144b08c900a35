"""Compares each column before and after: mean, spread, quantiles, and the distance of its distributions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import AnyInts, Floats, Ints
from ppdm_desktop.engine.figure import Figure, Measure
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.utility.cells import hellinger, merged_categories, same_order, shared_cells, total_variation
from ppdm_desktop.engine.wording.catalogue import lazy, untranslated

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
_NOT_A_NUMBER = lazy("only for numbers")
_NO_ORDER = lazy("only for numbers and ordered categories")
_NO_VALUES = lazy("no value in one of the tables")
_ONE_VALUE = lazy("needs at least two values")
_OVER_CELLS = untranslated("over cells cut at the quantiles before, or the most frequent values")
_OVER_VALUES = untranslated("over the values")
_LARGEST_GAP = untranslated("largest gap of the cumulated shares")
_AREA = untranslated("area between the cumulated shares")


@dataclass(frozen=True)
class Quantile:
    """One quantile of a column before and after.

    Attributes
    ----------
    p
        Share of values at or below it.
    """

    p: float
    before: float
    after: float


@dataclass(frozen=True)
class ColumnUtility:
    """Figures that compare one column before and after. To add a figure, add a field; `column_utility` fills it.

    Attributes
    ----------
    mean_before, mean_after, sd_before, sd_after
        Mean and standard deviation (divisor n - 1) of the numbers that are not missing.
    quantiles
        Quantiles before and after; empty unless the column is numeric.
    total_variation, hellinger
        Distances of the distributions over shared cells, of which one is for missing values.
    ks, wasserstein
        Kolmogorov-Smirnov and Wasserstein distance of the values that are not missing.
    """

    name: str
    kind: str
    mean_before: Annotated[Figure, Measure(lazy("Mean before"), brief=lazy("Mean before"))]
    mean_after: Annotated[Figure, Measure(lazy("Mean after"), brief=lazy("Mean after"))]
    sd_before: Annotated[Figure, Measure(lazy("Spread before (sd)"), brief=lazy("Spread before (sd)"))]
    sd_after: Annotated[Figure, Measure(lazy("Spread after (sd)"), brief=lazy("Spread after (sd)"))]
    quantiles: tuple[Quantile, ...]
    total_variation: Annotated[
        Figure,
        Measure(
            lazy("Change of shares (total variation)"),
            "percent",
            width=11,
            brief=lazy("Change of shares"),
        ),
    ]
    hellinger: Annotated[Figure, Measure("Hellinger")]
    ks: Annotated[Figure, Measure(lazy("Largest gap (KS)"), width=10)]
    wasserstein: Annotated[Figure, Measure(lazy("Distance moved (Wasserstein)"), width=12)]


def column_utility(before: Column, after: Column) -> ColumnUtility:
    """Return the figures that compare a column with its released version.

    Total variation and Hellinger distance exist for every column; missing values count as one of the compared values. A
    figure that the column's kind does not have is absent with a reason: means and standard deviations for columns that
    are not numeric, distances of cumulative distributions for all but numbers and ordered categories, and also for
    these if the release shows a category without a rank. So is one of these figures for which a version has too few
    values. Quantiles are an empty tuple unless both versions are numbers with a value.

    Parameters
    ----------
    before, after
        Versions of one column; rows need not correspond. Where only one version is numeric, they are compared as
        categories, and the figures of numbers are absent.
    """
    cells = shared_cells(before, after)
    first, second = cells.shares()
    progress.check()
    how = _OVER_CELLS if cells.cut else _OVER_VALUES
    moments = _compute_moments(before, after)
    progress.check()
    ks, wasserstein = _compute_gap_and_area(before, after)
    progress.check()
    return ColumnUtility(
        name=before.name,
        kind=before.kind,
        **moments,
        quantiles=_compute_quantiles(before, after),
        total_variation=Figure(total_variation(first, second), n=len(after), unit="share", method=how),
        hellinger=Figure(hellinger(first, second), n=len(after), unit="distance 0 to 1", method=how),
        ks=ks,
        wasserstein=wasserstein,
    )


def _compute_moments(before: Column, after: Column) -> dict[str, Any]:
    """Return mean and standard deviation (n - 1) before and after as figures, by field name of `ColumnUtility`.

    All are absent unless both versions are numeric. A mean is absent without values, a deviation with fewer than two.
    """
    keys = ("mean_before", "mean_after", "sd_before", "sd_after")
    if before.kind != "numeric" or after.kind != "numeric":
        return dict.fromkeys(keys, Figure.absent(_NOT_A_NUMBER))
    moments: dict[str, Any] = {}
    for when, column in (("before", before), ("after", after)):
        values = column.numbers[~column.missing]
        mean = Figure(float(values.mean()), n=len(values)) if len(values) else Figure.absent(_NO_VALUES)
        sd = Figure(float(values.std(ddof=1)), n=len(values)) if len(values) > 1 else Figure.absent(_ONE_VALUE)
        moments[f"mean_{when}"], moments[f"sd_{when}"] = mean, sd
    return moments


def _compute_quantiles(before: Column, after: Column) -> tuple[Quantile, ...]:
    """Return five quantiles (5, 25, 50, 75, 95 %) before and after; empty unless both are numbers with a value."""
    if before.kind != "numeric" or after.kind != "numeric":
        return ()
    first, second = before.counted_numbers(), after.counted_numbers()
    if not len(first[0]) or not len(second[0]):
        return ()
    pairs = zip(QUANTILES, counted_quantiles(*first, QUANTILES), counted_quantiles(*second, QUANTILES), strict=True)
    return tuple(Quantile(p, float(low), float(high)) for p, low, high in pairs)


def counted_quantiles(values: Floats, counts: Ints, shares: Sequence[float]) -> Floats:
    """Return the quantiles of numbers that are given as distinct values with counts, shape (shares,).

    They equal ``np.quantile`` (linear interpolation) of the repeated numbers.

    Parameters
    ----------
    values, counts
        Distinct numbers, rising, at least one, and how often each occurs.
    shares
        Orders of the quantiles, from 0 to 1.
    """
    ends = np.cumsum(counts)
    places = np.asarray(shares, dtype=np.float64) * float(ends[-1] - 1)
    low = np.floor(places)
    below, above = (
        values[np.searchsorted(ends, np.minimum(positions, ends[-1] - 1).astype(np.int64), "right")]
        for positions in (low, low + 1)
    )
    part, apart = places - low, above - below
    return np.asarray(np.where(part < 0.5, below + apart * part, above - apart * (1 - part)))


def _compute_gap_and_area(before: Column, after: Column) -> tuple[Figure, Figure]:
    """Return the largest gap and the area between the cumulative distributions before and after of one column.

    The gap (Kolmogorov-Smirnov) is a share; the area (Wasserstein) is in the column's unit for numbers, else in steps
    between ordered categories. Both are absent for other columns (dates, too), where the release shows a category that
    has no place in the order, and where a version has no value. Missing values do not count.
    """
    if before.kind == "numeric" and after.kind == "numeric":
        counted = before.counted_numbers(), after.counted_numbers()
        progress.check()
        positions, unit = np.union1d(counted[0][0], counted[1][0]), "the column's own unit"
        counts = tuple(_spread_counts(*value_counts, positions) for value_counts in counted)
    elif same_order(before, after):
        ranks_before, ranks_after, names = merged_categories(before, after)
        positions, unit = np.arange(len(names), dtype=np.float64), "category steps"
        counts = tuple(np.bincount(ranks[ranks >= 0], minlength=len(names)) for ranks in (ranks_before, ranks_after))
    else:
        return Figure.absent(_NO_ORDER), Figure.absent(_NO_ORDER)
    n = int(counts[1].sum())
    if not int(counts[0].sum()) or not n:
        return Figure.absent(_NO_VALUES), Figure.absent(_NO_VALUES)
    gap = np.abs(_cumulate_shares(counts[0]) - _cumulate_shares(counts[1]))
    return (
        Figure(float(gap.max()), n=n, unit="share", method=_LARGEST_GAP),
        Figure(float((gap[:-1] * np.diff(positions)).sum()), n=n, unit=unit, method=_AREA),
    )


def _spread_counts(values: Floats, counts: Ints, positions: Floats) -> Ints:
    """Return the count at each position, 0 where no value lies; ``values`` must be a subset of ``positions``."""
    spread = np.zeros(len(positions), dtype=np.int64)
    spread[np.searchsorted(positions, values)] = counts
    return spread


def _cumulate_shares(counts: AnyInts) -> Floats:
    """Return the cumulative shares of counts, of which the last is 1; at least one count must be above 0."""
    return np.asarray(np.cumsum(counts) / counts.sum(), dtype=np.float64)


def all_column_utility(before: Sequence[Column], after: Sequence[Column]) -> tuple[ColumnUtility, ...]:
    """Return the figures that compare each released column with its original, in the order of the released columns.

    ``before`` may have additional columns and a different order; it must contain every released column by name.
    """
    by_name = {column.name: column for column in before}
    column_utilities: list[ColumnUtility] = []
    for column in after:
        progress.report(len(column_utilities) / len(after), "doing.utility")
        column_utilities.append(column_utility(by_name[column.name], column))
    return tuple(column_utilities)
