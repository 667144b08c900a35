"""The certificate: a page to sign. Its first line is the decision, and no other line is worse than it.

Every figure stands in the verdict and bears its id, with which ``verify --figure`` works it out again from the
written file. The reasons stand in full; where they do not fit, the page runs on to a second.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from ppdm_desktop.engine.recipe.models import DESCRIBING_ROLES
from ppdm_desktop.engine.report.drawing import cut, cut_name
from ppdm_desktop.engine.report.html import audience, method_title, page_of, sentence_of, title_of
from ppdm_desktop.engine.report.model import CheckEntry, ColumnEntry, LevelProofEntry, Report, StepEntry
from ppdm_desktop.engine.report.report_words import decision_words
from ppdm_desktop.engine.texts import render
from ppdm_desktop.engine.wording.found import found_words, limit_words
from ppdm_desktop.engine.wording.level_titles import Said, level_title

TEMPLATE = "certificate.html"
MOST_STEPS, MOST_LEVELS = 6, 8
_NAME, _TITLE, _NOTE, _SOURCE = 44, 64, 140, 170
_LEVEL, _COLUMNS = 26, 80
_TONES = {"green": "green", "amber": "amber", "not-run": "amber", "red": "red"}


@dataclass(frozen=True)
class Row:
    """A line of a table: a heading, its cells, and the tone of the last one (green, amber, red or none)."""

    head: str
    cells: tuple[str, ...]
    tone: str = ""


@dataclass(frozen=True)
class Part:
    """Lines that are shown, and how many are not."""

    rows: tuple[Row, ...]
    more: int = 0


@dataclass(frozen=True)
class Reason:
    """A written reason: its number on the page, the check, the figure and limit it was given for, and its words."""

    number: int
    check: str
    id: str
    measured: str
    words: str


def render_certificate(report: Report) -> bytes:
    """Return the certificate's page; nothing but the report stands on it."""
    numbers = {id: number for number, id in enumerate(report.verdict.decision.accepted, start=1)}
    return page_of(
        TEMPLATE,
        report=report,
        verdict=report.verdict,
        audience=audience(report.release.type),
        source=cut(sentence_of(report.release.threshold_source), _SOURCE),
        decision=decision_words(report.verdict),
        tone=_tone(report),
        against=[_against(check) for check in report.verdict.checks if check.id in report.verdict.decision.blocked_by],
        person=_person(report),
        data=next((file for file in report.files if file.sha256 == report.release.data_sha256), None),
        data_name=lambda path: cut(path.rpartition("/")[2], _NAME),
        counted_by=_counted_by(report),
        codes=_codes(report),
        figures=_figures(report, numbers),
        levels=_levels(report),
        steps=_steps(report),
        reasons=_reasons(report, numbers),
        libraries=cut(", ".join(f"{name} {version}" for name, version in report.program.libraries.items()), 300),
    )


def _counted_by(report: Report) -> str:
    """Say how it is known whose row each is, how many rows people have, and how one was made of several and by whom."""
    people, reduce = report.input.people, report.input.reduce
    if people is None:
        return sentence_of(f"certificate.people.{report.verdict.people_known_by}")
    if reduce is None:
        told = {
            "columns": cut(", ".join(people.columns), _NAME),
            "rows": people.rows,
            "people": people.count,
            "several": people.with_several,
            "most": people.most_rows,
        }
        variant = "-single" if not people.with_several else _measure_variant(report)
        return sentence_of(f"certificate.people.rows{variant}", told)
    otherwise = "; ".join(f"{name}: {way}" for name, way in reduce.columns.items())
    arguments = {
        "columns": cut(", ".join(people.columns), _NAME),
        "rows": people.rows,
        "by": reduce.by,
        "order": cut(reduce.order_by or "", _NAME),
        "otherwise": cut(otherwise, _COLUMNS),
    }
    variant = ("-ordered" if reduce.order_by else "") + ("-otherwise" if otherwise else "")
    return sentence_of(f"certificate.people.reduced{variant}", arguments)


def _measure_variant(report: Report) -> str:
    """Say by which measure people were counted in the release."""
    block = report.risk.after.scope.quasi_identifiers
    return "-linked" if block is not None and block.all_rows is not None and block.all_rows.judges else ""


def _codes(report: Report) -> str:
    """Say which columns hold codes in place of identifiers, and what that makes of the release; empty without any."""
    names = [column.name for column in report.columns if column.released and column.role not in DESCRIBING_ROLES]
    return sentence_of("certificate.codes", {"columns": cut(", ".join(names), _COLUMNS)}) if names else ""


def _tone(report: Report) -> str:
    decision = report.verdict.decision
    return "red" if not decision.released else "amber" if decision.accepted else "green"


