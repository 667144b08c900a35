"""Figures of the table as a whole: each is one field of `TableFigures`, with its function, its heading and its help.

Report, window and ``report.json`` read these fields in their order, so that a new figure needs only a new field.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated

import numpy as np
from pydantic import BaseModel

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.figure import Figure, Measure, measures_of
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.utility.accuracy import Loss, covariance_compatibility, information_loss
from ppdm_desktop.engine.utility.clusters import NOT_SOURCE_ROWS
from ppdm_desktop.engine.utility.models.crossval import describe_fixed_sample, sample_rows
from ppdm_desktop.engine.utility.models.features import Records, paired_records
from ppdm_desktop.engine.utility.separability import main_effects_error, propensity_error
from ppdm_desktop.engine.wording.catalogue import join_remarks, lazy
from ppdm_desktop.engine.wording.values import round_to_digits

MOST_ROWS = 10_000
"""For separability: more records than these are sampled, the same for every candidate of a table."""


@dataclass(frozen=True)
class Compared:
    """The released columns before the steps of the recipe and as released, to be compared.

    Attributes
    ----------
    before
        The columns before the first step, with all source rows. Declared bins are applied, except where released
        numbers are drawn inside them. If a step writes the same ranges for everybody, the values are put into these
        ranges, so that a range is compared with itself.
    after
        The columns as released, rows in the order of the candidate's ``final``.
    twins
        int64, shape (source rows,): row of ``after`` that was made from each source row, -1 where it was removed; None
        where released rows do not correspond to source rows.
    treated
        Names of the columns whose values a step, or drawing inside bins, may have changed.
    """

    before: tuple[Column, ...]
    after: tuple[Column, ...]
    twins: Ints | None
    treated: frozenset[str] = frozenset()

    def match_rows(self) -> tuple[tuple[Column, ...], tuple[Column, ...]] | None:
        """Return the columns before and after, row i of both being the same record; None where rows do not correspond.

        Rows are in the order of the source; source rows that were removed are left out. Columns are those of ``before``
        and of ``after``, in the same order. Rows do not correspond if ``twins`` is None, as for synthetic rows.
        """
        if self.twins is None:
            return None
        there = np.flatnonzero(self.twins >= 0)
        twins = self.twins[there]
        return tuple(column.take(there) for column in self.before), tuple(column.take(twins) for column in self.after)

    @cached_property
    def loss(self) -> Loss:
        """Information lost in the columns that the method treated; absent where rows do not correspond.

        Only columns that are numbers, dates or ordered categories in both versions count, ordered ones only if the
        release shows no category without a rank.
        """
        kept = self.match_rows()
        if kept is None:
            return Loss.absent(NOT_SOURCE_ROWS)
        pairs = [
            (source, released)
            for source, released in zip(*kept, strict=True)
            if source.name in self.treated and source.kind == released.kind != "nominal"
        ]
        first, second = paired_records([source for source, _ in pairs], [released for _, released in pairs])
        return information_loss(first.numbers, second.numbers)

    @cached_property
    def sampled(self) -> tuple[Records, Records]:
        """Fixed samples of at most 10,000 records before and after; the same people where rows correspond.

        If rows correspond, those removed from the release are left out of the second sample.
        """
        rows = sample_rows(self.source_rows, MOST_ROWS)
        if self.twins is not None:
            twin_rows = self.twins[rows]
            twin_rows = twin_rows[twin_rows >= 0]
        else:
            twin_rows = sample_rows(len(self.after[0]) if self.after else 0, MOST_ROWS)
        before, after = paired_records(self.before, self.after)
        return before.take(rows), after.take(twin_rows)

    @property
    def source_rows(self) -> int:
        """Number of source rows."""
        return len(self.before[0]) if self.before else 0

    @cached_property
    def main_effects(self) -> tuple[Figure, Figure]:
        """The pMSE of a logistic model that tells released from original records, and its ratio to that of chance.

        Both are measured on `sampled`, and absent where the model cannot be fitted, such as with too many categories.
        """
        return main_effects_error(*self.sampled)

    def of_sample(self, figure: Figure) -> Figure:
        """Return the figure with a note that a sample was measured, where the source has more than 10,000 rows.

        An absent figure is returned as it is.
        """
        if self.source_rows <= MOST_ROWS or figure.value is None:
            return figure
        return replace(figure, note=join_remarks(describe_fixed_sample(MOST_ROWS), figure.note))


def numbers_of_columns(before: Sequence[Column], after: Sequence[Column]) -> tuple[Floats, Floats]:
    """Return two arrays, before and after, of the columns numeric in both versions, shape (rows, columns) each.

    Missing numbers are NaN, and columns keep their order.
    """
    pairs = [
        (source.numbers, released.numbers)
        for source, released in zip(before, after, strict=True)
        if source.kind == released.kind == "numeric"
    ]
    rows = (len(before[0]), len(after[0])) if before else (0, 0)
    first, second = (np.column_stack([np.zeros((rows[side], 0)), *(pair[side] for pair in pairs)]) for side in (0, 1))
    return first, second


def _compatibility(sides: Compared) -> Figure:
    """Return the covariance compatibility of standardised columns; a note states the one in raw units.

    The figure is absent, with a reason, where it cannot be computed, such as with fewer than two numeric columns.
    Columns that are constant before, and records with a missing value, are left out, and a note counts them.
    """
    compatibility = covariance_compatibility(*numbers_of_columns(sides.before, sides.after))
    if compatibility.raw.value is None or compatibility.standardised.value is None:
        return compatibility.standardised
    raw = lazy("in the columns’ own units it is {value}", value=round_to_digits(compatibility.raw.value, 6))
    return replace(compatibility.standardised, note=join_remarks(raw, compatibility.standardised.note))


@dataclass(frozen=True, kw_only=True)
class TableMeasure(Measure):
    """A measure of the whole table, with the function that computes it."""

    measured_by: Callable[[Compared], Figure]


class TableFigures(BaseModel, frozen=True):
    """How far the table as a whole changed; each figure is None if it was not measured."""

    covariance_compatibility: Annotated[
        Figure | None,
        TableMeasure(
            lazy("Covariance of pairs of number columns"),
            term=lazy("covariance compatibility μ"),
            help=lazy("1: unchanged. 0: nothing in common with the original."),
            measured_by=_compatibility,
        ),
    ] = None
    sse_sst: Annotated[
        Figure | None,
        TableMeasure(
            lazy("Part of the spread of the protected numbers that was lost"),
            term=lazy("information loss SSE/SST"),
            help=lazy("0: nothing. 1: as if everyone had the average value."),
            measured_by=lambda sides: sides.loss.sse_sst,
        ),
    ] = None
    il1s: Annotated[
        Figure | None,
        TableMeasure(
            lazy("Average change of a protected number"),
            term=lazy("IL1s, in standard deviations times √2"),
            help=lazy("0: no change. 1: about one and a half times the usual distance from the average."),
            measured_by=lambda sides: sides.loss.il1s,
        ),
    ] = None
    pmse: Annotated[
        Figure | None,
        TableMeasure(
            lazy("Can a program distinguish the two tables?"),
            term=lazy("propensity score pMSE"),
            help=lazy("0: not at all. The higher, the better it can."),
            measured_by=lambda sides: sides.of_sample(propensity_error(*sides.sampled)),
        ),
    ] = None
    pmse_main: Annotated[
        Figure | None,
        TableMeasure(
            lazy("The same by columns alone"),
            term=lazy("propensity score pMSE, logistic, main effects"),
            help=lazy("0: the two tables cannot be distinguished by any single column."),
            measured_by=lambda sides: sides.of_sample(sides.main_effects[0]),
        ),
    ] = None
    pmse_ratio: Annotated[
        Figure | None,
        TableMeasure(
            lazy("Compared with records drawn from a correct model"),
            term=lazy("standardised pMSE, S"),
            help=lazy(
                "Near 1: as records drawn from a correct model of the original. Near 2: as a second sample of the same "
                "people. Below 1: closer, as exchanged or averaged values are."
            ),
            measured_by=lambda sides: sides.of_sample(sides.main_effects[1]),
        ),
    ] = None


def measure_table(sides: Compared) -> TableFigures:
    """Return every figure that compares source and release as whole tables; those that cannot be computed are absent.

    Progress is reported on the way.
    """
    figures: dict[str, Figure] = {}
    measures = measures_of(TableFigures)
    for key, measure in measures.items():
        assert isinstance(measure, TableMeasure), key
        done = len(figures) / len(measures)
        figures[key] = progress.part(done, done + 1 / len(measures)).run(measure.measured_by, sides)
    return TableFigures.model_validate(figures)
