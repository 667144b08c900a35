"""Undoing a step as anybody can: digits shifted back, two constants taken off."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from ppdm_desktop.engine.attacks.comparison import (
    REVERSAL_LIMIT,
    REVERSAL_SERIOUS,
    paired_advantage,
    severity_of_advantage,
)
from ppdm_desktop.engine.attacks.intervals import success_figure
from ppdm_desktop.engine.attacks.reversal import recovered
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.methods.algorithms.digits.scaled import scaled_values, step_units, style_of, with_scaled
from ppdm_desktop.engine.methods.algorithms.digits.two_constant_undo import undo_rounded
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.release.attack_audit.column_pairs import listed, of_hundred, sides, undone
from ppdm_desktop.engine.release.candidate.model import Candidate, StepRecord
from ppdm_desktop.engine.report.model import AttackEntry, AttackTail, Sentence
from ppdm_desktop.engine.table.column import Column

DIGIT_INVERSE, TWO_CONSTANTS = "digit-inverse", "two-constant-search"
Undo = Callable[[Candidate, Column, Column], tuple[Column, float]]


def digit_inverse(candidate: Candidate, progress: Progress) -> tuple[AttackEntry, ...]:
    """Shift the digits back; a value counts as recovered when it is the very value."""
    return _entries(candidate, progress, DIGIT_INVERSE)


def two_constant_search(candidate: Candidate, progress: Progress) -> tuple[AttackEntry, ...]:
    """Find both constants and take them off.

    An unrounded release is undone by the digits behind the old grid and has to give the very
    value. In a rounded one every number of high values is tried, and one step off counts.
    """
    return _entries(candidate, progress, TWO_CONSTANTS)


def _digits(candidate: Candidate, before: Column, column: Column) -> tuple[Column, float]:
    return undone(candidate, column), 0.0


def _two_constants(candidate: Candidate, before: Column, column: Column) -> tuple[Column, float]:
    found = undone(candidate, column)
    if found is not column:
        finer = style_of(column).step < style_of(before).step
        return found, 0.0 if finer else float(style_of(before).step)
    known, whole = ~column.missing, np.zeros(len(column), dtype=np.int64)
    guess = undo_rounded(scaled_values(column)[known], step_units(style_of(column)))
    if guess is None:
        return column, float(style_of(column).step)
    whole[known] = guess
    return with_scaled(column, whole), float(style_of(column).step)


UNDO: Mapping[str, Undo] = {DIGIT_INVERSE: _digits, TWO_CONSTANTS: _two_constants}
"""By attack: a column as it was and as it is released to the intruder's column and the tolerance."""


def undoable(candidate: Candidate, id: str) -> list[tuple[Column, Column]]:
    """Return the columns that an inverse is tried on, as they were and as released, rows as in ``final``."""
    found = []
    for step in candidate.steps:
        later = [each for each in candidate.steps if each.index > step.index]
        if id not in step.method.attacks or not all(_keeps_rows(each) for each in later):
            continue
        for name in step.settings.columns:
            before, after = sides(candidate, [name])
            if before and after[0].kind == before[0].kind == "numeric":
                found.append((before[0], after[0]))
    return found


def _entries(candidate: Candidate, progress: Progress, id: str) -> tuple[AttackEntry, ...]:
    treated = undoable(candidate, id)
    found = []
    for done, (before, after) in enumerate(treated):
        progress.report(done / len(treated), "doing.audit")
        found.append(_entry(candidate, id, before, after, UNDO[id]))
    return tuple(found)


def _keeps_rows(step: StepRecord) -> bool:
    return step.method.correspondence == "record"


def _entry(candidate: Candidate, id: str, before: Column, after: Column, undo: Undo) -> AttackEntry:
    guess, tolerance = undo(candidate, before, after)
    gains = recovered(before.numbers, guess.numbers, after.numbers, tolerance)
    method = "values within the tolerance of the true one"
    success = success_figure(gains.success, 1.0, method)
    control = success_figure(gains.control, 1.0, "the released value with most others near it, for everybody")
    advantage = paired_advantage(gains.success, gains.control)
    severity = severity_of_advantage(success, advantage, REVERSAL_LIMIT, REVERSAL_SERIOUS)
    chance = Figure.absent("no value to guess", unit="share")
    if len(gains.blind):
        chance = Figure(float(gains.blind.mean()), n=len(gains.blind), unit="share", method="a released value blindly")
    arguments = {"column": before.name, "success": of_hundred(success.value), "control": of_hundred(control.value)}
    # The method is undone for all or not at all, so whoever does it is sure of everybody.
    sure = success if (success.value or 0.0) >= 0.95 else success_figure(np.zeros(len(gains.success)), 1.0, method)
    return AttackEntry(
        id=id,
        column=before.name,
        knows=Sentence(id="attack.knows.release-alone", arguments={"columns": listed([before.name])}),
        success=success,
        control=control,
        chance=chance,
        advantage=advantage,
        tail=AttackTail(
            share_sure_and_right=sure, control=success_figure(np.zeros(len(gains.success)), 1.0, "one guess for all")
        ),
        tolerance=tolerance,
        sampled=len(gains.success),
        severity=severity,
        sentence=Sentence(id=f"attack.{id}.{severity}", arguments=arguments),
        levels=[],
        further={},
    )
