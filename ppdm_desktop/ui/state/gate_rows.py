"""Texts of the page Release on checks (the gate), written reasons and files. No widgets here."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ppdm_desktop.engine import decision_log
from ppdm_desktop.engine.dossier.dossier import DOSSIER
from ppdm_desktop.engine.recipe.models import AcceptSection, Recipe
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.evaluate.release_files import DICTIONARY, NOTE, data_file_name, mark_teaching_name
from ppdm_desktop.engine.release.gate.base import find_check
from ppdm_desktop.engine.release.gate.decision import fault_of, is_bound, list_lapses, select_needing_reason
from ppdm_desktop.engine.release.gate.results import CAUSES, NEED_REASON, Cause, CheckResult
from ppdm_desktop.engine.release.measures.analysis_kit import asks_for_kit
from ppdm_desktop.engine.release.storage.atomic_folder import MANIFEST
from ppdm_desktop.engine.release.writing.export import (
    ANNEX_PAGE,
    KEY,
    PDF_NAMES,
    RECIPE,
    RELEASE_FOLDER,
    REPORT_JSON,
    REPORT_PAGE,
    VERIFIER,
)
from ppdm_desktop.engine.report.documents import CERTIFICATE_PDF, REPORT_PDF
from ppdm_desktop.engine.report.figures_and_limits import NO_LIMIT, describe_measured_figure, format_limit
from ppdm_desktop.engine.report.model import AttackEntry, DecisionEntry, ReasonEntry, Verdict
from ppdm_desktop.engine.report.public.analysis_kit import KIT
from ppdm_desktop.engine.report.report_texts import STATUSES, describe_decision, describe_readiness
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.texts import render, render_title
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.look.accessibility import join_label
from ppdm_desktop.ui.state.session import CandidateEntry

Attacks = tuple[AttackEntry, ...] | None

BLOCKS, OPEN, EXPLAINED, PASSED, ASIDE = "blocks", "open", "explained", "passed", "aside"
_ORDER = {BLOCKS: 0, OPEN: 1, EXPLAINED: 1, PASSED: 2, ASIDE: 3}

_HERE = "release"


@dataclass(frozen=True)
class GateRow:
    """One check of the release as the window shows it.

    Attributes
    ----------
    state
        ``blocks``, ``open`` (needs a reason), ``explained`` (has a reason), ``passed`` or ``aside`` (does not apply).
    figure
        The measured figure with its limit, or empty.
    cause
        Id of the cause: the heading under which findings share one written reason.
    fixed_on
        Page on which it can be fixed; empty if this is the page that shows the row, or nothing is to be fixed.
    on_agreement
        Whether the check passes only because recipients sign an agreement.
    """

    id: str
    cause: str
    state: str
    title: str
    sentence: str
    remedy: str
    figure: str
    fixed_on: str
    on_agreement: bool = False


@dataclass(frozen=True)
class ReasonRow:
    """The written reason for one cause (findings that share one reason), as the window shows it.

    Attributes
    ----------
    cause, title
        Id of the cause and its title.
    state
        ``open`` (a valid reason is missing) or ``explained``.
    figures
        Title and figure of each check that the reason answers, one line each.
    reason, problem
        The reason as written, and why it is not acceptable ("" if it is).
    lapsed
        Why the reason has to be confirmed or written again; empty if it is valid.
    others
        The reasons for other causes, by cause; this reason must differ from them.
    earlier
        Last year's reason, shown while the field is empty.
    """

    cause: str
    title: str
    state: str
    figures: str
    reason: str
    problem: str
    lapsed: str = ""
    others: Mapping[str, str] = field(default_factory=dict)
    earlier: str = ""


def attacks_of(entry: CandidateEntry) -> Attacks:
    """Return a candidate's attack results, so that attacks are not run twice; None if none were run."""
    attacks = entry.judged.report.verdict.attacks if entry.judged is not None else None
    return None if attacks is None else tuple(attacks)


