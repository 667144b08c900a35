"""Evaluation of a candidate: measures, attacks, the gate's checks, and the report.

The untouched original is judged in the same way, as if it were released unchanged, for comparison with candidates.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.errors import GateBlocked, InputError
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.models import AcceptSection, ColumnSection
from ppdm_desktop.engine.release.attack_audit.base import audit
from ppdm_desktop.engine.release.candidate.model import GROUP_KEYS, Candidate, Prepared, hash_document
from ppdm_desktop.engine.release.candidate.pipeline import run_candidate
from ppdm_desktop.engine.release.evaluate.release_files import Add, build_release_files, name_data_folder
from ppdm_desktop.engine.release.gate.base import run_gate, title_and_id
from ppdm_desktop.engine.release.gate.decision import Decision, decide
from ppdm_desktop.engine.release.gate.draws import Draws, collect_draws
from ppdm_desktop.engine.release.gate.results import GREEN, NOT_APPLICABLE, CheckResult
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
from ppdm_desktop.engine.release.verdict.usefulness import usefulness_of, usefulness_of_original
from ppdm_desktop.engine.report.model import ORIGINAL, AttackEntry, Report, Verdict
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import FilePath, Terms

# --- original -----------------------------------------------------------------------------

NO_KEY = Key(hashlib.sha256(b"ppdm-1 the original, nothing is drawn").digest(), "system")
"""Stands where a candidate has its key: the original draws nothing, so its verdict is the same whatever the key is."""


def remove_steps_and_bins(prepared: Prepared) -> Prepared:
    """Return a prepared input without steps, bins, written reasons and notes.

    What stays is the source with its roles, levels and release type. Its rows stay in source order. The digest of its
    recipe is `original_key`.
    """

    def plain(columns: dict[str, ColumnSection]) -> dict[str, ColumnSection]:
        """Return the recipe's column sections without bins."""
        return {name: section.model_copy(update={"bins": None}) for name, section in columns.items()}

    recipe, complete = (
        recipe.model_copy(
            update={
                "steps": [],
                "accept": {},
                "columns": plain(recipe.columns),
                "release": recipe.release.model_copy(update={"shuffle_rows": False}),
            }
        )
        for recipe in (prepared.recipe, prepared.complete)
    )
    effective = {**prepared.effective, "steps": [], "columns": "as read"}
    return dataclasses.replace(
        prepared,
        recipe=recipe,
        complete=complete,
        table=prepared.original,
        effective=effective,
        recipe_sha256=original_key(prepared),
        notes=(),
    )


def original_key(prepared: Prepared) -> str:
    """Return the SHA-256 of everything that the verdict on the original depends on, as hexadecimal text.

    Steps and bins are left out. Whether rows are shuffled counts only where people have several rows.
    """
    columns = {name: section.model_dump(mode="json") for name, section in sorted(prepared.complete.columns.items())}
    for section in columns.values():
        section["bins"] = None
    # Only where people have several rows does it matter in which order a release would have them.
    order = {"shuffled": prepared.recipe.release.shuffle_rows} if prepared.table.persons.with_several else {}
    return hash_document(
        {
            **order,
            **prepared.complete.input.model_dump(mode="json", include=set(GROUP_KEYS), exclude_defaults=True),
            **{key: value for key, value in prepared.effective.items() if key not in ("steps", "columns")},
            "input": prepared.account.sha256,
            "type": prepared.type.id,
            "columns": columns,
        }
    )


def verdict_of_original(candidate: Candidate, *, attacked: bool = True) -> Verdict:
    """Return the verdict on the untouched source of a candidate, judged as if it were released unchanged.

    Written reasons are not used. No file is written, and nothing is entered in the ledger.

    Parameters
    ----------
    candidate
        Any candidate of the source; its roles, levels and release type are used.
    attacked
        Whether to make the attacks that are made on every release.

    Raises
    ------
    InputError, RecipeError
        When the recipe's population does not fit the source.
    Cancelled
        When the work was stopped.
    """
    # As for the candidate (`evaluate_files`).
    to_prepare, to_measure, to_write, to_attack, to_judge = progress.parts(
        1.0, 4.0, 4.0, 10.0 if attacked else 0.0, 25.0
    )
    source = to_prepare.run(run_candidate, remove_steps_and_bins(candidate.prepared), NO_KEY)
    # Its rows stand in their own order; judged it is as what comes of it, whose rows may not.
    in_order = not candidate.prepared.recipe.release.shuffle_rows
    source = dataclasses.replace(source, judged_linked=in_order)
    measures = to_measure.run(measure, source, for_verdict=True)
    evidence = to_write.run(build_release_files, source, measures, lambda name, data: data)
    if attacked:
        evidence = dataclasses.replace(evidence, attacks=to_attack.run(audit, source))
    results = to_judge.run(run_gate, evidence)
    stamp = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    decision = decide(results, {}, source.prepared.account.sha256, stamp, type=source.prepared.type.id)
    return verdict_of(evidence, results, decision, usefulness_of_original(), subject=ORIGINAL, draft=True)


