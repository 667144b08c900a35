"""Running and judging planned steps on all rows: the whole verdict, or only some checks."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.release.attack_audit.base import audit
from ppdm_desktop.engine.release.candidate.model import Candidate, Prepared, copy_answers, copy_marks
from ppdm_desktop.engine.release.candidate.pipeline import run_candidate, with_answers, with_steps
from ppdm_desktop.engine.release.evaluate.release_files import build_release_files, draft_evidence
from ppdm_desktop.engine.release.gate.base import find_check, run_gate
from ppdm_desktop.engine.release.gate.decision import decide
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import NEED_REASON, RED, CheckResult
from ppdm_desktop.engine.release.measures.utility import measure
from ppdm_desktop.engine.release.planning.version import Signature, Steps, signature
from ppdm_desktop.engine.release.storage.ledger import history_of
from ppdm_desktop.engine.release.verdict.make import verdict_of
from ppdm_desktop.engine.release.verdict.usefulness import count_losses_by_marks, usefulness_of
from ppdm_desktop.engine.report.model import Verdict
from ppdm_desktop.engine.table.column import Table

COSTLY_CELLS = 50_000
"""From this many cells on a round is costly if the method learns a model of the file: one futile round ends it then."""
LARGE_CELLS = 2_000_000
"""From this many cells on any round is costly, and a single one must do if the method learns a model."""


def select_open_results(results: Iterable[CheckResult]) -> tuple[CheckResult, ...]:
    """Return the results that block a version (red) or need a written reason, in their order.

    A check of earlier releases of the source is among them only if it is red: every version needs a reason for it.
    """
    return tuple(
        result
        for result in results
        if result.status == RED or (result.status in NEED_REASON and not find_check(result.id).of_history)
    )


@dataclass(frozen=True, eq=False)
class Judged:
    """Steps that were run and judged.

    Attributes
    ----------
    made
        The evidence: the candidate that the steps made, and the attacks on it.
    results
        The result of each check.
    verdict
        The whole verdict.
    """

    made: Evidence
    results: tuple[CheckResult, ...]
    verdict: Verdict

    @property
    def candidate(self) -> Candidate:
        """The candidate release that the steps made."""
        return self.made.candidate

    @property
    def open(self) -> tuple[CheckResult, ...]:
        """The results that block the version or need a reason."""
        return select_open_results(self.results)


@dataclass(frozen=True, eq=False)
class Judge:
    """Runs and judges steps on one prepared input, always with the same key.

    Attributes
    ----------
    prepared, key
        The prepared input, and the secret key of all random draws.
    ledger
        File of earlier releases; None if they do not matter.
    """

    prepared: Prepared
    key: Key
    ledger: Path | None = None
    _looked_at: dict[Signature, Evidence] = field(default_factory=dict, init=False, repr=False)
    _last_run: list[Candidate] = field(default_factory=list, init=False, repr=False)

    @property
    def released(self) -> Table | None:
        """The released table of the steps that ran last; None before any ran."""
        return self._last_run[0].released if self._last_run else None

    def judge(self, steps: Steps, *, draft: bool = True) -> Judged:
        """Return the whole verdict on the table that these steps make, attacks included.

        With it come the results of all checks, and evidence for planning: the table in memory, and the attacks. No file
        is written. For tables of fewer than 2,000,000 cells, the same question about the same table, key and ledger is
        answered from memory, unless the complete recipe has changed in more than the columns' marks. The candidate
        becomes the last run.

        Parameters
        ----------
        steps
            The steps; their candidate and its attacks are reused if `judge_again` just made them.
        draft
            Whether machine learning may use fewer rows than for a release.

        Raises
        ------
        InputError, RecipeError
            When a method refuses the file.
        Cancelled
            When the work was stopped.
        """
        to_make, to_attack, to_check, to_measure = progress.parts(3.0, 2.0, 5.0, 1.0)
        to_run, to_compare, to_write = to_make.parts(2.0, 1.0, 1.0)
        key = self._make_memory_key(steps, draft)
        if (recalled := self._recall(key, steps)) is not None:
            candidate, judged = recalled
            by_marks = count_losses_by_marks(candidate, candidate.prepared.recipe)
            usefulness = judged.verdict.usefulness.model_copy(update=by_marks)
            verdict = judged.verdict.model_copy(update={"usefulness": usefulness})
            return Judged(replace(judged.made, candidate=candidate), judged.results, verdict)
        before = self._looked_at.pop(signature(steps), None)
        candidate = to_run.run(self._run_steps, steps) if before is None else before.candidate
        measures = to_compare.run(measure, candidate, for_verdict=True)
        evidence = to_write.run(build_release_files, candidate, measures, lambda name, data: data)
        history = None if self.ledger is None else history_of(candidate, self.ledger)
        earlier, prior = len(history.others) if history is not None else 0, () if before is None else before.attacks
        attacks = to_attack.run(audit, candidate, earlier=earlier, made=prior)
        evidence = replace(evidence, attacks=attacks, draft=draft, history=history)
        evidence = evidence if before is None else evidence.knowing(before)
        results = to_check.run(run_gate, evidence)
        prepared = candidate.prepared
        decision = decide(results, {}, prepared.account.sha256, "", type=prepared.type.id)
        useful = to_measure.run(usefulness_of, candidate)
        verdict = verdict_of(evidence, results, decision, useful, draft=True)
        judged = Judged(replace(draft_evidence(candidate), attacks=attacks), results, verdict)
        self._remember(key, candidate, judged, LARGE_CELLS)
        return judged

    @property
    def _memory(self) -> dict[object, tuple[Candidate, Any]]:
        """The candidates and results of all searches in the file, which stay when only marks of columns change."""
        memory: dict[object, tuple[Candidate, Any]] = self.prepared.of_source.setdefault(Judge, {})
        return memory

    def _remember(self, key: object, candidate: Candidate, result: object, most_cells: int) -> None:
        """Store a candidate and its result in `_memory`, if the table has fewer than ``most_cells`` cells."""
        if self.prepared.table.rows * len(self.prepared.table.columns) < most_cells:
            self._memory[key] = candidate, result

    def _make_memory_key(self, steps: Steps, *asked: object) -> object:
        """Return the key under which a result is remembered: table, steps, question, secret key, ledger's state.

        The ledger counts by path, time and size, so a result is not found again once the file of earlier releases
        changes. A missing file counts as no ledger. ``asked`` is what was asked for besides the steps.
        """
        written = None if self.ledger is None or not self.ledger.exists() else self.ledger.stat()
        ledger = None if written is None else (self.ledger, written.st_mtime_ns, written.st_size)
        return self.prepared.table, self.key, signature(steps), ledger, asked

    def _recall(self, key: object, steps: Steps) -> tuple[Candidate, Any] | None:
        """Return the remembered candidate and result of a key, the candidate with the present recipe's column marks.

        Marks say which columns must stay detailed or may lose detail. None if nothing is remembered, or if the complete
        recipe differs in more than these marks. On success the candidate becomes the last run, and all evidence that
        `judge_again` or `take_over` kept is forgotten.
        """
        if key not in self._memory:
            return None
        candidate, result = self._memory[key]
        earlier, present = candidate.prepared, with_steps(self.prepared, steps)
        if copy_marks(earlier.complete, present.complete) != present.complete:
            return None
        marked = replace(earlier, recipe=copy_marks(earlier.recipe, present.recipe), complete=present.complete)
        candidate = replace(candidate, prepared=marked)
        self._looked_at.clear()
        self._last_run[:] = [candidate]
        return candidate, result

    def made(self, steps: Steps) -> Evidence | None:
        """Return the evidence on the candidate that these steps made, if it is still stored; else None."""
        return self._looked_at.get(signature(steps))

    def take_over(self, steps: Steps, made: Evidence | None) -> None:
        """Keep the evidence of an earlier run of these steps, so that they need not be run again.

        Its answers (on who the rows are, the population and the agreement) become those of the present recipe. Nothing
        happens if ``made`` is None, belongs to another table, or has a complete recipe that differs in more than these
        answers.
        """
        if made is None or made.candidate.prepared.table is not self.prepared.table:
            return
        present, earlier = with_steps(self.prepared, steps).complete, made.candidate.prepared
        if copy_answers(earlier.complete, present) != present:
            return
        answered = with_answers(earlier, present)
        if answered is not earlier:
            made = replace(made, candidate=replace(made.candidate, prepared=answered))
        self._looked_at[signature(steps)] = made

    def judge_again(self, steps: Steps, checks: Collection[str], *, draft: bool = True) -> tuple[CheckResult, ...]:
        """Return the results of the checks with these ids on the candidate that steps make; no file is written.

        They are in display order. Attacks that these checks need are made if they were not. The evidence is stored for
        the next call with the same steps, and forgotten once others are run. With ``draft`` False machine learning uses
        as many rows as for a release; stored evidence keeps the number it was made with.

        Raises
        ------
        InputError, RecipeError
            When a method refuses the file.
        Cancelled
            When the work was stopped.
        """
        key = self._make_memory_key(steps, draft, frozenset(checks))
        if (recalled := self._recall(key, steps)) is not None:
            candidate, results = recalled
            self._looked_at[signature(steps)] = replace(draft_evidence(candidate), draft=draft)
            return tuple(results)
        to_make, to_attack, to_check = progress.parts(3.0, 2.0, 5.0)
        evidence = self._looked_at.get(signature(steps))
        if evidence is None:
            self._looked_at.clear()
            evidence = replace(draft_evidence(to_make.run(self._run_steps, steps)), draft=draft)
        attacks = to_attack.run(audit, evidence.candidate, judged_by=checks, made=evidence.attacks)
        if len(attacks) > len(evidence.attacks):
            evidence = replace(evidence, attacks=attacks)
        self._looked_at[signature(steps)] = evidence
        results = to_check.run(run_gate, evidence, only=checks)
        # The rounds of larger files, few and with large tables, are not remembered.
        self._remember(key, evidence.candidate, results, COSTLY_CELLS)
        return results

    def _run_steps(self, steps: Steps) -> Candidate:
        """Return the table that the steps make, as a candidate for release; it becomes the last run.

        Steps at the beginning that are equal to those of the last run are not run again; their results are reused.
        """
        earlier = self._last_run[0].steps if self._last_run else ()
        candidate = run_candidate(with_steps(self.prepared, steps), self.key, earlier=earlier)
        self._last_run[:] = [candidate]
        return candidate
