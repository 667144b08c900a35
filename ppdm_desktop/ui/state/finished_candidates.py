"""The finished candidates of a session, their evaluations and names; no widget here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ppdm_desktop.engine.release.candidate.model import Candidate, copy_marks
from ppdm_desktop.engine.release.evaluate.scorecard import (
    REAL_PEOPLE_FIRST,
    TRUE_STATEMENTS_FIRST,
    TRUE_VALUES_FIRST,
    Scorecard,
    family_of,
    find_best_candidate,
)
from ppdm_desktop.engine.release.measures.analyses import Analyses, known_noise
from ppdm_desktop.engine.release.verdict.usefulness import count_losses_by_marks
from ppdm_desktop.engine.release.writing.export import Evaluation
from ppdm_desktop.engine.report.model import Report, Verdict
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Ratio, Term
from ppdm_desktop.ui.state.candidate_queue import RUNNING
from ppdm_desktop.ui.state.session import CandidateEntry, Session
from ppdm_desktop.ui.state.step_chain import describe_chain


def require_evaluation(entry: CandidateEntry) -> Evaluation:
    """Return the evaluation of a finished candidate; raise AssertionError if it was not evaluated."""
    assert isinstance(entry.judged, Evaluation)
    return entry.judged


def is_verdict_on(verdict: Verdict, candidate: Candidate) -> bool:
    """Return whether a verdict (results of attacks and checks) has the source and recipe hashes of this candidate."""
    prepared = candidate.prepared
    return (verdict.input_sha256, verdict.recipe_sha256) == (prepared.account.sha256, prepared.recipe_sha256)


def has_verdict(entry: CandidateEntry) -> bool:
    """Return whether a candidate was made and evaluated, and its verdict is about its present table.

    False for one that is not made or not evaluated, and if the verdict belongs to another source file or recipe.
    """
    return (
        entry.candidate is not None
        and entry.judged is not None
        and is_verdict_on(require_evaluation(entry).report.verdict, entry.candidate)
    )


def list_finished_candidates(session: Session) -> list[CandidateEntry]:
    """Return the finished candidates whose present table was evaluated, in the order of the queue."""
    return [entry for entry in session.finished() if has_verdict(entry)]


def list_running_candidates(session: Session) -> list[CandidateEntry]:
    """Return the candidates being made, and finished ones whose present table is not evaluated yet.

    Candidates that wait, failed or were cancelled are left out.
    """
    return [
        entry
        for entry in session.candidates
        if entry.status == RUNNING or (entry in session.finished() and not has_verdict(entry))
    ]


def find_best_finished(session: Session, entries: Sequence[CandidateEntry]) -> CandidateEntry | None:
    """Return the best of evaluated candidates in the order that ``explain_star`` describes; None without candidates."""
    cards = [scorecard_by_marks(session, entry, require_evaluation(entry).report) for entry in entries]
    index = find_best_candidate(cards)
    return None if index is None else entries[index]


def scorecard_by_marks(session: Session, entry: CandidateEntry, report: Report) -> Scorecard:
    """Return the scorecard of a finished candidate's report, by the marks that columns have now.

    They may have been set after it was evaluated, because marks change no release. Only then anything is counted.
    """
    card, candidate, recipe = scorecard_of(report), entry.candidate, session.decisions.recipe
    if candidate is None or copy_marks(candidate.prepared.recipe, recipe) == candidate.prepared.recipe:
        return card
    by_marks = count_losses_by_marks(candidate, recipe)
    usefulness = card.verdict.usefulness.model_copy(update=by_marks)
    return replace(card, verdict=card.verdict.model_copy(update={"usefulness": usefulness}))


def explain_star() -> str:
    """Return the sentence that explains why one version is marked with a star as the best."""
    return _(
        "★: fewest reasons to write, then most marked columns kept in detail, then most useful. True values come first "
        "if they are at least {true} as useful as groups, both if at least {changed} as useful as changed values, "
        "artificial records last if another version is at least {real} as useful.",
        true=Ratio(TRUE_VALUES_FIRST),
        changed=Ratio(TRUE_STATEMENTS_FIRST),
        real=Ratio(REAL_PEOPLE_FIRST),
    )


def scorecard_of(report: Report) -> Scorecard:
    """Return what a candidate is compared by, from its report: its verdict and the family of its methods."""
    return Scorecard(report.verdict, family_of(step.method for step in report.steps))


def label_candidate(entry: CandidateEntry) -> str:
    """Return a candidate's name on screen with its title or, without a title, its steps."""
    return f"{entry.display_name}  {entry.title or describe_chain(entry.recipe)}"


def describe_outdated(session: Session, entry: CandidateEntry | None) -> str:
    """Return a sentence that a candidate is out of date and what to do; empty if it is up to date or None."""
    if entry is None or not session.is_stale(entry.basis):
        return ""
    return _(
        "{name} is out of date: columns, protection levels or the recipient have changed since. Run it again on the "
        "Protect page.",
        name=Term(entry.display_name),
    )


def can_reconstruct(candidate: Candidate) -> bool:
    """Return whether a released column has noise of known size, so that statistics can be corrected for it."""
    return bool(known_noise(candidate))


def find_valid_analyses(entry: CandidateEntry, learn_from: str) -> Analyses | None:
    """Return a candidate's trial analyses if they still hold; None if they must be run (again).

    ``learn_from`` says from which values models learn. It matters only for candidates with noise of known size; for all
    others any analyses hold. None also if none were run.
    """
    analyses = entry.analyses
    if analyses is None or analyses.learn_from == learn_from:
        return analyses
    return None if entry.candidate is not None and can_reconstruct(entry.candidate) else analyses
