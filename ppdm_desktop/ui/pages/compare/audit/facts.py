"""What the details of one attack say: facts line by line, levels, and the exact terms. No widget here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ppdm_desktop.engine.release.attack_audit.registry import find_attack
from ppdm_desktop.engine.report.model import AttackEntry, CheckEntry, Report
from ppdm_desktop.engine.report.scene.shares import records_of
from ppdm_desktop.engine.wording.catalogue import _, language, numbers_of
from ppdm_desktop.engine.wording.level_titles import Said
from ppdm_desktop.engine.wording.texts import Note, render_kept
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.pages.compare.audit.certain import (
    CERTAIN_CHECK,
    CERTAIN_REMEDY,
    CERTAIN_TERM,
    certain_facts,
)
from ppdm_desktop.ui.pages.compare.audit.states import WORKS, AttackShown
from ppdm_desktop.ui.pages.compare.audit.words import share_words
from ppdm_desktop.ui.state.level_names import level_words
from ppdm_desktop.ui.state.number_words import count, said


@dataclass(frozen=True)
class FactShown:
    """One fact: what it is, and what is found."""

    label: str
    words: str


# --- facts --------------------------------------------------------------------------------


def facts_of(report: Report, line: AttackShown) -> list[FactShown]:
    """Return everything there is to say of an attack, in the order of reading."""
    checks: tuple[str, ...]
    if line.entry is None:
        facts, checks = certain_facts(report), (CERTAIN_CHECK,)
        remedy = said(CERTAIN_REMEDY).sentence if line.severity == WORKS else ""
    else:
        attack, sentence = find_attack(line.entry.id), line.entry.sentence
        facts, checks = list(attack.facts(line.entry, report)), (attack.judged_by, *attack.also_seen_by)
        remedy = said(sentence.note).window
        if line.severity == WORKS and not remedy:
            remedy = said(Note("attack.remedy.any")).sentence
    found = [FactShown(said(fact.label).sentence, said(fact.words).sentence) for fact in facts]
    if line.entry is None:
        words = f"{line.headline} {line.second}".strip()
        found.insert(1, FactShown(said(Note("attack.fact.success")).sentence, words))
    by_id = {check.id: check for check in report.verdict.checks}
    label = said(Note("attack.fact.check")).sentence
    found += [FactShown(label, _check_words(by_id[each])) for each in checks if each in by_id]
    if remedy:
        found.append(FactShown(said(Note("attack.fact.remedy")).sentence, remedy))
    return found


def _check_words(check: CheckEntry) -> str:
    state = {
        "green": _("passed"),
        "amber": _("a reason is needed"),
        "red": _("stops the release"),
        "not-applicable": _("does not apply"),
        "not-run": _("not run"),
    }[check.status]
    text = render_kept(check.sentence.id, check.sentence.arguments)
    return f"{text.title or check.id}: {state}. {text.sentence}"


# --- levels and terms ---------------------------------------------------------------------


def level_headers() -> tuple[str, ...]:
    """Return the headings of the levels' table."""
    return (
        _("Protection level"),
        _("People"),
        _("Found"),
        _("95% interval"),
        _("Limit"),
        _("Within the limit"),
    )


def level_rows(entry: AttackEntry, said: Said | None = None) -> list[tuple[str, ...]]:
    """Return the attack by protection level."""
    rows: list[tuple[str, ...]] = []
    for level in entry.levels:
        low, high = level.success.low, level.success.high
        numbers = numbers_of(language())
        interval = numbers.none(cell=True) if low is None or high is None else numbers.between(low, high)
        rows.append(
            (
                level_words(level.level, said),
                count(level.records),
                share_words(level.success.value, records_of(level.success)),
                interval,
                share_words(level.limit),
                _("yes") if level.met else _("no"),
            )
        )
    return rows


def term_of(line: AttackShown) -> str:
    """Return the exact term of an attack with its source, and how its figure was found."""
    entry = line.entry
    term = said(CERTAIN_TERM if entry is None else Note(find_attack(entry.id).term)).sentence
    text = _("Exact term: {term}", term=Term(term))
    if entry is None or not entry.success.method:
        return text
    return f"{text} {_('How it was measured: {how}.', how=entry.success.method)}"


def all_words(facts: Sequence[FactShown]) -> str:
    """Return facts as one text, for a screen reader."""
    return " ".join(f"{fact.label}: {fact.words}" for fact in facts)