def order_checks_and_reasons(
    checks: Sequence[CheckResult], accept: Mapping[str, AcceptSection], input_sha256: str, type: str
) -> tuple[list[GateRow], list[ReasonRow]]:
    """Return the checks in the order of the page, and the reasons for causes that need one.

    Checks that block come first, then those that need a reason, by cause, then passed ones and those that do not apply.

    Parameters
    ----------
    checks
        The gate's results.
    accept
        The recipe's reasons by cause; a reason given for another source file is not shown.
    input_sha256, type
        The source file's hash and the release type; a reason is valid for one of each.
    """
    sections = {id: section for id, section in accept.items() if section.input in (None, input_sha256)}
    texts = {id: section.reason for id, section in sections.items() if is_bound(section)}
    reasons = {}
    for cause in CAUSES.values():
        if unanswered := select_needing_reason(checks, cause):
            reasons[cause.id] = _reason_row(cause, unanswered, sections.get(cause.id), texts, input_sha256, type)
    rows = [_build_gate_row(check, reasons) for check in checks]
    causes = list(CAUSES)
    rows.sort(key=lambda row: (_ORDER[row.state], causes.index(row.cause) if row.state in (OPEN, EXPLAINED) else 0))
    return rows, list(reasons.values())


def _reason_row(
    cause: Cause,
    checks: Sequence[CheckResult],
    section: AcceptSection | None,
    texts: Mapping[str, str],
    input_sha256: str,
    type: str,
) -> ReasonRow:
    """Return the written reason for a cause as the window shows it, with its faults and the checks it answers.

    ``section`` is the reason in the recipe, None without one; ``texts`` are the reasons for all causes. It is
    "explained" if there is a reason without a fault that has not lapsed, else "open".
    """
    other_reasons = {id: text for id, text in texts.items() if id != cause.id}
    reason = section.reason if section is not None else ""
    problem = reason_problem(cause.id, reason, other_reasons)
    notes = () if section is None else list_lapses(cause, section, checks, type, input_sha256)
    sentences = [render(note.id, note.arguments) for note in notes]
    lapsed = " ".join([*(text.sentence for text in sentences), sentences[0].window]) if sentences else ""
    figures = "\n".join(map(_figure_line, checks))
    state = EXPLAINED if reason and not problem and not lapsed else OPEN
    return ReasonRow(cause.id, render_title(cause.text), state, figures, reason, problem, lapsed, other_reasons)


def _figure_line(check: CheckResult) -> str:
    """Return a check's title with its figure and limit, such as "Smallest group: 3. Limit: at least 5.".

    It is only the title if nothing was measured, or if a passed check with limit 0 measured 0.
    """
    title = render(check.sentence.id, check.sentence.arguments).title or check.id
    figure = describe_figure(check)
    return join_label(title, figure) if figure else title


def _build_gate_row(check: CheckResult, reasons: Mapping[str, ReasonRow]) -> GateRow:
    """Return a check's result as the window shows it: state, texts, figure and where it can be fixed.

    A check that needs a reason has the state of its cause's row in ``reasons``.
    """
    text = render(check.sentence.id, check.sentence.arguments)
    declared = find_check(check.id)
    cause = declared.cause.id
    if check.status in NEED_REASON:
        state = reasons[cause].state
    else:
        state = {"red": BLOCKS, "green": PASSED}.get(check.status, ASIDE)
    remedy = next(iter(check.remedies), None)
    return GateRow(
        check.id,
        cause,
        state,
        text.title or check.id,
        text.sentence,
        "" if remedy is None else render(remedy.text.id, remedy.text.arguments).window,
        describe_figure(check),
        "" if remedy is None or remedy.page == _HERE else remedy.page,
        declared.agreed is not None and check.sentence.id == declared.agreed.id,
    )


def _measured_nothing(check: CheckResult) -> bool:
    """Return whether a passed check with limit 0 measured 0; its sentence says so, and the figure is not shown."""
    return check.status == "green" and check.limit == 0 and check.figure is not None and check.figure.value == 0


def reason_problem(cause: str, reason: str, other_reasons: Mapping[str, str]) -> str:
    """Return why a text is not acceptable as a reason for a cause; empty if it is, and for an empty text.

    The rule is the same as on the command line.

    Parameters
    ----------
    cause
        Id of the cause.
    reason
        The text.
    other_reasons
        The reasons for other causes, by cause, from which it has to differ.
    """
    fault = fault_of(cause, reason, other_reasons) if reason.strip() else None
    return "" if fault is None else render(fault.id, fault.arguments).window


