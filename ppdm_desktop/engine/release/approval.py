"""Approval or refusal of a written release by a second person, and the entries of later reviews."""

from __future__ import annotations

import importlib
import unicodedata
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from ppdm_desktop.engine import decision_log
from ppdm_desktop.engine.decision_log import APPROVED, LOOKED_AT, PREPARED, REFUSED, RELEASED, Entry, LogLine
from ppdm_desktop.engine.dossier import PAPERS
from ppdm_desktop.engine.dossier.forms import all_forms
from ppdm_desktop.engine.dossier.papers import Renderer, write_papers
from ppdm_desktop.engine.errors import GateBlocked, InputError, RecipeError
from ppdm_desktop.engine.files.opening import REPORT, read_json
from ppdm_desktop.engine.files.saving import rename, sync_folder
from ppdm_desktop.engine.recipe.models import is_day
from ppdm_desktop.engine.release.evaluate.evaluate import format_utc_time
from ppdm_desktop.engine.release.gate.base import all_checks
from ppdm_desktop.engine.release.storage.atomic_folder import INTERNAL, to_input_error
from ppdm_desktop.engine.release.storage.ledger import read_ledger, renew_release
from ppdm_desktop.engine.release.verify import DIFFERENT, verify
from ppdm_desktop.engine.release.writing.export import (
    LOG,
    REPORT_JSON,
    VERIFIER,
    WAITING,
    compare_files,
    read_manifest,
    read_printed_log,
)
from ppdm_desktop.engine.report.model import Report, Verdict
from ppdm_desktop.engine.table.reading.memory_source import Source
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.values import LazyText, Name, Names


@dataclass(frozen=True)
class Decided:
    """The result of a second person's decision on a release.

    Attributes
    ----------
    folder
        The release's folder after the decision.
    remarks
        Sentences on what was checked before the decision, and what was not; ``str`` gives the text of each.
    """

    folder: Path
    remarks: tuple[LazyText, ...]


def read_report(directory: Path) -> Report:
    """Return the report of a written release, with the check properties that the stored file leaves out filled in.

    The properties are those of `restore_declared_fields`. They are filled in for the verdict on the original as well,
    where the report has one.

    Raises
    ------
    InputError
        When the folder has no report that this version can read.
    """
    try:
        report = Report.model_validate(read_json(directory / INTERNAL / REPORT_JSON, REPORT))
    except (OSError, ValueError) as error:
        raise InputError("error.verify.not-a-release", file=str(directory)) from error
    original = None if report.original is None else restore_declared_fields(report.original)
    return report.model_copy(update={"verdict": restore_declared_fields(report.verdict), "original": original})


def restore_declared_fields(verdict: Verdict) -> Verdict:
    """Return a verdict read from a report, with the properties of each check that report.json leaves out filled in.

    These are whether every page names the check, what its findings leave open, its figure's title, whether it counts
    people singled out, and whether it relied on the agreement with the recipient. A check that this program does not
    know stays as it is.
    """
    checks = []
    for check in verdict.checks:
        if (declared := all_checks().get(check.id)) is not None:
            keys = ("on_certificate", "residual", "figure_title", "counts_singled")
            declared_values = {key: getattr(declared, key) for key in keys}
            is_agreed = declared.agreed is not None and check.sentence.id == declared.agreed.id
            check = check.model_copy(update={**declared_values, "is_agreed": is_agreed})
        checks.append(check)
    return verdict.model_copy(update={"checks": checks})


