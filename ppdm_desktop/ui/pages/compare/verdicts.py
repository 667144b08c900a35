"""What the Compare page says of candidates, from the report's own figures. No widgets here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from ppdm_desktop.engine.release.writing.export import Evaluation
from ppdm_desktop.engine.report.model import LevelProofEntry, Report
from ppdm_desktop.engine.texts import plural, render
from ppdm_desktop.ui.pages.compare.audit.states import WORKS, groups_shown, headline_of
from ppdm_desktop.ui.state.finished_candidates import judged_of
from ppdm_desktop.ui.state.level_names import level_words
from ppdm_desktop.ui.state.number_words import count, percent
from ppdm_desktop.ui.state.session import CandidateEntry


def _tr(text: str) -> str:
    return QCoreApplication.translate("Compare", text)


def largest_shift(judged: Evaluation) -> tuple[str, float] | None:
    """Return the released column whose totals moved most, by total variation; None without any.

    Columns made coarser are left out: ranges are other words than the values, and what they cost is
    said by their granularity.
    """
    generalised = judged.measures.coarseness.generalisation.by_column if judged.measures.coarseness is not None else {}
    found = [
        (float(each.total_variation.value), each.name)
        for each in judged.report.utility.columns
        if each.total_variation.value is not None and each.name not in generalised
    ]
    shift, name = max(found, key=lambda pair: pair[0], default=(0.0, ""))
    return (name, shift) if name else None


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
    red = [check for check in judged.checks if check.status == "red"]
    open_ones = [check for check in judged.checks if check.status in ("amber", "not-run")]
    if red:
        severity, word = "blocks", plural(len(red), _tr("1 check blocks"), _tr("{n} checks block"))
        word = word.format(n=len(red))
    elif open_ones:
        severity, word = "amber", plural(len(open_ones), _tr("1 check needs a reason"), _tr("{n} checks need a reason"))
        word = word.format(n=len(open_ones))
    else:
        severity, word = "passed", _tr("No check objects")
    parts = [_certain_words(report), _alone_words(report), _level_words(report.levels_proof), _cost_words(judged)]
    if red:
        titles = ", ".join(render(check.sentence.id, check.sentence.arguments).title for check in red)
        parts.append(_tr("Blocked by: {checks}.").format(checks=titles))
    working, attacks = _attacks(report)
    return Verdict(severity, word, " ".join(part for part in parts if part), working, attacks)


def _attacks(report: Report) -> tuple[bool, str]:
    """Say whether attacks work, in the words of the audit's tab: the two must not contradict each other."""
    if not report.attacks:
        return False, ""
    state, words = headline_of(groups_shown(report))
    return state == WORKS, words


def _certain_words(report: Report) -> str:
    before, after = report.risk.before.certain, report.risk.after.certain
    if before is None or after is None:
        return ""
    total = count(report.release.rows)
    if after == 0:
        return _tr("Nobody's confidential value can be read off for certain (before: {before} of {total}).").format(
            before=count(before), total=total
        )
    return _tr("The confidential value of {after} of {total} can be read off for certain (before: {before}).").format(
        after=count(after), before=count(before), total=total
    )


def _alone_words(report: Report) -> str:
    before, after = report.risk.before.scope.quasi_identifiers, report.risk.after.scope.quasi_identifiers
    if before is None or after is None:
        return ""
    if not report.risk.after.applies:
        return _tr(
            "How many stand alone says little here, because the describing columns hold noise or made-up values."
        )
    if after.unique == 0:
        if before.unique == 0:
            return _tr("Nobody stands alone, as before.")
        return _tr("Nobody stands alone any more (before: {before}).").format(before=count(before.unique))
    if after.unique == before.unique:
        words = plural(
            after.unique,
            _tr("1 person still stands alone with what others may know of them."),
            _tr("{n} people still stand alone with what others may know of them."),
        )
        return words.format(n=count(after.unique))
    words = plural(
        after.unique,
        _tr("1 person stands alone (before: {before})."),
        _tr("{after} people stand alone (before: {before})."),
    )
    return words.format(after=count(after.unique), before=count(before.unique))


def _level_words(proofs: Sequence[LevelProofEntry]) -> str:
    if not proofs:
        return ""
    missed = [proof for proof in proofs if not proof.met]
    if not missed:
        return _tr("Every record that a step covers has its level.")
    names = ", ".join(dict.fromkeys(level_words(proof.level) for proof in missed))
    return _tr("Not every record has its level: {levels}.").format(levels=names)


def _cost_words(judged: Evaluation) -> str:
    parts = []
    coarse = judged.measures.coarseness
    fine = None if coarse is None else coarse.generalisation.granularity.value
    if fine is not None and fine < 1:
        parts.append(
            _tr("The price: what others may know of people keeps {share} of its detail.").format(share=percent(fine))
        )
    removed = judged.report.utility.rows_suppressed
    if removed:
        words = plural(removed, _tr("1 person is left out."), _tr("{n} people are left out."))
        parts.append(words.format(n=count(removed)))
    moved = largest_shift(judged)
    if moved is not None and moved[1] > 0:
        pattern = (
            _tr("The totals of {column} moved by {shift} (total variation).")
            if parts
            else _tr("The price: the totals of {column} moved by {shift} (total variation).")
        )
        parts.append(pattern.format(column=moved[0], shift=percent(moved[1])))
    return " ".join(parts) or _tr("The price: no column's totals changed.")
