"""What the Compare page says of candidates, from the report's own figures. No widgets here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QCoreApplication, QLocale

from ppdm_desktop.engine.methods.registry import all_methods
from ppdm_desktop.engine.release.export import Judged
from ppdm_desktop.engine.report.model import LevelProofEntry, Report, RiskBlock, Sentence, StepEntry
from ppdm_desktop.engine.texts import render
from ppdm_desktop.ui.pages.protect_logic import chain_words
from ppdm_desktop.ui.session import CandidateEntry, Session
from ppdm_desktop.ui.steps import of_hundred
from ppdm_desktop.ui.widgets.level_mark import level_words
from ppdm_desktop.ui.widgets.parameter_words import value_words


def _tr(text: str) -> str:
    return QCoreApplication.translate("Compare", text)


def count(value: float) -> str:
    """Write a count in the user's manner."""
    return QLocale().toString(round(value))


def percent(share: float | None) -> str:
    """Write a share with one decimal; a share that is not nothing never reads 0.0."""
    if share is None:
        return "–"
    if 0 < abs(share) < 0.0005:
        return _tr("under 0.1 %")
    return f"{100 * share:.1f} %"


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


# --- what each step did -----------------------------------------------------------------


@dataclass(frozen=True)
class StepWordsOf:
    """What one step did.

    Attributes
    ----------
    title, what
        The method, and its columns and settings.
    holds
        Whether the recount agreed.
    guarantee
        The promise and how it was recounted.
    detail, notes
        Its own figures as (words, figure), and sentences.
    proof
        For each level: level, column, records, covered, demanded, achieved, met.
    """

    index: int
    title: str
    what: str
    holds: bool
    guarantee: str
    detail: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    proof: tuple[tuple[str, ...], ...]


def steps_of(report: Report) -> list[StepWordsOf]:
    """Return what each step did, in words."""
    return [_step(step, [each for each in report.levels_proof if each.step == step.index]) for step in report.steps]


def proof_headers() -> tuple[str, ...]:
    """Return the headings of a proof."""
    return (
        _tr("Level"),
        _tr("Column"),
        _tr("Records"),
        _tr("Covered"),
        _tr("Demanded"),
        _tr("Least achieved"),
        _tr("Met"),
    )


def _step(step: StepEntry, proofs: Sequence[LevelProofEntry]) -> StepWordsOf:
    method = all_methods().get(step.method)
    title = method.title if method is not None else step.method
    parameters = {each.name: each for each in method.parameters} if method is not None else {}
    settings = ", ".join(
        f"{parameters[name].shown_label.lower()} {value_words(parameters[name], value)}"
        for name, value in step.parameters.items()
        if name in parameters
    )
    how = {
        "file": _tr("anyone can recount it from the released file"),
        "file+original": _tr("you can recount it from the released file and the original"),
        "run": _tr("it can be recounted from the key and the input"),
    }[step.guarantee.kind]
    pattern = (
        _tr("Recounted on {n} records: it holds ({how}).")
        if step.guarantee.holds
        else _tr("Recounted on {n} records: it does not hold ({how}).")
    )
    return StepWordsOf(
        step.index,
        title,
        _tr("{columns} · {settings}").format(columns=", ".join(step.columns), settings=settings),
        step.guarantee.holds,
        f"{step.promise or ''} {pattern.format(n=count(step.guarantee.checked), how=how)}".strip(),
        tuple(_detail(step.detail)),
        tuple(sentence(note) for note in step.notes),
        tuple(_proof(each) for each in proofs),
    )


def sentence(note: Sentence) -> str:
    """Return a report's sentence in words."""
    text = render(note.id, note.arguments)
    return f"{text.sentence} {text.remedy}".strip()


def _proof(proof: LevelProofEntry) -> tuple[str, ...]:
    return (
        level_words(proof.level),
        proof.column,
        count(proof.records),
        count(proof.covered),
        _demand(proof.demanded),
        _demand(proof.least_achieved),
        _tr("yes") if proof.met else _tr("no"),
    )


