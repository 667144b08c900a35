"""The attack audit as lines and groups, and the sentence at its head, from the report's entries. No widget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ppdm_desktop.engine.release.attack_audit.base import (
    KINDS,
    KINDS_ON_ONE_COLUMN,
    Instead,
    Kind,
    LargeFigure,
    Outcome,
    released_with,
)
from ppdm_desktop.engine.release.attack_audit.registry import all_attacks, find_attack
from ppdm_desktop.engine.release.gate.checks.certain_disclosure import CertainDisclosure
from ppdm_desktop.engine.report.model import AttackEntry, Report
from ppdm_desktop.engine.report.report_words import attack_titles
from ppdm_desktop.engine.wording.catalogue import _, language, numbers_of
from ppdm_desktop.engine.wording.texts import Note, render_kept
from ppdm_desktop.engine.wording.values import Change, Name, Share, written
from ppdm_desktop.ui.state.number_words import said

CERTAIN = "certain"
"""Key of the line of values revealed for certain, which the gate counts without an attack."""
WITHSTOOD, WORKS, NOTE, UNMADE = "passed", "amber", "note", "not-run"
_STATES: Mapping[Outcome, str] = {"withstood": WITHSTOOD, "works": WORKS, "note": NOTE, "forecast": NOTE}


@dataclass(frozen=True)
class AttackShown:
    """One line of the audit.

    Attributes
    ----------
    key
        Its name among the lines, for object names.
    severity, word
        Mark and word: withstood, works, or to be noted.
    headline, second
        What was tried, and what came out, as the report says them.
    figure, unit, before
        The large figure, what it counts, and the same of the original where that is known.
    entry
        The report's entry; None for what the gate counts, and for what cannot be attacked.
    needs_reason
        Whether it failed by its own measure, while the check that judges it stops the release or asks for a reason.
    """

    key: str
    severity: str
    word: str
    headline: str
    second: str
    figure: str
    unit: str
    before: str
    entry: AttackEntry | None
    needs_reason: bool = False


@dataclass(frozen=True)
class GroupShown:
    """Attacks of one kind, with a plain question as caption."""

    key: str
    title: str
    caption: str
    lines: tuple[AttackShown, ...]


# --- the lines ----------------------------------------------------------------------------


def state_of(entry: AttackEntry) -> str:
    """Say whether an attack works, as its declaration judges the result; a forecast is to be noted."""
    return _STATES[find_attack(entry.id).outcome(entry)]


def state_word(state: str) -> str:
    """Return the word of a state."""
    return {
        WITHSTOOD: _("Attack failed"),
        WORKS: _("Attack succeeded"),
        NOTE: _("Note"),
        UNMADE: _("Not made"),
    }[state]


def groups_shown(report: Report) -> list[GroupShown]:
    """Return the attacks of a report by kind; kinds without any are left out."""
    entries = report.verdict.attacks or []
    results: dict[str, list[tuple[str, AttackEntry]]] = {}
    for title, entry in zip(attack_titles(entries), entries, strict=True):
        results.setdefault(entry.id, []).append((title, entry))
    lines: dict[Kind, list[AttackShown]] = {kind: [] for kind in KINDS}
    if results:
        lines["guessing"] += _certain(report)
        for attack in all_attacks().values():
            for number, (title, entry) in enumerate(results.get(attack.id, ()), start=1):
                key = attack.id.replace("-", "_") + (f"_{number}" if number > 1 else "")
                lines[attack.kind].append(_line(report, entry, title, key))
            lines[attack.kind] += map(_instead, attack.instead(report))
    return [GroupShown(kind, *_group_words(kind, report), tuple(line)) for kind, line in lines.items() if line]


def _group_words(kind: Kind, report: Report) -> tuple[str, str]:
    secret = released_with(report, "confidential")
    if len(secret) == 1 and kind in KINDS_ON_ONE_COLUMN:
        text = said(Note(KINDS_ON_ONE_COLUMN[kind], {"column": Name(secret[0])}))
    else:
        text = said(Note(KINDS[kind]))
    return text.title, text.sentence


def _line(report: Report, entry: AttackEntry, title: str, key: str) -> AttackShown:
    attack, state = find_attack(entry.id), state_of(entry)
    asked = {check.id for check in (*report.verdict.blocking, *report.verdict.to_answer)}
    needs_reason = state != WORKS and attack.judged_by in asked
    state = NOTE if needs_reason else state
    figure = figure_parts(attack.large_figure(entry, report))
    sentence = render_kept(entry.sentence.id, entry.sentence.arguments).sentence
    return AttackShown(key, state, state_word(state), title, sentence, *figure, entry, needs_reason)


def _instead(line: Instead) -> AttackShown:
    state, text = NOTE if line.is_made else UNMADE, said(line.note)
    return AttackShown(line.key, state, state_word(state), text.title, text.sentence, "", "", "", None)


def _certain(report: Report) -> list[AttackShown]:
    """Return the line of values revealed for certain, in the words of its check; none where nobody is counted."""
    people, rows = report.verdict.certain_by_others, report.release.rows
    if people is None or not rows or not released_with(report, "confidential"):
        return []
    sentence = report.verdict.check(CertainDisclosure.id).sentence
    text, state = render_kept(sentence.id, sentence.arguments), WORKS if people else WITHSTOOD
    original, beside = report.original, None
    if original is not None and original.certain_by_others is not None and report.input.records:
        before = Share(min(original.certain_by_others, report.input.records), report.input.records)
        beside = Note("attack.beside.before", {"figure": before})
    figure = figure_parts(LargeFigure(Share(min(people, rows), rows), beside=beside))
    return [AttackShown(CERTAIN, state, state_word(state), text.title, text.sentence, *figure, None)]


def figure_parts(large: LargeFigure) -> tuple[str, str, str]:
    """Return a large figure, what it counts, and what it is to be compared with."""
    numbers = numbers_of(language())
    sentence = said(large.beside).sentence if large.beside is not None else ""
    if large.figure is None:
        return numbers.none(cell=True), "", ""
    figure = written(large.figure, numbers)
    if isinstance(large.figure, Change):
        # The digits are large, what they count stands beside them; what is said in words alone is no figure.
        digits, _, unit = figure.partition(" ")
        return (digits, unit, sentence) if digits[-1:].isdigit() else ("", figure, sentence)
    return figure, said(large.unit).sentence if large.unit is not None else "", sentence


# --- the head -----------------------------------------------------------------------------


def headline_of(groups: Sequence[GroupShown]) -> tuple[str, str]:
    """Return state and sentence of all attacks together."""
    every = [line.severity for group in groups for line in group.lines]
    states = [state for state in every if state != UNMADE]
    works, notes, all = states.count(WORKS), states.count(NOTE), len(states)
    if works and works == all:
        return WORKS, _("{all:The attack|All attacks} succeeded.", all=all)
    if works:
        return WORKS, _("{works} of {all} {all:attack|attacks} succeeded.", works=works, all=all)
    asked = sum(line.needs_reason for group in groups for line in group.lines)
    if asked:
        return NOTE, _("{n} {n:result is|results are} beyond the limit of {n:its|their} check.", n=asked)
    if notes:
        return WITHSTOOD, _("No attack succeeded. {n} {n:result is|results are} marked as a note.", n=notes)
    if len(states) < len(every):
        return WITHSTOOD, _("All attacks that could be made failed.")
    return WITHSTOOD, _("All attacks failed.")
