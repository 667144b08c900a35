"""What the Compare page says of candidates, from the report's own figures. No widgets here."""

from __future__ import annotations

from dataclasses import dataclass

from ppdm_desktop.engine.release.evaluate.scorecard import Scorecard
from ppdm_desktop.engine.release.gate.checks.levels_met import LevelsMet
from ppdm_desktop.engine.report import model
from ppdm_desktop.engine.report.model import Report
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.level_titles import Said
from ppdm_desktop.engine.wording.rows import counting
from ppdm_desktop.engine.wording.values import Share, Terms
from ppdm_desktop.ui.pages.compare.audit.states import WITHSTOOD, groups_shown, headline_of
from ppdm_desktop.ui.state.finished_candidates import judged_of
from ppdm_desktop.ui.state.level_names import level_words
from ppdm_desktop.ui.state.session import CandidateEntry

# --- the verdict ------------------------------------------------------------------------


@dataclass(frozen=True)
class Verdict:
    """A candidate in one paragraph.

    Attributes
    ----------
    severity, word
        What the gate says.
    text
        What it reaches and costs.
    working
        Whether an attack works.
    attacks
        What the attacks came to, in words; empty where none was made.
    """

    severity: str
    word: str
    text: str
    working: bool = False
    attacks: str = ""


def verdict(entry: CandidateEntry) -> Verdict:
    """Say what a candidate reaches and what it costs."""
    judged = judged_of(entry)
    report = judged.report
    red, open_ones = report.verdict.blocking, report.verdict.to_answer
    if red:
        severity, word = "blocks", _("{n} {n:check stops|checks stop} the release", n=len(red))
    elif open_ones:
        reasons = Scorecard(report.verdict).reasons
        word = _("{n} written {n:reason is|reasons are} needed", n=reasons)
        severity = "amber"
    else:
        severity, word = "passed", _("Every check is passed")
    found, original = report.verdict, report.original
    with counting(rows=found.counts_rows):
        parts = [
            _certain_words(found, original),
            _alone_words(found, original),
            level_sentence(found, report.privacy.said),
            found.usefulness.said,
        ]
        working, attacks = _attacks(report)
    return Verdict(severity, word, " ".join(part for part in parts if part), working, attacks)


def _attacks(report: Report) -> tuple[bool, str]:
    """Say whether attacks work or ask for a reason, in the words of the audit’s tab: the two must agree."""
    if not report.verdict.attacks:
        return False, ""
    state, words = headline_of(groups_shown(report))
    return state != WITHSTOOD, words


def _of_all(verdict: model.Verdict, hits: int, of: int | None = None) -> Share:
    return Share(hits, verdict.people if of is None else of)


def _certain_words(verdict: model.Verdict, original: model.Verdict | None) -> str:
    after = verdict.certain_by_others
    before = original.certain_by_others if original is not None else None
    if before is None or after is None:
        return ""
    if after == 0:
        return _(
            "Nobody’s confidential value is revealed for certain to someone who knows their details. "
            "Before: {before:full}.",
            before=_of_all(verdict, before),
        )
    return _(
        "Confidential value revealed for certain to anyone who knows the person’s details: {after:full}. "
        "Before: {before}.",
        after=_of_all(verdict, after),
        before=before,
    )


def _alone_words(verdict: model.Verdict, original: model.Verdict | None) -> str:
    """Say how many are picked out, by the one definition of the table and the map."""
    after = Scorecard(verdict).alone
    before = None if original is None else Scorecard(original).alone
    if after is None or before is None:
        return ""
    if after == 0:
        return _("Nobody is picked out. Before: {before:full}.", before=_of_all(verdict, before))
    return _("Picked out: {after:full}. Before: {before}.", after=_of_all(verdict, after), before=before)


def level_sentence(verdict: model.Verdict, said: Said | None = None) -> str:
    """Say how many of all people, those of the basic level included, have their level; empty where none counted."""
    check = verdict.check(LevelsMet.id)
    if check.hits is None or check.of is None:
        return ""
    kept = max(check.of - check.hits, 0)
    if kept == check.of:
        return _("Everyone has at least their protection level, including the Basic level.")
    text = _(
        "{kept:full} {kept:has|have} at least their protection level, including the Basic level.",
        kept=_of_all(verdict, kept, check.of),
    )
    missed = dict.fromkeys(level_words(proof.level, said) for proof in verdict.levels if not proof.met)
    if not missed:
        return text
    return f"{text} {_('Not met for: {levels}.', levels=Terms(tuple(missed)))}"
