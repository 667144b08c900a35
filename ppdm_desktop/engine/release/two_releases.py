"""Comparison of two releases line by line, from their reports or the ledger; no figure is computed anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from ppdm_desktop.engine.decision_log import REFUSED
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.methods.base.declaration import step_title
from ppdm_desktop.engine.release.approval import read_report
from ppdm_desktop.engine.release.storage.ledger import LedgerEntry, read_ledger
from ppdm_desktop.engine.report.figures_and_limits import (
    NO_LIMIT,
    check_title,
    describe_measured_figure,
    format_limit,
    percent,
)
from ppdm_desktop.engine.report.html import format_iso_day, name_recipients, translate_treatment
from ppdm_desktop.engine.report.model import CheckEntry, ColumnEntry, Report, StepEntry
from ppdm_desktop.engine.report.report_texts import KINDS, ROLES, STATUSES
from ppdm_desktop.engine.wording.catalogue import _, language, numbers_of
from ppdm_desktop.engine.wording.texts import render_title

Group = Literal["people", "release", "columns", "steps", "checks", "reasons"]


@dataclass(frozen=True)
class Line:
    """One property of both releases, as text; "" where a release does not have it.

    Attributes
    ----------
    group
        Part of the comparison that the line belongs to.
    what
        Label of the property.
    first, second
        Its text in the first and in the second release.
    """

    group: Group
    what: str
    first: str
    second: str

    @property
    def differs(self) -> bool:
        """Whether the two releases differ in this property."""
        return self.first != self.second

    def document(self) -> dict[str, Any]:
        """Return the line as plain data: its fields and ``differs``."""
        return {**asdict(self), "differs": self.differs}


def compare_releases(first: Path, second: Path, ledger: Path | None = None) -> list[Line]:
    """Return the comparison of two written releases line by line; the caller gives the older one first.

    Lines are on how far both sources overlap, on the release, and on each column, step, check and written reason of
    either, also where both are equal. Without ``ledger``, the file that records releases, the overlap of different
    sources is not known.

    Raises
    ------
    InputError
        When a folder holds no release that this version can read, or the ledger cannot be read.
    """
    reports = read_report(Path(first)), read_report(Path(second))
    entries = () if ledger is None else read_ledger(ledger)
    in_ledger = [_find_ledger_entry(report, entries) for report in reports]
    same = reports[0].input.sha256 == reports[1].input.sha256
    lines = [_build_overlap_line(*in_ledger, same=same)]
    lines += _build_comparison_lines("release", *map(_describe_release, reports))
    columns = ({column.name: _describe_column(column) for column in report.columns} for report in reports)
    lines += _build_comparison_lines("columns", *columns)
    numbered = (enumerate(map(_describe_step, report.steps), start=1) for report in reports)
    steps = ({_("Step {n:place}", n=number): step for number, step in steps} for steps in numbered)
    lines += _build_comparison_lines("steps", *steps)
    checks = ({check_title(check): _describe_check(check) for check in report.verdict.checks} for report in reports)
    lines += _build_comparison_lines("checks", *checks)
    reasons = (
        {render_title(entry.title): entry.reason for entry in report.verdict.decision.reasons} for report in reports
    )
    return lines + _build_comparison_lines("reasons", *reasons)


def compare_with_ledger(directory: Path, ledger: Path) -> list[Line]:
    """Return the comparison of a written release with the last earlier one of its source in the ledger, line by line.

    Earlier are those entered before this release; all, if the ledger does not have it. Releases of a version of the
    source (another file with mostly the same rows) count, refused ones do not. Lines are on the rows in both sources,
    the days and the released columns; the ledger knows no figure.

    Raises
    ------
    InputError
        When the folder holds no release, the ledger cannot be read, or it has no earlier release of the source.
    """
    report = read_report(Path(directory))
    entries = read_ledger(ledger)
    present = _find_ledger_entry(report, entries)
    entries_before = entries if present is None else entries[: entries.index(present)]
    before = [entry for entry in entries_before if entry.status != REFUSED and _is_version(entry, present, report)]
    if not before:
        raise InputError("error.compare-releases.none", file=str(directory))
    entry = before[-1]
    same = entry.input_sha256 == report.input.sha256
    columns = [column.name for column in report.columns if column.released]
    released = (_describe_ledger_entry(entry.day, entry.columns), _describe_ledger_entry(report.created[:10], columns))
    return [_build_overlap_line(entry, present, same=same), *_build_comparison_lines("release", *released)]


def _describe_ledger_entry(day: str, columns: Sequence[str]) -> dict[str, str]:
    """Return the day and the names of the released columns as texts, by their labels."""
    return {_("Day"): format_iso_day(day), _("Columns released"): ", ".join(columns)}


def _is_version(entry: LedgerEntry, present: LedgerEntry | None, report: Report) -> bool:
    """Return whether a ledger entry is of the same source as a report, or of a version of that source.

    Versions are recognised by their sketches, hashes of a sample of rows: at least half of the rows of the smaller one
    are in both. ``present`` is the report's own entry, None where the ledger has none; then only the same source
    counts.
    """
    if entry.input_sha256 == report.input.sha256:
        return True
    if present is None or present.sketch is None or entry.sketch is None:
        return False
    return present.sketch.is_version_of(entry.sketch)


def _find_ledger_entry(report: Report, entries: tuple[LedgerEntry, ...]) -> LedgerEntry | None:
    """Return the ledger's entry of a release, found by its log or else by source and recipe; None where there is none.

    If several have the same source and recipe, the last one is returned.
    """
    head = "" if report.log is None else report.log.head
    same = [
        entry
        for entry in entries
        if (entry.input_sha256, entry.recipe_sha256) == (report.input.sha256, report.recipe_sha256)
    ]
    return next((entry for entry in entries if head and entry.log_head == head), same[-1] if same else None)


def _build_overlap_line(first: LedgerEntry | None, second: LedgerEntry | None, *, same: bool) -> Line:
    """Return the line on the rows that both sources have, as a share of the rows of the smaller one.

    Both releases have the same text: "100%" where the sources are ``same``, "not known" where an entry is None or lacks
    its sketch of the rows, otherwise a share such as "87%".
    """
    text = percent(1.0) if same else _("not known")
    if not same and first and second and first.sketch and second.sketch:
        text = percent(second.sketch.share_in_common(first.sketch))
    return Line("people", _("Rows in both sources, of the smaller one"), text, text)


def _build_comparison_lines(group: Group, first: Mapping[str, str], second: Mapping[str, str]) -> list[Line]:
    """Return a line for each key of either mapping, with "" for the release that lacks the key.

    Keys are in the order of the first release, followed by keys of the second alone.
    """
    return [Line(group, key, first.get(key, ""), second.get(key, "")) for key in {**first, **second}]


def _describe_release(report: Report) -> dict[str, str]:
    """Return five texts on a release by their labels: day, audience, rows, people and its type's least group size.

    Rows are those released, people those of the source. Labels and texts are in the current language.
    """
    numbers = numbers_of(language())
    return {
        _("Day"): format_iso_day(report.created[:10]),
        _("For"): name_recipients(report.release.type),
        _("Rows"): numbers.count(report.verdict.rows_released),
        _("People"): numbers.count(report.verdict.people),
        _("Group size at least"): numbers.count(report.release.k_min),
    }


def _describe_column(column: ColumnEntry) -> str:
    """Return role, kind and treatment of a column as text, joined by commas; "not decided" for no role."""
    role = str(ROLES.get(column.role or "", _("not decided")))
    return ", ".join((role, str(KINDS[column.kind]), translate_treatment(column.treatment)))


def _describe_step(step: StepEntry) -> str:
    """Return a step's title and columns as text, such as "Rounding: age, income"."""
    return f"{step_title(step.method)}: {', '.join(step.columns)}"


def _describe_check(check: CheckEntry) -> str:
    """Return a check's result, figure and limit as text, joined by commas: "Passed, 12 of 300 (4%), at most 5%".

    That is in English; texts are in the current language. Without a figure its part says why, or is a dash; without a
    limit that part is left out.
    """
    limit = format_limit(check)
    cells = [str(STATUSES[check.status]), describe_measured_figure(check), "" if limit == NO_LIMIT else limit]
    return ", ".join(filter(None, cells))