def approve(
    directory: Path,
    by: str,
    *,
    note: str = "",
    refuse: bool = False,
    source: Source | None = None,
    ledger: Path | None = None,
    renderer: Renderer | None = None,
    forms: Path | None = None,
    now: datetime | None = None,
) -> Decided:
    """Approve or refuse a release that waits for a second person; return where it is then, and what was checked before.

    The decision is added to the release's log (an approval as two lines, ``approved`` and ``released``), the papers in
    its folder are written anew, and a waiting release's status in the ledger becomes ``released`` or ``refused``. No
    byte of ``release/`` changes. An approved release is moved out of its waiting folder, a refused one stays there.
    Where the same decision was logged before, but not completed, it is completed and not logged again; then ``by`` and
    ``note`` do not matter.

    Parameters
    ----------
    directory
        The release's waiting folder.
    by
        Name of the second person; it must differ from the name in ``[operator]`` in more than case, spaces and the
        width of letters. The program knows names, not people.
    note
        A sentence for the log.
    refuse
        Whether to refuse the release instead of approving it.
    source
        The original file; with it the recipe is run again, without it only files and figures are compared.
    ledger
        File that records releases; its other entries do not matter. No ledger is changed when None.
    renderer
        Renders a page as PDF, for the papers that are there and get the name of the second person.
    forms
        Folder with forms of the organisation's own, whose papers are written anew as well.
    now
        Time of the decision; the present when None.

    Raises
    ------
    GateBlocked
        When something in the folder is not as it was written, or the recipe run again gives another release.
    InputError
        When the folder holds no release or does not wait for approval, ``source`` is another file, a form cannot be
        read, the new folder exists already, the log, the ledger or the papers cannot be read or written, or the folder
        cannot be moved.
    RecipeError
        When the name is empty, or that of the person who made the release (unless the decision was logged before), or
        the recipe does not work any more.
    """
    directory = Path(directory).absolute()
    report, known_forms = read_report(directory), all_forms(forms)
    # Before the log is read: a broken one is told with all other files that differ.
    rerun, checked = _check_unchanged(directory, source)
    log = decision_log.read_log(directory / LOG)
    out = _find_decided_folder(directory, decision_log.state_of(log), refuse=refuse)
    if ledger is not None:
        read_ledger(ledger)  # one that cannot be read is told before anything is decided
    if decision_log.state_of(log) == PREPARED:
        if not _fold_name(by) or _fold_name(by) == _fold_name(report.operator.name or ""):
            raise RecipeError("error.approve.same-name", args={"name": Name(by.strip())})
        entries = [Entry(REFUSED if refuse else APPROVED, f"re-run: {rerun}", note)]
        if not refuse:
            entries.append(Entry(RELEASED, report.release.type, report.release.data_sha256 or ""))
        _extend_log(directory, log, entries, by, now)
    papers = [form for id, form in known_forms.items() if (directory / PAPERS / f"{id}.docx").is_file()]
    write_papers(directory, papers, renderer=renderer)
    if ledger is not None and report.log is not None:
        renew_release(ledger, report.log.head, status=REFUSED if refuse else RELEASED)
    if refuse:
        return Decided(directory, checked)
    try:
        rename(directory, out)
        sync_folder(out.parent)
    except OSError as error:
        raise to_input_error(error, out) from error
    return Decided(out, checked)


def _find_decided_folder(directory: Path, state: str, *, refuse: bool) -> Path:
    """Return the folder that a waiting release gets when it is approved: its name without the waiting suffix.

    ``state`` is the last state in the release's log, ``refuse`` says that it is to be refused; then the returned folder
    may exist already.

    Raises
    ------
    InputError
        When the folder does not wait, was decided otherwise before, or is to be approved and the new folder exists.
    """
    out = directory.with_name(directory.name.removesuffix(WAITING))
    # What was decided before, but not moved or entered in the ledger, is completed by the next run.
    if out == directory or state not in (PREPARED, REFUSED if refuse else RELEASED):
        raise InputError("error.approve.not-waiting", file=str(directory))
    if not refuse and out.exists():
        raise InputError("error.export.exists", file=str(out))
    return out


