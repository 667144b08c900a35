"""The two sides that every measure of disclosure compares: the table as written, and the truth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.identifiability.classes import Classes, equivalence_classes, quasi_identifier_classes
from ppdm_desktop.engine.release.candidate.iso20889 import PubliclyReversible
from ppdm_desktop.engine.release.candidate.model import Candidate, StepRecord
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.utility.cells import merged_categories


@dataclass(frozen=True, eq=False)
class Released:
    """A written table beside the truth, row by row where rows are somebody's.

    Attributes
    ----------
    candidate
        What was written.
    table
        The released columns as read back from the file, in the order of the candidate's ``final``; numbers
        drawn inside their bins stand as their bins.
    truth
        Returns a column before the first step, bins applied, in the same order.
    """

    candidate: Candidate
    table: Table
    truth: Callable[[str], Column]

    @property
    def rows_correspond(self) -> bool:
        """Whether each released row is one source row."""
        return self.candidate.rows_correspond

    @cached_property
    def held(self) -> Ints:
        """Rows of the prepared tables of the people of whom the release holds a row; a copy is of who was copied."""
        if self.copied is not None:
            return np.unique(self.copied)
        numbers = self.candidate.prepared.table.row_numbers
        return np.searchsorted(numbers, self.candidate.final.row_numbers).astype(np.int64)

    @cached_property
    def copied(self) -> Ints | None:
        """Row of the prepared tables that each released row is a copy of, None where rows are no copies."""
        numbers = self.candidate.prepared.table.row_numbers
        for step in self.candidate.steps:
            if step.result.copied is not None:
                rows = self.of_final(step.result.table)
                return np.searchsorted(numbers, step.before.row_numbers[step.result.copied[rows]]).astype(np.int64)
        return None

    @property
    def k_min(self) -> int:
        """Smallest class that the release type wants."""
        return self.candidate.prepared.type.k_min

    @property
    def confidential(self) -> tuple[str, ...]:
        """Names of the released confidential columns."""
        return tuple(column.name for column in self.table.with_role("confidential"))

    @cached_property
    def by_others(self) -> Classes:
        """Classes of people whom others know by the same released details."""
        return quasi_identifier_classes(self.table)

    @cached_property
    def by_all(self) -> Classes:
        """Classes of people of whom everything released but the confidential columns is the same."""
        columns = [column for column in self.table.columns if column.role != "confidential"]
        return equivalence_classes(columns, self.table.rows)

    def undone(self, name: str) -> Column:
        """Return a column as written after every inverse that anybody can apply to it."""
        shown = self.table.column(name)
        for step in reversed(self.candidate.steps):
            if name in step.settings.columns and isinstance(step.method, PubliclyReversible):
                shown = step.method.undo(shown, step.settings) or shown
        return shown

    def shown_is_true(self, name: str) -> Bools:
        """Say for each row whether its value is the true one, as it stands or after every public inverse."""
        found = np.zeros(self.table.rows, dtype=np.bool_)
        for shown in (self.table.column(name), self.undone(name)):
            before, after, _ = merged_categories(self.truth(name), shown)
            found |= (before == after) & (before >= 0)
        return found

    def changing_steps(self, name: str) -> list[StepRecord]:
        """Return the steps that changed some value of a column; one that changed nothing protects nobody."""
        found = []
        for step in self.candidate.steps:
            if name not in step.settings.columns:
                continue
            one, other = step.before.column(name), step.result.table.column(name)
            if one is not other and not _equal_texts(one, other):
                found.append(step)
        return found

    def of_final(self, table: Table) -> Ints:
        """Return the row of a step's table that each released row is."""
        order = np.argsort(table.row_numbers, kind="stable")
        place = np.searchsorted(table.row_numbers[order], self.candidate.final.row_numbers)
        return np.asarray(order[np.minimum(place, len(order) - 1)], dtype=np.int64)


def _equal_texts(one: Column, other: Column) -> bool:
    if len(one) != len(other):
        return False
    before, after, _ = merged_categories(one, other)
    return bool((before == after).all())


def is_broader(truth: Column, shown: Column) -> bool:
    """Say whether what differs from the truth shows no other true value: a broader word, a range, or nothing."""
    before, after, _ = merged_categories(truth, shown)
    changed = (before != after) & (after >= 0)
    if truth.kind == shown.kind == "numeric":
        return not changed.any()
    return not np.isin(after[changed], before).any()
