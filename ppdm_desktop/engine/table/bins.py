"""Cutting a numeric column into bins (ranges), so that the range of a number is released and judged instead of it.

No edge shows the column's own smallest or largest value: the two outer edges are the bounds that the recipe declares,
or the outer bins are open (``< 20``).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.randomness import RandomStream
from ppdm_desktop.engine.recipe.models import BinsSection, ColumnSection
from ppdm_desktop.engine.table.column import Column, NumberStyle, Table, to_exact_decimal
from ppdm_desktop.engine.table.public_grid import NumberGrid
from ppdm_desktop.engine.wording.texts import describe_kind
from ppdm_desktop.engine.wording.values import Quoted, Term

_BLOCK = 20_000


@dataclass(frozen=True)
class Bins:
    """The cuts by which a numeric column is divided into bins, with its outer bounds and its way of writing numbers.

    Attributes
    ----------
    cuts
        Inner edges, rising; a value equal to a cut belongs to the bin above it.
    bounds
        The outer edges, lowest and highest, each belonging to its bin; None when the outer bins are open.
    style
        How the column writes its numbers.
    """

    cuts: tuple[Decimal, ...]
    bounds: tuple[Decimal, Decimal] | None
    style: NumberStyle

    @property
    def labels(self) -> tuple[str, ...]:
        """Return the text of each bin, lowest first; there is one bin more than cuts.

        Cuts 20 and 40 with bounds 0 and 99 give ``[0, 20)``, ``[20, 40)`` and ``[40, 99]``: the lower end belongs to a
        bin, the upper one only to the last. Without bounds they give ``< 20``, ``[20, 40)`` and ``≥ 40``. A semicolon
        stands in place of the comma where the decimal mark is a comma.
        """
        between = "; " if self.style.decimal == "," else ", "
        inner = [self.style.text(cut) for cut in self.cuts]
        labels = [f"[{low}{between}{high})" for low, high in pairwise(inner)]
        if self.bounds is None:
            return (f"< {inner[0]}", *labels, f"≥ {inner[-1]}")
        low, high = (self.style.text(bound) for bound in self.bounds)
        return (f"[{low}{between}{inner[0]})", *labels, f"[{inner[-1]}{between}{high}]")

    def find_bins(self, values: Floats) -> Ints:
        """Return the index of the bin that each number falls into, int64, shape (rows,).

        A number on a cut is in the bin above it. Numbers beyond the bounds are in the outer bins; NaN is in the last
        one.
        """
        return np.searchsorted(np.array([float(cut) for cut in self.cuts]), values, side="right")


def apply_bins(table: Table, columns: Mapping[str, ColumnSection]) -> Table:
    """Return the table in which each column that the recipe wants binned holds ordered categories (its bins).

    The recipe's entry ``"*"`` applies to columns without an entry of their own, whatever their role. Missing cells stay
    missing, and other columns stay the same objects. Where numbers are to be drawn in the bins, it is only checked that
    this will be possible: `draw_numbers` draws them.

    Parameters
    ----------
    columns
        The recipe's entries ``[columns]`` by column name; the table's columns already have their kinds.

    Raises
    ------
    RecipeError, InputError
        When a column cannot be cut as asked (such as one that is not numeric), or when numbers are to be drawn in its
        bins and it has no declared bounds or a bin holds no multiple of its step.
    """
    changed = []
    for index, column in enumerate(table.columns):
        progress.report(index / len(table.columns), "doing.read")
        section = columns.get(column.name, columns.get("*"))
        if section is None or section.bins is None:
            continue
        bins = find_bins(column, section.bins, table)
        if section.bins.release == "draw":
            _grid_spans(column, bins)
        changed.append(bin_column(column, bins))
    return table.replacing(*changed)


def draw_numbers(
    table: Table, original: Table, columns: Mapping[str, ColumnSection], stream_of: Callable[[str], RandomStream]
) -> Table:
    """Return the table in which columns with ``release = "draw"`` hold a random number inside each record's bin.

    It runs after the last method of the recipe. A drawn number is a multiple of the column's step, and each of those in
    the bin is equally likely. It never depends on the record's original number, so that it reveals no more than the bin
    does. Missing cells stay missing; other columns are unchanged.

    Parameters
    ----------
    table
        The table of bins, as the last method left it.
    original
        The table before the columns were cut, from which cuts, step and bounds are taken.
    columns
        The recipe's entries ``[columns]`` by column name.
    stream_of
        Returns the random stream for a purpose.

    Raises
    ------
    RecipeError, InputError
        When a method replaced bins by broader categories, so that no bin is left to draw in; when the columns cannot be
        cut as asked; when a bin holds no multiple of the column's step, or the column has no declared bounds.
    """
    drawn = []
    for column in original.columns:
        section = columns.get(column.name, columns.get("*"))
        if section is not None and section.bins is not None and section.bins.release == "draw":
            bins = find_bins(column, section.bins, original)
            stream = stream_of(f"draw {column.name}")
            drawn.append(_draw_inside_bins(table.column(column.name), column, bins, stream))
    return table.replacing(*drawn)


def find_bins(column: Column, section: BinsSection, table: Table, *, on_public_grid: bool = True) -> Bins:
    """Return the bins into which a numeric column is to be cut, by the method that its recipe entry names.

    With ``method = "cuts"`` the cuts are those of the entry; the other methods compute them from the values.

    Parameters
    ----------
    column
        The numeric column to cut.
    section
        The recipe's entry that says how.
    table
        The table that holds the class column, used by ``method = "mdl"`` only.
    on_public_grid
        Whether cuts that depend on single values are rounded to the column's public grid: multiples of a step that many
        values share.

    Raises
    ------
    RecipeError
        When the column is not numeric, a cut of the entry does not lie between the bounds, or the class column is
        missing or the column itself.
    InputError
        When no cut lies inside the bounds or, without bounds, none can be made.
    """
    if column.kind != "numeric" or column.style is None:
        raise RecipeError("error.bins.not-numeric", column=column.name, args={"kind": describe_kind(column.kind)})
    style = column.style
    bounds = None
    if column.bounds is not None:
        bounds = (to_exact_decimal(column.bounds[0]), to_exact_decimal(column.bounds[1]))
    step = NumberGrid.of(column).step if on_public_grid else style.step
    if section.method == "cuts":
        assert section.at is not None
        cuts = [to_exact_decimal(cut) for cut in section.at]
        outside = [cut for cut in cuts if bounds is not None and not bounds[0] < cut < bounds[1]]
        if outside:
            raise RecipeError("error.bins.cut-outside", column=column.name, args={"cut": Term(style.text(outside[0]))})
        style = style.fine_enough(cuts)
    elif section.method == "mdl":
        assert section.against is not None
        cuts = _find_mdl_cuts(column, table, section.against, step)
    else:
        assert section.count is not None
        values, counts = np.unique(column.numbers[~column.missing], return_counts=True)
        if section.method == "equal-frequency":
            cuts = _find_equal_frequency_cuts(values, counts, section.count, step)
        else:
            cuts = _find_equal_width_cuts(values, section.count, bounds, style, beyond=column.not_negative)
    return _build_bins(column, section, cuts, bounds, style)


def _build_bins(
    column: Column,
    section: BinsSection,
    cuts: Iterable[Decimal],
    bounds: tuple[Decimal, Decimal] | None,
    style: NumberStyle,
) -> Bins:
    """Return bins from the distinct cuts inside the bounds, rising; raise InputError when no cut lies inside them.

    A cut on the upper bound is inside, one on the lower bound is not. Without bounds all cuts are inside.
    """
    cuts = sorted({cut for cut in cuts if bounds is None or bounds[0] < cut <= bounds[1]})
    if not cuts:
        raise InputError("error.bins.one-bin", column=column.name, args={"method": Term(section.method)})
    return Bins(tuple(cuts), bounds, style)


def bin_column(column: Column, bins: Bins) -> Column:
    """Return the column with each number replaced by the label of its bin, as an ordinal column; missing cells stay.

    Missing cells keep their texts. Numbers beyond the bounds get the labels of the outer bins. The column's order lists
    the labels of all bins from the lowest, also of empty ones.
    """
    labels = bins.labels
    gone = [text for text in column.texts if text in column.missing_texts]
    codes = bins.find_bins(column.numbers).astype(np.int32)
    if column.missing.any():
        to_text = np.zeros(len(column.texts), dtype=np.int32)
        code_of = {text: len(labels) + rank for rank, text in enumerate(gone)}
        for code, text in enumerate(column.texts):
            to_text[code] = code_of.get(text, 0)
        codes = np.where(column.missing, to_text[column.codes], codes).astype(np.int32)
    return replace(
        column,
        codes=codes,
        texts=(*labels, *gone),
        kind="ordinal",
        order=labels,
        style=None,
        labels_ordered=True,
    )


def _grid_spans(column: Column, bins: Bins) -> list[tuple[int, int]]:
    """Return for each bin, lowest first, its first and last number as multiples of the column's step.

    With a step of 0.5 a bin from 1.0 to 2.5, both included, gives (2, 5).

    Raises
    ------
    RecipeError
        When the column has no declared bounds, or a bin holds no multiple of the step.
    """
    if bins.bounds is None:
        raise RecipeError("error.bins.draw-needs-bounds", column=column.name)
    assert column.style is not None
    step = column.style.step
    edges = [bins.bounds[0], *bins.cuts, bins.bounds[1]]
    spans = []
    for rank, (low, high) in enumerate(pairwise(edges)):
        first = math.ceil(low / step)
        last = math.floor(high / step) if rank == len(edges) - 2 else math.ceil(high / step) - 1
        if last < first:
            raise RecipeError("error.bins.no-grid-value", column=column.name, args={"bin": Quoted(bins.labels[rank])})
        spans.append((first, last))
    return spans


def _draw_inside_bins(released: Column, source: Column, bins: Bins, stream: RandomStream) -> Column:
    """Return the source column with, for each record, a number drawn uniformly inside the bin it has in ``released``.

    In the bin ``[20, 25)`` of whole numbers 20 to 24 are equally likely, whatever the record's own number was. A cell
    missing in ``released`` stays missing, with its text there. No number of the source is copied.

    Parameters
    ----------
    released
        The column of bin labels.
    source
        The column before it was cut.

    Raises
    ------
    RecipeError
        When a method replaced bins by broader categories, so that no bin is left to draw in; when the source column has
        no declared bounds, or a bin holds no multiple of its step.
    """
    assert source.style is not None
    rank_of_label = {label: rank for rank, label in enumerate(bins.labels)}
    rank_of = np.array([rank_of_label.get(text, -1) for text in released.texts], dtype=np.int64)[released.codes]
    if np.any((rank_of < 0) & ~released.missing):
        raise RecipeError("error.bins.draw-after-coarser", column=source.name)
    multiples = np.zeros(len(released), dtype=np.int64)
    for rank, (first, last) in enumerate(_grid_spans(source, bins)):
        progress.check()
        rows = np.flatnonzero(rank_of == rank)
        multiples[rows] = first + stream.integers(last - first + 1, len(rows))
    distinct, inverse = np.unique(multiples[rank_of >= 0], return_inverse=True)
    progress.check()
    written = [source.style.text(int(value) * source.style.step) for value in progress.each(distinct.tolist())]
    gone = [text for text in released.texts if text in released.missing_texts]
    index = {text: code for code, text in enumerate(dict.fromkeys([*written, *gone]))}
    of_text = np.array([index.get(text, 0) for text in released.texts], dtype=np.int32)
    codes = of_text[released.codes] if len(of_text) else released.codes.copy()
    codes[rank_of >= 0] = inverse.reshape(-1)
    return replace(source, codes=codes.astype(np.int32), texts=tuple(index), missing_texts=released.missing_texts)


# --- where to cut -----------------------------------------------------------------------


def _choose_cut_after(values: Floats, reached: Ints, last: int, step: Decimal) -> Decimal:
    """Return a cut between the values with indices ``last`` and ``last + 1``: a multiple of ``step`` near one of them.

    Between 30 and 52, in steps of 5, the cut is 35 where at least half of all records lie at or below 30 (the next
    multiple above it), else 50 (the largest multiple not above 52). A cut in the middle would reveal the other value,
    which may belong to a single person. With a coarse step the cut may lie outside the two values.

    Parameters
    ----------
    values
        Distinct values, rising.
    reached
        For each value the number of records at or below it.
    """
    if 2 * int(reached[last]) < int(reached[-1]):
        return math.floor(to_exact_decimal(values[last + 1]) / step) * step
    return (math.floor(to_exact_decimal(values[last]) / step) + 1) * step


def _find_equal_frequency_cuts(values: Floats, counts: Ints, count: int, step: Decimal) -> list[Decimal]:
    """Return at most ``count`` - 1 rising cuts between bins that hold about equally many records each.

    The values 1 to 8, one record each, in 4 bins give 3, 5 and 7. Cut i follows the first value at which i / ``count``
    of the records are reached. A cut may occur twice; none follows the largest value.

    Parameters
    ----------
    values, counts
        Distinct values, rising, and how many records have each.
    step
        Cuts are multiples of it.
    """
    reached = np.cumsum(counts)
    rows = int(reached[-1]) if len(reached) else 0
    cuts = []
    for i in range(1, count):
        last = int(np.searchsorted(reached * count, i * rows, side="left"))
        if last + 1 < len(values):
            cuts.append(_choose_cut_after(values, reached, last, step))
    return cuts


def _find_equal_width_cuts(
    values: Floats, count: int, bounds: tuple[Decimal, Decimal] | None, style: NumberStyle, *, beyond: bool
) -> list[Decimal]:
    """Return rising cuts that divide the range into ``count`` bins of equal width, each a multiple of the style's step.

    The bounds 0 and 100 in 4 bins give 25, 50 and 75; values from 3 to 97 without bounds give 27, 50 and 74. There may
    be fewer than ``count`` - 1, since only cuts strictly inside the range are returned; a cut occurs several times
    where bins would be narrower than the step. Without bounds and with fewer than two different values there is none.

    Parameters
    ----------
    values
        Distinct values, rising.
    bounds
        The range. None takes the range of the values, rounded outward to about two digits, since the exact one would
        reveal both extremes.
    beyond
        Whether the rounded range must end outside the values (its lower end not below zero), as for amounts.
    """
    if bounds is not None:
        low, high = bounds
    elif len(values) < 2:
        return []
    else:
        low, high = to_exact_decimal(values[0]), to_exact_decimal(values[-1])
        unit = max(Decimal(1).scaleb((high - low).adjusted() - 1), style.step)
        ends = low, high
        low, high = math.floor(low / unit) * unit, math.ceil(high / unit) * unit
        if beyond:
            low = max(low - unit * (low == ends[0]), Decimal(0))
            high += unit * (high == ends[1])
    width = (high - low) / count
    cuts = [math.ceil((low + i * width) / style.step) * style.step for i in range(1, count)]
    return [cut for cut in cuts if low < cut < high]


def _find_mdl_cuts(column: Column, table: Table, against: str, step: Decimal) -> list[Decimal]:
    """Return the cuts, unordered, that separate the classes of the column ``against`` (MDL, Fayyad & Irani 1993).

    A cut is made where it reduces the entropy of the classes by more than its cost, and both parts are then cut in the
    same way; the list is empty where no cut pays. Cuts are multiples of ``step``, and one may occur twice. Rows that
    lack a value in one of the two columns are left out. Raises RecipeError when ``against`` is the column itself or not
    in the table.
    """
    classes = table.column(against)
    if against == column.name:
        raise RecipeError("error.bins.against-itself", column=column.name)
    labels = classes.category_codes
    is_filled = ~column.missing & (labels >= 0)
    values, value_index = np.unique(column.numbers[is_filled], return_inverse=True)
    width = len(classes.categories)
    table_of = np.bincount(value_index * width + labels[is_filled], minlength=len(values) * width)
    below = np.zeros((len(values) + 1, width), dtype=np.int64)
    np.cumsum(table_of.reshape(len(values), width), axis=0, out=below[1:])
    cuts: list[int] = []
    waiting = [(0, len(values))]
    while waiting:
        first, last = waiting.pop()
        cut = _find_best_split(below, first, last)
        if cut is not None:
            cuts.append(cut)
            waiting += [(first, cut), (cut, last)]
    reached = np.cumsum(table_of.reshape(len(values), width).sum(axis=1))
    return [_choose_cut_after(values, reached, cut - 1, step) for cut in cuts]


def _find_best_split(below: Ints, first: int, last: int) -> int | None:
    """Return the index of the value at which splitting lowers the class entropy most; None when no split pays by MDL.

    The value at this index is the first of the upper part; of equally good splits the lowest counts. None also for
    fewer than two values.

    Parameters
    ----------
    below
        For each index i the records of each class among the first i values, shape (values + 1, classes).
    first, last
        The values to split are those from index ``first`` up to, but not including, ``last``.
    """
    if last - first < 2:
        return None
    whole = below[last] - below[first]
    rows = int(whole.sum())
    entropy = np.empty(last - first - 1)
    for start in range(0, len(entropy), _BLOCK):
        progress.check()
        left = below[first + 1 + start : min(first + 1 + start + _BLOCK, last)] - below[first]
        right = whole - left
        n_left, n_right = left.sum(axis=1), right.sum(axis=1)
        entropy[start : start + len(left)] = (n_left * _entropy(left) + n_right * _entropy(right)) / rows
    best = int(np.argmin(entropy))
    lower = below[first + 1 + best] - below[first]
    upper = whole - lower
    e, e1, e2 = (float(_entropy(part)[0]) for part in (whole[None], lower[None], upper[None]))
    k, k1, k2 = (int(np.count_nonzero(part)) for part in (whole, lower, upper))
    gain = e - float(entropy[best])
    delta = math.log2(3**k - 2) - (k * e - k1 * e1 - k2 * e2)
    if rows < 2 or gain <= (math.log2(rows - 1) + delta) / rows:
        return None
    return first + 1 + best


def _entropy(counts: Ints) -> Floats:
    """Return the entropy in bits of each row of a table of counts, shape (rows,).

    Counts 5 and 5 give 1, counts 10 and 0 give 0; a row without counts has 0.
    """
    totals = np.maximum(counts.sum(axis=1, keepdims=True), 1)
    shares = counts / totals
    logs = np.log2(shares, out=np.zeros_like(shares), where=shares > 0)
    return np.asarray(-(shares * logs).sum(axis=1))
