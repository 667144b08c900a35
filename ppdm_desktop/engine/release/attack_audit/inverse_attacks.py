"""Shared parts of the attacks that undo a step without a key: the attacked columns, the scoring and the sentences."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.attacks.comparison import (
    REVERSAL_LIMIT,
    REVERSAL_SERIOUS,
    paired_advantage,
    severity_of_advantage,
    success_figure,
)
from ppdm_desktop.engine.attacks.reversal import compare_with_controls
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.release.attack_audit.base import (
    Attack,
    AttackEvidence,
    pair_released_columns,
    share_of,
    take_first_rows,
)
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.report.model import AttackEntry, AttackTail, Sentence
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.values import Name, Names, Value

_HOW = lazy("values within the tolerance of the true one")
_ONE_GUESS = lazy("the released value with most others near it, for everyone")
_NO_VALUE = lazy("no value to guess")
_RANDOM = lazy("a released value taken at random")
_FOR_ALL = lazy("one guess for everyone")


class InverseAttack(Attack):
    """Base class of attacks that undo a step on each of its numeric columns without a key."""

    kind = "undoing"
    knows = "attack.knows.release-alone"
    most_gain = REVERSAL_LIMIT
    judged_by = "reversal"
    own_check = True
    also_seen_by = ("reversible-method",)
    unit = "share"
    undoes = True
    on_person = True
    on_foreign = True

    @abstractmethod
    def undo(self, candidate: Candidate, before: Column, column: Column) -> tuple[Column, float]:
        """Return the released column after the attack's inverse, and the largest error that still counts as recovered.

        Parameters
        ----------
        candidate
            The candidate release.
        before, column
            The source column, of which only the number format may be used, and the released column.
        """

    def why_not(self, candidate: Candidate) -> str | None:
        """Return None if a step with a numeric column can be undone, else the id of the text that says why not."""
        return None if self.undoable(candidate) else "attack.why-not.no-step"

    def run(self, evidence: AttackEvidence) -> tuple[AttackEntry, ...]:
        """Return for each column that the inverse is tried on (`undoable`) the share of people whose value it recovers.

        A column where it recovers nothing has a result, too. Empty where there is no such column.
        """
        treated = self.undoable(evidence.candidate)
        attack_entries = []
        for done, (before, after) in enumerate(treated):
            progress.report(done / len(treated), "doing.audit")
            attack_entries.append(self._build_entry(evidence.candidate, before, after))
        return tuple(attack_entries)

    def undoable(self, candidate: Candidate) -> list[tuple[Column, Column]]:
        """Return pairs of source and released columns that the inverse is tried on, rows as in the released table.

        They are the released columns of steps whose method declares this attack, if they are numeric before and after,
        and if no later step made groups or synthetic rows. A column appears once for each such step.
        """
        column_pairs = []
        for step in candidate.steps:
            if self.id not in step.method.attacks or not candidate.keeps_rows_after(step):
                continue
            for name in step.settings.columns:
                before, after = pair_released_columns(candidate, [name])
                if before and after[0].kind == before[0].kind == "numeric":
                    column_pairs.append((before[0], after[0]))
        return column_pairs

    def _build_entry(self, candidate: Candidate, before: Column, after: Column) -> AttackEntry:
        """Return the audit's entry for one column: the share of values recovered, control, severity and sentence.

        People without a value are left out; of each other person one value counts. A value is recovered if the inverse
        is off by at most the tolerance of ``undo``. The control is the share recovered by one and the same guess for
        everybody, as `compare_with_controls` says.
        """
        guess, tolerance = self.undo(candidate, before, after)
        rows = take_first_rows(candidate, np.flatnonzero(~before.missing))
        if len(rows) < int(np.count_nonzero(~before.missing)):
            before, guess, after = (column.take(rows) for column in (before, guess, after))
        gains = compare_with_controls(before.numbers, guess.numbers, after.numbers, tolerance)
        success = success_figure(gains.success, 1.0, _HOW)
        control = success_figure(gains.control, 1.0, _ONE_GUESS)
        advantage = paired_advantage(gains.success, gains.control)
        severity = severity_of_advantage(success, advantage, REVERSAL_LIMIT, REVERSAL_SERIOUS)
        chance = Figure.absent(_NO_VALUE, unit="share")
        if len(gains.blind):
            chance = Figure(float(gains.blind.mean()), n=len(gains.blind), unit="share", method=_RANDOM)
        arguments: dict[str, Value] = {
            "column": Name(before.name),
            "success": share_of(success),
            "control": share_of(control),
        }
        zeros = np.zeros(len(gains.success))
        # The method is undone for all or not at all, so anyone who does it is sure of everyone.
        sure = success if (success.value or 0.0) >= 0.95 else success_figure(zeros, 1.0, _HOW)
        return AttackEntry(
            id=self.id,
            column=before.name,
            knows=Sentence.of(self.knows, {"columns": Names.of([before.name])}),
            success=success,
            control=control,
            chance=chance,
            advantage=advantage,
            tail=AttackTail(
                share_sure_and_right=sure,
                control=success_figure(np.zeros(len(gains.success)), 1.0, _FOR_ALL),
            ),
            tolerance=tolerance,
            sampled=len(gains.success),
            severity=severity,
            sentence=Sentence.of(self.sentences[severity], arguments),
        )
