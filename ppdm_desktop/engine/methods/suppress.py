"""`suppress`: records that stand out leave the table, or lose what others may know of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ppdm_desktop.engine.arrays import Bools
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.identifiability.classes import quasi_identifier_classes
from ppdm_desktop.engine.methods.algorithms.generalisation.labels import missing_text
from ppdm_desktop.engine.methods.algorithms.generalisation.recount import (
    demanded_groups,
    level_proofs,
    protections,
    refuse_partial,
)
from ppdm_desktop.engine.methods.algorithms.generalisation.small_classes import standing_out, with_company
from ppdm_desktop.engine.methods.algorithms.swapping.recount import same_values
from ppdm_desktop.engine.methods.base.declaration import Method
from ppdm_desktop.engine.methods.base.parameters import ChoiceParameter, NumberParameter
from ppdm_desktop.engine.methods.base.registry import register
from ppdm_desktop.engine.methods.base.step import Guarantee, Recount, Settings, StepResult
from ppdm_desktop.engine.methods.base.suggestion import Suggestion
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.randomness import StepStream
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.texts import Note

RECORDS, CELLS = "records", "cells"
_DOING = "progress.suppress.search"


@register
class Suppress(Method):
    """Remove records that too few others resemble, or hide their quasi-identifiers.

    The fewest records go that can: a class of equal quasi-identifiers keeps its least demanding
    members (``standing_out``).
    """

    id = "suppress"
    title = "Remove what stands out"
    paper = (
        "L. Sweeney, Achieving k-Anonymity Privacy Protection Using Generalization and Suppression, IJUFKS 10(5), 2002"
    )
    summary = (
        "Removes the records that fewer others resemble than their privacy level asks, "
        "or empties the cells by which others may know them."
    )
    promises = (
        "Every released combination of the columns that others may know is shared by at least as many records "
        "as the privacy level of each of them asks.",
        "No more records go than have to, and never more than the share allowed.",
        "What stays is not changed.",
    )
    limits = (
        "Whoever is removed is missing from every count: rare kinds of people disappear first.",
        "Somebody who knows that a person was in the source sees that the person was removed.",
        "Empty cells show that a person stood out or asked for more privacy.",
        "Records of one kind that are left can still share one confidential value.",
        "Used alone on many columns it removes most of a table: make values coarser first.",
    )
    protects = "identity"
    correspondence = "record"
    treatment = "suppression (of records or cells that stand out)"
    kinds = frozenset({"numeric", "ordinal", "nominal", "date", "text"})
    reads_levels = ("group",)
    public_parameters = frozenset({"k", "what"})
    attacks = ("linkage", "inference")
    parameters = (
        NumberParameter(
            name="k",
            label="Smallest group",
            help="How many records must be alike; a record whose privacy level asks for more needs more.",
            effect="Larger groups hide each person better and remove more.",
            default=5,
            low=2,
            whole=True,
            unit="records",
            level_key="group",
        ),
        ChoiceParameter(
            name="what",
            label="What goes",
            help="Whether whole records are removed or only the cells by which others may know them.",
            effect="Removed records tell nothing; emptied cells keep the other values for analysis.",
            default=RECORDS,
            choices={
                RECORDS: "Whole records.",
                CELLS: "All cells that others may know; more records join where the emptied ones would be too few.",
            },
        ),
        NumberParameter(
            name="most",
            label="Most that may go",
            help="Largest share of the records that may be removed or emptied; beyond it the step is refused.",
            effect="A smaller share keeps the table representative.",
            default=0.5,
            low=0,
            high=1,
        ),
    )

    def check(self, table: Table, settings: Settings) -> tuple[Note, ...]:
        """Refuse to remove more than is allowed.

        Raises
        ------
        RecipeError
            When a quasi-identifier is left out.
        InputError
            When too much would go, or nothing would be left.
        """
        refuse_partial(table, settings, self.id)
        gone = self._gone(table, settings)
        count, share = int(gone.sum()), float(gone.mean()) if table.rows else 0.0
        if count and settings.values["what"] == RECORDS and count == table.rows:
            raise InputError("error.suppress.nothing-left", args={"records": count})
        if share > float(settings.values["most"]):
            arguments = {
                "records": count,
                "percent": f"{100 * share:.1f}",
                "most": f"{100 * settings.values['most']:g}",
            }
            raise InputError("error.suppress.too-many", args=arguments)
        return () if count else (Note("note.suppress.nothing"),)

    def suggestions(self, table: Table) -> tuple[Suggestion, ...]:
        """Return the removal of whole records."""
        return (Suggestion("Who stands out removed", after="the rest removed"),)

    def effect(self, table: Table, settings: Settings) -> Note:
        """Say how many records go."""
        count = int(standing_out(quasi_identifier_classes(table), demanded_groups(table, settings, "k")).sum())
        percent = f"{100 * count / max(table.rows, 1):.1f}"
        id = "note.suppress.effect" if settings.values["what"] == RECORDS else "note.suppress.effect-cells"
        return Note(id, {"records": count, "percent": percent})

    def run(self, table: Table, settings: Settings, streams: StepStream, progress: Progress) -> StepResult:
        """Remove or hide; no key is used."""
        progress.report(0.0, _DOING)
        self.check(table, settings)
        gone = self._gone(table, settings)
        progress.report(0.5, _DOING)
        detail: dict[str, Any] = {"what": settings.values["what"], "records": int(gone.sum()), "rows": table.rows}
        if not gone.any():
            after = table
        elif settings.values["what"] == RECORDS:
            after = table.take(np.flatnonzero(~gone))
        else:
            after = table.replacing(*(_emptied(table.column(name), gone) for name in settings.columns))
        classes = quasi_identifier_classes(after)
        detail["smallest"] = classes.smallest
        progress.report(1.0, _DOING)
        everybody = np.ones(after.rows, dtype=np.bool_)
        return StepResult(after, protections(settings.columns, classes.ids, everybody), detail)

    def recount(self, before: Table, after: Table, settings: Settings, detail: Mapping[str, Any]) -> Recount:
        """Count the classes that are left, and that nothing else was changed."""
        demands = demanded_groups(before, settings, "k")
        kept = np.isin(before.row_numbers, after.row_numbers)
        order = np.argsort(after.row_numbers, kind="stable")
        there = np.flatnonzero(kept)
        there = there[np.argsort(before.row_numbers[there], kind="stable")]
        off = abs(after.rows - len(there))
        classes = quasi_identifier_classes(after)
        sizes = np.zeros(before.rows, dtype=np.int64)
        if off == 0:
            sizes[there] = classes.size_of_record[order]
            off += int(np.count_nonzero(sizes[there] < demands[there]))
            for name in settings.columns:
                old, new = before.column(name).take(there), after.column(name).take(order)
                same = same_values(old, new)
                if settings.values["what"] == CELLS:
                    same |= new.missing
                off += int(np.count_nonzero(~same))
        proofs = level_proofs(before, settings.columns, demands, sizes, removed=~kept, firm=True)
        return Recount(Guarantee("file", off == 0, before.rows, float(classes.smallest)), proofs)

    def _gone(self, table: Table, settings: Settings) -> Bools:
        """Return the records that are removed or emptied.

        Raises
        ------
        InputError
            When even all records together would be too few to hide among.
        """
        classes, demands = quasi_identifier_classes(table), demanded_groups(table, settings, "k")
        out = standing_out(classes, demands)
        if settings.values["what"] == RECORDS:
            return out
        blank = np.logical_and.reduce([table.column(name).missing for name in settings.columns])
        hidden = with_company(out, classes, demands, blank)
        if hidden is None:
            raise InputError("error.suppress.nothing-left", args={"records": table.rows})
        return hidden


def _emptied(column: Column, gone: Bools) -> Column:
    """Return the column without the values of some records; all missing cells then look alike."""
    mark = missing_text(column)
    emptied = column.with_values(np.flatnonzero(gone | column.missing), [mark] * int((gone | column.missing).sum()))
    return replace(emptied, missing_texts=column.missing_texts | {mark})