def _against(check: CheckEntry) -> Row:
    words = render(check.sentence.id, check.sentence.arguments)
    return Row(f"{words.title} ({check.id})", (words.sentence,), _TONES.get(check.status, ""))


def _person(report: Report) -> dict[str, str]:
    given = report.operator
    return {
        "name": cut(given.name or "", _NAME),
        "approver": cut(given.approver or "", _NAME),
        "review": cut(given.review_date or "", 20),
        "note": cut(given.note or "", _NOTE),
    }


# --- figures --------------------------------------------------------------------------------


def _figures(report: Report, numbers: dict[str, int]) -> Part:
    """Return the figures that stand on every certificate, before and after."""
    return Part(tuple(_figure(check, report, numbers) for check in report.verdict.figures))


def _figure(check: CheckEntry, report: Report, numbers: dict[str, int]) -> Row:
    before = None
    if report.original is not None:
        before = next((each for each in report.original.checks if each.id == check.id), None)
    cells = (
        "–" if before is None else found_words(before),
        found_words(check),
        limit_words(check),
        status_words(check, numbers),
    )
    return Row(f"{title_of(check.id)} ({check.id})", cells, _TONES.get(check.status, ""))


def status_words(check: CheckEntry, numbers: Mapping[str, int]) -> str:
    """Say how a figure stands to its limit, or which of the written reasons, by its number, answers for it."""
    if check.id in numbers:
        return sentence_of("certificate.status.reason", {"number": numbers[check.id]})
    if check.status == "not-applicable" and check.figure is not None:
        return sentence_of("certificate.status.told")
    return sentence_of(f"certificate.status.{check.status}")


def _reasons(report: Report, numbers: dict[str, int]) -> list[Reason]:
    """Every written reason in full, with the figure it was given for."""
    by_id = {check.id: check for check in report.verdict.checks}
    found = []
    for id, number in numbers.items():
        check = by_id[id]
        limit = limit_words(check)
        measured = found_words(check) if limit in ("", "–") else f"{found_words(check)}; {limit}"
        words = check.accepted.reason if check.accepted is not None else ""
        found.append(Reason(number, title_of(id), id, measured, words))
    return found


# --- levels and steps -----------------------------------------------------------------------


def _levels(report: Report) -> Part:
    """Each level and what each step and column promised it and reached; what is short comes first."""
    proofs = sorted(report.verdict.levels, key=lambda each: each.met)
    said = report.privacy.said
    rows = [_level(each, said) for each in proofs[:MOST_LEVELS]]
    named = {each.level for each in report.verdict.levels}
    rows += [
        Row(cut_name(level_title(level.name, said), _LEVEL), (f"{level.records:,}", "–", "no step acts by level", "–"))
        for level in report.privacy.levels
        if level.name not in named
    ][: max(MOST_LEVELS - len(rows), 0)]
    return Part(tuple(rows), max(len(proofs) - MOST_LEVELS, 0))


def _level(proof: LevelProofEntry, said: Said) -> Row:
    promised = "–" if proof.demanded is None else f"{proof.demanded:.4g}"
    if proof.asked is not None and proof.demanded is not None and not math.isclose(proof.asked, proof.demanded):
        promised += f" (asked {proof.asked:.4g})"
    reached = "nobody to count" if proof.least_achieved is None else f"{proof.least_achieved:.4g}"
    where = f"{cut_name(level_title(proof.level, said), _LEVEL)} (step {proof.step}, {cut_name(proof.column, _LEVEL)})"
    short = "none" if proof.met else "SHORT"
    if proof.met and proof.not_covered:
        short = f"{proof.not_covered:,} not covered"
    return Row(where, (f"{proof.records:,}", promised, reached, short), "green" if proof.met else "red")


def _steps(report: Report) -> Part:
    by_name = {column.name: column for column in report.columns}
    rows = [_step(step, by_name, report) for step in report.steps[:MOST_STEPS]]
    return Part(tuple(rows), max(len(report.steps) - MOST_STEPS, 0))


def _step(step: StepEntry, columns: dict[str, ColumnEntry], report: Report) -> Row:
    treated = [columns[name] for name in step.columns if name in columns and columns[name].released]
    others = [each for each in report.steps if each.index != step.index]
    alone = [each for each in treated if not any(each.name in other.columns for other in others)]
    changes = [each.changed.value for each in alone]
    idle = bool(treated) and len(alone) == len(treated) and all(value == 0 for value in changes)
    words = "nothing changed" if idle else ""
    if not idle and changes and all(value is not None for value in changes):
        words = f"{sum(int(value or 0) for value in changes):,} cells changed"
    names = cut(", ".join(step.columns), _COLUMNS)
    return Row(f"{step.index}. {method_title(step.method)} ({step.mode})", (names, words))
