"""The attack audit as rows and groups, with its summary sentence, made from the report's entries; no widgets."""

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
    all_attacks,
    find_attack,
    list_released_columns,
)
from ppdm_desktop.engine.release.gate.checks.certain_disclosure import CertainDisclosure
from ppdm_desktop.engine.report.html import yes_or_no
from ppdm_desktop.engine.report.model import AttackEntry, CheckEntry, Report
from ppdm_desktop.engine.report.report_texts import (
    OUTCOMES,
    STATUSES,
    attack_figures,
    attack_outcome,
    attack_titles,
    describe_people_looked_for,
    needs_reason,
    write_figure,
)
from ppdm_desktop.engine.wording.catalogue import _, language, numbers_of
from ppdm_desktop.engine.wording.texts import LevelLabels, Note, render_stored
from ppdm_desktop.engine.wording.values import Name, Number, Share, Versus, format_sentence_value
from ppdm_desktop.ui.look.accessibility import join_label, join_sentences
from ppdm_desktop.ui.state.level_texts import label_level
from ppdm_desktop.ui.state.number_texts import format_rounded_count, percent, translate_note

CERTAIN = "certain"
"""Key of the row on values that are revealed with certainty; the gate counts them without an attack."""
WITHSTOOD, WORKS, NOTE, UNMADE = "passed", "amber", "note", "not-run"
_STATES: Mapping[Outcome, str] = {"withstood": WITHSTOOD, "works": WORKS, "note": NOTE, "forecast": NOTE}


@dataclass(frozen=True)
class AttackRow:
    """One row of the attack audit.

    Attributes
    ----------
    key
        Key of the row, used in object names.
    severity, word
        Mark and label: the release withstood, the attack works, or worth noting.
    headline, second
        What was tried, and the result, as in the report.
    figure, unit, before
        The large figure, its unit, and the same figure of the original, if it is known.
    entry
        The report's entry; None for rows that the checks of the release count, and for attacks that were not made.
    needs_reason
        True if the attack failed by its own measure, but its check blocks the release or asks for a reason.
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
class AttackGroup:
    """Attacks of one kind, with the question that they answer."""

    key: str
    title: str
    caption: str
    lines: tuple[AttackRow, ...]


# --- the lines ----------------------------------------------------------------------------


def state_of(entry: AttackEntry) -> str:
    """Return an attack's state by its own criterion: ``amber`` (it works), ``passed`` (it failed) or ``note``.

    The latter stands for an attack that is not ruled out or only forecast.
    """
    return _STATES[find_attack(entry.id).outcome(entry)]


def label_attack_state(state: str) -> str:
    """Return the label of an attack's state, such as "Attack failed" for ``passed``.

    The other states are ``amber``, ``note`` and ``not-run``.
    """
    return {
        WITHSTOOD: str(OUTCOMES["withstood"]),
        WORKS: str(OUTCOMES["works"]),
        NOTE: str(OUTCOMES["note"]),
        UNMADE: _("Not made"),
    }[state]


def group_attacks(report: Report) -> list[AttackGroup]:
    """Return the attacks of a report grouped by kind; kinds without a row are left out, and without any attack all are.

    Further rows say of attacks that were not made why, or what was done instead. The first row on guessing counts the
    people whose confidential value is revealed with certainty.
    """
    entries = report.verdict.attacks or []
    results: dict[str, list[tuple[str, AttackEntry]]] = {}
    for title, entry in zip(attack_titles(entries), entries, strict=True):
        results.setdefault(entry.id, []).append((title, entry))
    lines: dict[Kind, list[AttackRow]] = {kind: [] for kind in KINDS}
    if results:
        lines["guessing"] += _build_certain_rows(report)
        for attack in all_attacks().values():
            for number, (title, entry) in enumerate(results.get(attack.id, ()), start=1):
                key = attack.id.replace("-", "_") + (f"_{number}" if number > 1 else "")
                lines[attack.kind].append(_build_attack_row(report, entry, title, key))
            lines[attack.kind] += map(_build_instead_row, attack.instead(report))
    return [AttackGroup(kind, *_describe_kind(kind, report), tuple(line)) for kind, line in lines.items() if line]


def _describe_kind(kind: Kind, report: Report) -> tuple[str, str]:
    """Return (heading, question) of a kind of attacks, with the confidential column's name if there is only one."""
    secret = list_released_columns(report, "confidential")
    if len(secret) == 1 and kind in KINDS_ON_ONE_COLUMN:
        text = translate_note(Note(KINDS_ON_ONE_COLUMN[kind], {"column": Name(secret[0])}))
    else:
        text = translate_note(Note(KINDS[kind]))
    return text.title, text.sentence