# --- evaluate -----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class PriorResults:
    """Results computed before, which an evaluation uses instead of computing them.

    Attributes
    ----------
    attacks
        Results of the audit of this candidate; None to make the attacks, empty to make none.
    ledger
        File that records releases and draws; None for none.
    draws
        Earlier random draws that are not in the ledger.
    original
        The verdict on the untouched source; None to compute it.
    earlier
        The columns of an earlier release of the source, to be compared; None for none.
    """

    attacks: tuple[AttackEntry, ...] | None
    ledger: Path | None
    draws: tuple[DrawEntry, ...] = ()
    original: Verdict | None = None
    earlier: tuple[Column, ...] | None = None


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The evaluation of a candidate: its measures, the gate's results, and the report.

    Attributes
    ----------
    measures
        Figures of usefulness, with the data for charts.
    checks
        The result of each check, in order.
    decision
        The gate's decision, from the results and the written reasons.
    report
        The report that every page and document shows.
    draws
        Ledger entries of earlier random draws from the source, with the candidate's as the last; empty where the
        candidate's steps draw nothing at random.
    notes
        Further notes for the owner.
    """

    measures: Measures
    checks: tuple[CheckResult, ...]
    decision: Decision
    report: Report
    draws: tuple[DrawEntry, ...] = ()
    notes: tuple[Note, ...] = ()


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
    """Return the evaluation of a candidate as the export would make it, in memory; no release file is written.

    The candidate's random draw, and those in ``draws`` that the ledger lacks, are entered in the ledger; a candidate
    that draws nothing enters nothing. The report says that the key is kept. What statistical analyses keep is not
    measured here, since that takes longer; see ``analyse``. The errors are those of ``evaluate_files``.

    Parameters
    ----------
    candidate
        The candidate release.
    accepts
        Written reasons by cause; those of the recipe when left out.
    attacks
        Results of the attacks on this candidate; they are made here when left out. With an empty tuple none are made,
        neither on the candidate nor on the original.
    ledger, draws
        File that records releases and draws; and earlier draws that are not in it.
    original
        The verdict on the untouched source, where it was computed before; computed here when left out.
    earlier
        The columns of an earlier release of the source, as read from its file, to be compared.
    created
        The report's time; now when left out.
    confirmed
        Causes whose reasons were given or confirmed for this very candidate.
    """
    reasons = candidate.prepared.recipe.accept if accepts is None else accepts
    prior = PriorResults(attacks, ledger, tuple(draws), original, earlier)
    stamp = format_utc_time(created)
    return evaluate_files(candidate, None, reasons, stamp, prior, keep_key=True, draft=True, confirmed=confirmed)


def format_utc_time(created: datetime | None) -> str:
    """Return a time in UTC as text such as "2026-03-01T14:05:00Z"; the present time for None."""
    return (created or datetime.now(UTC)).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def evaluate_files(
    candidate: Candidate,
    write: Add | None,
    reasons: Mapping[str, AcceptSection],
    stamp: str,
    prior: PriorResults,
    *,
    keep_key: bool,
    draft: bool,
    confirmed: Collection[str] = (),
) -> Evaluation:
    """Return the evaluation of a candidate and its files, for both the export and the window.

    It has the figures of usefulness, the checks, the decision, the report, the random draws of the source by the same
    steps up to this one (none if no step draws at random), and a note if the ledger could not be written. A decision
    that blocks the release is returned like any other. Whatever is decided, the candidate's draw and those in ``prior``
    are entered in the ledger of ``prior``, if there is one and the candidate draws at random.

    Parameters
    ----------
    candidate
        The candidate release.
    write
        Function that takes the path inside the release folder and the bytes of a file for the recipient, writes it, and
        returns its bytes as read back; None to keep files in memory.
    reasons
        Written reasons by cause.
    stamp
        The report's time, such as "2026-03-01T14:05:00Z".
    prior
        Results used instead of being computed. With an empty tuple of attacks none are made, neither on the candidate
        nor on the original.
    keep_key
        Whether the report says that the key is kept.
    draft
        Whether the release is only judged and not written.
    confirmed
        Causes whose reasons were given or confirmed for this very candidate.

    Raises
    ------
    InputError, RecipeError
        When a file cannot be written, or the recipe's population does not fit the source.
    Cancelled
        When the work was stopped.
    """
    # Measured on a hundred thousand and on a million records with noise.
    attacking = 10.0 if prior.attacks is None else 0.0
    attacks_original = 10.0 if prior.attacks is None or prior.attacks else 0.0
    judging_original = 34.0 + attacks_original if prior.original is None else 0.0
    to_measure, to_write, to_attack, to_compare, to_judge, to_tell = progress.parts(
        4.0, 4.0, attacking, judging_original, 27.0, 8.0
    )
    measures = to_measure.run(measure, candidate)
    release_files: dict[str, tuple[str, int]] = {}

    def add_file(name: str, data: bytes) -> bytes:
        """Write a file of the data folder, and note its SHA-256 and size under its path in the release folder."""
        path = f"{name_data_folder(candidate.prepared.recipe)}/{name}"
        data = data if write is None else write(path, data)
        release_files[path] = (hashlib.sha256(data).hexdigest(), len(data))
        return data

    evidence = to_write.run(build_release_files, candidate, measures, add_file)
    history = None if prior.ledger is None else history_of(candidate, prior.ledger)
    attacks, earlier_releases = prior.attacks, history.others if history is not None else ()
    if attacks is None:
        attacks = to_attack.run(audit, candidate, earlier=len(earlier_releases))
    day = stamp[:10]
    draws = _list_earlier_draws(candidate, history, prior, day)
    evidence = replace(evidence, attacks=attacks, history=history, draws=draws, earlier=prior.earlier)
    # The same attacks as on the candidate: where none was wanted, none is made. Before the gate looks at the
    # candidate: what is found of each person is then kept in memory for one of the two, never for both.
    original = prior.original or to_compare.run(verdict_of_original, candidate, attacked=bool(attacks))
    results = to_judge.run(run_gate, evidence)
    prepared = candidate.prepared
    decision = decide(results, reasons, prepared.account.sha256, stamp, type=prepared.type.id, confirmed=confirmed)
    useful = progress.make_silent_progress().run(usefulness_of, candidate)
    unreleased = draft or prepared.recipe.release.teaching_copy
    verdict = verdict_of(evidence, results, decision, useful, draft=unreleased)
    report = to_tell.run(
        build_report,
        evidence,
        measures,
        verdict,
        original,
        created=stamp,
        key="kept" if keep_key else "seed" if candidate.key.origin == "seed" else "destroyed",
        files=release_files,
        draft=draft,
    )
    draw = _build_draw_entry(candidate, results, day)
    entries = () if draw is None else (*draws.earlier, draw)
    return Evaluation(measures, results, decision, report, entries, _record_draw(draw, prior, day))


def _list_earlier_draws(candidate: Candidate, history: History | None, prior: PriorResults, day: str) -> Draws:
    """Return the draws before this candidate's, released or not, from the same source by the same steps, each once.

    Those of the ledger (``history``) come first, then those in ``prior``; without a readable ledger only the latter,
    and ``since`` is None. ``day``, an ISO date, is ``since`` where the ledger states none.
    """
    if history is None or not history.is_readable:
        return collect_draws(candidate, prior.draws, None)
    return collect_draws(candidate, (*history.draws, *prior.draws), history.since or day)


def _build_draw_entry(candidate: Candidate, results: Sequence[CheckResult], day: str) -> DrawEntry | None:
    """Return the ledger entry of a candidate's random draw; None where no step draws at random.

    The entry has the source file's digest, the drawing steps, the key's fingerprint, the day, the release type and the
    checks that were not passed, each with its status (also those not run). ``day`` is an ISO date.
    """
    prepared, steps = candidate.prepared, drawing_steps(candidate)
    if not steps:
        return None
    statuses = {result.id: result.status for result in results if result.status not in (GREEN, NOT_APPLICABLE)}
    return DrawEntry(prepared.account.sha256, steps, draw_of(candidate), day, prepared.type.id, statuses)


def _record_draw(draw: DrawEntry | None, prior: PriorResults, day: str) -> tuple[Note, ...]:
    """Enter a random draw, and those in ``prior``, in the ledger; return a note if that fails, else an empty tuple.

    Nothing is entered without a ledger or a draw.
    """
    if prior.ledger is None or draw is None:
        return ()
    try:
        remember_draws(prior.ledger, (*prior.draws, draw), day)
    except InputError:
        return (Note("note.ledger.not-entered", {"file": FilePath(str(prior.ledger))}),)
    return ()


def make_gate_error(decision: Decision, report: Report) -> GateBlocked:
    """Return, without raising it, the error of a gate that blocks a release, with the report and the notes on reasons.

    The error names the checks with the result red, and those that need a written reason.
    """
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
