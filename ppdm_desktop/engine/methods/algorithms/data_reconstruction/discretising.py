"""Cuts numbers and dates with respect to the class; other quasi-identifiers keep their values.

Zhu, Li & Wu (2009), step 1: numeric quasi-identifiers are aggregated into discretised values. The cuts are those of
Fayyad & Irani (1993); where no cut is justified, one at the median.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import numpy as np

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.methods.algorithms.condensation.dates import DateGrid
from ppdm_desktop.engine.methods.algorithms.data_reconstruction.masks import Group, Mask, listed, spanned
from ppdm_desktop.engine.recipe.models import BinsSection
from ppdm_desktop.engine.table.bins import Bins, find_bins
from ppdm_desktop.engine.table.column import Column, NumberStyle, Table, exact
from ppdm_desktop.engine.table.public_grid import DateGrid as PublicDates

MDL, EQUAL_FREQUENCY = "mdl", "equal-frequency"
_ONE_BIN = "error.bins.one-bin"


def mask_of(
    column: Column, table: Table, against: str, *, method: str, count: int, on_public_grid: bool = False
) -> Mask:
    """Return the finest released values of a quasi-identifier.

    Parameters
    ----------
    table
        Holds the class column called ``against``.
    method, count
        ``mdl``, or ``equal-frequency`` with so many ranges; for numbers and dates.
    on_public_grid
        Whether cuts are rounded to the column's public grid, so that none is a person's own value.
    """
    if column.kind == "numeric":
        return _of_numbers(column, table, against, method, count, on_public_grid=on_public_grid)
    if column.kind == "date":
        return _of_dates(column, table, against, method, count, on_public_grid=on_public_grid)
    values = column.category_codes.astype(np.int64)
    ordered = column.kind == "ordinal"
    names = column.categories
    namer = spanned(names) if ordered else listed(names)
    return Mask(column, values, _alone(len(names)), ordered, not ordered, namer)


def numeric_cuts(
    column: Column, table: Table, against: str, *, method: str, count: int, on_public_grid: bool = False
) -> Bins | None:
    """Return the cuts of a number, the median where no cut is justified; None where there is nothing to cut."""
    wanted = {
        MDL: BinsSection(method="mdl", against=against),
        EQUAL_FREQUENCY: BinsSection(method="equal-frequency", count=count),
    }[method]
    # Declared bounds are for labels; cuts are looked for everywhere.
    for section in (wanted, BinsSection(method="equal-frequency", count=2)):
        try:
            return find_bins(column, section, table, on_public_grid=on_public_grid)
        except InputError as refused:
            if refused.id != _ONE_BIN:
                raise
    return None


def _of_numbers(column: Column, table: Table, against: str, method: str, count: int, *, on_public_grid: bool) -> Mask:
    """Return the mask of a numeric column, cut into ranges."""
    bins = numeric_cuts(column, table, against, method=method, count=count, on_public_grid=on_public_grid)
    if bins is None:
        return _uncut(column)
    return Mask(column, _placed(column, bins), _alone(len(bins.cuts) + 1), True, False, _ranges(bins))


def _of_dates(column: Column, table: Table, against: str, method: str, count: int, *, on_public_grid: bool) -> Mask:
    """Return the mask of a date column, cut like numbers by positions on the format's grid."""
    grid = DateGrid.of(column)
    missing = {text for text in column.texts if text in column.missing_texts}
    texts = tuple(text if text in missing else str(grid.count(text)) for text in column.texts)
    style = NumberStyle.seen_in([text for text in texts if text not in missing])
    numbers = replace(column, texts=texts, kind="numeric", style=style, order=None, bounds=None)
    bins = numeric_cuts(numbers, table.replacing(numbers), against, method=method, count=count)
    public = PublicDates.of(column) if on_public_grid else None
    if bins is not None and public is not None:
        rounded = {exact(grid.count(public.text_down(grid.text(int(cut))))) for cut in bins.cuts}
        bins = replace(
            bins, cuts=tuple(sorted(cut for cut in rounded if cut > exact(float(np.nanmin(numbers.numbers)))))
        )
    if bins is None or not bins.cuts:
        return _uncut(column)
    edges = [grid.text(int(cut)) for cut in bins.cuts]
    names = (f"< {edges[0]}", *(f"[{low}, {high})" for low, high in pairwise(edges)), f"≥ {edges[-1]}")

    def name(group: Group) -> str:
        if len(group) == 1:
            return names[group[0]]
        if group[0] == 0:
            return f"< {edges[group[-1]]}"
        return f"≥ {edges[group[0] - 1]}" if group[-1] == len(edges) else f"[{edges[group[0] - 1]}, {edges[group[-1]]})"

    return Mask(column, _placed(numbers, bins), _alone(len(names)), True, False, name)


def _uncut(column: Column) -> Mask:
    """Return a mask with a single group for a column that cannot be cut."""
    values = np.where(column.missing, -1, 0).astype(np.int64)
    names = column.categories or ("",)
    groups = ((0, 1),) if len(names) > 1 else ((0,),)
    return Mask(column, values, groups, True, False, spanned(names))


def _placed(column: Column, bins: Bins) -> Ints:
    """Return the range index of each row's number, -1 where missing."""
    return np.where(column.missing, -1, bins.place(column.numbers)).astype(np.int64)


def _alone(count: int) -> tuple[Group, ...]:
    """Return groups of one value each: nothing is merged."""
    return tuple((value,) for value in range(count))


def _ranges(bins: Bins) -> Callable[[Group], str]:
    """Return a function that labels a group of ranges by the range they cover."""

    def name(group: Group) -> str:
        inside = set(range(group[0], group[-1]))
        cuts = tuple(cut for index, cut in enumerate(bins.cuts) if index not in inside)
        return replace(bins, cuts=cuts).labels[group[0]]

    return name
