"""Masks of quasi-identifiers: which values of a column are shown as one group, and each group's label.

Numbers and dates are cut into ranges with regard to the class; other quasi-identifiers keep their values.

Zhu, Li & Wu (2009), step 1: numeric quasi-identifiers are aggregated into discretised values. The cuts are those of
Fayyad & Irani (1993); where no cut is justified, there is one at the median.
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
    """A column's finest values (single values or ranges) and the groups of values that are shown as one.

    Attributes
    ----------
    column
        The column as the step found it.
    values
        int64, shape (rows,): index of each record's finest value, -1 where missing.
    groups
        Indexes of the finest values in each group, rising; in an ordered column a group has neighbouring values only,
        and the lowest group comes first.
    ordered
        Whether groups are ranges, so that only neighbours are joined.
    swapped
        Whether the column's values are exchanged between records before the release.
    name_of
        Function from a group to its label.
    """

    column: Column
    values: Ints
    groups: tuple[Group, ...]
    ordered: bool
    swapped: bool
    name_of: Callable[[Group], str]

    @property
    def codes(self) -> Ints:
        """Index of each record's group, -1 where missing; int64, shape (rows,)."""
        rank_of = np.full(sum(map(len, self.groups)) + 1, -1, dtype=np.int64)
        for rank, group in enumerate(self.groups):
            rank_of[list(group)] = rank
        return rank_of[self.values]

    @property
    def labels(self) -> tuple[str, ...]:
        """The text of each group; no two texts are equal.

        If several values are all in a single group, its text is ``*``. " (joined)" is appended to a text that another
        group has or that stands for missing, several times if needed.
        """
        labels: list[str] = []
        for group in self.groups:
            label = ANYTHING if len(self.groups) == 1 < len(group) else self.name_of(group)
            while label in labels or label in self.column.missing_texts:
                label += " (joined)"
            labels.append(label)
        return tuple(labels)

    def joined(self, *members: int) -> Mask:
        """Return a mask in which the groups with these indexes are joined into one.

        A mask says which values of a column are shown as one: those of a group. In an ordered column, joined groups are
        neighbours. Groups are sorted again, so that the indexes of later groups change.
        """
        merged = tuple(sorted(value for member in members for value in self.groups[member]))
        rest = [group for index, group in enumerate(self.groups) if index not in members]
        return replace(self, groups=tuple(sorted((*rest, merged))))

    def written(self, codes: Ints) -> Column:
        """Return the column with the text of each row's group.

        ``codes`` are group indexes by row, -1 where missing. All missing cells get the text that most of them had. The
        column becomes ordinal, or nominal if its groups have no order. Only if every value is a group of its own, no
        range was cut, and it is no date, its kind stays.
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
        """Whether the finest values are ranges of numbers rather than single values."""
        return self.column.kind == "numeric" and self.labels != self.column.categories

    @property
    def _gap(self) -> str | None:
        """The most frequent text of missing cells, of equal ones the first in ``texts``; None if no cell is missing."""
        missing = self.column.missing
        if not missing.any():
            return None
        uses = np.bincount(self.column.codes[missing], minlength=len(self.column.texts))
        return self.column.texts[int(np.argmax(uses))]


def make_list_labeller(names: Sequence[str]) -> Callable[[Group], str]:
    """Return a function that labels a group of value indexes by its values: ``{a, b}``, or ``a`` for a single value.

    ``names`` are the texts of all values.
    """
    between = choose_separator(names)
    return lambda group: set_of([names[value] for value in group], between)


def make_span_labeller(names: Sequence[str]) -> Callable[[Group], str]:
    """Return a function that labels a group of neighbouring values by its ends: ``[a, c]``, or ``a`` for one value.

    ``names`` are the texts of all values in order; a group is given by rising indexes.
    """
    return lambda group: names[group[0]] if len(group) == 1 else span_of(names[group[0]], names[group[-1]])


MDL, EQUAL_FREQUENCY = "mdl", "equal-frequency"
_ONE_BIN = "error.bins.one-bin"


def mask_of(
    column: Column, table: Table, against: str, *, method: str, count: int, on_public_grid: bool = False
) -> Mask:
    """Return the mask of a quasi-identifier in which every finest value is a group of its own.

    A mask says which values of a column are shown as one. Names and ordered categories stay single values. Numbers and
    dates are cut into ranges by ``method``; if it finds no cut, they are cut into two at the median, and if that is
    impossible too, all are shown as one value. Only names are marked to be exchanged between records.

    Parameters
    ----------
    column
        The quasi-identifier.
    table
        The table with the class column.
    against
        Name of the class column.
    method, count
        How numbers and dates are cut: ``mdl`` (by minimum description length), or ``equal-frequency`` with ``count``
        ranges.
    on_public_grid
        Whether cuts are rounded to the column's public grid of round numbers or dates, so that none is a person's own
        value. Dates without a declared format are not rounded.

    Raises
    ------
    RecipeError
        When a column of numbers or dates is the class column itself, with ``mdl``.
    InputError
        When a date with hours contains more than the format of its column says.
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
    """Return the cuts of a numeric column, or one at the median if the method finds none.

    None if no cut is possible even then, or none lies inside the declared bounds. RecipeError if the column is not
    numeric or, with ``mdl``, is the class column.

    Parameters
    ----------
    column
        The numeric column.
    table, against
        The table with the class column, and the name of this column.
    method, count
        ``mdl``, or ``equal-frequency`` with ``count`` ranges.
    on_public_grid
        Whether cuts are rounded to the column's public grid of round numbers.
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
    """Return the mask of a numeric column: a group for each range, or a single one if it cannot be cut.

    If the method finds no cut, there is one at the median where that is possible. The parameters are those of
    ``mask_of``.
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
    """Return the mask of a date column, a group for each range of dates, which are cut like numbers.

    Dates are counted in the finest unit that their format writes, from seconds to years. On the public grid (dates that
    many share, such as the first of a month), cuts are moved back to dates of the grid, unless the column has no
    declared format. If no cut is left, all dates are one value. Groups are labelled ``< date``, ``[date, date)`` and
    ``≥ date``. The parameters and errors are those of ``mask_of``.
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
    """Return a mask (which says what values are shown as one) that shows all values of a column as one.

    The label is ``*``, or the value itself if the column has only one.
    """
    values = np.where(column.missing, -1, 0).astype(np.int64)
    names = column.categories or ("",)
    groups = ((0, 1),) if len(names) > 1 else ((0,),)
    return Mask(column, values, groups, True, False, make_span_labeller(names))


def _find_range_indexes(column: Column, bins: Bins) -> Ints:
    """Return the index of the range of each row's number, -1 where missing; int64, shape (rows,)."""
    return np.where(column.missing, -1, bins.find_bins(column.numbers)).astype(np.int64)


def _make_single_groups(count: int) -> tuple[Group, ...]:
    """Return ``count`` groups, each with one of the value indexes 0 to ``count`` - 1."""
    return tuple((value,) for value in range(count))


def _make_range_labeller(bins: Bins) -> Callable[[Group], str]:
    """Return a function that labels a group of neighbouring ranges (rising indexes) by the range that they cover."""

    def name(group: Group) -> str:
        """Return the label of the range that goes from the group's first to its last range.

        The ranges from 10 to 20 and from 20 to 30 together are labelled as one range from 10 to 30.
        """
        inside = set(range(group[0], group[-1]))
        cuts = tuple(cut for index, cut in enumerate(bins.cuts) if index not in inside)
        return replace(bins, cuts=cuts).labels[group[0]]

    return name
