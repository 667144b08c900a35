"""Columns as whole numbers that can be averaged, and their groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Floats, Ints
from ppdm_desktop.engine.methods.algorithms.digits.scaled import scaled_values, step_units, style_of, with_scaled
from ppdm_desktop.engine.methods.algorithms.grouping.best_of_searches import near_groups
from ppdm_desktop.engine.methods.algorithms.grouping.contiguous import best_contiguous
from ppdm_desktop.engine.methods.algorithms.grouping.contiguous_people import best_contiguous_people
from ppdm_desktop.engine.methods.algorithms.grouping.growing import growing_groups
from ppdm_desktop.engine.methods.algorithms.grouping.units import people_among, people_in_groups
from ppdm_desktop.engine.methods.algorithms.swapping.recount import released_categories
from ppdm_desktop.engine.methods.algorithms.swapping.steps import with_categories
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.table.clusters import best_clusters
from ppdm_desktop.engine.table.column import Column


@dataclass(frozen=True, eq=False)
class Ranked:
    """A column as whole numbers: scaled values of a numeric one, ranks of an ordinal one.

    Attributes
    ----------
    column
        The column.
    values
        One whole number a row; meaningless where missing.
    known
        Which rows have a value.
    step
        The grid of the released numbers.
    """

    column: Column
    values: Ints
    known: Bools
    step: int

    @classmethod
    def of(cls, column: Column, grid: Decimal | None = None) -> Ranked:
        """Return the numbers of a numeric or ordinal column; a grid replaces that of its last digit."""
        known = ~column.missing
        if column.kind == "numeric":
            style = style_of(column)
            return cls(column, scaled_values(column), known, step_units(replace(style, step=grid or style.step)))
        return cls(column, column.category_codes.astype(np.int64), known, 1)

    def shown(self, released: Column) -> Ints:
        """Return the released column in the same numbers."""
        if self.column.kind == "numeric":
            return scaled_values(released)
        return released_categories(self.column, released)

    def releasing(self, values: Ints) -> Column:
        """Return the column with other numbers, equal ones in equal texts.

        ``5`` beside ``5.0`` would tell the members of a group apart.
        """
        if self.column.kind == "numeric":
            return with_scaled(self.column, values, uniform=True)
        return with_categories(self.column, np.where(self.known, values, -1))

    @property
    def standardised(self) -> Floats:
        """The values about their mean, in standard deviations; 0 where missing or constant."""
        values = self.values.astype(np.float64)
        if not self.known.any():
            return np.zeros(len(values))
        centred = np.where(self.known, values - values[self.known].mean(), 0.0)
        spread = float(np.sqrt((centred[self.known] ** 2).mean()))
        return np.asarray(centred / spread if spread > 0 else centred)


def sorted_groups(ranked: Ranked, needs: Ints, progress: Progress, who: Ints | None = None) -> Ints:
    """Return the best contiguous groups of one column's known values; -1 where missing.

    Of the units, ``who`` says which are one person's; a group is as large as it has people.
    """
    rows = np.flatnonzero(ranked.known)
    # Among equal values the less demanding come first, then the earlier row.
    order = rows[np.lexsort((rows, needs[rows], ranked.values[rows]))]
    values = ranked.standardised[order]
    if who is None:
        starts = best_contiguous(values, needs[order], progress)
    else:
        starts = best_contiguous_people(values, needs[order], who[order], progress)
    group = np.full(len(needs), -1, dtype=np.int64)
    marks = np.zeros(len(order), dtype=np.int64)
    marks[starts] = 1
    group[order] = np.cumsum(marks) - 1
    return group


def cluster_groups(ranked: Ranked, clusters: int, progress: Progress) -> Ints:
    """Return the best clusters of one column's known values; -1 where missing."""
    group = np.full(len(ranked.values), -1, dtype=np.int64)
    if ranked.known.any():
        group[ranked.known] = best_clusters(ranked.standardised[ranked.known], clusters, progress)
    return group


def joint_groups(columns: Sequence[Ranked], needs: Ints, progress: Progress, who: Ints | None = None) -> Ints:
    """Return groups of records that are near in all columns; -1 where nothing is known.

    Of the units, ``who`` says which are one person's; a group is as large as it has people. Complete
    records form the groups. A record that lacks some values joins the nearest group (by what is
    known of it) with as many complete records as it asks for; where none is so large, the two
    nearest become one until it is.
    """
    points = np.column_stack([each.standardised for each in columns])
    known = np.column_stack([column.known for column in columns])
    complete = np.flatnonzero(known.all(axis=1))
    group = np.full(len(needs), -1, dtype=np.int64)
    if who is None:
        group[complete] = near_groups(points[complete], needs[complete], progress)
    else:
        group[complete] = growing_groups(points[complete], needs[complete], who[complete], progress)
    partly = np.flatnonzero(known.any(axis=1) & ~known.all(axis=1))
    if len(partly):
        _join(group, points, known, partly, needs, progress, who)
    _used, packed = np.unique(group[group >= 0], return_inverse=True)
    group[group >= 0] = packed
    return group


def _join(
    group: Ints, points: Floats, known: Bools, partly: Ints, needs: Ints, progress: Progress, who: Ints | None
) -> None:
    """Give records with gaps a group of complete ones that is large enough."""
    those = np.where(group >= 0, group, -1)
    complete = group >= 0
    sizes = np.bincount(group[complete])
    people = people_in_groups(those, who, len(sizes))
    middles = np.column_stack([np.bincount(group[complete], each[complete]) for each in points.T]) / sizes[:, None]
    for turn, row in enumerate(partly[np.argsort(-needs[partly], kind="stable")].tolist()):
        if turn % 64 == 0:
            progress.check()
        apart = ((middles - points[row])[:, known[row]] ** 2).sum(axis=1)
        apart[sizes == 0] = np.inf
        order = np.argsort(apart, kind="stable")
        fit = order[(people[order] >= needs[row])]
        if len(fit):
            group[row] = fit[0]
            continue
        target = int(order[0])
        for other in order[1:].tolist():
            group[group == other] = target
            those[those == other] = target
            total = sizes[target] + sizes[other]
            middles[target] = (middles[target] * sizes[target] + middles[other] * sizes[other]) / total
            sizes[target], sizes[other] = total, 0
            people[target], people[other] = people_among(those == target, who), 0
            if people[target] >= needs[row]:
                break
        group[row] = target


def information_loss(columns: Sequence[Ranked], group: Ints) -> float:
    """Return SSE / SST on standardised columns, in percent: what averaging within groups loses."""
    lost = whole = 0.0
    for column in columns:
        used = column.known & (group >= 0)
        values, own = column.standardised[used], group[used]
        sizes = np.maximum(np.bincount(own), 1)
        whole += float((values**2).sum())
        lost += float(((values - (np.bincount(own, values) / sizes)[own]) ** 2).sum())
    return 100 * lost / whole if whole > 0 else 0.0