def look_at_again(
    directory: Path, sentence: str, next_day: str, *, by: str, ledger: Path | None = None, now: datetime | None = None
) -> None:
    """Add a review to a release's log, with a sentence and the day of the next review; put the day in the ledger.

    The ledger does not get the sentence. A release that it does not list is not added.

    A review that is the last in the log already, such as one that could not be entered in the ledger, is not logged
    again.

    Parameters
    ----------
    directory
        The release's folder.
    sentence, next_day
        What the review found, and the ISO date of the next review.
    by
        Name of the person who reviewed it.
    ledger
        File that records releases; only the log is extended when None.
    now
        Time to record; the present when None.

    Raises
    ------
    InputError
        When the folder holds no release, its log is broken or cannot be written, the ledger cannot be read or written,
        the sentence is empty or blank, or ``next_day`` is no day written as YYYY-MM-DD.
    """
    if not is_day(next_day) or not sentence.strip():
        raise InputError("error.approve.no-day")
    directory = Path(directory)
    printed = read_printed_log(directory)
    if printed is None:
        raise InputError("error.verify.not-a-release", file=str(directory))
    log = decision_log.read_log(directory / LOG)
    if ledger is not None:
        read_ledger(ledger)
    entries = [Entry(LOOKED_AT, next_day, sentence)]
    if not log or decision_log.extend_log(log[:-1], entries, at=log[-1].at, who=by) != log:
        _extend_log(directory, log, entries, by, now)
    if ledger is not None:
        renew_release(ledger, printed[1], review=next_day)


def _extend_log(directory: Path, log: tuple[LogLine, ...], entries: list[Entry], by: str, now: datetime | None) -> None:
    """Add entries to the log of a release and write it; raise InputError if it cannot be written.

    ``log`` are the lines so far, ``by`` the person who decided or reviewed, ``now`` the time of the entries (the
    present if None).
    """
    log = decision_log.extend_log(log, entries, at=format_utc_time(now or datetime.now(UTC)), who=by)
    try:
        decision_log.write_log(directory / LOG, log)
    except OSError as error:
        raise to_input_error(error, directory) from error


def _check_unchanged(directory: Path, source: Source | None) -> tuple[str, tuple[LazyText, ...]]:
    """Return how running the recipe again on the original ended, and two sentences on what was checked.

    Without ``source`` the recipe is not run, and the result is "none"; the verifier compares everything else. Otherwise
    it is "identical", or "not possible", which does not stop the approval.

    Raises
    ------
    GateBlocked
        When a file, a recounted figure or the repeated run differs from the release, or the verifier fails.
    InputError, RecipeError
        When the folder holds no release, ``source`` is another file, or the recipe does not work any more.
    """
    verifier = importlib.import_module(f"ppdm_desktop.resources.verifier.{VERIFIER.removesuffix('.py')}")
    rerun: str = "none"
    repeated: LazyText = lazy("The recipe was not run again, because the original was not at hand.")
    differing = [finding.path for finding in compare_files(directory, read_manifest(directory))]
    try:
        lines = [] if differing else verifier.check(directory).lines  # what was changed is not even read
        differing += [what for what, _found, _printed, result in lines if result == verifier.DIFFERENT]
    except Exception:  # the verifier fails in many ways where it cannot read something
        differing = [f"{INTERNAL}/{REPORT_JSON}"]
    if not differing and source is not None:
        verification = verify(directory, source)
        rerun, repeated = verification.result, verification.reason
        differing = [directory.name] if rerun == DIFFERENT else []
    if differing:
        raise GateBlocked("error.approve.different", args={"files": Names.of(differing)})
    same = sum(line[-1] == verifier.SAME for line in lines)
    counted = lazy(
        "All files are as they were written: {same} {same:comparison|comparisons} of the verifier agree, {skipped} "
        "could not be made.",
        same=same,
        skipped=len(lines) - same,
    )
    return rerun, (counted, repeated)


def _fold_name(name: str) -> str:
    """Return a name in lower case, with full-width letters made ordinary and single blanks between its words."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())
