"""The input of learners: numbers as they are, categories as codes, and both as one matrix."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import AnyInts, Bools, Floats, Ints, is_every_row
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.day_numbers import day_floats
from ppdm_desktop.engine.utility.cells import merged_categories, same_order

MOST_NAMES = 30
"""Most categories of a column that get an indicator of their own; the others share one."""


@dataclass(frozen=True, eq=False)
class Records:
    """Records as every learner takes them: numbers and category codes, without column names.

    Attributes
    ----------
    numbers
        float64, shape (records, numeric columns), NaN where missing. Ordered categories stand
        here as ranks, dates as days.
    codes
        int64, shape (records, nominal columns), -1 where missing.
    sizes
        Number of categories of each nominal column; its codes are below it.
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
        """Number of columns, numeric and nominal ones together."""
        return int(self.numbers.shape[1] + self.codes.shape[1])

    def take(self, rows: Ints) -> Records:
        """Return the records at these row indexes; the object itself if these are all rows in order."""
        if is_every_row(rows, len(self)):
            return self
        levels = None if self.levels is None else self.levels[rows]
        return Records(self.numbers[rows], self.codes[rows], self.sizes, self.ranked, levels)


def paired_records(before: Sequence[Column], after: Sequence[Column]) -> tuple[Records, Records]:
    """Return two versions of the same columns as records with equal columns and codes.

    Columns of free text in both versions are left out: no learner here reads them. A column whose kind changed, or
    whose release shows a category without a rank, is compared name by name.

    Parameters
    ----------
    before, after
        The same columns in the same order; the rows need not correspond between the two.
    """
    paired = list(paired_columns(before, after))
    return _to_records(paired, 0, _count_rows(before)), _to_records(paired, 1, _count_rows(after))


def records_of(columns: Sequence[Column]) -> Records:
    """Return columns as records for learners: numbers, dates and ranks as numbers, names as codes, without free text.

    They are encoded as `paired_records` would encode the released version, if these columns were both versions; an
    ordered column becomes ranks, unless its declared order lacks one of its categories.
    """
    # One version of a column is let go before the next is looked at.
    paired = [
        PairedColumn((paired_column.sides[1], paired_column.sides[1]), paired_column.names, paired_column.ranked)
        for paired_column in paired_columns(columns, columns)
    ]
    return _to_records(paired, 1, _count_rows(columns))


def _to_records(paired: Sequence[PairedColumn], side: int, rows: int) -> Records:
    """Return one side of paired columns as records, their numbers and their names in a matrix each.

    ``side`` is 0 for the columns before and 1 for those after; ``rows`` is the number of records, needed where there
    are no columns.
    """
    numbers = [pair for pair in paired if pair.names is None]
    codes = [pair for pair in paired if pair.names is not None]
    return Records(
        stack_as_matrix([pair.sides[side] for pair in numbers], rows, np.float64),
        stack_as_matrix([pair.sides[side] for pair in codes], rows, np.int64),
        tuple(code.names for code in codes if code.names is not None),
        np.array([number.ranked for number in numbers], dtype=np.bool_),
    )


@dataclass(frozen=True, eq=False)
class PairedColumn:
    """Two versions of a column as numbers, or as codes of one list of names.

    Attributes
    ----------
    sides
        Before and after, shape (records,) each: numbers (float64, NaN where missing), or codes (-1 where missing).
    names
        Number of categories that the codes index; None for numbers.
    ranked
        Whether the numbers are ranks of ordered categories.
    """

    sides: tuple[npt.NDArray[Any], npt.NDArray[Any]]
    names: int | None
    ranked: bool


def paired_columns(before: Sequence[Column], after: Sequence[Column]) -> Iterator[PairedColumn]:
    """Yield for each column its two versions as a learner reads them: as numbers or as names.

    Numbers, and dates as day numbers, are float64, NaN where missing; ranks of ordered categories too. Names are codes
    in one list of categories for both versions, -1 where missing. Columns of free text in both versions are left out. A
    column whose kind changed, or whose release shows a category without a rank, counts as names.
    """
    for source, released in zip(before, after, strict=True):
        progress.check()
        manner = _choose_feature_kind(source, released)
        if manner == "number":
            yield PairedColumn((source.numbers, released.numbers), None, False)
        elif manner == "day":
            yield PairedColumn((day_floats(source), day_floats(released)), None, False)
        elif manner != "text":
            first, second, names = merged_categories(source, released)
            if manner == "rank":
                yield PairedColumn((_to_ranks(first), _to_ranks(second)), None, True)
            else:
                yield PairedColumn((first, second), len(names), False)


def stack_as_matrix(columns: Sequence[npt.NDArray[Any]], rows: int, kind: npt.DTypeLike) -> npt.NDArray[Any]:
    """Return columns of shape (rows,) as one array of shape (rows, columns).

    ``kind`` is the type of the result; without columns its shape is (rows, 0).
    """
    matrix = np.empty((rows, len(columns)), dtype=kind)
    for index, column in enumerate(columns):
        progress.check()
        matrix[:, index] = column
    return matrix


def list_number_columns(before: Sequence[Column], after: Sequence[Column]) -> tuple[str, ...]:
    """Return the names, in order, of the columns that a learner reads as numbers (numbers, dates, ranks) on both sides.

    A column whose kind the release changed, or that shows a category without a rank, is left out.
    """
    return tuple(
        source.name
        for source, released in zip(before, after, strict=True)
        if _choose_feature_kind(source, released) in _NUMBERS
    )


_NUMBERS = ("number", "day", "rank")


