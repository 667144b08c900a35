"""Divides two versions of a column into the same cells, so that their distributions can be compared.

A number with many distinct values is cut at the quantiles of the version before. A text with many distinct values
keeps the most frequent ones as cells and puts the rest into one cell. Missing values have a cell, too.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from itertools import count, repeat

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import AnyInts, Floats, Ints
from ppdm_desktop.engine.identifiability.ranks import find_sorted_positions
from ppdm_desktop.engine.table.column import Column, to_exact_decimal
from ppdm_desktop.engine.table.public_grid import NumberGrid
from ppdm_desktop.engine.wording.catalogue import Sentence, lazy
from ppdm_desktop.engine.wording.values import to_year_or_amount

MOST_VALUES = 50
NUMBER_CELLS = 20
_NAMES_AT_ONCE = 100_000
"""Names looked up between two cancellation points."""
MISSING_LABEL = lazy("(missing)")
OTHERS_LABEL = lazy("(all others)")
Label = str | Sentence
"""The text of a value, or a sentence for several values."""


@dataclass(frozen=True, eq=False)
class SharedCells:
    """Two versions of a column in the same cells (values, ranges, or groups of values).

    Attributes
    ----------
    before, after
        int64: cell of each record, 0 .. count-1.
    labels
        Name of each cell.
    cut
        Whether some cell holds more than one value, so that differences inside it are not seen.
    """

    before: Ints
    after: Ints
    labels: tuple[Label, ...]
    cut: bool

    @property
    def count(self) -> int:
        """Number of cells."""
        return len(self.labels)

    def shares(self) -> tuple[Floats, Floats]:
        """Return the share of records in each cell before and after, shape (count,) each; all 0 without records."""
        return _compute_shares(self.before, self.count), _compute_shares(self.after, self.count)


def _compute_shares(codes: Ints, count: int) -> Floats:
    """Return the share of records in each cell, shape (count,); all 0 without records."""
    counts = np.bincount(codes, minlength=count).astype(np.float64)
    return counts / max(len(codes), 1)


def shared_cells(
    before: Column,
    after: Column,
    *,
    most_values: int = MOST_VALUES,
    number_cells: int = NUMBER_CELLS,
    on_public_grid: bool = False,
) -> SharedCells:
    """Return both versions of a column as numbers of the same cells, so that their distributions can be compared.

    A cell is a value or a range of values. If both versions are numbers, each value has a cell; with more than
    ``most_values`` of them, cells are ranges cut at the quantiles before, unless there is no number before. Otherwise
    each text has a cell; of more than ``most_values`` texts the most frequent before have one, and all others share
    one.
    The last cell is for missing values.

    Parameters
    ----------
    before, after
        Versions of one column; they may differ in length.
    most_values
        Largest number of distinct values, in both versions together, that have a cell each.
    number_cells
        Most equal-frequency cells for a number with more values than that; fewer where quantiles are equal.
    on_public_grid
        Whether the edges of these cells are rounded so that they may be published; otherwise they are values of people.
    """
    if before.kind == "numeric" and after.kind == "numeric":
        grid = NumberGrid.of(before) if on_public_grid else None
        return _build_number_cells(before, after, most_values, number_cells, grid)
    return _build_text_cells(before, after, most_values)


def _build_number_cells(
    before: Column, after: Column, most_values: int, number_cells: int, grid: NumberGrid | None
) -> SharedCells:
    """Return two versions of a numeric column as cell numbers, of cells of single values or equal-frequency ranges.

    With up to ``most_values`` different numbers in both versions, each has a cell; with more, cells are ranges that
    hold about equally many records before, at most ``number_cells`` ranges, with ends rounded up to the ``grid`` if
    there is one. A range includes its upper end; the first and the last range are open. If there is no number before,
    each number has a cell, however many there are. The last cell is that of missing values.
    """
    counted = before.counted_numbers(), after.counted_numbers()
    progress.check()
    values = np.union1d(counted[0][0], counted[1][0])
    cut = len(values) > most_values
    if cut and len(counted[0][0]):
        before_values, counts = counted[0]
        ends = np.cumsum(counts)
        # Of the numbers in their order those at so many parts of all, as ``np.quantile`` takes the lower ones.
        parts = np.floor(np.arange(1, number_cells) / number_cells * float(ends[-1] - 1)).astype(np.int64)
        edges = np.unique(before_values[np.searchsorted(ends, parts, "right")])
        if grid is not None:
            edges = np.unique([float(grid.up(to_exact_decimal(edge))) for edge in edges])
        limits = [to_year_or_amount(edge, edges.tolist()) for edge in edges.tolist()]
        labels: tuple[Label, ...] = (
            lazy("up to {limit}", limit=limits[0]),
            *(lazy("above {low} up to {high}", low=low, high=high) for low, high in itertools.pairwise(limits)),
            lazy("above {low}", low=limits[-1]),
        )
    else:
        edges, labels = values[:-1], tuple(f"{value:.15g}" for value in values)

    def cell_of(numbers: Floats) -> Ints:
        """Return the cell of each number: a range includes its upper end; NaN gets the last cell."""
        cells = find_sorted_positions(edges, numbers)
        cells[np.isnan(numbers)] = len(labels)
        return cells

    first = before.of_numbers(cell_of)
    second = first if after is before else after.of_numbers(cell_of)
    return SharedCells(first, second, (*labels, MISSING_LABEL), cut)


def merged_categories(before: Column, after: Column) -> tuple[Ints, Ints, tuple[str, ...]]:
    """Return the codes of both versions in one common list of categories (-1 where missing), and this list.

    The original's categories come first, in its order (numbers by size, texts alphabetically), then those that only the
    release has, in the order of the release. If the original has a declared order, categories in it come before all
    others. Categories that no row has are left out. Original red, blue and release red, other give [1, 0], [1, 2] and
    (blue, red, other). Codes are int64, shape (rows,).
    """
    if before.order is None and before.categories == after.categories:
        return before.category_codes.astype(np.int64), after.category_codes.astype(np.int64), before.categories
    names = list(before.categories)
    index: dict[str, int] = {}
    for start in range(0, len(names), _NAMES_AT_ONCE):
        progress.check()
        index.update(zip(names[start : start + _NAMES_AT_ONCE], count(start)))
    merged_code = np.full(len(after.categories) + 1, -1, dtype=np.int64)
    for start in range(0, len(after.categories), _NAMES_AT_ONCE):
        progress.check()
        part = after.categories[start : start + _NAMES_AT_ONCE]
        merged_code[start : start + len(part)] = np.fromiter(map(index.get, part, repeat(-1)), np.int64, len(part))
    new = np.flatnonzero(merged_code[:-1] < 0)
    merged_code[new] = len(names) + np.arange(len(new))
    names += [after.categories[code] for code in new.tolist()]
    if before.order is None:
        return before.category_codes.astype(np.int64), merged_code[after.category_codes], tuple(names)
    listed = {text: rank for rank, text in enumerate(before.order)}
    order = sorted(range(len(names)), key=lambda i: listed.get(names[i], len(listed)))
    rank = np.empty(len(names) + 1, dtype=np.int64)
    rank[order] = np.arange(len(names))
    rank[-1] = -1
    return rank[before.category_codes], rank[merged_code[after.category_codes]], tuple(names[i] for i in order)


def same_order(before: Column, after: Column) -> bool:
    """Return whether both versions are ordered categories, and every released one has a rank in the original.

    Only then can ranks be compared. A generalised value such as ``[low, high]`` has no rank among single values.
    """
    return before.kind == after.kind == "ordinal" and set(after.categories) <= set(before.order or before.categories)


def _build_text_cells(before: Column, after: Column, most_values: int) -> SharedCells:
    """Return two versions of a text column as cell numbers, of cells of single values; rare values share a cell.

    With more than ``most_values`` different texts, the ``most_values`` most frequent before have a cell each, and all
    others (also those that only the release has) share one more. Cells are in the order of ``merged_categories``; of
    equally frequent texts the first in it has a cell. The last cell is that of missing values.
    """
    first, second, names = merged_categories(before, after)
    cut = len(names) > most_values
    if cut:
        kept, cell = number_commonest(len(names), most_values, first)
        labels = (*(names[i] for i in kept), OTHERS_LABEL, MISSING_LABEL)
    else:
        cell = np.arange(len(names) + 1, dtype=np.int64)
        labels = (*names, MISSING_LABEL)
    cell[-1] = len(labels) - 1
    return SharedCells(cell[first], cell[second], labels, cut)


def number_commonest(size: int, most: int, *sides: AnyInts) -> tuple[Ints, Ints]:
    """Return the ``most`` commonest of ``size`` values, ascending, and the number of each value among them.

    Of equally common values the first ones are taken. The numbers have shape (size + 1,): the values taken have the
    numbers from 0, all others and the last place share the next.

    Parameters
    ----------
    sides
        The values to be counted, as indexes below ``size``, in one or more arrays; a negative one is not counted.
    """
    uses = sum(np.bincount(side[side >= 0], minlength=size) for side in sides)
    kept = np.sort(np.argsort(-np.asarray(uses), kind="stable")[:most])
    numbers = np.full(size + 1, len(kept), dtype=np.int64)
    numbers[kept] = np.arange(len(kept))
    return kept, numbers


def total_variation(first: Floats, second: Floats) -> float:
    """Return the total variation distance of two distributions, from 0 (equal) to 1."""
    return float(0.5 * np.abs(first - second).sum())


def hellinger(first: Floats, second: Floats) -> float:
    """Return the Hellinger distance of two distributions, from 0 (equal) to 1."""
    return float(min(1.0, np.sqrt(0.5 * ((np.sqrt(first) - np.sqrt(second)) ** 2).sum())))