def _build_attack_row(report: Report, entry: AttackEntry, title: str, key: str) -> AttackRow:
    """Return the row of an attack that was made, with its state, sentence and figures.

    An attack that failed by its own criterion has the state ``note`` if its check blocks the release or asks for a
    reason.
    """
    attack, outcome = find_attack(entry.id), attack_outcome(entry, report.verdict.checks)
    is_asked = needs_reason(entry, report.verdict.checks)
    figure = figure_parts(attack.large_figure(entry, report))
    sentence = render_stored(entry.sentence.id, entry.sentence.arguments).sentence
    return AttackRow(key, _STATES[outcome], str(OUTCOMES[outcome]), title, sentence, *figure, entry, is_asked)


def _build_instead_row(line: Instead) -> AttackRow:
    """Return a row without figures that says why an attack was not made, or what was done instead.

    Its state is ``not-run``, or ``note`` if something was done instead.
    """
    state, text = NOTE if line.is_made else UNMADE, translate_note(line.note)
    return AttackRow(line.key, state, label_attack_state(state), text.title, text.sentence, "", "", "", None)


def _build_certain_rows(report: Report) -> list[AttackRow]:
    """Return a list with one row on the people whose confidential values are revealed with certainty.

    It is worded as in the check on them. The list is empty if they were not counted or no confidential column is
    released. If nobody is revealed, the row says that the release withstood.
    """
    people, rows = report.verdict.certain_by_others, report.release.rows
    if people is None or not rows or not list_released_columns(report, "confidential"):
        return []
    sentence = report.verdict.check(CertainDisclosure.id).sentence
    text, state = render_stored(sentence.id, sentence.arguments), WORKS if people else WITHSTOOD
    original, note = report.original, None
    if original is not None and original.certain_by_others is not None and report.input.records:
        before = Share(min(original.certain_by_others, report.input.records), report.input.records)
        note = Note("attack.beside.before", {"figure": before})
    figure = figure_parts(LargeFigure(Share(min(people, rows), rows), beside=note))
    return [AttackRow(CERTAIN, state, label_attack_state(state), text.title, text.sentence, *figure, None)]


def figure_parts(large: LargeFigure) -> tuple[str, str, str]:
    """Return a large figure as (text, unit, figure that it is compared with); a part that does not apply is "".

    Such as ("12%", "of the people", "before: 40%"). If nothing was measured, the text is a dash and both other parts
    are "". A comparison with a limit that does not start with a number ("just above 9%") stands whole in the unit.
    """
    numbers = numbers_of(language())
    sentence = translate_note(large.beside).sentence if large.beside is not None else ""
    if large.figure is None:
        return numbers.none(cell=True), "", ""
    figure = format_sentence_value(large.figure, numbers)
    if isinstance(large.figure, Versus):
        # The digits are large, what they count stands beside them; what is said in words alone is no figure.
        digits, _, unit = figure.partition(" ")
        return (digits, unit, sentence) if digits[-1:].isdigit() else ("", figure, sentence)
    return figure, translate_note(large.unit).sentence if large.unit is not None else "", sentence


# --- the head -----------------------------------------------------------------------------


def headline_of(groups: Sequence[AttackGroup]) -> tuple[str, str]:
    """Return the state of all attacks together and a summary sentence; attacks that were not made do not count.

    The state is ``amber`` if any attack works, ``note`` if none works but a check blocks or asks for a reason,
    otherwise ``passed``, even if some attack is not ruled out.
    """
    every = [line.severity for group in groups for line in group.lines]
    states = [state for state in every if state != UNMADE]
    works, notes, all = states.count(WORKS), states.count(NOTE), len(states)
    if works:
        return WORKS, _("{works} of {all} {all:attack|attacks} succeeded.", works=works, all=all)
    asked = sum(line.needs_reason for group in groups for line in group.lines)
    if asked:
        return NOTE, _("{n} {n:result is|results are} beyond the limit of {n:its|their} check.", n=asked)
    if notes:
        return WITHSTOOD, _("No attack succeeded, but {n} {n:is|are} not ruled out.", n=notes)
    return WITHSTOOD, _("No attack goes beyond its limit.")


