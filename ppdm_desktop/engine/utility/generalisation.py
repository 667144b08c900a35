"""The loss by generalised values and removed records: granularity, entropy, class sizes.

Everything is counted from the two tables: a released value stands for the original values of the records that show it.
If a range is declared wider than the values found in it, only these values count. V. S. Iyengar, KDD 2002 (loss of a
cell); A. de Waal and L. Willenborg, Netherlands Official Statistics 14, 1999, and A. Gionis and T. Tassa, ESA 2007
(non-uniform entropy); R. Bayardo and R. Agrawal, ICDE 2005 (discernibility); K. LeFevre, D. DeWitt and R.
Ramakrishnan, ICDE 2006 (normalised average class size).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.identifiability.classes import equivalence_classes
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.wording.catalogue import Sentence, lazy, untranslated

_REMOVED = -2
"""Code of a cell that is no longer released."""
_GRANULARITY = untranslated("mean over cells of 1 - loss")
_ENTROPY = untranslated("of the original value given the released one")
_ENTROPY_KEPT = untranslated("1 - bits lost / bits of all original values")
_DISCERNIBILITY = untranslated("squared class sizes; a removed record counts as all")
_AVERAGE_CLASS = untranslated("records / classes / k")


@dataclass(frozen=True)
class Generalisation:
    """How coarse a release is in some columns.

    Attributes
    ----------
    granularity
        1 when every value is as detailed as before, 0 when every value stands for the whole column: the mean over
        cells of 1 - (span of the released value) / (span of the column). A span is the range of numbers, the range of
        ranks of ordered values and dates, or the number of distinct names less one.
    entropy
        Mean number of bits that a cell has lost: -log2 of the share of its original value among all original values
        with the same released value.
    entropy_kept
        1 - ``entropy`` / (bits that would be lost if nothing were released).
    discernibility
        Sum of squared class sizes, plus the number of all records for each removed record. A class is the set of
        records with equal released values in these columns.
    average_class
        Mean class size divided by k.
    by_column
        Granularity of each column, by its name.
    """

    granularity: Figure
    entropy: Figure
    entropy_kept: Figure
    discernibility: Figure
    average_class: Figure
    by_column: dict[str, float]


def measure_generalisation(before: Sequence[Column], after: Sequence[Column], twins: Ints, k: int) -> Generalisation:
    """Return how coarse the released columns are, compared with their source.

    The figures are: the mean share of detail that cells keep, the mean bits that a cell lost, the share of bits kept,
    discernibility and average size of the classes of equal rows, and the share of detail kept by column name. Missing
    cells of the source are not counted in the shares and bits. A removed record, and a cell that the release leaves
    empty, has lost everything. A figure is absent where nothing can be counted; ``by_column`` has no entry for a column
    without a value.

    Parameters
    ----------
    before, after
        The same columns of source and release, at least one; usually the quasi-identifiers.
    twins
        int64, shape (source rows,): the released row of each source row, -1 where it was removed.
    k
        The required class size (of k-anonymity), by which the mean class size is divided.
    """
    loss, bits, most, cells = [], 0.0, 0.0, 0
    by_column = {}
    for index, (source, generalised) in enumerate(zip(before, after, strict=True)):
        progress.report(index / len(after), "doing.utility")
        filled_rows = np.flatnonzero(~source.missing)
        if not len(filled_rows):
            continue
        true = source.category_codes[filled_rows].astype(np.int64)
        # The last place, -1, is that of removed records.
        released = np.append(generalised.category_codes.astype(np.int64), -1)[twins[filled_rows]]
        draw = np.where(released < 0, _REMOVED, released)
        lost = compute_lost_detail(source, true, draw)
        by_column[source.name] = 1.0 - float(lost.mean())
        loss.append(lost)
        progress.check()
        bits += float(_compute_lost_bits(true, draw).sum())
        progress.check()
        most += float(_compute_lost_bits(true, np.full(len(true), _REMOVED)).sum())
        cells += len(filled_rows)
    every = np.concatenate(loss) if loss else np.zeros(0)
    return Generalisation(
        _build_figure(1.0 - float(every.mean()) if len(every) else None, cells, "share", _GRANULARITY),
        _build_figure(bits / cells if cells else None, cells, "bits", _ENTROPY),
        _build_figure(1.0 - bits / most if most > 0 else None, cells, "share", _ENTROPY_KEPT),
        *_measure_classes(after, twins, k),
        by_column,
    )


def _build_figure(value: float | None, count: int, unit: str, method: Sentence) -> Figure:
    """Return a value as a figure with ``count`` as its n; an absent figure with a reason where ``value`` is None."""
    if value is None:
        return Figure.absent(lazy("no value that could be made broader"), unit=unit, method=method)
    return Figure(value, n=count, unit=unit, method=method)


def compute_lost_detail(column: Column, true: Ints, released: Ints) -> Floats:
    """Return the share of detail that each cell lost, float64, shape (cells,): 0 for none, 1 for a cell not released.

    It is the span of the true values that got the same released value, divided by the span of all true values. Of
    numbers the span is the largest less the smallest: ages 20 to 29 released as one value, of ages 0 to 90, lose 9 /
    90. Of dates and ordered categories it is the same difference of their positions among the values that occur (dates
    sorted as texts). Of names it is the number of different ones less one. The result is 0 for all released cells of a
    column with a single value.

    Parameters
    ----------
    column
        The column of the source.
    true, released
        Codes of each cell's true category, none missing, and of its released value; the released code of a removed
        record or emptied cell is `_REMOVED`. At least one cell.
    """
    _, group = np.unique(released, return_inverse=True)
    group = group.reshape(-1)
    groups = int(group.max()) + 1
    if column.kind in ("nominal", "text"):
        pairs = np.unique(group * (int(true.max()) + 1) + true)
        span = np.bincount(pairs // (int(true.max()) + 1), minlength=groups) - 1.0
        whole = len(np.unique(true)) - 1.0
    else:
        values = column.counted_numbers()[0][true] if column.kind == "numeric" else true.astype(np.float64)
        low, high = np.full(groups, np.inf), np.full(groups, -np.inf)
        np.minimum.at(low, group, values)
        np.maximum.at(high, group, values)
        span, whole = high - low, float(values.max() - values.min())
    lost = np.asarray(span[group] / whole if whole > 0 else np.zeros(len(group)))
    return np.where(released == _REMOVED, 1.0, lost)


def _compute_lost_bits(true: Ints, released: Ints) -> Floats:
    """Return the bits needed to know each true value when its released value is known, float64, shape (cells,).

    It is -log2 of the share of the true value among the cells with the same released value: 2 bits if a quarter of them
    have it. For a removed record or an emptied cell it is -log2 of its share in the column. ``true`` and ``released``
    are the codes of at least one cell, without cells that are missing in the source; the released code of a removed
    record or an emptied cell is `_REMOVED`.
    """
    values = int(true.max()) + 1
    _, group = np.unique(released, return_inverse=True)
    group = group.reshape(-1)
    _, cell, together = np.unique(group * values + true, return_inverse=True, return_counts=True)
    share = together[cell.reshape(-1)] / np.bincount(group)[group]
    overall = np.bincount(true)[true] / len(true)
    return np.asarray(-np.log2(np.where(released == _REMOVED, overall, share)))


def _measure_classes(after: Sequence[Column], twins: Ints, k: int) -> tuple[Figure, Figure]:
    """Return discernibility and average class size of the released columns, as figures.

    Classes are released rows with equal values, missing ones included. Discernibility is the sum of the squared class
    sizes, plus all source rows for each removed one: classes of 2 and 3 with one of 6 rows removed give 4 + 9 + 6. The
    average class size is divided by ``k``; it is absent without a released row.
    """
    rows, removed = len(twins), int((twins < 0).sum())
    sizes = equivalence_classes(after, len(after[0])).sizes
    penalty = int((sizes * sizes).sum()) + removed * rows
    return (
        Figure(penalty, n=rows, unit="records squared", method=_DISCERNIBILITY),
        _build_figure(float(sizes.mean()) / k if len(sizes) else None, len(sizes), f"times k = {k}", _AVERAGE_CLASS),
    )
