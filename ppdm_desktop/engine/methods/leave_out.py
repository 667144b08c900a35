"""`leave-out`: columns that are not released in this version of the file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.methods.algorithms.generalisation.recount import level_proofs
from ppdm_desktop.engine.methods.base.declaration import Family, Knob, KnobKind, Method, register
from ppdm_desktop.engine.methods.base.step import Guarantee, Protection, Recount, Settings, StepResult
from ppdm_desktop.engine.randomness import StepStream
from ppdm_desktop.engine.recipe.models import ATTRIBUTE_ROLES, StepSection
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Names

LEFT_OUT = "left-out"


@register
class LeaveOut(Method):
    """Leave columns out of the release; other versions of the file can still release them."""

    id = "leave-out"
    title = lazy("Leave columns out")
    paper = lazy("ISO/IEC 20889:2018, Privacy enhancing data de-identification, suppression of attributes")
    summary = lazy("Leaves whole columns out of the release. Nobody learns anything from them.")
    promises = (
        lazy("The released file does not contain these columns."),
        lazy("No other column changes, and missing values stay missing."),
    )
    limits = (
        lazy("Nothing can be analysed by a column that is left out."),
        lazy("Another column can still give its values away."),
    )
    several_rows = "people"
    recipients_learn = lazy("The column was left out.")
    protects = "both"
    family = Family.TRUE_VALUES
    knobs = (Knob(KnobKind.LEAVE_OUT),)
    record_by_record = True
    treatment = lazy("suppression (column left out)")
    leaves_values = "unchanged"
    kinds = frozenset({"numeric", "ordinal", "nominal", "date", "text"})
    counts = "values"

    def check(self, table: Table, settings: Settings) -> tuple[Note, ...]:
        """Return no note; raise an error if no column that describes people would be released.

        Raises
        ------
        RecipeError
            When no quasi-identifier, confidential or other column would be left in the release.
        """
        if not self.with_roles_after(table, settings).with_role(*ATTRIBUTE_ROLES):
            raise RecipeError("error.recipe.nothing-released")
        return ()

    def with_roles_after(self, table: Table, settings: Settings) -> Table:
        """Return the table with the step's columns emptied and their role set to ``left-out``."""
        return table.replacing(*(_empty_column(table.column(name)) for name in settings.columns))

    def read_step_settings(self, table: Table, step: StepSection) -> Settings:
        """Return the checked settings of a step, which must name its columns.

        Raises
        ------
        RecipeError
            When the step names no columns, or a column does not fit.
        """
        if step.columns is None:
            raise RecipeError("error.leave-out.no-columns")
        return super().read_step_settings(table, step)

    def effect(self, table: Table, settings: Settings) -> Note:
        """Return a note that names the columns left out."""
        return Note("note.leave-out.effect", {"columns": Names.of(settings.columns)})

    def run(self, table: Table, settings: Settings, streams: StepStream) -> StepResult:
        """Return the table with the step's columns emptied and their role set to ``left-out``.

        It makes no random draws. All rows count as protected. The step's only figure is the names of the columns. The
        errors are those of ``check``.
        """
        progress.report(0.0, "progress.method.write")
        self.check(table, settings)
        everybody, same_group = np.ones(table.rows, dtype=np.bool_), np.zeros(table.rows, dtype=np.int64)
        protections = tuple(Protection(name, "grouped", everybody, same_group) for name in settings.columns)
        after = self.with_roles_after(table, settings)
        progress.report(1.0, "progress.method.write")
        return StepResult(after, protections, {"left_out": ", ".join(settings.columns)})

    def recount(self, before: Table, after: Table, settings: Settings, detail: Mapping[str, Any]) -> Recount:
        """Return whether none of the columns is released, with a proof for each privacy level.

        ``worst`` is the number of columns that are released nevertheless.
        """
        kept = [name for name in settings.columns if name in after and after.column(name).role != LEFT_OUT]
        demands = np.ones(before.rows, dtype=np.int64)
        set_sizes = np.full(before.rows, 0 if kept else before.rows)
        proofs = level_proofs(before, settings.columns, demands, set_sizes, firm=True)
        return Recount(Guarantee("file", not kept, before.rows * len(settings.columns), float(len(kept))), proofs)


def _empty_column(column: Column) -> Column:
    """Return the column with all values removed and its role set to ``left-out``."""
    codes = np.zeros(len(column), dtype=np.int32)
    return replace(column, role=LEFT_OUT, codes=codes, texts=("",), missing_texts=column.missing_texts | {""})
