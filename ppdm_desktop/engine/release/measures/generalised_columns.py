"""Generalised columns: how coarse they became, and their distribution before and after in the same ranges.

Ranges compared with single values would look as if every value had changed, though none did. If every value has one
range, the values before are therefore mapped to the ranges first.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Ints, on_grid
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.report.charts import Marginal
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.utility.cells import MISSING_LABEL, OTHERS_LABEL, Label, merged_categories
from ppdm_desktop.engine.utility.whole_table import Compared

SPANS = (1, 2, 4, 11, 31)
"""Lower limits of the bands of ``GeneralisedColumn.spans``, in numbers of original values."""
_GENERALISES, _REMOVES = "generalisation", "suppression"


@dataclass(frozen=True)
class Span:
    """Share of the shown cells whose released text stands for ``low`` to ``high`` values (None for no upper limit).

    If the text also stands for missing values, these count as one value.
    """

    low: int
    high: int | None
    share: float


@dataclass(frozen=True)
class GeneralisedColumn:
    """A column that was generalised and not changed otherwise.

    Attributes
    ----------
    name
        Name of the column.
    records, generalised
        Number of cells shown, and of those with another text than the original's.
    values_before, values_after
        Number of different values before, and of different texts released.
    spans
        Share of ``records`` by the number of original values that their texts stand for.
    marginal
        Distribution before and after in the released texts; None if some value has several ranges.
    shift
        Total variation distance of ``marginal``, with hidden cells counted as a value; None without ``marginal``.
    """

    name: str
    records: int
    generalised: int
    values_before: int
    values_after: int
    spans: tuple[Span, ...]
    marginal: Marginal | None
    shift: float | None

    @property
    def change(self) -> float:
        """The total variation distance; if it is unknown, the share of cells with another text."""
        return self.generalised / max(self.records, 1) if self.shift is None else self.shift


def is_generalised(candidate: Candidate, name: str) -> bool:
    """Return whether every step on a column generalised or removed its values, and at least one generalised."""
    treatments = [step.method.treatment.english for step in candidate.steps if name in step.settings.columns]
    kept = [treatment for treatment in treatments if not treatment.startswith(_REMOVES)]
    return bool(kept) and all(treatment.startswith(_GENERALISES) for treatment in kept)


def is_coarsened(candidate: Candidate, name: str) -> bool:
    """Return whether every step on a column rounded or top-coded its numbers; False if no step treated it."""
    steps = [step for step in candidate.steps if name in step.settings.columns]
    return bool(steps) and all(step.method.coarsens_numbers for step in steps)


def generalised_columns(candidate: Candidate, sides: Compared, *, most_bars: int) -> tuple[GeneralisedColumn, ...]:
    """Return a description of each generalised column in which a value changed; empty if rows are no source rows.

    Columns are those on which every step generalised or removed values (see `is_generalised`), in release order.
    Numeric columns that are still numeric are left out, unless they were rounded or top-coded, and so is free text.
    ``most_bars`` is the largest number of texts in a column's chart.
    """
    if sides.twins is None:
        return ()
    there = np.flatnonzero(sides.twins >= 0)
    columns = []
    for index, (before, after) in enumerate(zip(sides.before, sides.after, strict=True)):
        progress.report(index / len(sides.after), "doing.utility")
        # A mean of a group is a number like those before it, and its column is compared as numbers are.
        is_categorical = after.kind not in ("numeric", "text") or before.kind not in ("numeric", "text")
        is_categorical = is_categorical or is_coarsened(candidate, after.name)
        if is_categorical and before is not after and is_generalised(candidate, after.name):
            described = _describe_column(before, after, there, sides.twins[there], most_bars)
            if described is not None:
                columns.append(described)
    return tuple(columns)


def to_shared_texts(candidate: Candidate, sides: Compared, name: str) -> tuple[Ints, Ints, tuple[str, ...]]:
    """Return a column before and after as codes of one list of texts, -1 where missing, and these texts.

    A column that was only generalised, each value to a single range, is mapped to its ranges first. Codes have shape
    (rows,): rows before are those of the source, rows after those of ``final``.
    """
    index = [column.name for column in sides.after].index(name)
    before, after = sides.before[index], sides.after[index]
    first, second, names = merged_categories(before, after)
    if sides.twins is None or before is after or not is_generalised(candidate, name):
        return first, second, names
    there = np.flatnonzero(sides.twins >= 0)
    source_codes, released_codes = first[there], second[sides.twins[there]]
    both = (source_codes >= 0) & (released_codes >= 0)
    pairs = np.unique(source_codes[both] * len(names) + released_codes[both])
    values = pairs // max(len(names), 1)
    if len(np.unique(values)) == len(values):
        first = _map_to_ranges(values, pairs % max(len(names), 1), len(names))[first]
    return first, second, names


def _map_to_ranges(values: Ints, released_codes: Ints, size: int) -> Ints:
    """Return for each code of a list of texts the code that is shown for it, int64, shape (size + 1,).

    A code that is not among ``values`` stands for itself. The last entry is -1, so that a missing value (-1) stays
    missing.

    Parameters
    ----------
    values, released_codes
        Codes of the original values, each once, and of the text released for each.
    size
        Number of texts.
    """
    into = np.arange(size + 1, dtype=np.int64)
    into[-1] = -1
    into[values] = released_codes
    return into


def _describe_column(
    before: Column, after: Column, there: Ints, twin_rows: Ints, most_bars: int
) -> GeneralisedColumn | None:
    """Return the description of a generalised column; None if no value changed.

    It has the numbers of records, of changed records and of values before and after, the shares of records by how many
    values theirs stands for, and a chart. Only the chart counts records without a value before or after. ``there`` and
    ``twin_rows`` are indices of corresponding rows of the source and of ``final``. There is no chart if a value became
    several ranges.
    """
    first, second, names = merged_categories(before, after)
    source_codes, released_codes = first[there], second[twin_rows]
    both = (source_codes >= 0) & (released_codes >= 0)
    source_codes, released_codes = source_codes[both], released_codes[both]
    if not len(source_codes) or np.array_equal(source_codes, released_codes):
        return None
    size = len(names)
    progress.check()
    pairs = np.unique(source_codes * size + released_codes)
    progress.check()
    values, released_values = pairs // size, pairs % size
    covers = np.bincount(released_values, minlength=size)
    with_missing = np.unique(second[twin_rows][(first[there] < 0) & (second[twin_rows] >= 0)])
    covers[with_missing] += 1
    spans = []
    for index, low in enumerate(SPANS):
        high = SPANS[index + 1] - 1 if index + 1 < len(SPANS) else None
        inside = (covers >= low) & (covers <= high) if high is not None else covers >= low
        spans.append(Span(low, high, float(inside[released_codes].mean())))
    marginal = shift = None
    if len(np.unique(values)) == len(values):
        into = _map_to_ranges(values, released_values, size)
        lowest = np.full(size, size, dtype=np.int64)
        np.minimum.at(lowest, released_values, values)  # the words stand in the order of the values below them
        marginal, shift = _build_marginal(after.name, into[first], second, names, lowest, most_bars)
    return GeneralisedColumn(
        name=after.name,
        records=len(source_codes),
        generalised=int((source_codes != released_codes).sum()),
        values_before=len(np.unique(values)),
        values_after=len(np.unique(released_values)),
        spans=tuple(spans),
        marginal=marginal,
        shift=shift,
    )


def _build_marginal(
    name: str, first: Ints, second: Ints, names: tuple[str, ...], lowest: Ints, most_bars: int
) -> tuple[Marginal, float]:
    """Return the distribution before and after for a chart, and their total variation distance, from 0 to 1.

    Shares are of all rows. Of more than ``most_bars`` texts, the ``most_bars`` - 1 most frequent (before and after
    together) are listed and the rest added up; the distance is that of all texts. Missing values count in it like a
    text and follow as a last entry, if there are any.

    Parameters
    ----------
    name, names
        Name of the column, and its texts.
    first, second
        Code of each row's text before and after, -1 where missing.
    lowest
        Sort key of each text; entries are listed by it, smallest first.
    most_bars
        Largest number of entries, without the one for missing values.
    """
    size = len(names)
    shares = [
        np.bincount(np.where(side < 0, size, side), minlength=size + 1) / max(len(side), 1) for side in (first, second)
    ]
    shift = float(0.5 * np.abs(shares[0] - shares[1]).sum())
    used = np.flatnonzero((shares[0][:size] > 0) | (shares[1][:size] > 0))
    kept = used
    if len(used) > most_bars:
        largest = np.argsort(-on_grid(shares[0] + shares[1])[used], kind="stable")[: most_bars - 1]
        kept = used[np.sort(largest)]
    kept = kept[np.argsort(lowest[kept], kind="stable")]
    labels: list[Label] = [names[code] for code in kept]
    before, after = ([float(side[code]) for code in kept] for side in shares)
    if len(kept) < len(used):
        labels.append(OTHERS_LABEL)
        rest = np.setdiff1d(used, kept)
        before.append(float(shares[0][rest].sum()))
        after.append(float(shares[1][rest].sum()))
    if shares[0][size] or shares[1][size]:
        labels.append(MISSING_LABEL)
        before.append(float(shares[0][size]))
        after.append(float(shares[1][size]))
    return Marginal(name, tuple(labels), tuple(before), tuple(after), (len(first), len(second))), shift