def _demand(value: float | None) -> str:
    if value is None:
        return "–"
    return percent(value) if 0 < value < 1 else f"{value:g}"


def _known_details() -> dict[str, str]:
    return {
        "unique": _tr("Records that stand alone"),
        "groups": _tr("Look-alike groups with one value"),
        "m": _tr("Lone records changed"),
        "group_members_changed": _tr("Group members changed"),
        "p": _tr("Share of lone records changed"),
        "status": _tr("Search"),
        "no_value": _tr("Records without a value"),
        "unidentifiable": _tr("Records left as they are"),
    }


def _detail(detail: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return a step's own figures: known ones in words, unknown plain ones under their name."""
    known = _known_details()
    lines: list[tuple[str, str]] = []
    columns = detail.get("columns")
    if isinstance(columns, Mapping):
        for name, own in columns.items():
            if not isinstance(own, Mapping):
                continue
            before = f"{name}: " if len(columns) > 1 else ""
            lines += [(before + words, _plain(own[key])) for key, words in known.items() if own.get(key) is not None]
            if isinstance(own.get("departure"), int):
                lines.append((before + _tr("Records by which the totals moved"), count(own["departure"] // 2)))
            lines += [(before + words, figure) for words, figure in _flows(own)]
        return lines
    for key, value in detail.items():
        if isinstance(value, str | int | float | bool):
            lines.append((known.get(key, key.replace("_", " ").capitalize()), _plain(value)))
    return lines


def _flows(own: Mapping[str, Any], most: int = 6) -> list[tuple[str, str]]:
    names, flows = own.get("categories"), own.get("flows")
    if not isinstance(names, list) or not isinstance(flows, list):
        return []
    moves = [
        (int(flow), f"{names[i]} → {names[j]}")
        for i, line in enumerate(flows)
        for j, flow in enumerate(line)
        if flow and i < len(names) and j < len(names)
    ]
    return [(words, count(flow)) for flow, words in sorted(moves, key=lambda each: -each[0])[:most]]


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return _tr("yes") if value else _tr("no")
    if isinstance(value, float) and 0 < value < 1:
        return percent(value)
    if isinstance(value, int | float):
        return count(value) if float(value).is_integer() else f"{value:.4g}"
    return str(value)


# --- before and after -------------------------------------------------------------------


@dataclass(frozen=True)
class Before:
    """A column's values before and after, as the report measures them."""

    name: str
    title: str
    kept: bool
    shift: float | None
    labels: tuple[str, ...]
    before: tuple[float, ...]
    after: tuple[float, ...]
    small: str


KEPT_BELOW = 0.01


def marginals(judged: Judged) -> list[Before]:
    """Return the charts of treated columns, largest shift first."""
    report = judged.report
    shifts = {each.name: each.total_variation for each in report.utility.columns}
    found = []
    for chart in judged.measures.marginals:
        figure = shifts.get(chart.name)
        shift = None if figure is None or figure.value is None else float(figure.value)
        kept = shift is not None and shift <= KEPT_BELOW
        pattern = (
            _tr("{column} keeps its totals: they moved by {shift}")
            if kept
            else _tr("{column} shifted: its totals moved by {shift}")
        )
        rows = count(report.release.rows)
        found.append(
            Before(
                chart.name,
                pattern.format(column=chart.name, shift=percent(shift)),
                kept,
                shift,
                chart.labels,
                chart.before,
                chart.after,
                _tr("Share of records. Original n = {before}; released n = {after}. Total variation {shift}.").format(
                    before=count(report.input.rows_read), after=rows, shift=percent(shift)
                ),
            )
        )
    return sorted(found, key=lambda each: -(each.shift or 0))


def untouched(judged: Judged) -> int:
    """Return how many released columns have the values they had."""
    drawn = {chart.name for chart in judged.measures.marginals}
    return sum(
        each.name not in drawn and not (each.total_variation.value or 0) for each in judged.report.utility.columns
    )
