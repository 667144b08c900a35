"""`leave-out-rows`: removes records whose pattern of empty cells nobody else has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.identifiability.classes import classes_of_codes
from ppdm_desktop.engine.methods.algorithms.generalisation.recount import company
from ppdm_desktop.engine.methods.base.declaration import Method
from ppdm_desktop.engine.methods.base.families import Family, Knob, KnobKind
from ppdm_desktop.engine.methods.base.registry import register
from ppdm_desktop.engine.methods.base.step import Guarantee, Recount, Settings, StepResult
from ppdm_desktop.engine.randomness import StepStream
from ppdm_desktop.engine.recipe.models import ATTRIBUTE_ROLES
from ppdm_desktop.engine.table.column import Table
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.texts import Note

MOST_LEFT_OUT = 0.05
"""Largest share of the records that may be left out; with more rare patterns, columns are left out instead."""


@register
class LeaveOutRows(Method):
    """Leave out the records of people who are the only ones with their pattern of empty cells."""

    id = "leave-out-rows"
    title = lazy("Leave out records with rare gaps")
    paper = lazy("A. Hundepool et al., Statistical Disclosure Control, Wiley, 2012")
    summary = lazy("Leaves out the records of people who alone left just these cells empty.")
    promises = (
        lazy("No released record has a pattern of empty cells that nobody else has."),
        lazy("All other records stay unchanged."),
    )
    limits = (lazy("The people left out are missing from every count."),)
    several_rows = "people"
    recipients_learn = lazy("Records with rare patterns of empty cells were left out.")
    protects = "nothing"
    family = Family.TRUE_VALUES
    knobs = (Knob(KnobKind.GAPS),)
    record_by_record = True
    loses = None
    treatment = lazy("suppression (of records that stand out)")
    kinds = frozenset({"numeric", "ordinal", "nominal", "date", "text"})

    def default_columns(self, table: Table) -> tuple[str, ...]:
        """Return all columns that describe people."""
        return tuple(column.name for column in table.with_role(*ATTRIBUTE_ROLES))

    def check(self, table: Table, settings: Settings) -> tuple[Note, ...]:
        """Refuse to leave out more than one record in twenty.

        Raises
        ------
        InputError
            When more would go.
        """
        count = int(rows_with_rare_gaps(table, settings.columns).sum())
        if count > MOST_LEFT_OUT * table.rows:
            raise InputError("error.leave-out-rows.too-many", args={"count": count, "rows": table.rows})
        return ()

    def effect(self, table: Table, settings: Settings) -> Note:
        """Return a note on how many records are left out."""
        return Note("note.leave-out-rows.effect", {"count": int(rows_with_rare_gaps(table, settings.columns).sum())})

    def run(self, table: Table, settings: Settings, streams: StepStream) -> StepResult:
        """Return the table without the records; no key is used."""
        progress.report(0.0, "progress.suppress.search")
        self.check(table, settings)
        rare = rows_with_rare_gaps(table, settings.columns)
        progress.report(1.0, "progress.suppress.search")
        after = table.take(np.flatnonzero(~rare)) if rare.any() else table
        return StepResult(after, (), {"records": int(rare.sum()), "rows": table.rows})

    def recount(self, before: Table, after: Table, settings: Settings, detail: Mapping[str, Any]) -> Recount:
        """Return whether nobody is the only one with a pattern of empty cells."""
        who = np.arange(after.rows) if after.several is None else after.several.of_row
        cells = zip(*(after.column(name).missing.tolist() for name in settings.columns), strict=True)
        patterns = Counter(pattern for pattern, _ in {*zip(cells, who.tolist(), strict=True)} if any(pattern))
        alone = sum(count == 1 for count in patterns.values())
        return Recount(Guarantee("file", alone == 0, before.rows, float(alone)), ())


def rows_with_rare_gaps(table: Table, columns: tuple[str, ...]) -> Bools:
    """Return which rows have a pattern of empty cells that no other person has, bool, shape (rows,)."""
    empty = [table.column(name).missing for name in columns]
    if not empty or not table.rows:
        return np.zeros(table.rows, dtype=np.bool_)
    classes = classes_of_codes([cells.astype(np.int32) for cells in empty], table.rows)
    return np.asarray((company(classes, table.several) == 1) & np.logical_or.reduce(empty))