def describe_figure(check: CheckResult) -> str:
    """Return a check's figure and limit in words, such as "3. Limit: at least 5."; without the limit if there is none.

    Empty if nothing was measured, or if a passed check with limit 0 measured 0.
    """
    if _measured_nothing(check) or check.figure is None or check.figure.value is None:
        return ""
    measured, limit = Term(describe_measured_figure(check)), format_limit(check)
    if limit == NO_LIMIT:
        return str(measured.text)
    return _("{found}. Limit: {limit}.", found=measured, limit=Term(limit))


def split_gate_rows(rows: Sequence[GateRow]) -> tuple[list[GateRow], list[GateRow], list[GateRow]]:
    """Return the checks in three lists: those to act on, those passed by the recipients' agreement, and others.

    To act on are checks that block, need a reason or are explained by one. The others are passed or do not apply; those
    that do not apply can be in the second list, too, if they rest on the agreement.
    """
    to_do = [row for row in rows if row.state in (BLOCKS, OPEN, EXPLAINED)]
    rest = [row for row in rows if row.state in (PASSED, ASIDE)]
    return to_do, [row for row in rest if row.on_agreement], [row for row in rest if not row.on_agreement]


def label_check_state(state: str) -> tuple[str, str]:
    """Return (severity, label) of a check's state, such as ("amber", "Explained") for ``explained``."""
    return {
        BLOCKS: ("blocks", str(STATUSES["red"])),
        OPEN: ("amber", str(STATUSES["amber"])),
        EXPLAINED: ("amber", _("Explained")),
        PASSED: ("passed", str(STATUSES["green"])),
        ASIDE: ("not-applicable", str(STATUSES["not-applicable"])),
    }[state]


def decide_by_reasons(verdict: Verdict, rows: Sequence[GateRow]) -> Verdict:
    """Return a copy of a verdict with the decision as it would be with the reasons written so far.

    The states of ``rows`` say which checks block, need a reason or have one. The decision is "blocked" if a check
    blocks or still needs a reason, "released-with-reasons" if all that need one have one, else "released". The copy
    never says that the release was written; its reasons have a cause and a title, but no text.
    """
    state = {row.id: row.state for row in rows}
    blocked = [check.id for check in verdict.checks if state.get(check.id) in (BLOCKS, OPEN)]
    accepted = [check.id for check in verdict.checks if state.get(check.id) == EXPLAINED]
    status = "blocked" if blocked else "released-with-reasons" if accepted else "released"
    explained = {row.cause for row in rows if row.state == EXPLAINED}
    decision = DecisionEntry(
        status=status,  # type: ignore[arg-type]
        released=False,
        blocked_by=blocked,
        accepted=accepted,
        reasons=[
            ReasonEntry(cause=id, title=CAUSES[id].text, reason="", at=None, checks={}) for id in sorted(explained)
        ],
    )
    return verdict.model_copy(update={"decision": decision})


def describe_release_decision(verdict: Verdict, rows: Sequence[GateRow]) -> tuple[str, str]:
    """Return (sentence, severity) on whether the release may be written.

    The severity is ``blocks`` if a check blocks, ``amber`` if only reasons are missing, otherwise ``passed``.
    """
    judged = decide_by_reasons(verdict, rows)
    if judged.decision.status == "blocked":
        severity = "blocks" if any(row.state == BLOCKS for row in rows) else "amber"
        return describe_decision(judged), severity
    return describe_readiness(judged), "passed"


def list_required_checks(rows: Sequence[GateRow], *, teaching: bool) -> list[GateRow]:
    """Return the checks that have to be passed or explained before the release is written.

    These are all ``rows``; only a teaching copy (``teaching``) needs none of the checks about protection.
    """
    return [row for row in rows if not (teaching and find_check(row.id).on_protection)]


def explain_blocked_writing(rows: Sequence[GateRow]) -> str:
    """Return what prevents writing the release, for the action bar; empty if nothing does.

    For example: "2 checks stop the release". If none blocks, it is the number of missing reasons; a reason may answer
    several checks.
    """
    blocking = sum(row.state == BLOCKS for row in rows)
    if blocking:
        return _("{n} {n:check stops|checks stop} the release", n=blocking)
    missing = len({row.cause for row in rows if row.state == OPEN})
    return _("{n} {n:reason is|reasons are} still missing", n=missing) if missing else ""


# --- where it goes ----------------------------------------------------------------------


