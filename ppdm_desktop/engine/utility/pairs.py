"""How far the relations between pairs of columns are preserved in a release."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Floats, Ints, on_grid
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.table.column import Column, assign_text_numbers
from ppdm_desktop.engine.utility.associations import corrected_cramers_v_of_table
from ppdm_desktop.engine.utility.cells import SharedCells, shared_cells
from ppdm_desktop.engine.wording.catalogue import join_remarks, lazy, untranslated
from ppdm_desktop.engine.wording.values import LazyText, Term, round_to_digits

MOST_PAIRS = 1_000
"""More pairs than this are not measured: changed columns come first, then file order."""
_LOOKS = 50
"""Rows in which two versions are compared first, before all rows are."""
_ONE_COLUMN = lazy("needs at least two released columns")
_NO_CORRELATION = lazy("no pair with a correlation in both tables")
_MEAN_DIVERGENCE = untranslated("mean over pairs; half a record added to every cell that either table fills")
_CORRELATION = untranslated("Pearson for two numbers, otherwise Cramer's V corrected for chance")


@dataclass(frozen=True)
class PairUtility:
    """How far the pairs of released columns changed.

    Attributes
    ----------
    i_divergence
        Mean over the pairs of the I-divergence (Kullback-Leibler) of the joint distribution before from that after, in
        bits.
    correlation_max_change, correlation_mean_change
        Largest and mean change of the correlation: Pearson's for two numbers, Cramer's V on cells otherwise.
    changed_most
        Names of the two columns whose correlation changed most; None where no correlation was measured.
    """

    i_divergence: Figure
    correlation_max_change: Figure
    correlation_mean_change: Figure
    changed_most: tuple[str, str] | None = None


NO_PAIRS = PairUtility(*(Figure.absent(_ONE_COLUMN),) * 3)


def joint_counts(first: Ints, second: Ints, rows: int, columns: int) -> Floats:
    """Return the contingency table of two arrays of cell numbers, float64, shape (rows, columns)."""
    counts = np.bincount(first * columns + second, minlength=rows * columns)
    return counts.astype(np.float64).reshape(rows, columns)


def i_divergence(before: Floats, after: Floats) -> float:
    """Return the Kullback-Leibler divergence, sum p log2(p/q), of two tables of counts, in bits; at least 0.

    p and q are the shares of the cells in ``before`` and in ``after``, which have the same shape. Half a record is
    added first to every cell that is filled in at least one of the tables, so that the result is finite. Cells that are
    empty in both do not count. 0 where both tables are empty.
    """
    filled = (before > 0) | (after > 0)
    if not filled.any():
        return 0.0
    p, q = before[filled] + 0.5, after[filled] + 0.5
    p, q = p / p.sum(), q / q.sum()
    return max(0.0, float((p * np.log2(p / q)).sum()))


def pearson(first: Floats, second: Floats) -> float | None:
    """Return the correlation of two arrays of numbers over rows where neither is NaN; None if it is undefined.

    It is undefined with fewer than two such rows, or where the values of an array are all equal.
    """
    in_both = ~(np.isnan(first) | np.isnan(second))
    x, y = first[in_both], second[in_both]
    if len(x) < 2:
        return None
    x, y = x - x.mean(), y - y.mean()
    spread = np.sqrt((x * x).sum() * (y * y).sum())
    return float((x * y).sum() / spread) if spread > 0 else None


def pair_utility(before: Sequence[Column], after: Sequence[Column]) -> PairUtility:
    """Return how far the two-way tables and the correlations of pairs of columns changed.

    That is the mean I-divergence of the tables (bits), the largest and the mean change of correlation (Pearson's for
    two numbers, else Cramer's V corrected for chance, on cells, of which one is for missing values), and the names of
    the pair whose correlation changed most, the first of equals. At most 1,000 pairs are measured, those with a changed
    column first; a note counts the others. A pair of unchanged columns counts as 0; one whose correlation is undefined
    in either version has no change of correlation. With fewer than two columns the figures have no value.

    Parameters
    ----------
    before, after
        The same columns in the same order; rows need not correspond between the two.
    """
    changed = [not _is_unchanged(source, released) for source, released in zip(before, after, strict=True)]
    pairs = sorted(combinations(range(len(after)), 2), key=lambda pair: not (changed[pair[0]] or changed[pair[1]]))
    if not pairs:
        return NO_PAIRS
    measured = pairs[:MOST_PAIRS]
    cells: dict[int, SharedCells] = {}
    divergences: list[tuple[float, tuple[int, int]]] = []
    changes: list[tuple[float, tuple[int, int]]] = []
    for done, pair in enumerate(measured):
        progress.report(done / len(measured), "doing.utility")
        a, b = pair
        if not changed[a] and not changed[b]:
            divergences.append((0.0, pair))
            changes.append((0.0, pair))
            continue
        for index in pair:
            if index not in cells:
                cells[index] = shared_cells(before[index], after[index])
        progress.check()
        table_before, table_after = _build_contingency_tables(cells[a], cells[b])
        divergences.append((i_divergence(table_before, table_after), pair))
        progress.check()
        if before[a].kind == before[b].kind == after[a].kind == after[b].kind == "numeric":
            ends = pearson(before[a].numbers, before[b].numbers), pearson(after[a].numbers, after[b].numbers)
        else:
            ends = corrected_cramers_v_of_table(table_before), corrected_cramers_v_of_table(table_after)
        if ends[0] is not None and ends[1] is not None:
            changes.append((abs(ends[1] - ends[0]), pair))
    left = None
    if len(pairs) > len(measured):
        left = lazy("{n} further pairs not measured", n=len(pairs) - len(measured))
    return _compute_pair_figures(divergences, changes, [column.name for column in after], left)


def _compute_pair_figures(
    divergences: list[tuple[float, tuple[int, int]]],
    changes: list[tuple[float, tuple[int, int]]],
    names: list[str],
    left: LazyText | None,
) -> PairUtility:
    """Return the mean divergence of all measured pairs, and the largest and the mean change of their correlation.

    ``divergences`` (at least one) and ``changes`` hold figures with their pair of column indexes. The notes of the
    first two figures name the worst pair; all three contain ``left``, a note on pairs not measured, if it is not None.
    The last two figures are absent if ``changes`` is empty. The result also names the pair whose correlation changed
    most, the first of equals; None without ``changes``.
    """

    def worst(figures: list[tuple[float, tuple[int, int]]]) -> tuple[float, str, str]:
        """Return the largest figure with the names of its two columns; of equal figures the first."""
        value, (a, b) = max(figures, key=lambda figure: on_grid(figure[0]))
        return value, names[a], names[b]

    largest, first_name, second_name = worst(divergences)
    divergence = Figure(
        float(np.mean([value for value, _ in divergences])),
        n=len(divergences),
        unit="bits",
        method=_MEAN_DIVERGENCE,
        note=join_remarks(
            lazy(
                "largest: {value}, between “{one}” and “{other}”",
                value=round_to_digits(largest, 3),
                one=Term(first_name),
                other=Term(second_name),
            ),
            left,
        ),
    )
    if not changes:
        absent = Figure.absent(_NO_CORRELATION)
        return PairUtility(divergence, absent, absent)
    values = [value for value, _ in changes]
    largest, first_name, second_name = worst(changes)
    note = join_remarks(lazy("between “{one}” and “{other}”", one=Term(first_name), other=Term(second_name)), left)
    most = Figure(largest, n=len(values), unit="correlation", method=_CORRELATION, note=note)
    mean = Figure(float(np.mean(values)), n=len(values), unit="correlation", method=_CORRELATION, note=left)
    return PairUtility(divergence, most, mean, (first_name, second_name))


def _is_unchanged(before: Column, after: Column) -> bool:
    """Return whether two versions of a column have the same kind and the same text in each row.

    False where the numbers of rows differ.
    """
    progress.check()
    if len(before) != len(after) or before.kind != after.kind:
        return False
    if before.codes is after.codes and before.texts is after.texts:
        return True
    if before.texts == after.texts:
        return bool(np.array_equal(before.codes, after.codes))
    if any(before.text_at(row) != after.text_at(row) for row in range(0, len(before), max(len(before) // _LOOKS, 1))):
        return False
    index: dict[str, int] = {}
    before_codes, into = assign_text_numbers(before.texts, index), assign_text_numbers(after.texts, index)
    return not len(before) or bool(np.array_equal(into[after.codes], before_codes[before.codes]))


def _build_contingency_tables(first: SharedCells, second: SharedCells) -> tuple[Floats, Floats]:
    """Return the contingency tables of two columns before and after, shape (cells of first, cells of second)."""
    shape = first.count, second.count
    return joint_counts(first.before, second.before, *shape), joint_counts(first.after, second.after, *shape)
