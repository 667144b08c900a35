"""Masks of released quasi-identifiers: their finest values joined into groups, each with a label.

Cuts numbers and dates with respect to the class; other quasi-identifiers keep their values.

Zhu, Li & Wu (2009), step 1: numeric quasi-identifiers are aggregated into discretised values. The cuts are those of
Fayyad & Irani (1993); where no cut is justified, one at the median.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.methods.algorithms.condensation.coverage import DateGrid
from ppdm_desktop.engine.recipe.models import BinsSection
from ppdm_desktop.engine.table.bins import Bins, find_bins
from ppdm_desktop.engine.table.column import Column, NumberStyle, Table, to_exact_decimal
from ppdm_desktop.engine.table.generalised_texts import choose_separator, set_of, span_of
from ppdm_desktop.engine.table.hierarchies import ANYTHING
from ppdm_desktop.engine.table.public_grid import DateGrid as PublicDates

Group = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Mask:
    """A column's finest values and the groups into which they are joined.

    Attributes
    ----------
    column
        The column as the step found it.
    values
        int64, shape (rows,): each record's finest value, -1 where missing.
    groups
        Which finest values are shown as one, each rising; for an ordered column neighbours only,
        lowest group first.
    ordered
        Whether groups are ranges; only neighbours are joined then.
    swapped
        Whether the column's values change places between records before the release.
    name_of
        Gives the label of a group.
    """

    column: Column
    values: Ints
    groups: tuple[Group, ...]
    ordered: bool
    swapped: bool
    name_of: Callable[[Group], str]

    @property
    def codes(self) -> Ints:
        """Index of the group that each record's value is in, -1 where missing; int64, shape (rows,)."""
        rank_of = np.full(sum(map(len, self.groups)) + 1, -1, dtype=np.int64)
        for rank, group in enumerate(self.groups):
            rank_of[list(group)] = rank
        return rank_of[self.values]

    @property
    def labels(self) -> tuple[str, ...]:
        """The text of each group; no two are equal.

        A single group of several values is ``*``. " (joined)" is appended to a text that is used already, or that
        stands for missing, as often as needed.
        """
        if len(self.groups) == 1 and len(self.groups[0]) > 1:
            return (ANYTHING,)
        labels: list[str] = []
        for group in self.groups:
            label = self.name_of(group)
            while label in labels or label in self.column.missing_texts:
                label += " (joined)"
            labels.append(label)
        return tuple(labels)

    def joined(self, *members: int) -> Mask:
        """Return a mask in which the groups of these indexes are one; in an ordered column they are neighbours.

        Groups are sorted anew, so that later ones have other indexes.
        """
        merged = tuple(sorted(value for member in members for value in self.groups[member]))
        rest = [group for index, group in enumerate(self.groups) if index not in members]
        return replace(self, groups=tuple(sorted((*rest, merged))))

    def written(self, codes: Ints) -> Column:
        """Return a column that shows the groups of these codes, and one text for all missing values.

        ``codes`` are group indexes, -1 where missing, one a row. The column becomes ordinal or nominal, unless every
        value is a group of its own and nothing was cut: then its kind stays.
        """
        labels = self.labels
        gone = self._gap
        texts = labels if gone is None else (*labels, gone)
        masked_codes = np.where(codes < 0, len(labels), codes).astype(np.int32)
        made = replace(self.column, codes=masked_codes, texts=texts)
        if all(len(group) == 1 for group in self.groups) and self.column.kind != "date" and not self._is_cut:
            return made
        kind = "ordinal" if self.ordered else "nominal"
        order = labels if self.ordered else None
        return replace(made, kind=kind, order=order, style=None, date_format=None, labels_ordered=self.ordered)

    @property
    def _is_cut(self) -> bool:
        """Whether the finest values are ranges of numbers rather than values."""
        return self.column.kind == "numeric" and self.labels != self.column.categories

    @property
    def _gap(self) -> str | None:
        """The most frequent text of missing cells; None without missing cells."""
        missing = self.column.missing
        if not missing.any():
            return None
        uses = np.bincount(self.column.codes[missing], minlength=len(self.column.texts))
        return self.column.texts[int(np.argmax(uses))]


def make_list_labeller(names: Sequence[str]) -> Callable[[Group], str]:
    """Return a function that labels a group of value indexes by its values, ``{a, b}``, or ``a`` for one value.

    ``names`` are the texts of all values.
    """
    between = choose_separator(names)
    return lambda group: set_of([names[value] for value in group], between)


def make_span_labeller(names: Sequence[str]) -> Callable[[Group], str]:
    """Return a function that labels a group of rising value indexes by its ends: ``[a, c]``, or ``a`` for one value."""
    return lambda group: names[group[0]] if len(group) == 1 else span_of(names[group[0]], names[group[-1]])


MDL, EQUAL_FREQUENCY = "mdl", "equal-frequency"
_ONE_BIN = "error.bins.one-bin"


