"""What the details of one attack say: facts line by line, levels, and the exact terms. No widget here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ppdm_desktop.engine.release.attack_audit.registry import find_attack
from ppdm_desktop.engine.report.html import yes_or_no
from ppdm_desktop.engine.report.model import AttackEntry, CheckEntry, Report
from ppdm_desktop.engine.report.report_words import STATUSES, attack_figures, people_looked_for
from ppdm_desktop.engine.report.written_figures import write_figure
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.level_titles import Said
from ppdm_desktop.engine.wording.texts import Note, render_kept
from ppdm_desktop.engine.wording.values import Number, Term
from ppdm_desktop.ui.pages.compare.audit.states import WORKS, AttackShown
from ppdm_desktop.ui.state.level_names import level_words
from ppdm_desktop.ui.state.number_words import count, percent, said


@dataclass(frozen=True)
class FactShown:
    """One fact: what it is, and what is found."""

    label: str
    words: str


def facts_of(report: Report, line: AttackShown, entry: AttackEntry) -> list[FactShown]:
    """Return everything there is to say of an attack beside its line, in the order of reading."""
    attack = find_attack(entry.id)
    knows = render_kept(entry.knows.id, entry.knows.arguments).sentence
    facts = [FactShown(_("What the intruder knows"), knows)]
    if attack.unit != "count":
        facts += [FactShown(row.label, row.words) for row in attack_figures(entry)]
        facts += _tolerance(entry)
    if entry.sampled:
        facts.append(FactShown(said(Note("attack.fact.sampled")).sentence, people_looked_for(entry, report)))
    facts.append(FactShown(_("When it counts as a success"), said(attack.rule(entry, report)).sentence))
    judges = (attack.judged_by, *attack.also_seen_by)
    facts += [
        FactShown(_("Release check"), _check_words(check)) for check in report.verdict.checks if check.id in judges
    ]
    remedy = render_kept(entry.sentence.id, entry.sentence.arguments).window
    if line.severity == WORKS and not remedy:
        remedy = said(Note("attack.remedy.any")).sentence
    if remedy:
        facts.append(FactShown(_("What to do"), remedy))
    return facts


def _tolerance(entry: AttackEntry) -> list[FactShown]:
    """Return what counts as a right guess, where a number is guessed."""
    if entry.tolerance is None:
        return []
    note = Note("attack.tolerance.exact")
    if entry.tolerance:
        note = Note("attack.tolerance.within", {"amount": Number(entry.tolerance)})
    return [FactShown(_("What counts as right"), said(note).sentence)]


def _check_words(check: CheckEntry) -> str:
    text = render_kept(check.sentence.id, check.sentence.arguments)
    return f"{text.title or check.id}: {STATUSES[check.status]}. {text.sentence}"


# --- levels and terms ---------------------------------------------------------------------


def level_headers() -> tuple[str, ...]:
    """Return the headings of the levels' table."""
    return _("Protection level"), _("People"), _("Found"), _("Limit"), _("Within the limit")


def level_rows(entry: AttackEntry, said: Said | None = None) -> list[tuple[str, ...]]:
    """Return the attack by protection level."""
    return [
        (
            level_words(level.level, said),
            count(level.records),
            write_figure(level.success, "people"),
            percent(level.limit),
            yes_or_no(level.met),
        )
        for level in entry.levels
    ]


def term_of(entry: AttackEntry) -> str:
    """Return the exact term of an attack with its source, and how its figure was found."""
    text = _("Exact term: {term}", term=Term(said(Note(find_attack(entry.id).term)).sentence))
    if not entry.success.method:
        return text
    return f"{text} {_('How it was measured: {how}.', how=entry.success.method)}"


def all_words(facts: Sequence[FactShown]) -> str:
    """Return facts as one text, for a screen reader."""
    return " ".join(f"{fact.label}: {fact.words}" for fact in facts)
