"""What a learner sees of records: numbers as they are, names as codes, and both as one matrix."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import AnyInts, Bools, Floats, Ints, is_every_row
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.dates import DateFormat
from ppdm_desktop.engine.utility.cells import merged_categories, same_order

MOST_NAMES = 30
"""So many names of a column get an indicator of their own; the others share one."""


@dataclass(frozen=True, eq=False)
class Records:
    """Records without names: what every learner takes.

    Attributes
    ----------
    numbers
        float64, shape (records, numeric columns), NaN where missing. Ordered categories stand
        here as ranks, dates as days.
    codes
        int64, shape (records, nominal columns), -1 where missing.
    sizes
        How many names each nominal column knows.
    ranked
        bool, shape (numeric columns,): which of ``numbers`` are ranks of ordered categories.
    levels
        int64, shape (records,): the privacy level that each record's noise was drawn for, where it is known. No
        learner learns from it.
    """

    numbers: Floats
    codes: Ints
    sizes: tuple[int, ...]
    ranked: Bools
    levels: Ints | None = None

    @classmethod
    def of_numbers(cls, numbers: Floats) -> Records:
        """Return records that have numbers only, shape (records, columns)."""
        empty = np.zeros((len(numbers), 0), dtype=np.int64)
        return cls(np.asarray(numbers, dtype=np.float64), empty, (), np.zeros(numbers.shape[1], dtype=np.bool_))

    def __len__(self) -> int:
        """Return the number of records."""
        return len(self.numbers)

    @property
    def width(self) -> int:
        """Number of columns."""
        return int(self.numbers.shape[1] + self.codes.shape[1])

    def take(self, rows: Ints) -> Records:
        """Return some of the records, in this order; themselves where these are all as they are."""
        if is_every_row(rows, len(self)):
            return self
        levels = None if self.levels is None else self.levels[rows]
        return Records(self.numbers[rows], self.codes[rows], self.sizes, self.ranked, levels)


def paired_records(before: Sequence[Column], after: Sequence[Column]) -> tuple[Records, Records]:
    """Return two versions of the same columns as records with the same meaning.

    Columns of free text are left out: no learner here reads them. A column whose kind changed
    on the way, or whose ordered categories were generalised, is compared name by name.

    Parameters
    ----------
    before, after
        The same columns in the same order; the rows need not correspond between the two.
    """
    found = list(paired_columns(before, after))
    return _records(found, 0, _rows(before)), _records(found, 1, _rows(after))


def records_of(columns: Sequence[Column]) -> Records:
    """Return columns as records, as `paired_records` has them beside themselves."""
    # One version of a column is let go before the next is looked at.
    found = [
        PairedColumn((paired_column.sides[1], paired_column.sides[1]), paired_column.names, paired_column.ranked)
        for paired_column in paired_columns(columns, columns)
    ]
    return _records(found, 1, _rows(columns))


def _records(found: Sequence[PairedColumn], side: int, rows: int) -> Records:
    numbers = [each for each in found if each.names is None]
    codes = [each for each in found if each.names is not None]
    return Records(
        side_by_side([each.sides[side] for each in numbers], rows, np.float64),
        side_by_side([each.sides[side] for each in codes], rows, np.int64),
        tuple(code.names for code in codes if code.names is not None),
        np.array([number.ranked for number in numbers], dtype=np.bool_),
    )


@dataclass(frozen=True, eq=False)
class PairedColumn:
    """Two versions of a column with the same meaning.

    Attributes
    ----------
    sides
        Before and after, shape (records,) each: numbers (float64, NaN where missing), or codes (-1 where missing).
    names
        How many names the codes are places of; None for numbers.
    ranked
        Whether the numbers are ranks of ordered categories.
    """

    sides: tuple[npt.NDArray[Any], npt.NDArray[Any]]
    names: int | None
    ranked: bool


def paired_columns(before: Sequence[Column], after: Sequence[Column]) -> Iterator[PairedColumn]:
    """Yield two versions of the same columns, one column at a time, as `paired_records` puts them together."""
    for one, other in zip(before, after, strict=True):
        progress.check()
        manner = _manner(one, other)
        if manner == "number":
            yield PairedColumn((one.numbers, other.numbers), None, False)
        elif manner == "day":
            yield PairedColumn((_days(one), _days(other)), None, False)
        elif manner != "text":
            first, second, names = merged_categories(one, other)
            if manner == "rank":
                yield PairedColumn((_ranks(first), _ranks(second)), None, True)
            else:
                yield PairedColumn((first, second), len(names), False)


def side_by_side(columns: Sequence[npt.NDArray[Any]], rows: int, kind: npt.DTypeLike) -> npt.NDArray[Any]:
    """Return columns of shape (rows,) as one array of shape (rows, columns)."""
    found = np.empty((rows, len(columns)), dtype=kind)
    for place, column in enumerate(columns):
        progress.check()
        found[:, place] = column
    return found


def number_names(before: Sequence[Column], after: Sequence[Column]) -> tuple[str, ...]:
    """Return the names of the columns that ``paired_records`` puts into ``numbers``, in their order."""
    return tuple(one.name for one, other in zip(before, after, strict=True) if _manner(one, other) in _NUMBERS)


_NUMBERS = ("number", "day", "rank")


def _manner(column: Column, other: Column) -> str:
    kinds = {column.kind, other.kind}
    if len(kinds) > 1 or (column.kind == "ordinal" and not same_order(column, other)):
        return "name"
    return {"numeric": "number", "date": "day", "ordinal": "rank", "text": "text"}.get(column.kind, "name")


def _rows(columns: Sequence[Column]) -> int:
    return len(columns[0]) if columns else 0


def _ranks(codes: AnyInts) -> Floats:
    return np.where(codes >= 0, codes, np.nan).astype(np.float64)


def _days(column: Column) -> Floats:
    form = DateFormat.parse(column.date_format) if column.date_format is not None else None
    per_text = np.full(len(column.texts), np.nan)
    for place, text in enumerate(progress.each(column.texts)):
        found = form.read(text) if form is not None and text not in column.missing_texts else None
        if found is not None:
            per_text[place] = found[0].toordinal()
    return np.asarray(per_text[column.codes]) if len(per_text) else np.zeros(len(column))


@dataclass(frozen=True, eq=False)
class Encoder:
    """How records become one matrix; learned from training records alone.

    Numbers are standardised (missing becomes the mean and, where training records lack some,
    gets an indicator); names become indicators, the commonest ``MOST_NAMES`` one each, then
    one for all others and one for missing where there were any.

    Attributes
    ----------
    means, scales
        One each for a numeric column; the scale of a constant column is 1.
    gaps
        Numeric columns with an indicator for missing.
    place
        For each nominal column, the indicator of every code; the last entry is that of missing.
    widths
        Indicators of each nominal column.
    """

    means: Floats
    scales: Floats
    gaps: Ints
    place: tuple[Ints, ...]
    widths: tuple[int, ...]

    @classmethod
    def fit(cls, records: Records, most_names: int = MOST_NAMES) -> Encoder:
        """Learn means, spreads and the commonest names from training records."""
        known = ~np.isnan(records.numbers)
        counts = np.maximum(known.sum(axis=0), 1)
        filled = np.where(known, records.numbers, 0.0)
        means = filled.sum(axis=0) / counts
        spread = np.sqrt((np.where(known, records.numbers - means, 0.0) ** 2).sum(axis=0) / counts)
        scales = np.where(spread > 1e-12 * np.maximum(np.abs(means), 1.0), spread, 1.0)
        gaps = np.flatnonzero(~known.all(axis=0) & known.any(axis=0))
        place, widths = [], []
        for column, size in enumerate(records.sizes):
            codes = records.codes[:, column]
            uses = np.bincount(codes[codes >= 0], minlength=size)
            seen = np.flatnonzero(uses)
            kept = np.sort(seen[np.argsort(-uses[seen], kind="stable")[:most_names]])
            others = len(kept)
            # Names never seen in training count as "others", whether or not training has any.
            into = np.full(size + 1, others, dtype=np.int64)
            into[kept] = np.arange(others)
            into[size] = others + 1
            place.append(into)
            widths.append(others + 2)
        return cls(means, scales, gaps, tuple(place), tuple(widths))

    @property
    def width(self) -> int:
        """Number of columns of the matrix."""
        return len(self.means) + len(self.gaps) + sum(self.widths)

    @property
    def sources(self) -> Ints:
        """Column of the records that each column of the matrix comes from, numeric ones first."""
        numeric = len(self.means)
        parts = [np.arange(numeric), self.gaps]
        parts += [np.full(width, numeric + place) for place, width in enumerate(self.widths)]
        return np.concatenate(parts).astype(np.int64)

    def matrix(self, records: Records) -> npt.NDArray[np.float32]:
        """Return records as a matrix, float32, shape (records, ``width``)."""
        made = np.zeros((len(records), self.width), dtype=np.float32)
        numeric = len(self.means)
        scaled = (records.numbers - self.means) / self.scales
        made[:, :numeric] = np.where(np.isnan(scaled), 0.0, scaled)
        made[:, numeric : numeric + len(self.gaps)] = np.isnan(records.numbers[:, self.gaps])
        start, rows = numeric + len(self.gaps), np.arange(len(records))
        for column, (into, width) in enumerate(zip(self.place, self.widths, strict=True)):
            made[rows, start + into[records.codes[:, column]]] = 1.0
            start += width
        return made

    def standardised(self, records: Records) -> Floats:
        """Return the numbers and their gaps, the first columns of ``matrix``, in double precision."""
        scaled = (records.numbers - self.means) / self.scales
        gaps = np.isnan(records.numbers[:, self.gaps])
        return np.hstack([np.where(np.isnan(scaled), 0.0, scaled), gaps])

    def names(self, records: Records) -> npt.NDArray[np.uint8]:
        """Return which indicator of each nominal column a record has, shape (nominal columns, records)."""
        found = np.empty((len(self.place), len(records)), dtype=np.uint8)
        for column, into in enumerate(self.place):
            found[column] = into[records.codes[:, column]]
        return found
