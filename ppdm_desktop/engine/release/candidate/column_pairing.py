"""The released columns before and after the steps, and which rows correspond."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Ints, places_among
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.table.column import Column


@dataclass(frozen=True, eq=False)
class Compared:
    """The released columns before the steps and as released.

    Attributes
    ----------
    before
        The columns before the first step, all source rows. Bins are applied, except where numbers are drawn inside
        them. Where a step writes the same ranges for everybody, the values are put into these ranges, so that a range
        is compared with itself.
    after
        The columns as released, rows in the order of the candidate's ``final``.
    twins
        int64, shape (source rows,): the row of ``after`` that is this source row, -1 where it
        was removed; None where released rows are not source rows.
    """

    before: tuple[Column, ...]
    after: tuple[Column, ...]
    twins: Ints | None

    def kept(self) -> tuple[tuple[Column, ...], tuple[Column, ...]] | None:
        """Return the columns before and after with corresponding rows in one order.

        None where rows do not correspond.
        """
        if self.twins is None:
            return None
        there = np.flatnonzero(self.twins >= 0)
        twins = self.twins[there]
        return tuple(column.take(there) for column in self.before), tuple(column.take(twins) for column in self.after)


def compared(candidate: Candidate) -> Compared:
    """Return a candidate's released columns with their source versions."""
    prepared, final, released = candidate.prepared, candidate.final, candidate.released
    positions = np.empty(len(candidate.row_order), dtype=np.int64)
    positions[candidate.row_order] = np.arange(len(candidate.row_order))
    before, after = [], []
    for name in candidate.described_names:
        progress.check()
        drawn = is_drawn(candidate, name)
        before.append(prepared.original.column(name) if drawn else _recoded(candidate, name))
        after.append(released.column(name).take(positions) if drawn else final.column(name))
    twins = None
    if candidate.rows_correspond:
        numbers = prepared.table.row_numbers
        twins = np.full(len(numbers), -1, dtype=np.int64)
        twins[places_among(numbers, final.row_numbers)] = np.arange(final.rows)
    return Compared(tuple(before), tuple(after), twins)


def _recoded(candidate: Candidate, name: str) -> Column:
    """Return a column before the first step, mapped to its ranges by the first step that coarsened it, if one did."""
    column = candidate.prepared.table.column(name)
    for step in candidate.steps:
        if name not in step.settings.columns:
            continue
        if step.before.column(name) is not column:
            break
        recoded_column = step.method.recoded(step.before, step.settings, step.result).column(name)
        if recoded_column is not column:
            return recoded_column
    return column


def is_drawn(candidate: Candidate, name: str) -> bool:
    """Return whether a column releases numbers drawn at random inside its bins."""
    return candidate.released.column(name).kind == "numeric" and candidate.final.column(name).kind != "numeric"
