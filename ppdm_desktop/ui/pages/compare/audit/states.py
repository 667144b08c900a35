"""The attack audit as lines and groups, and the sentence at its head, from the report's entries. No widget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ppdm_desktop.engine.release.attack_audit.base import (
    KINDS,
    KINDS_ON_ONE_COLUMN,
    Instead,
    Kind,
    Outcome,
    released_with,
)
from ppdm_desktop.engine.release.attack_audit.registry import all_attacks, find_attack
from ppdm_desktop.engine.report.model import AttackEntry, Report
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Name
from ppdm_desktop.ui.pages.compare.audit.certain import (
    CERTAIN,
    CERTAIN_KIND,
    certain_figure,
    certain_notes,
    is_counted,
    people_certain,
)
from ppdm_desktop.ui.pages.compare.audit.words import attack_words, figure_parts
from ppdm_desktop.ui.state.number_words import said

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
        What happens, with its figure; and what to hold it against.
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

    @property
    def has_details(self) -> bool:
        """Whether there is more to say than its two sentences."""
        return self.entry is not None or self.key == CERTAIN


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
    results: dict[str, list[AttackEntry]] = {}
    for entry in report.verdict.attacks or ():
        results.setdefault(find_attack(entry.id).id, []).append(entry)
    lines: dict[Kind, list[AttackShown]] = {kind: [] for kind in KINDS}
    if results:
        if is_counted(report):
            lines[CERTAIN_KIND].append(_certain(report))
        for attack in all_attacks().values():
            for number, entry in enumerate(results.get(attack.id, ()), start=1):
                key = attack.id.replace("-", "_") + (f"_{number}" if number > 1 else "")
                lines[attack.kind].append(_line(report, entry, key))
            lines[attack.kind] += map(_instead, attack.instead(report))
    return [GroupShown(kind, *_group_words(kind, report), tuple(line)) for kind, line in lines.items() if line]


def _group_words(kind: Kind, report: Report) -> tuple[str, str]:
    secret = released_with(report, "confidential")
    if len(secret) == 1 and kind in KINDS_ON_ONE_COLUMN:
        text = said(Note(KINDS_ON_ONE_COLUMN[kind], {"column": Name(secret[0])}))
    else:
        text = said(Note(KINDS[kind]))
    return text.title, text.sentence


def _line(report: Report, entry: AttackEntry, key: str) -> AttackShown:
    attack, state = find_attack(entry.id), state_of(entry)
    asked = {check.id for check in (*report.verdict.blocking, *report.verdict.to_answer)}
    needs_reason = state != WORKS and attack.judged_by in asked
    state = NOTE if needs_reason else state
    figure = figure_parts(attack.large_figure(entry, report))
    return AttackShown(key, state, state_word(state), *attack_words(report, entry), *figure, entry, needs_reason)


def _instead(line: Instead) -> AttackShown:
    state, text = NOTE if line.is_made else UNMADE, said(line.note)
    return AttackShown(line.key, state, state_word(state), text.title, text.sentence, "", "", "", None)


def _certain(report: Report) -> AttackShown:
    """Return the people whose confidential value is revealed for certain, as the gate counts them."""
    state = WORKS if people_certain(report) else WITHSTOOD
    texts = [said(note) for note in certain_notes(report)]
    second = " ".join(text.sentence for text in texts if text.sentence)
    figure = figure_parts(certain_figure(report))
    return AttackShown(CERTAIN, state, state_word(state), texts[0].title, second, *figure, None)


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