def mask_of(
    column: Column, table: Table, against: str, *, method: str, count: int, on_public_grid: bool = False
) -> Mask:
    """Return the finest released values of a quasi-identifier.

    Names and ordered categories are a value each; numbers and dates are cut into ranges, or are one value where no cut
    is found.

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
        return _mask_numbers(column, table, against, method, count, on_public_grid=on_public_grid)
    if column.kind == "date":
        return _mask_dates(column, table, against, method, count, on_public_grid=on_public_grid)
    values = column.category_codes.astype(np.int64)
    ordered = column.kind == "ordinal"
    names = column.categories
    namer = make_span_labeller(names) if ordered else make_list_labeller(names)
    return Mask(column, values, _make_single_groups(len(names)), ordered, not ordered, namer)


def numeric_cuts(
    column: Column, table: Table, against: str, *, method: str, count: int, on_public_grid: bool = False
) -> Bins | None:
    """Return the cuts of a number, the median where no cut is justified; None where there is nothing to cut.

    ``method`` and ``count`` as for ``mask_of``. Nothing to cut is a column that leaves a single range.
    """
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


def _mask_numbers(column: Column, table: Table, against: str, method: str, count: int, *, on_public_grid: bool) -> Mask:
    """Return the mask of a numeric column, cut into ranges of one group each; a single group where nothing is cut.

    A mask says which values of a column are shown as one.
    """
    bins = numeric_cuts(column, table, against, method=method, count=count, on_public_grid=on_public_grid)
    if bins is None:
        return _make_uncut_mask(column)
    return Mask(
        column,
        _find_range_indexes(column, bins),
        _make_single_groups(len(bins.cuts) + 1),
        True,
        False,
        _make_range_labeller(bins),
    )


def _mask_dates(column: Column, table: Table, against: str, method: str, count: int, *, on_public_grid: bool) -> Mask:
    """Return the mask of a date column, cut like numbers by positions on the format's grid.

    On the public grid, dates are cut at public dates; where no cut is left, all dates are one value.
    """
    grid = DateGrid.of(column)
    missing = {text for text in column.texts if text in column.missing_texts}
    texts = tuple(text if text in missing else str(grid.count(text)) for text in column.texts)
    style = NumberStyle.seen_in([text for text in texts if text not in missing])
    numbers = replace(column, texts=texts, kind="numeric", style=style, order=None, bounds=None)
    bins = numeric_cuts(numbers, table.replacing(numbers), against, method=method, count=count)
    public = PublicDates.of(column) if on_public_grid else None
    if bins is not None and public is not None:
        rounded = {to_exact_decimal(grid.count(public.text_down(grid.text(int(cut))))) for cut in bins.cuts}
        bins = replace(
            bins,
            cuts=tuple(sorted(cut for cut in rounded if cut > to_exact_decimal(float(np.nanmin(numbers.numbers))))),
        )
    if bins is None or not bins.cuts:
        return _make_uncut_mask(column)
    edges = [grid.text(int(cut)) for cut in bins.cuts]
    names = (f"< {edges[0]}", *(f"[{low}, {high})" for low, high in pairwise(edges)), f"≥ {edges[-1]}")

    def name(group: Group) -> str:
        """Return the label of a group of neighbouring ranges: ``< date``, ``[date, date)`` or ``≥ date``."""
        if len(group) == 1:
            return names[group[0]]
        if group[0] == 0:
            return f"< {edges[group[-1]]}"
        return f"≥ {edges[group[0] - 1]}" if group[-1] == len(edges) else f"[{edges[group[0] - 1]}, {edges[group[-1]]})"

    return Mask(column, _find_range_indexes(numbers, bins), _make_single_groups(len(names)), True, False, name)


def _make_uncut_mask(column: Column) -> Mask:
    """Return a mask that shows all values of a column as one.

    The label is ``*`` where the column has several values, otherwise its only value.
    """
    values = np.where(column.missing, -1, 0).astype(np.int64)
    names = column.categories or ("",)
    groups = ((0, 1),) if len(names) > 1 else ((0,),)
    return Mask(column, values, groups, True, False, make_span_labeller(names))


def _find_range_indexes(column: Column, bins: Bins) -> Ints:
    """Return the range index of each row's number, -1 where missing."""
    return np.where(column.missing, -1, bins.place(column.numbers)).astype(np.int64)


def _make_single_groups(count: int) -> tuple[Group, ...]:
    """Return ``count`` groups of one value each, with the values 0 to ``count`` - 1."""
    return tuple((value,) for value in range(count))


def _make_range_labeller(bins: Bins) -> Callable[[Group], str]:
    """Return a function that labels a group of neighbouring ranges, given by rising indexes, by what they cover."""

    def name(group: Group) -> str:
        """Return the label of the range from the first to the last range of the group."""
        inside = set(range(group[0], group[-1]))
        cuts = tuple(cut for index, cut in enumerate(bins.cuts) if index not in inside)
        return replace(bins, cuts=cuts).labels[group[0]]

    return name
