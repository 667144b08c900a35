"""The treatment of each column in the terms of ISO/IEC 20889, and the methods that can be undone without a key."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from ppdm_desktop.engine.methods.base.declaration import Method
from ppdm_desktop.engine.methods.base.step import Settings
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.report.public import GROUPED, LEFT_OUT, NO_TREATMENT, column_note
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.wording.catalogue import SOURCE, speaking

_REMOVED = "suppression"
"""How the treatment of a method begins that leaves what it does not remove as it is."""


@runtime_checkable
class PubliclyReversible(Protocol):
    """Protocol of a method that anyone can undo without a key."""

    def undo(self, column: Column, settings: Settings) -> Column | None:
        """Return the column before the method; None where these settings cannot be undone."""


def treatments(candidate: Candidate) -> dict[str, str]:
    """Return for each source column the ISO/IEC 20889 terms of its bins and steps, in English in every language."""
    with speaking(SOURCE):
        return treatments_said(candidate)


def treatment_code(method: Method) -> str:
    """Return the ISO/IEC 20889 term for a method, in English in every language."""
    with speaking(SOURCE):
        return str(method.treatment)


def treatments_said(candidate: Candidate) -> dict[str, str]:
    """Return for each source column its treatment in the current language."""
    techniques: dict[str, list[str]] = {}
    columns = candidate.prepared.complete.columns
    for name in candidate.prepared.original.names:
        section = columns.get(name)
        binned = section is not None and section.bins is not None
        techniques[name] = [str(GROUPED)] if binned else []
    for step in candidate.steps:
        for name in protected_by(candidate, step.index):
            techniques[name].append(str(step.method.treatment))
    released = candidate.released_names
    return {
        name: ("; ".join(dict.fromkeys(columns_treated)) or str(NO_TREATMENT)) if name in released else str(LEFT_OUT)
        for name, columns_treated in techniques.items()
    }


def column_notes(candidate: Candidate) -> dict[str, str]:
    """Return for each released column what a recipient is told about its values, in the current language."""
    columns, steps = candidate.prepared.complete.columns, candidate.steps
    treated = {step.index: frozenset(protected_by(candidate, step.index)) for step in steps}
    notes = {}
    for column in candidate.released.columns:
        column_steps, section = [step for step in steps if column.name in treated[step.index]], columns.get(column.name)
        notes[column.name] = column_note(
            column,
            binned=section is not None and section.bins is not None,
            steps=[step.method.values_note(step.settings) for step in column_steps],
            removed=all(treatment_code(step.method).startswith(_REMOVED) for step in column_steps),
        )
    return notes


def protected_by(candidate: Candidate, index: int) -> list[str]:
    """Return the names of the columns that one step treated, in file order."""
    step = next(step for step in candidate.steps if step.index == index)
    treated = {protection.column for protection in step.result.protections} | set(step.settings.columns)
    return [name for name in candidate.final.names if name in treated]
