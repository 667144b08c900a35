"""`leave-out-rows`: leaves out records whose empty cells, or whose group, would reveal something."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import GRID, Bools
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.identifiability.classes import Classes, classes_of_codes, equivalence_classes
from ppdm_desktop.engine.methods.algorithms.generalisation.recount import (
    find_classes_with_common_value,
    find_released_set_sizes,
)
from ppdm_desktop.engine.methods.base.declaration import Family, Knob, KnobKind, Method, register
from ppdm_desktop.engine.methods.base.parameters import OFF, make_largest_share_parameter
from ppdm_desktop.engine.methods.base.step import Guarantee, Recount, Settings, StepResult
from ppdm_desktop.engine.randomness import StepStream
from ppdm_desktop.engine.recipe.models import ATTRIBUTE_ROLES
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.wording.catalogue import Sentence, lazy
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Name, Ratio, Value

MOST_LEFT_OUT = 0.05
"""Largest share of the records that may be left out; if more have rare patterns, columns should be left out instead."""


@register
class LeaveOutRows(Method):
    """Leave out the records of people whose pattern of empty cells nobody else has.

    If the parameter ``most`` is set, leave out the records of groups in which at least this share of the rows have the
    same confidential value instead.
    """

    id = "leave-out-rows"
    title = lazy("Leave out records with rare gaps")
    paper = lazy("A. Hundepool et al., Statistical Disclosure Control, Wiley, 2012")
    summary = lazy("Leaves out the records of people who alone left just these cells empty.")
    promises = (
        lazy("No released record has a pattern of empty cells that nobody else has."),
        lazy("All other records stay unchanged."),
    )
    limits = (
        lazy("The people left out are missing from every count."),
        lazy("Numbers that are only close to each other do not count as the same value."),
    )
    several_rows = "people"
    recipients_learn = lazy("Records with rare patterns of empty cells were left out.")
    protects = "nothing"
    family = Family.TRUE_VALUES
    knobs = (Knob(KnobKind.GAPS),)
    record_by_record = True
    removes_records = True
    treatment = lazy("suppression (of records that stand out)")
    leaves_values = "unchanged"
    kinds = frozenset({"numeric", "ordinal", "nominal", "date", "text"})
    public_parameters = frozenset({"most"})
    parameters = (
        make_largest_share_parameter(
            help=lazy(
                "Leaves out groups with equal values in the chosen columns instead: those in which at least this share "
                "of the people have the same confidential value."
            ),
        ),
    )

    def default_columns(self, table: Table) -> tuple[str, ...]:
        """Return the names of all released columns that describe people."""
        return tuple(column.name for column in table.with_role(*ATTRIBUTE_ROLES))

    def check(self, table: Table, settings: Settings) -> tuple[Note, ...]:
        """Return no note; raise an error if too many records would be left out, or if their absence reveals a value.

        If groups are left out (the parameter ``most`` is set), whoever knows that a person is in the source sees that
        the person's group is missing, and knows why. So the confidential values of the records left out have to be as
        mixed as those of a group that stays.

        Raises
        ------
        InputError
            When more than 5 % of the records would be left out. If ``most`` is set, also when at least this share of
            them have the same confidential value (which is less frequent among all records), or lack the value that at
            least half of all records have.
        """
        gone = _rows_to_leave_out(table, settings)
        count = int(gone.sum())
        if count > MOST_LEFT_OUT * table.rows:
            raise InputError("error.leave-out-rows.too-many", args={"count": count, "rows": table.rows})
        if settings.values["most"] != OFF and count:
            for secret in table.with_role("confidential"):
                if _is_absence_revealing(secret, gone, float(settings.values["most"])):
                    arguments: dict[str, Value] = {"count": count, "column": Name(secret.name)}
                    raise InputError("error.leave-out-rows.one-value", column=secret.name, args=arguments)
        return ()

    def values_note(self, settings: Settings) -> Sentence:
        """Return the sentence for recipients on which records were left out.

        They are those with rare patterns of empty cells or, if ``most`` is set, groups in which at least this share of
        the records have the same confidential value.
        """
        if settings.values["most"] == OFF:
            return self.recipients_learn
        return lazy(
            "Groups in which at least {share} of the records have the same confidential value were left out.",
            share=Ratio(float(settings.values["most"])),
        )

    def effect(self, table: Table, settings: Settings) -> Note:
        """Return a note on how many records would be left out."""
        return Note("note.leave-out-rows.effect", {"count": int(_rows_to_leave_out(table, settings).sum())})

    def run(self, table: Table, settings: Settings, streams: StepStream) -> StepResult:
        """Return the table without the records to be left out; it makes no random draws.

        The other records keep their order. If there are none to leave out, the table itself is returned. No column gets
        a protection; the step's figures are the numbers of records left out and of all records before. The errors are
        those of ``check``.
        """
        progress.report(0.0, "progress.method.search")
        self.check(table, settings)
        rare = _rows_to_leave_out(table, settings)
        progress.report(1.0, "progress.method.search")
        after = table.take(np.flatnonzero(~rare)) if rare.any() else table
        return StepResult(after, (), {"records": int(rare.sum()), "rows": table.rows})

    def recount(self, before: Table, after: Table, settings: Settings, detail: Mapping[str, Any]) -> Recount:
        """Return whether the right rows are gone; ``worst`` is the number of faults, 0 if they are.

        If ``most`` is off, a fault is a pattern with an empty cell that only one person in the output has. If ``most``
        is set, the faults are rows that are gone but had to stay, or stay but had to go, and rows that come twice or
        are new. There are no proofs by privacy level.
        """
        if settings.values["most"] != OFF:
            kept = np.isin(before.row_numbers, after.row_numbers)
            wrong = int(np.count_nonzero(kept == _rows_to_leave_out(before, settings)))
            wrong += abs(after.rows - int(np.count_nonzero(kept)))
            return Recount(Guarantee("file+original", wrong == 0, before.rows, float(wrong)), ())
        cells = zip(*(after.column(name).missing.tolist() for name in settings.columns), strict=True)
        patterns = Counter(
            pattern for pattern, _ in {*zip(cells, after.persons.of_row.tolist(), strict=True)} if any(pattern)
        )
        unique_patterns = sum(count == 1 for count in patterns.values())
        return Recount(Guarantee("file", unique_patterns == 0, before.rows, float(unique_patterns)), ())


def _rows_to_leave_out(table: Table, settings: Settings) -> Bools:
    """Return which rows have to be left out, bool, shape (rows,).

    If ``most`` is off, they are the rows with an empty cell of people with a rare pattern (`rows_with_rare_gaps`);
    otherwise, those in groups in which at least this share of the rows have the same confidential value.
    """
    if settings.values["most"] == OFF:
        return rows_with_rare_gaps(table, settings.columns)
    return _find_one_value_rows(table, settings)


def _find_one_value_rows(table: Table, settings: Settings) -> Bools:
    """Return which rows are in a group in which too many rows have the same confidential value, bool, shape (rows,).

    Groups have equal values in the step's columns that are not confidential. All confidential columns of the table are
    looked at, and one is enough. The parameter ``most`` is the share of the group's rows from which on a value is too
    frequent. Values that this share of all rows have, and empty cells, do not count.
    """
    secrets, most = table.with_role("confidential"), float(settings.values["most"])
    known_columns = [table.column(name) for name in settings.columns if table.column(name) not in secrets]
    classes = equivalence_classes(known_columns, table.rows)
    revealing = np.zeros(classes.count, dtype=np.bool_)
    for secret in secrets:
        revealing |= _holds_one_value(secret, classes, most)
    return np.asarray(revealing[classes.ids])


def _holds_one_value(secret: Column, classes: Classes, most: float) -> Bools:
    """Return in which groups at least the share ``most`` of the rows have the same value, bool, shape (groups,).

    Values that at least this share of all rows have do not count, as they reveal nothing; empty cells do not either.
    """
    shares = secret.category_counts / max(len(secret), 1)
    rows = np.flatnonzero(np.append(shares < most - GRID, False)[secret.category_codes])
    pairs = (classes.ids[rows], secret.category_codes[rows].astype(np.int64), np.ones(len(rows)))
    return find_classes_with_common_value(*pairs, np.asarray(most * classes.sizes - GRID, dtype=np.float64))


def _is_absence_revealing(secret: Column, gone: Bools, most: float) -> bool:
    """Return whether the absence of the rows left out would reveal their value in a confidential column.

    It does if at least the share ``most`` of them have the same value (unless this share of all rows have it), or if
    this share of them lack the value that at least half of all rows have. ``gone`` marks the rows left out, shape
    (rows,).
    """
    if _holds_one_value(secret, Classes(np.where(gone, 0, 1), 2), most)[0]:
        return True
    usual = np.flatnonzero(2 * secret.category_counts >= len(secret))[:1]
    return bool(len(usual) and np.mean(secret.category_codes[gone] != usual) >= most - GRID)


def rows_with_rare_gaps(table: Table, columns: tuple[str, ...]) -> Bools:
    """Return which rows have an empty cell and a person with a rare pattern of empty cells, bool, shape (rows,).

    A pattern is rare if no other person has it in any row. One rare row is enough, even one without an empty cell, to
    mark all rows of the person that have one. If recipients can link a person's rows, a person is rare if no other has
    the same patterns equally often (and in the same order, if that is released).
    """
    empty = [table.column(name).missing for name in columns]
    if not empty or not table.rows:
        return np.zeros(table.rows, dtype=np.bool_)
    classes = classes_of_codes([cells.astype(np.int32) for cells in empty], table.rows)
    return np.asarray((find_released_set_sizes(classes, table.persons) == 1) & np.logical_or.reduce(empty))
