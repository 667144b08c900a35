"""What the Compare page says of candidates, from the report's own figures. No widgets here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from ppdm_desktop.engine.release.export import Judged
from ppdm_desktop.engine.report.model import LevelProofEntry, Report, RiskBlock
from ppdm_desktop.engine.texts import render
from ppdm_desktop.ui.pages.protect_logic import chain_words
from ppdm_desktop.ui.session import CandidateEntry, Session
from ppdm_desktop.ui.widgets.level_mark import level_words
from ppdm_desktop.ui.words import count, of_hundred, percent


def _tr(text: str) -> str:
    return QCoreApplication.translate("Compare", text)


def judged_of(entry: CandidateEntry) -> Judged:
    """Return a finished entry's judgement."""
    assert isinstance(entry.judged, Judged)
    return entry.judged


def finished(session: Session) -> list[CandidateEntry]:
    """Return the finished candidates that can be shown."""
    return [entry for entry in session.finished() if entry.candidate is not None and entry.judged is not None]


def label(entry: CandidateEntry) -> str:
    """Return a candidate's name with what it does."""
    return f"{entry.name}  {chain_words(entry.recipe)}"


# --- the table of candidates ------------------------------------------------------------


def table_headers() -> tuple[str, ...]:
    """Return the headings of ``table_candidates``."""
    return (
        _tr("Candidate"),
        _tr("Alone"),
        _tr("Right match"),
        _tr("Certain"),
        _tr("Levels"),
        _tr("Largest shift"),
        _tr("Relations"),
        _tr("Blocks"),
        _tr("Reasons"),
    )


def table_rows(session: Session) -> list[tuple[str, ...]]:
    """Return the original and every finished candidate with risk, usefulness and gate."""
    entries = finished(session)
    rows: list[tuple[str, ...]] = []
    if entries:
        before = judged_of(entries[0]).report.risk.before
        rows.append(
            (_tr("Original"), *_risk_words(before.scope.quasi_identifiers, before.certain), "–", "", "", "", "")
        )
    for entry in entries:
        judged = judged_of(entry)
        report = judged.report
        after = report.risk.after
        red = sum(check.status == "red" for check in judged.checks)
        amber = sum(check.status in ("amber", "not-run") for check in judged.checks)
        proofs = report.levels_proof
        levels = _tr("all met") if all(proof.met for proof in proofs) else _tr("not met")
        name = label(entry) + (_tr("  (out of date)") if session.is_stale(entry.basis) else "")
        rows.append(
            (
                name,
                *_risk_words(after.scope.quasi_identifiers, after.certain),
                levels if proofs else "–",
                percent(largest_shift(report)),
                _figure(report.utility.pairs.correlation_max_change.value),
                str(red),
                str(amber),
            )
        )
    return rows


def _risk_words(block: RiskBlock | None, certain: int | None) -> tuple[str, str, str]:
    if block is None:
        return "–", "–", "–"
    return count(block.unique), of_hundred(block.prosecutor_mean), "–" if certain is None else count(certain)


def _figure(value: float | int | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def largest_shift(report: Report) -> float | None:
    """Return the largest total variation of any released column."""
    found = [each.total_variation.value for each in report.utility.columns if each.total_variation.value is not None]
    return float(max(found)) if found else None


# --- the verdict ------------------------------------------------------------------------


@dataclass(frozen=True)
class Verdict:
    """A candidate in one paragraph."""

    severity: str
    word: str
    text: str


def verdict(entry: CandidateEntry) -> Verdict:
    """Say what a candidate reaches and what it costs."""
    judged = judged_of(entry)
    report = judged.report
    red = [check for check in judged.checks if check.status == "red"]
    open_ones = [check for check in judged.checks if check.status in ("amber", "not-run")]
    if red:
        severity, word = "blocks", _tr("{n} checks block").format(n=len(red))
    elif open_ones:
        severity, word = "amber", _tr("{n} checks need a reason").format(n=len(open_ones))
    else:
        severity, word = "passed", _tr("No check objects")
    parts = [_certain_words(report), _alone_words(report), _level_words(report.levels_proof), _cost_words(report)]
    if red:
        titles = ", ".join(render(check.sentence.id, check.sentence.arguments).title for check in red)
        parts.append(_tr("Blocked by: {checks}.").format(checks=titles))
    return Verdict(severity, word, " ".join(part for part in parts if part))


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
        return _tr("How many stand alone says little here, because the describing columns hold noise.")
    if after.unique == before.unique:
        return _tr("{n} people still stand alone with what others may know of them.").format(n=count(after.unique))
    return _tr("{after} people stand alone (before: {before}).").format(
        after=count(after.unique), before=count(before.unique)
    )


def _level_words(proofs: Sequence[LevelProofEntry]) -> str:
    if not proofs:
        return ""
    missed = [proof for proof in proofs if not proof.met]
    if not missed:
        return _tr("Every record that a step covers has its level.")
    names = ", ".join(dict.fromkeys(level_words(proof.level) for proof in missed))
    return _tr("Not every record has its level: {levels}.").format(levels=names)


def _cost_words(report: Report) -> str:
    shift = largest_shift(report)
    if shift is None or shift == 0:
        return _tr("The price: no column's totals changed.")
    worst = max(report.utility.columns, key=lambda each: each.total_variation.value or 0)
    return _tr("The price: the totals of {column} moved by {shift} (total variation).").format(
        column=worst.name, shift=percent(shift)
    )