def suggested_folder(source: Path, elsewhere: Path, not_in: Sequence[Path], suffix: str = RELEASE_FOLDER) -> Path:
    """Return a path for the folder of the release, at which nothing exists yet: beside the source, or in ``elsewhere``.

    Parameters
    ----------
    source
        The file that is released.
    elsewhere
        Parent folder to use if the source lies in one of ``not_in``, or nothing can be written beside it.
    not_in
        The program's own folders, in which users would not look for a release.
    suffix
        Suffix of the folder's name.
    """
    # As spelt: of a drive that stands for a share, Windows would give back the share.
    here = source.absolute().parent
    fit = os.access(here, os.W_OK) and not any(_is_inside(here, folder) for folder in not_in)
    return free_folder((source.parent if fit else elsewhere) / source.name, suffix)


def _is_inside(folder: Path, path: Path) -> bool:
    """Return whether a folder is inside a path or equal to it; symbolic links are compared both followed and not."""
    return folder.is_relative_to(path.absolute()) or folder.resolve().is_relative_to(path.resolve())


def free_folder(source: Path, suffix: str = RELEASE_FOLDER) -> Path:
    """Return a path beside a file, named after it, at which nothing exists yet; no folder is created.

    For ``data.csv`` it is ``data-release`` or, if that exists, ``data-release-2``, ``data-release-3`` and so on.
    """
    base = source.with_name(f"{source.stem}{suffix}")
    folder, number = base, 2
    while folder.exists():
        folder = base.with_name(f"{base.name}-{number}")
        number += 1
    return folder


def format_size(rows: int, columns: int) -> str:
    """Return the size of a table as text, such as "100 rows, 5 columns"."""
    return _("{rows} {rows:row|rows}, {columns} {columns:column|columns}", rows=rows, columns=columns)


def release_files(candidate: Candidate) -> list[tuple[str, str]]:
    """Return (name, description) of each file that recipients will get; nothing is written.

    These are the data (described by size: "100 rows, 5 columns"), the description of the columns, the note on
    protection and, if the recipe wants it and it is possible, the folder of the kit that corrects results for noise, as
    one entry. Names of a teaching copy have its prefix. Raises RecipeError if the data file cannot have the name that
    was typed.
    """
    recipe = candidate.prepared.recipe
    kit = [(f"{KIT}/", _("corrects results for the noise"))] if asks_for_kit(candidate) else []
    return [
        (data_file_name(candidate), format_size(candidate.released.rows, len(candidate.released.columns))),
        (mark_teaching_name(recipe, DICTIONARY), _("what each column means")),
        (mark_teaching_name(recipe, NOTE), _("how the people were protected, and what the data can be used for")),
        *kit,
    ]


def internal_files(keep_key: bool, documents: Collection[str] = (), kept: Sequence[str] = ()) -> list[tuple[str, str]]:
    """Return (name, description) of each file that the owner's folder ``internal/`` will contain.

    Parameters
    ----------
    keep_key
        Whether the key of the random draws is kept.
    documents
        Names of the PDF files that this computer can make; others are left out.
    kept
        Names of the files that the version's methods write there.
    """
    files = [
        (RECIPE, _("all your decisions")),
        (KEY, _("needed to repeat or verify this release")),
        (CERTIFICATE_PDF, _("release record, to sign")),
        (REPORT_PAGE, _("report: risk, usefulness, checks, reasons")),
        (REPORT_PDF, _("the report to print")),
        (ANNEX_PAGE, _("annex: every setting, figure and check")),
        (REPORT_JSON, _("the report for other programs")),
        (DOSSIER, _("what the papers are made from")),
        (VERIFIER, _("checks files and figures without this program")),
        (decision_log.FILE, _("log of decisions")),
        *((name, _("what a later run of the method needs")) for name in kept),
        (MANIFEST, _("fingerprints of all files")),
    ]
    missing = {name for name in PDF_NAMES if name not in documents} | (set() if keep_key else {KEY})
    return [file for file in files if file[0] not in missing]


def recipe_to_save(candidate: Candidate, recipe: Recipe) -> Recipe:
    """Return a candidate's complete recipe, with the reasons in ``recipe``, which repeats the release with its key."""
    return candidate.prepared.complete.model_copy(update={"accept": dict(recipe.accept)})
