"""Judging a candidate: measured, attacked, looked at by the gate, and put into a report."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.errors import GateBlocked, InputError
from ppdm_desktop.engine.recipe.models import AcceptSection
from ppdm_desktop.engine.release.attack_audit.registry import audit
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.evaluate.original import verdict_of_original
from ppdm_desktop.engine.release.evaluate.release_files import build_release_files, folder_of
from ppdm_desktop.engine.release.gate import CheckResult, Decision, Evidence, decide, run_gate
from ppdm_desktop.engine.release.gate.base import title_and_id
from ppdm_desktop.engine.release.gate.draws import Draws, draws_before
from ppdm_desktop.engine.release.gate.results import GREEN, NOT_APPLICABLE
from ppdm_desktop.engine.release.measures.utility import Measures, measure
from ppdm_desktop.engine.release.reporting.build import build_report
from ppdm_desktop.engine.release.storage.ledger import (
    DrawEntry,
    History,
    draw_of,
    drawing_steps,
    history_of,
    remember_draws,
)
from ppdm_desktop.engine.release.verdict.make import verdict_of
from ppdm_desktop.engine.release.verdict.usefulness import usefulness_of
from ppdm_desktop.engine.report.model import AttackEntry, Report, Verdict
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import FilePath, Terms


@dataclass(frozen=True, eq=False)
class Known:
    """Results reached before: attacks, the ledger, other draws and releases, the verdict on the original."""

    attacks: tuple[AttackEntry, ...] | None
    ledger: Path | None
    draws: tuple[DrawEntry, ...] = ()
    original: Verdict | None = None
    earlier: tuple[Column, ...] | None = None


@dataclass(frozen=True, eq=False)
class Evaluation:
    """A candidate judged: what it measures, what the gate says, and the report.

    Attributes
    ----------
    measures
        Figures of usefulness, with the charts' data.
    checks
        Each verdict of the gate, in order.
    decision
        The verdicts weighed against the written reasons.
    report
        The object every page and document shows.
    draws
        What is remembered of this draw, which stands last, and of those before it; empty where nothing but the
        order of rows was drawn.
    notes
        What else the owner should know, by text id.
    """

    measures: Measures
    checks: tuple[CheckResult, ...]
    decision: Decision
    report: Report
    draws: tuple[DrawEntry, ...] = ()
    notes: tuple[Note, ...] = ()


class Files(Protocol):
    """Where the files of a release are made, and what is known of them afterwards."""

    release_files: dict[str, tuple[str, int]]

    def write_release(self, measures: Measures) -> Evidence:
        """Make what may be handed over and gather the evidence from it as read back."""


@dataclass(eq=False)
class _InMemory:
    """The files of a release that is judged only."""

    candidate: Candidate
    release_files: dict[str, tuple[str, int]] = field(default_factory=dict)

    def write_release(self, measures: Measures) -> Evidence:
        return build_release_files(self.candidate, measures, self._add)

    def _add(self, name: str, data: bytes) -> bytes:
        release_folder = folder_of(self.candidate.prepared.recipe)
        self.release_files[f"{release_folder}/{name}"] = (hashlib.sha256(data).hexdigest(), len(data))
        return data


def evaluate(
    candidate: Candidate,
    accepts: Mapping[str, AcceptSection] | None = None,
    *,
    attacks: tuple[AttackEntry, ...] | None = None,
    ledger: Path | None = None,
    draws: Sequence[DrawEntry] = (),
    original: Verdict | None = None,
    earlier: tuple[Column, ...] | None = None,
    created: datetime | None = None,
    confirmed: Collection[str] = (),
) -> Evaluation:
    """Judge a candidate as the export would, in memory: nothing is drawn, and nothing written but its draw's entry.

    What analyses keep is not measured here; ``analyse`` does that, and takes longer.

    Parameters
    ----------
    candidate
        What was previewed.
    accepts
        Written reasons by cause; those of the recipe when left out.
    attacks
        What the audit found in this candidate; made here when left out.
    ledger, draws
        As for ``export``; no release is entered.
    original
        The verdict on the source as it is, where it was reached before; reached here when left out.
    earlier
        The columns of an earlier release of the source, as they stand in its file, to be compared.
    created
        The report's time; now when left out.
    confirmed
        Causes whose reasons were given or confirmed for this very candidate.
    """
    reasons = candidate.prepared.recipe.accept if accepts is None else accepts
    files = _InMemory(candidate)
    prior = Known(attacks, ledger, tuple(draws), original, earlier)
    return evaluate_files(
        candidate, files, reasons, stamped(created), prior, keep_key=True, draft=True, confirmed=confirmed
    )


def stamped(created: datetime | None) -> str:
    """Return the one time used in a report, in UTC."""
    return (created or datetime.now(UTC)).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def evaluate_files(
    candidate: Candidate,
    files: Files,
    reasons: Mapping[str, AcceptSection],
    stamp: str,
    prior: Known,
    *,
    keep_key: bool,
    draft: bool,
    confirmed: Collection[str] = (),
) -> Evaluation:
    """Measure, gather the evidence, attack, run the gate and decide; one way for the export and the window."""
    # Measured on a hundred thousand and on a million records with noise.
    attacking = 10.0 if prior.attacks is None else 0.0
    attacks_original = 10.0 if prior.attacks is None or prior.attacks else 0.0
    judging_original = 34.0 + attacks_original if prior.original is None else 0.0
    to_measure, to_write, to_attack, to_compare, to_judge, to_tell = progress.parts(
        4.0, 4.0, attacking, judging_original, 27.0, 8.0
    )
    measures = to_measure.run(measure, candidate)
    evidence = to_write.run(files.write_release, measures)
    history = None if prior.ledger is None else history_of(candidate, prior.ledger)
    attacks, earlier_releases = prior.attacks, history.others if history is not None else ()
    if attacks is None:
        attacks = to_attack.run(audit, candidate, earlier=len(earlier_releases))
    day = stamp[:10]
    evidence = replace(evidence, attacks=attacks, history=history, draws=_draws_before(candidate, history, prior, day))
    evidence = replace(evidence, earlier=prior.earlier)
    # The same attacks as on the candidate: where none was wanted, none is made. Before the gate looks at the
    # candidate: what is found of each person is then held of one of the two, never of both.
    original = prior.original or to_compare.run(verdict_of_original, candidate, attacked=bool(attacks))
    results = to_judge.run(run_gate, evidence)
    prepared = candidate.prepared
    decision = decide(results, reasons, prepared.account.sha256, stamp, type=prepared.type.id, confirmed=confirmed)
    useful = progress.silent().run(usefulness_of, candidate)
    unreleased = draft or prepared.recipe.release.teaching_copy
    verdict = verdict_of(evidence, results, decision, useful, draft=unreleased)
    report = to_tell.run(
        build_report,
        evidence,
        measures,
        verdict,
        original,
        created=stamp,
        key=_key_state(candidate, keep_key),
        files=files.release_files,
        draft=draft,
    )
    draw = _drawn(candidate, results, day)
    draws = () if draw is None else (*evidence.draws.earlier, draw)
    return Evaluation(measures, results, decision, report, draws, _entered(draw, prior, day))


def _draws_before(candidate: Candidate, history: History | None, prior: Known, day: str) -> Draws:
    if history is None or not history.is_readable:
        return draws_before(candidate, prior.draws, None)
    return draws_before(candidate, (*history.draws, *prior.draws), history.since or day)


def _drawn(candidate: Candidate, results: Sequence[CheckResult], day: str) -> DrawEntry | None:
    """Return what is remembered of a draw: what it was drawn by, and what of the gate it did not pass."""
    prepared, steps = candidate.prepared, drawing_steps(candidate)
    if not steps:
        return None
    statuses = {result.id: result.status for result in results if result.status not in (GREEN, NOT_APPLICABLE)}
    return DrawEntry(prepared.account.sha256, steps, draw_of(candidate), day, prepared.type.id, statuses)


def _entered(draw: DrawEntry | None, prior: Known, day: str) -> tuple[Note, ...]:
    """Enter a draw in the ledger, with those known besides; what goes wrong there stops nothing, and is said."""
    if prior.ledger is None or draw is None:
        return ()
    try:
        remember_draws(prior.ledger, (*prior.draws, draw), day)
    except (InputError, OSError):
        return (Note("note.ledger.not-entered", {"file": FilePath(str(prior.ledger))}),)
    return ()


def blocked(decision: Decision, report: Report) -> GateBlocked:
    """Return the error of a gate that does not let a release pass, with the report and the notes on reasons in it."""
    red = {check.id for check in report.verdict.blocking}
    stopped = [id for id in decision.blocked_by if id in red]
    open_ones = [id for id in decision.blocked_by if id not in red]
    id = "error.gate.needs-reason"
    if stopped:
        id = "error.gate.red-and-open" if open_ones else "error.gate.red"
    named = {
        "red": Terms(tuple(map(title_and_id, stopped)), all_named=True),
        "open": Terms(tuple(map(title_and_id, open_ones)), all_named=True),
    }
    return GateBlocked(id, args=named, report=report.document(), notes=decision.notes)


def _key_state(candidate: Candidate, keep_key: bool) -> str:
    if keep_key:
        return "kept"
    return "seed" if candidate.key.origin == "seed" else "destroyed"
