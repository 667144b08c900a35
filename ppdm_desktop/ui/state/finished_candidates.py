"""The finished candidates of a session: which they are, their evaluations, what they are called; no widget here."""

from __future__ import annotations

from collections.abc import Sequence

from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.evaluate.scorecard import Scorecard, are_true_values, best
from ppdm_desktop.engine.release.measures.analyses import Analyses, known_noise
from ppdm_desktop.engine.release.writing.export import Evaluation
from ppdm_desktop.engine.report.model import Report, Verdict
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.state.candidate_queue import RUNNING
from ppdm_desktop.ui.state.session import CandidateEntry, Session
from ppdm_desktop.ui.state.step_chain import chain_words


def judged_of(entry: CandidateEntry) -> Evaluation:
    """Return a finished entry's judgement."""
    assert isinstance(entry.judged, Evaluation)
    return entry.judged


def is_verdict_on(verdict: Verdict, candidate: Candidate) -> bool:
    """Say whether a verdict is on this very candidate: the same source, protected by the same recipe."""
    prepared = candidate.prepared
    return (verdict.input_sha256, verdict.recipe_sha256) == (prepared.account.sha256, prepared.recipe_sha256)


def has_verdict(entry: CandidateEntry) -> bool:
    """Say whether an entry's verdict is there, and is its own."""
    return (
        entry.candidate is not None
        and entry.judged is not None
        and is_verdict_on(judged_of(entry).report.verdict, entry.candidate)
    )


def finished(session: Session) -> list[CandidateEntry]:
    """Return the finished candidates that can be shown: those whose verdict is there."""
    return [entry for entry in session.finished() if has_verdict(entry)]


def being_judged(session: Session) -> list[CandidateEntry]:
    """Return the candidates that are being made or judged."""
    return [
        entry
        for entry in session.candidates
        if entry.status == RUNNING or (entry in session.finished() and not has_verdict(entry))
    ]


def best_of_all(entries: Sequence[CandidateEntry]) -> CandidateEntry | None:
    """Return the finished candidate of the best decision, None without any."""
    index = best([scorecard_of(judged_of(entry).report) for entry in entries])
    return None if index is None else entries[index]


def scorecard_of(report: Report) -> Scorecard:
    """Return where a candidate stands by its report."""
    return Scorecard(report.verdict, are_true_values(step.method for step in report.steps))


def label(entry: CandidateEntry) -> str:
    """Return a candidate's name with what it does."""
    return f"{entry.shown}  {entry.title or chain_words(entry.recipe)}"


def out_of_date_words(session: Session, entry: CandidateEntry | None) -> str:
    """Say that a candidate is out of date and what to do; empty where it is not, and where there is none."""
    if entry is None or not session.is_stale(entry.basis):
        return ""
    return _(
        "{name} is out of date: columns, protection levels or the recipient have changed since. Run it again on the "
        "Protect page.",
        name=Term(entry.shown),
    )


def can_reconstruct(candidate: Candidate) -> bool:
    """Return whether a released column has noise of known size that no later step changed."""
    return bool(known_noise(candidate))


def tried_analyses(entry: CandidateEntry, learn_from: str) -> Analyses | None:
    """Return the analyses of a candidate whose models learned in a given way, None where they were not made."""
    analyses = entry.analyses
    if analyses is None or analyses.learn_from == learn_from:
        return analyses
    return None if entry.candidate is not None and can_reconstruct(entry.candidate) else analyses