def _choose_feature_kind(column: Column, released: Column) -> str:
    """Return how a learner reads a column: ``number``, ``day``, ``rank``, ``text`` or ``name``, by its kind.

    It is ``name`` for nominal columns, where the release changed the kind, and where ordered categories of the release
    show a value that is not in the original's list.
    """
    kinds = {column.kind, released.kind}
    if len(kinds) > 1 or (column.kind == "ordinal" and not same_order(column, released)):
        return "name"
    return {"numeric": "number", "date": "day", "ordinal": "rank", "text": "text"}.get(column.kind, "name")


def _count_rows(columns: Sequence[Column]) -> int:
    """Return the number of rows of some columns, 0 if there are none."""
    return len(columns[0]) if columns else 0


def _to_ranks(codes: AnyInts) -> Floats:
    """Return codes as float64 ranks, NaN for -1 (missing)."""
    return np.where(codes >= 0, codes, np.nan).astype(np.float64)


@dataclass(frozen=True, eq=False)
class Encoder:
    """Turns records into one matrix of numbers; fitted to training records alone.

    Numbers are standardised (missing becomes the mean and, where training records lack some, gets an indicator); names
    become indicators, the commonest 30 one each, then always one for all others and one for missing.

    Attributes
    ----------
    means, scales
        One each for a numeric column; the scale of a constant column is 1.
    gaps
        Indexes of the numeric columns with an indicator for missing.
    indicators
        For each nominal column, the indicator of every code; the last entry is that of missing.
    widths
        Indicators of each nominal column.
    """

    means: Floats
    scales: Floats
    gaps: Ints
    indicators: tuple[Ints, ...]
    widths: tuple[int, ...]

    @classmethod
    def fit(cls, records: Records, most_names: int = MOST_NAMES) -> Encoder:
        """Return an encoder made from training records, which keeps their means, spreads and commonest names.

        A number is encoded as its distance from the mean in standard deviations (1 stands for a deviation of 0).
        Missing numbers do not count; a column that has some, but not only these, gets a mark of missing. Of each column
        of names the ``most_names`` most frequent get an indicator each, of equally frequent ones those with the lower
        code; all others, those never seen included, share one, and missing ones another.
        """
        is_filled = ~np.isnan(records.numbers)
        counts = np.maximum(is_filled.sum(axis=0), 1)
        filled = np.where(is_filled, records.numbers, 0.0)
        means = filled.sum(axis=0) / counts
        spread = np.sqrt((np.where(is_filled, records.numbers - means, 0.0) ** 2).sum(axis=0) / counts)
        scales = np.where(spread > 1e-12 * np.maximum(np.abs(means), 1.0), spread, 1.0)
        gaps = np.flatnonzero(~is_filled.all(axis=0) & is_filled.any(axis=0))
        indicators, widths = [], []
        for column, size in enumerate(records.sizes):
            codes = records.codes[:, column]
            uses = np.bincount(codes[codes >= 0], minlength=size)
            seen = np.flatnonzero(uses)
            kept = np.sort(seen[np.argsort(-uses[seen], kind="stable")[:most_names]])
            rare = len(kept)
            # Names never seen in training count as "others", whether or not training has any.
            into = np.full(size + 1, rare, dtype=np.int64)
            into[kept] = np.arange(rare)
            into[size] = rare + 1
            indicators.append(into)
            widths.append(rare + 2)
        return cls(means, scales, gaps, tuple(indicators), tuple(widths))

    @property
    def width(self) -> int:
        """Number of columns of the matrix: numbers, their marks of missing, and all indicators."""
        return len(self.means) + len(self.gaps) + sum(self.widths)

    @property
    def sources(self) -> Ints:
        """Index of the record column behind each column of ``matrix``, numeric columns first; int64, shape (width,)."""
        numeric = len(self.means)
        parts = [np.arange(numeric), self.gaps]
        parts += [np.full(width, numeric + column) for column, width in enumerate(self.widths)]
        return np.concatenate(parts).astype(np.int64)

    def matrix(self, records: Records) -> npt.NDArray[np.float32]:
        """Return records as a matrix, float32, shape (records, ``width``), with the columns the training records had.

        First come the standardised numbers, 0 where missing; then a mark of missing for each number that had gaps in
        training; then, for each column of names, indicators of its frequent names, of all others, and of missing.
        """
        made = np.zeros((len(records), self.width), dtype=np.float32)
        numeric = len(self.means)
        scaled = (records.numbers - self.means) / self.scales
        made[:, :numeric] = np.where(np.isnan(scaled), 0.0, scaled)
        made[:, numeric : numeric + len(self.gaps)] = np.isnan(records.numbers[:, self.gaps])
        start, rows = numeric + len(self.gaps), np.arange(len(records))
        for column, (into, width) in enumerate(zip(self.indicators, self.widths, strict=True)):
            made[rows, start + into[records.codes[:, column]]] = 1.0
            start += width
        return made

    def standardised(self, records: Records) -> Floats:
        """Return the standardised numbers, 0 where missing, and the marks of missing numbers, in double precision.

        These are the first columns of ``matrix``: shape (records, numeric columns + columns with gaps in training).
        """
        scaled = (records.numbers - self.means) / self.scales
        gaps = np.isnan(records.numbers[:, self.gaps])
        return np.hstack([np.where(np.isnan(scaled), 0.0, scaled), gaps])

    def names(self, records: Records) -> npt.NDArray[np.uint8]:
        """Return the indicator number of each record in each nominal column, uint8, shape (nominal columns, records).

        Frequent names count from 0; then follow the number for all others and that for missing.
        """
        encoded = np.empty((len(self.indicators), len(records)), dtype=np.uint8)
        for column, into in enumerate(self.indicators):
            encoded[column] = into[records.codes[:, column]]
        return encoded