@dataclass(frozen=True)
class AttackFact:
    """One fact on an attack: its label and its text."""

    label: str
    text: str


def facts_of(report: Report, line: AttackRow, entry: AttackEntry) -> list[AttackFact]:
    """Return the facts on an attack that are shown when its row is unfolded, in reading order.

    They are: what the intruder knows, its figures and how close a guessed number must be (neither for a count), number
    of people looked for, when the attack succeeds, its checks, what to do. Facts that do not apply are left out.
    """
    attack = find_attack(entry.id)
    knows = render_stored(entry.knows.id, entry.knows.arguments).sentence
    facts = [AttackFact(_("The intruder knows"), knows)]
    if attack.unit != "count":
        facts += [AttackFact(row.label, row.text) for row in attack_figures(entry)]
        facts += _build_tolerance_facts(entry)
    if entry.sampled:
        facts.append(
            AttackFact(translate_note(Note("attack.fact.sampled")).sentence, describe_people_looked_for(entry, report))
        )
    facts.append(AttackFact(_("When it counts as a success"), translate_note(attack.rule(entry, report)).sentence))
    judges = (attack.judged_by, *attack.also_seen_by)
    facts += [AttackFact(_("Check"), _describe_check(check)) for check in report.verdict.checks if check.id in judges]
    remedy = render_stored(entry.sentence.id, entry.sentence.arguments).window
    if line.severity == WORKS and not remedy:
        remedy = translate_note(Note("attack.remedy.any")).sentence
    if remedy:
        facts.append(AttackFact(_("What to do"), remedy))
    return facts


def _build_tolerance_facts(entry: AttackEntry) -> list[AttackFact]:
    """Return a list with the fact how close a guessed number must be to count as right; [] if no number is guessed.

    With a tolerance of 0 only the exact number is right.
    """
    if entry.tolerance is None:
        return []
    note = Note("attack.tolerance.exact")
    if entry.tolerance:
        note = Note("attack.tolerance.within", {"amount": Number(entry.tolerance)})
    return [AttackFact(_("What counts as right"), translate_note(note).sentence)]


def _describe_check(check: CheckEntry) -> str:
    """Return title (or id, if it has none), outcome and sentence of a check as one text: "Title: outcome. Sentence"."""
    text = render_stored(check.sentence.id, check.sentence.arguments)
    return f"{text.title or check.id}: {STATUSES[check.status]}. {text.sentence}"


# --- levels and terms ---------------------------------------------------------------------


def level_headers() -> tuple[str, ...]:
    """Return the headings of the table of an attack's success by protection level."""
    return _("Protection level"), _("People"), _("Found"), _("Limit"), _("Within the limit")


def level_rows(entry: AttackEntry, level_labels: LevelLabels | None = None) -> list[tuple[str, ...]]:
    """Return one table row for each protection level: level, people, success, limit, and whether the limit is met.

    Parameters
    ----------
    entry
        The attack; without figures by level there are no rows.
    level_labels
        The words that the file uses for levels, by level; None for the program's names.
    """
    return [
        (
            label_level(level.level, level_labels),
            format_rounded_count(level.records),
            write_figure(level.success, "people"),
            percent(level.limit),
            yes_or_no(level.met),
        )
        for level in entry.levels
    ]


def term_of(entry: AttackEntry) -> str:
    """Return the exact term of an attack and, if the report has it, how its success was measured, as one text."""
    text = join_label(_("Exact term"), translate_note(Note(find_attack(entry.id).term)).sentence)
    if not entry.success.method:
        return text
    return join_sentences([text, join_label(_("How it was found"), str(entry.success.method))])


def join_facts(facts: Sequence[AttackFact]) -> str:
    """Return facts as one text for a screen reader, "label: text label: text"."""
    return " ".join(f"{fact.label}: {fact.text}" for fact in facts)
