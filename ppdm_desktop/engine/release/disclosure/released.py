"""The written table together with the true values, as every measure of disclosure compares them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from ppdm_desktop.engine.arrays import AnyInts, Bools, Ints
from ppdm_desktop.engine.identifiability.classes import (
    Classes,
    classes_of_codes,
    equivalence_classes,
    group_people_by_rows,
)
from ppdm_desktop.engine.release.attack_audit.base import undo_public_steps
from ppdm_desktop.engine.release.candidate.date_intervals import dates_in_blocks
from ppdm_desktop.engine.release.candidate.model import Candidate, StepRecord
from ppdm_desktop.engine.release.disclosure.nearest_rows import NearestRows
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.utility.cells import merged_categories


@dataclass(frozen=True, eq=False)
class Released:
    """A written table with the true values, row by row if each released row is a source row.

    Attributes
    ----------
    candidate
        The candidate release.
    table
        The released columns as read back from the file, in the order of the candidate's ``final``; numbers drawn inside
        their bins are replaced by their bins.
    truth
        Function that returns a column before the first step, bins applied, with rows in the same order, or in the
        source's order if rows are synthetic.
    draft
        Whether machine learning and estimates of intruders use fewer rows; only planning does that, never a release.
    """

    candidate: Candidate
    table: Table
    truth: Callable[[str], Column]
    draft: bool = False
    # Kept: measures ask for the same columns hundreds of times.
    true_by_name: dict[str, Bools] = field(default_factory=dict, init=False, repr=False)
    _changes_by_name: dict[str, tuple[StepRecord, ...]] = field(default_factory=dict, init=False, repr=False)
    nearest_rows_by_names: dict[tuple[str, ...], NearestRows] = field(default_factory=dict, init=False, repr=False)
    unique_counts: dict[frozenset[str], int] = field(default_factory=dict, init=False, repr=False)

    @property
    def rows_correspond(self) -> bool:
        """Whether each released row is one source row."""
        return self.candidate.rows_correspond

    @cached_property
    def people(self) -> People:
        """The person of each released row; if rows are synthetic, each row is a person."""
        return self.candidate.persons

    @property
    def people_count(self) -> int:
        """Number of people of whom the release holds a row."""
        return self.people.count if self.people.with_several else len(self.people_rows)

    @cached_property
    def people_rows(self) -> Ints:
        """Source rows (in the prepared tables) of the people in the release, as indices.

        There is one for each released row, in the order of ``final``. If rows are copies, there is one for each person
        who was copied, ascending.
        """
        if self.copied is not None:
            return np.unique(self.copied)
        return self.candidate.source_rows

    @cached_property
    def copied(self) -> Ints | None:
        """Source row (index in the prepared table) that each row of ``final`` copies, int64; None without copies."""
        numbers = self.candidate.prepared.table.row_numbers
        for step in self.candidate.steps:
            if step.result.copied is not None:
                rows = self.candidate.rows_in(step.result.table)
                return np.searchsorted(numbers, step.before.row_numbers[step.result.copied[rows]]).astype(np.int64)
        return None

    @property
    def k_min(self) -> int:
        """Smallest class size that the release type allows, in people."""
        return self.candidate.prepared.type.k_min

    @property
    def confidential(self) -> tuple[str, ...]:
        """Names of the released confidential columns."""
        return tuple(column.name for column in self.table.with_role("confidential"))

    @cached_property
    def by_others(self) -> Classes:
        """Classes of rows with equal released quasi-identifiers, as an intruder knows them.

        Exchanged values are those before the exchange, and moved dates are equal up to their smallest shift; classes
        are refined to whole persons as in `judged`.
        """
        return self.judged(self._build_classes(self.table.with_role("quasi-identifier")))

    @cached_property
    def by_all(self) -> Classes:
        """Classes of rows with equal values in every released column but the confidential ones.

        Values are compared as in `by_others`.
        """
        return self.judged(
            self._build_classes([column for column in self.table.columns if column.role != "confidential"])
        )

    def _build_classes(self, columns: Sequence[Column]) -> Classes:
        """Return classes of rows whose people an intruder knows to have equal values in ``columns``.

        - Dates that were moved are recognised up to their smallest shift.
        - Exchanged values are known as they were before: who undoes the exchange statistically learns what is true of
          the people who have a value, not of those who show it.
        """
        known_columns = [self.exchanged.get(column.name, dates_in_blocks(self.candidate, column)) for column in columns]
        return equivalence_classes(known_columns, self.table.rows)

    @cached_property
    def exchanged(self) -> dict[str, Column]:
        """The quasi-identifiers whose values a step exchanged or changed at random, by name, as before that step.

        Rows are in the order of ``final``. Of several such steps the first counts.
        """
        columns = dict[str, Column]()
        for step in self.candidate.steps:
            names = {protection.column for protection in step.result.protections if protection.manner == "randomised"}
            for column in step.before.with_role("quasi-identifier"):
                if column.name in names:
                    columns.setdefault(column.name, column.take(self.candidate.rows_in(step.before)))
        return columns

    @cached_property
    def same_classes(self) -> bool:
        """Whether the quasi-identifiers distinguish as many people as all columns that are not confidential do."""
        return np.array_equal(self.by_others.ids, self.by_all.ids)

    @property
    def reachable(self) -> Classes:
        """Classes of rows that recipients cannot distinguish.

        Recipients know the quasi-identifiers; the public may know every column but the confidential ones.
        """
        return self.by_all if self.candidate.prepared.type.is_public else self.by_others

    def judged(self, classes: Classes) -> Classes:
        """Return classes of equal rows, refined to whole persons if an intruder can link a person's rows.

        Then rows are equal only if their people have equal sets of rows; if their order is known, too, only rows at the
        same position within the person. ``classes`` itself is returned if rows cannot be linked.
        """
        people, ordered = self.people, self.candidate.keeps_order
        if not self.candidate.links_rows:
            return classes
        equal_rows = group_people_by_rows(classes, people, ordered=ordered).ids[people.of_row]
        return classes_of_codes(
            [equal_rows, number_within_groups(people.of_row) if ordered else classes.ids], len(equal_rows)
        )

    def by_value(self, classes: Classes, name: str) -> Classes:
        """Return classes in which equal rows of one person are distinguished by the rank of a column's released value.

        This is done only if rows can be linked but not ordered: of two equal rows, one has the lower value. Otherwise
        ``classes`` itself is returned.
        """
        if not self.candidate.links_rows or self.candidate.keeps_order:
            return classes
        codes = self.table.column(name).category_codes
        unit = classes_of_codes([classes.ids, self.people.of_row], len(codes)).ids
        return classes_of_codes([classes.ids, number_within_groups(unit, codes)], len(codes))

    def undone(self, name: str) -> Column:
        """Return a written column after undoing every step that can be undone without a key.

        The same column if none can.
        """
        return undo_public_steps(self.candidate, self.table.column(name))

    def is_true_value(self, name: str) -> Bools:
        """Return for each row whether its value is the true one, as written or after undoing steps without a key.

        Bool, shape (rows,), read-only. A missing value is not true, and neither is a value of a rounded or top-coded
        column that stands for several.
        """
        if name not in self.true_by_name:
            is_true = np.zeros(self.table.rows, dtype=np.bool_)
            column, restored = self.table.column(name), self.undone(name)
            for version in (column,) if restored is column else (column, restored):
                before, after, names = merged_categories(self.truth(name), version)
                equal = (before == after) & (before >= 0)
                if self.is_coarsened(name):
                    equal &= ~cover_several_values(before, after, len(names))
                is_true |= equal
            is_true.flags.writeable = False
            self.true_by_name[name] = is_true
        return self.true_by_name[name]

    def changing_steps(self, name: str) -> list[StepRecord]:
        """Return the steps that changed some value of a column, in their order; empty for an unchanged column.

        Only steps that name the column among theirs are looked at. A step that only removes rows changes no value.
        """
        if name not in self._changes_by_name:
            changing = []
            for step in self.candidate.steps:
                if name not in step.settings.columns:
                    continue
                source, changed = step.before.column(name), step.result.table.column(name)
                if len(changed) < len(source):  # a step that only leaves rows out changes no value
                    kept = np.isin(step.before.row_numbers, step.result.table.row_numbers)
                    source = source.take(np.flatnonzero(kept))
                if source is not changed and not _has_equal_texts(source, changed):
                    changing.append(step)
            self._changes_by_name[name] = tuple(changing)
        return list(self._changes_by_name[name])

    def is_coarsened(self, name: str) -> bool:
        """Return whether a column was only rounded or top-coded, so that each number stands for a range."""
        steps = self.changing_steps(name)
        return bool(steps) and all(step.method.coarsens_numbers for step in steps)

    @cached_property
    def stated_once(self) -> Ints:
        """Indices of rows without repetitions, ascending: records that a person has several times are kept once.

        Records are equal if all their released and all their true values are. If the numbers of equal records of a
        person are all multiples of n, one in n is kept: of the records a, a, b and b, one a and one b are kept; of a, a
        and b, all. If rows of a person can be linked, n is the same for all people.
        """
        people, rows = self.people, self.table.rows
        if not people.with_several:
            return people.of_row
        codes = [column.category_codes for column in self.table.columns]
        codes += [self.truth(column.name).category_codes for column in self.table.columns]
        equal_rows = classes_of_codes([*codes, people.of_row], rows)
        copy = number_within_groups(equal_rows.ids)
        whose = np.empty(equal_rows.count, dtype=np.int64)
        whose[equal_rows.ids] = people.of_row
        by_person = np.argsort(whose, kind="stable")
        first = np.searchsorted(whose[by_person], np.arange(people.count))
        times = np.gcd.reduceat(equal_rows.sizes[by_person], first)[people.of_row]
        if self.candidate.links_rows:
            # Who can put rows together also counts them: only what everybody has so many times is left out.
            times = np.gcd.reduce(times)
        return np.flatnonzero(copy < equal_rows.size_of_record // times).astype(np.int64)

    def without_copies(self) -> Released:
        """Return the table restricted to the rows in `stated_once`; the same object if these are all rows.

        The candidate's ``final`` is restricted, too; `row_in_file` still counts all rows of the file.
        """
        rows = self.stated_once
        if len(rows) == self.table.rows:
            return self
        candidate = replace(self.candidate, final=self.candidate.final.take(rows))
        released = Released(candidate, self.table.take(rows), lambda name: self.truth(name).take(rows), self.draft)
        released.__dict__["row_in_file"] = self.row_in_file[rows]
        return released

    @cached_property
    def row_in_file(self) -> Ints:
        """Position in the file, from 0, of each row of ``final``, shape (rows,)."""
        return self.candidate.row_in_file


def number_within_groups(groups: Ints, keys: AnyInts | None = None) -> Ints:
    """Return the position of each row among the rows of its group, from 0, int64, shape (rows,).

    Rows of a group are counted by their keys, or in their order; with groups 0, 1, 0 the numbers are 0, 0, 1.
    """
    order = np.argsort(groups, kind="stable") if keys is None else np.lexsort((keys, groups))
    sizes = np.bincount(groups)
    numbers = np.empty(len(groups), dtype=np.int64)
    numbers[order] = np.arange(len(groups)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return numbers


def _has_equal_texts(column: Column, released: Column) -> bool:
    """Return whether two columns have the same category text in each row, or both none; False if lengths differ.

    Missing cells are equal whatever their texts. A number 1.0 in one column does not equal 1 in the other.
    """
    if len(column) != len(released):
        return False
    before, after, _ = merged_categories(column, released)
    return bool((before == after).all())


def cover_several_values(true: Ints, released: Ints, values: int) -> Bools:
    """Return for each row whether its released value stands for several true values, bool of shape (rows,).

    It does if rows that show it have different true values. False where the released value is missing.

    Parameters
    ----------
    true, released
        Codes of the true and the released values, -1 where missing, shape (rows,).
    values
        Number of different codes.
    """
    both_present = (true >= 0) & (released >= 0)
    pairs = np.unique(released[both_present] * values + true[both_present])
    several = np.append(np.bincount(pairs // max(values, 1), minlength=values) > 1, False)
    return np.asarray(several[released])


def shows_generalised(truth: Column, column: Column) -> bool:
    """Return whether all changed cells show a generalised value (a broader category, a range) or nothing.

    No true value of the column may be shown in a changed cell. In a numeric or date column that is released as such, no
    cell may show another value at all. True if nothing was changed.
    """
    before, after, _ = merged_categories(truth, column)
    changed = (before != after) & (after >= 0)
    if truth.kind == column.kind and truth.kind in ("numeric", "date"):
        return not changed.any()
    return not np.isin(after[changed], before).any()
