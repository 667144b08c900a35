"""What the Compare page says of candidates, from the report's own figures. No widgets here."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from ppdm_desktop.engine.release.gate.checks.levels_met import LevelsMet
from ppdm_desktop.engine.report import model
from ppdm_desktop.engine.report.model import Report
from ppdm_desktop.engine.texts import plural
from ppdm_desktop.engine.wording.found import percent
from ppdm_desktop.engine.wording.level_titles import Said
from ppdm_desktop.ui.pages.compare.audit.states import WORKS, groups_shown, headline_of
from ppdm_desktop.ui.state.finished_candidates import judged_of
from ppdm_desktop.ui.state.level_names import level_words
from ppdm_desktop.ui.state.number_words import count
from ppdm_desktop.ui.state.session import CandidateEntry


def _tr(text: str) -> str:
    return QCoreApplication.translate("Compare", text)


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
        severity, word = "blocks", plural(len(red), _tr("1 check blocks"), _tr("{n} checks block"))
        word = word.format(n=len(red))
    elif open_ones:
        severity, word = "amber", plural(len(open_ones), _tr("1 check needs a reason"), _tr("{n} checks need a reason"))
        word = word.format(n=len(open_ones))
    else:
        severity, word = "passed", _tr("No check objects")
    found, original = report.verdict, report.original
    parts = [
        _certain_words(found, original),
        _alone_words(found, original),
        level_sentence(found, report.privacy.said),
        _cost_words(found),
    ]
    working, attacks = _attacks(report)
    return Verdict(severity, word, " ".join(part for part in parts if part), working, attacks)


def _attacks(report: Report) -> tuple[bool, str]:
    """Say whether attacks work, in the words of the audit's tab: the two must not contradict each other."""
    if not report.verdict.attacks:
        return False, ""
    state, words = headline_of(groups_shown(report))
    return state == WORKS, words


def _whom(verdict: model.Verdict, n: int) -> str:
    """Write how many people, or rows where nobody said that each row is somebody else."""
    if verdict.people_word == "rows":
        return plural(n, _tr("1 row"), _tr("{n} rows")).format(n=count(n))
    return plural(n, _tr("1 person"), _tr("{n} people")).format(n=count(n))


def _certain_words(verdict: model.Verdict, original: model.Verdict | None) -> str:
    after = verdict.certain_by_others
    before = original.certain_by_others if original is not None else None
    if before is None or after is None:
        return ""
    if after == 0:
        return _tr(
            "Nobody's confidential value is certain to somebody who knows what others may know (before: {before})."
        ).format(before=_of(verdict, before))
    return _tr(
        "The confidential value of {after} is certain to somebody who knows what others may know (before: {before})."
    ).format(after=_of(verdict, after), before=count(before))


def _of(verdict: model.Verdict, n: int) -> str:
    return _tr("{n} of {whom}").format(n=count(n), whom=_whom(verdict, verdict.people))


def _alone_words(verdict: model.Verdict, original: model.Verdict | None) -> str:
    if verdict.singled is None or original is None or original.singled is None:
        return ""
    after, before = verdict.singled.by_others, original.singled.by_others
    if after == 0:
        if before == 0:
            return _tr("Nobody stands alone with what others may know, as before.")
        return _tr("Nobody stands alone any more with what others may know (before: {before}).").format(
            before=count(before)
        )
    if after == before:
        words = plural(
            after,
            _tr("{whom} still stands alone with what others may know."),
            _tr("{whom} still stand alone with what others may know."),
        )
        return words.format(whom=_whom(verdict, after))
    words = plural(
        after,
        _tr("{whom} stands alone with what others may know (before: {before})."),
        _tr("{whom} stand alone with what others may know (before: {before})."),
    )
    return words.format(whom=_whom(verdict, after), before=count(before))


def level_sentence(verdict: model.Verdict, said: Said | None = None) -> str:
    """Say how many of all people, those of the basic level included, have their level; empty where none counted."""
    check = verdict.check(LevelsMet.id)
    if check.hits is None or check.of is None:
        return ""
    kept = max(check.of - check.hits, 0)
    words = _tr("{kept} have their level, the basic level included.").format(
        kept=_tr("{n} of {whom}").format(n=count(kept), whom=_whom(verdict, check.of))
    )
    missed = ", ".join(dict.fromkeys(level_words(proof.level, said) for proof in verdict.levels if not proof.met))
    return f"{words} " + _tr("Short: {levels}.").format(levels=missed) if missed else words


def _cost_words(verdict: model.Verdict) -> str:
    parts = []
    detail = verdict.usefulness.detail.value
    if detail is not None:
        words = _tr("The price: {share} of the detail is kept.") if detail < 1 else _tr("The price: no detail is lost.")
        parts.append(words.format(share=percent(float(detail))))
    removed = verdict.rows - verdict.rows_released
    if removed > 0:
        words = plural(removed, _tr("{whom} is left out."), _tr("{whom} are left out."))
        parts.append(words.format(whom=_whom(verdict, removed)))
    return " ".join(parts)
