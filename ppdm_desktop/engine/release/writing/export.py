"""The export: write, read back, judge, and only then move the release folder to its place.

Also here is the manifest of a release folder, its files with hashes, and the comparison of a folder with it.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib import resources
from pathlib import Path, PurePosixPath
from typing import Any, Literal

from ppdm_desktop.engine import decision_log, progress
from ppdm_desktop.engine.decision_log import PREPARED, REFUSED, RELEASED, Entry, LogLine
from ppdm_desktop.engine.dossier import PAPERS
from ppdm_desktop.engine.dossier.dossier import DOSSIER, build_dossier
from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.files import opening
from ppdm_desktop.engine.files.opening import read_json
from ppdm_desktop.engine.recipe.load import write_recipe
from ppdm_desktop.engine.recipe.models import AcceptSection, Recipe
from ppdm_desktop.engine.recipe.release_type import RELEASE_TYPES
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.evaluate.evaluate import Evaluation as Evaluation
from ppdm_desktop.engine.release.evaluate.evaluate import PriorResults, evaluate_files, format_utc_time, make_gate_error
from ppdm_desktop.engine.release.evaluate.evaluate import evaluate as evaluate
from ppdm_desktop.engine.release.evaluate.release_files import (
    data_file_name,
    file_hash,
    mark_teaching_name,
    name_data_folder,
)
from ppdm_desktop.engine.release.gate.base import find_check
from ppdm_desktop.engine.release.gate.decision import Decision, check_accepts
from ppdm_desktop.engine.release.gate.results import CheckResult
from ppdm_desktop.engine.release.measures.analyses import Analyses, analyse
from ppdm_desktop.engine.release.measures.analysis_kit import asks_for_kit, check_kit
from ppdm_desktop.engine.release.reporting.build import with_analyses
from ppdm_desktop.engine.release.storage.atomic_folder import (
    INTERNAL,
    MANIFEST,
    RELEASE,
    TEACHING,
    Staging,
    check_target,
    make_staging_folder,
    recover,
)
from ppdm_desktop.engine.release.storage.disk import Disk
from ppdm_desktop.engine.release.storage.ledger import DrawEntry, note_unfinished, remember
from ppdm_desktop.engine.release.verdict.usefulness import with_learners
from ppdm_desktop.engine.release.writing.disk_and_memory import check_folder
from ppdm_desktop.engine.report.documents import CERTIFICATE_PDF, PAGES, REPORT_PDF
from ppdm_desktop.engine.report.html import Drawn, render_report
from ppdm_desktop.engine.report.model import AttackEntry, LogEntry, Report, Verdict
from ppdm_desktop.engine.report.public.analysis_kit import KIT
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.wording.catalogue import speak_language
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import FilePath, Names

WAITING = " (waiting)"
"""How the folder of a release ends until a second person has approved it."""
RELEASE_FOLDER = "-release"
"""How the folder of a release is called after its source, where nobody calls it otherwise."""
RECIPE, KEY, REPORT_JSON = "recipe.toml", "release.key", "report.json"
REPORT_PAGE, ANNEX_PAGE = "report.html", "annex.html"
VERIFIER = "check_release.py"
"""The script that checks a release without the program; the same bytes in every release."""
PDF_NAMES = (CERTIFICATE_PDF, REPORT_PDF)
Renderer = Callable[[str], bytes]
_EVALUATED, _ANALYSED = 0.6, 0.95
"""Share of the work done when the gate has decided and when analyses were tried out."""


@dataclass(frozen=True, eq=False)
class Exported:
    """A finished export.

    Attributes
    ----------
    path
        The release folder.
    report
        The content of report.json.
    decision, checks
        The gate's decision, and the result of each check.
    notes
        Further notes for the owner.
    verdict, original
        The verdict on the written release, and on the untouched source.
    log
        The log of decisions as written; empty for a draft or a teaching copy.
    """

    path: Path
    report: dict[str, Any]
    decision: Decision
    checks: tuple[CheckResult, ...]
    notes: tuple[Note, ...]
    verdict: Verdict
    original: Verdict | None
    log: tuple[LogLine, ...] = ()

    @property
    def waits(self) -> bool:
        """Whether the release is in a waiting folder, because no second person has approved it."""
        return decision_log.state_of(self.log) in (PREPARED, REFUSED)

    @property
    def accepted(self) -> tuple[str, ...]:
        """Ids of the checks that a written reason let pass."""
        return self.decision.accepted


def export(
    candidate: Candidate,
    out: Path,
    *,
    keep_key: bool = True,
    accepts: Mapping[str, str] | None = None,
    replace: bool = False,
    draft: bool = False,
    renderers: Mapping[str, Renderer] | None = None,
    created: datetime | None = None,
    analyses: Analyses | None = None,
    attacks: tuple[AttackEntry, ...] | None = None,
    ledger: Path | None = None,
    draws: Sequence[DrawEntry] = (),
    original: Verdict | None = None,
    earlier: tuple[Column, ...] | None = None,
    log: Sequence[LogLine] = (),
    disk: Disk | None = None,
) -> Exported:
    """Write a candidate to the folder ``out``; return what was written and decided. Nothing is drawn at random.

    What interrupted exports left in the parent folder is removed first, or moved back. Where a second person has to
    approve the release, it is written to a folder whose name is that of ``out`` followed by " (waiting)". A document
    whose renderer fails and a ledger that cannot be written after the release do not stop it: a note says so.

    Parameters
    ----------
    candidate
        The candidate that was previewed.
    out
        Folder to make.
    keep_key
        Whether to keep the key in ``internal/``, so that the release can be repeated.
    accepts
        Reasons by cause, given or confirmed for this release, in addition to those of the recipe.
    replace
        Whether to replace an earlier release in ``out``, or in the waiting folder where one is written.
    draft
        Write ``internal/`` only, whatever the gate says. (The data of a teaching copy, ``[release] teaching_copy``,
        are written to ``teaching-copy/``, whatever the checks on protection say; it is no release.)
    renderers
        Functions that render a page as a document's bytes, by file name in ``internal/``
        (``report.documents`` says which page belongs to which file).
    created
        The one time used in ``internal/``; now when left out.
    analyses
        The analyses of this candidate, where they were made already; made here when left out, once the gate has passed
        the release.
    attacks
        Results of the audit of this candidate, for the gate; made here when left out.
    ledger
        File that records releases and random draws; earlier ones of the same source are taken into account. The draw is
        entered when it is judged, the release once it is complete (no draft or teaching copy). Without a ledger nothing
        is known of earlier ones.
    draws
        Earlier random draws of the source that the caller knows of, whether the ledger has them or not.
    original
        The verdict on the untouched source, where it was computed before; computed here when left out.
    earlier
        The columns of an earlier release of the source, as read from its file, to be compared.
    log
        Decisions made so far, which the log in ``internal/`` begins with. Drafts and teaching copies have no log.
    disk
        The file operations.

    Raises
    ------
    GateBlocked
        When a check is red (blocks) or lacks a reason, except for a draft; ``report`` of the error holds the report,
        ``notes`` why reasons did not count. No folder is left behind; the draw stays in the ledger.
    InputError
        When ``out`` cannot or must not be written, such as a teaching copy where a release is, or a release to be
        approved where one exists. Nothing is left behind.
    RecipeError
        For an unknown cause or a text that is no reason; for a data file's name or an analysis kit that cannot be made;
        for a teaching copy that is not for internal use or is a draft; for a release to be approved by a second person
        whose recipe does not name the first.
    Cancelled
        When the work was stopped. Nothing is left behind.
    """
    disk = disk or Disk()
    accepts, renderers = accepts or {}, renderers or {}
    recipe = candidate.prepared.recipe
    reasons = {**recipe.accept, **{id: AcceptSection(reason=text) for id, text in accepts.items()}}
    check_accepts(reasons, accepts)
    data_file_name(candidate)
    check_kit(candidate)
    out = Path(out).absolute()
    teaching = recipe.release.teaching_copy
    if teaching:
        check_teaching_copy(recipe, candidate.prepared.path, out, draft=draft)
    recover(out.parent, disk)
    is_release = not (draft or teaching)
    out = _choose_target_folder(out, candidate) if is_release else out
    check_target(out, candidate.prepared.path, replace=replace)
    check_folder(out, candidate.prepared.path, disk)
    stamp = format_utc_time(created)
    with note_unfinished(ledger, out.parent), make_staging_folder(out, disk) as folder:
        part = progress.part(0.0, _EVALUATED if analyses is None else _ANALYSED)
        work = _Work(candidate, folder, draft=draft)
        prior = PriorResults(attacks, ledger, tuple(draws), original, earlier)
        evaluation = part.run(
            evaluate_files,
            candidate,
            work.write,
            reasons,
            stamp,
            prior,
            keep_key=keep_key,
            draft=draft,
            confirmed=accepts,
        )
        measures, results, decision = evaluation.measures, evaluation.checks, evaluation.decision
        if not draft:
            _refuse_blocked(decision, evaluation.report, is_teaching=teaching)
        if analyses is None:
            analyses = progress.part(_EVALUATED, _ANALYSED).run(analyse, candidate)
        report = with_learners(with_analyses(evaluation.report, analyses), analyses)
        log = _extend_log(log, report, decision, recipe) if is_release else ()
        report = _add_log_head(report, log)
        drawn = Drawn(measures.marginals, measures.associations, analyses.reconstructions)
        failed = work.write_internal(report, drawn, decision, renderers, keep_key=keep_key, log=log)
        progress.report(0.97, "doing.exporting")
        check_target(out, candidate.prepared.path, replace=replace)  # somebody may have made it meanwhile
        folder.commit(replace=replace)
    ledger_notes = list(evaluation.notes)
    if ledger is not None and is_release:
        ledger_notes = _enter_in_ledger(candidate, ledger, stamp[:10], log) or ledger_notes
    notes = (*candidate.prepared.notes, *decision.notes, *ledger_notes, *_pdf_notes(renderers, failed))
    return Exported(out, report.document(), decision, results, notes, report.verdict, report.original, tuple(log))


def _choose_target_folder(out: Path, candidate: Candidate) -> Path:
    """Return the folder to write: ``out``, or a waiting folder if a second person has to approve the release.

    The waiting folder lies next to ``out`` and is called "out (waiting)" if ``out`` is called "out".

    Raises
    ------
    InputError
        When a second person has to approve and ``out`` exists (an earlier release is not replaced before that), or
        must not be written.
    RecipeError
        When a second person has to approve and the recipe does not name the first.
    """
    if not candidate.prepared.recipe.release.four_eyes:
        return out
    if not (candidate.prepared.recipe.operator.name or "").strip():
        raise RecipeError("error.approve.nobody")
    check_target(out, candidate.prepared.path, replace=False)
    return out.with_name(f"{out.name}{WAITING}")


def _add_log_head(report: Report, log: Sequence[LogLine]) -> Report:
    """Return a report that states the length and last hash of the log of decisions; None for these without a log."""
    head = LogEntry(length=len(log), head=decision_log.find_last_hash(log)) if log else None
    return report.model_copy(update={"log": head})


def _extend_log(log: Sequence[LogLine], report: Report, decision: Decision, recipe: Recipe) -> tuple[LogLine, ...]:
    """Return the log of decisions, extended by the reasons that it lacks and by the line that the release was written.

    A reason is lacking if the log has no line with its cause and text (however many blanks it has between words). The
    last line says "prepared" where a second person has to approve, else "released". An empty log gets an opening line
    first. New lines have the report's time and the name in the recipe.
    """
    logged = {(line.about, line.value) for line in log if line.event == "reason"}
    entries = [] if log else [Entry("opened", "", report.input.sha256)]
    for cause, section in decision.reasons.items():
        if (cause, " ".join(section.reason.split())) not in logged:
            entries.append(Entry("reason", cause, section.reason))
    event = PREPARED if recipe.release.four_eyes else RELEASED
    entries.append(Entry(event, report.release.type, report.release.data_sha256 or ""))
    return decision_log.extend_log(log, entries, at=report.created, who=recipe.operator.name or "")


def _refuse_blocked(decision: Decision, report: Report, *, is_teaching: bool) -> None:
    """Raise GateBlocked if the gate blocks the release; nothing happens otherwise.

    A teaching copy shows what is wrong with a release, so checks on protection do not block it; the others do. The
    error has the report.
    """
    if is_teaching:
        # It is made to show what is wrong.
        blocking = tuple(id for id in decision.blocked_by if not find_check(id).on_protection)
        if blocking:
            raise make_gate_error(dataclasses.replace(decision, blocked_by=blocking), report)
    elif not decision.released:
        raise make_gate_error(decision, report)


def _pdf_notes(renderers: Mapping[str, Renderer], failed: Sequence[str]) -> list[Note]:
    """Return the notes on PDF files that were not made; empty if all were.

    There are up to two: on the standard PDF files for which there is no renderer, and on documents whose renderer
    failed. ``renderers`` are by file name, ``failed`` are file names.
    """
    missing = [name for name in PDF_NAMES if name not in renderers]
    notes = [Note("note.export.no-pdf", {"files": Names.of(missing)})] if missing else []
    return notes + ([Note("note.export.pdf-failed", {"files": Names.of(failed)})] if failed else [])


def check_teaching_copy(recipe: Recipe, source: Path, out: Path, *, draft: bool = False) -> None:
    """Raise an error if a teaching copy could be mistaken for a release.

    Raises
    ------
    RecipeError
        When its release type is not ``internal``, or it is also a draft.
    InputError
        When its folder has the name of a release of this source ("visits-release" or "visits-release-2" for
        visits.csv), is called ``release`` or ``internal``, or holds something called ``release``.
    """
    if draft:
        raise RecipeError("error.teaching.draft")
    if recipe.release.type is None or not RELEASE_TYPES[recipe.release.type].is_internal:
        raise RecipeError("error.teaching.not-internal")
    named_as_release = re.fullmatch(re.escape(f"{source.stem}{RELEASE_FOLDER}") + r"(-\d+)?", out.name)
    if named_as_release or out.name in (RELEASE, INTERNAL) or (out / RELEASE).exists():
        raise InputError("error.teaching.place-of-release", file=str(out))


def _enter_in_ledger(candidate: Candidate, ledger: Path, day: str, log: Sequence[LogLine]) -> list[Note]:
    """Enter a finished release in the ledger; return a note if that fails, else an empty list.

    A failure does not undo the release.
    """
    try:
        remember(candidate, ledger, day, status=decision_log.state_of(log), log_head=decision_log.find_last_hash(log))
    except InputError:
        return [Note("note.ledger.not-entered", {"file": FilePath(str(ledger))})]
    return []


class _Work:
    """Writes the files of one export and records their hashes."""

    def __init__(self, candidate: Candidate, folder: Staging, *, draft: bool) -> None:
        """Start in the temporary folder ``folder``; make the recipient's folders there, but not for a draft."""
        self._candidate = candidate
        self._folder = folder
        self._draft = draft
        self._hashes: dict[str, str] = {}
        data_folder = name_data_folder(candidate.prepared.recipe)
        if not draft:
            folder.add_folder(data_folder)
            if asks_for_kit(candidate):
                folder.add_folder(f"{data_folder}/{KIT}")

    def write(self, relative_path: str, data: bytes) -> bytes:
        """Write a file for the recipient, but not for a draft; return its bytes.

        ``relative_path`` is inside the release folder, with "/" between names. Raises InputError when other bytes are
        read back from the disk.
        """
        return data if self._draft else self._write_file(relative_path, data)

    def _write_file(self, relative_path: str, data: bytes) -> bytes:
        """Write a file and return its bytes; raise InputError if other bytes are read back."""
        # What was read back is let go: a data file may be as large as what is left of the memory.
        if self._folder.add(relative_path, data) != data:
            raise InputError("error.export.not-as-written", file=str(self._folder.out))
        return data

    def _write_internal(self, name: str, data: bytes) -> None:
        """Write a file that stays with the owner, and note its hash for the manifest."""
        path = f"{INTERNAL}/{name}"
        self._hashes[path] = hashlib.sha256(self._write_file(path, data)).hexdigest()

    def write_internal(
        self,
        report: Report,
        drawn: Drawn,
        decision: Decision,
        renderers: Mapping[str, Renderer],
        *,
        keep_key: bool,
        log: Sequence[LogLine],
    ) -> list[str]:
        """Write the files that stay with the owner; return the names of the documents whose renderer failed.

        They are the dossier (not for a teaching copy), recipe, report (two pages and its data), verifier, files of the
        steps, and rendered documents, then the manifest. The log of decisions (if the report states one) and, if
        ``keep_key``, the key come last, and the manifest does not list them. A document whose renderer fails is left
        out.

        Parameters
        ----------
        report, drawn
            The report, and the data of its charts.
        decision
            Its reasons are written into the recipe.
        renderers
            For each document's name the function that makes it from a page.
        keep_key
            Whether to write the key, with which the run can be repeated.
        log
            The lines of the log of decisions.

        Raises
        ------
        InputError
            When a file read back from the disk has other bytes than were written.
        """
        candidate = self._candidate
        self._folder.add_folder(INTERNAL, is_private=True)
        recipe = candidate.prepared.complete.model_copy(update={"accept": dict(decision.reasons)})
        with speak_language(recipe.release.report_language):
            pages = {REPORT_PAGE: render_report(report, drawn), ANNEX_PAGE: render_report(report, drawn, in_full=True)}
            documents = {name: PAGES[name](report, drawn).decode("utf-8") for name in renderers}
            if not recipe.release.teaching_copy:
                self._write_internal(DOSSIER, build_dossier(report, recipe.dossier))
        self._write_internal(RECIPE, write_recipe(recipe).encode("utf-8"))
        for name, page in pages.items():
            self._write_internal(mark_teaching_name(recipe, name), page)
        self._write_internal(REPORT_JSON, report.to_json())
        self._write_internal(VERIFIER, (resources.files("ppdm_desktop.resources") / "verifier" / VERIFIER).read_bytes())
        for step in candidate.steps:
            order = candidate.row_order if step.result.table.rows == candidate.final.rows else None
            for name, data in step.method.internal_files(step.before, step.settings, step.result, order).items():
                self._write_internal(name, data)
        failed = []
        for name, renderer in renderers.items():
            try:
                made = renderer(documents[name])
            except Exception:  # the same words stand in report.html: a writer's fault must not hold a release back
                failed.append(name)
            else:
                self._write_internal(mark_teaching_name(recipe, name), made)
        hashes = self._hashes | {file.path: file.sha256 for file in report.files}
        manifest = json.dumps({"format": 1, "files": dict(sorted(hashes.items()))}, indent=2)
        self._write_internal(MANIFEST, manifest.encode("utf-8") + b"\n")
        if report.log is not None:
            self._write_internal(decision_log.FILE, decision_log.to_bytes(log))
        if keep_key:
            self._write_internal(KEY, candidate.key.hex().encode("ascii") + b"\n")
        return failed


# --- manifest -----------------------------------------------------------------------------

DESTROYED = "key-destroyed.json"
_LONGEST = 255
"""Bytes that the name of a file may have on any disk."""
LOG = f"{INTERNAL}/{decision_log.FILE}"
_UNLISTED = frozenset({f"{INTERNAL}/{MANIFEST}", f"{INTERNAL}/{KEY}", f"{INTERNAL}/{DESTROYED}", LOG})

_PAPERS = (f"{PAPERS}/", f"{INTERNAL}/{PAPERS}/")
"""Folders of papers, which people edit."""


@dataclass(frozen=True)
class FileFinding:
    """A file that differs from the manifest, with its path in the folder and how it differs."""

    path: str
    state: Literal["changed", "missing", "extra"]


def read_manifest(directory: Path) -> dict[str, str]:
    """Return the SHA-256 of each file of a release folder as its manifest lists it, by path inside the folder.

    Raises
    ------
    InputError
        When there is no such folder, or it holds no release of this program.
    """
    try:
        document = read_json(directory / INTERNAL / MANIFEST, opening.MANIFEST)
        files = document["files"]
        well_formed = document["format"] == 1 and all(
            isinstance(path, str) and isinstance(sha, str) and _is_inside(path) for path, sha in files.items()
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        id = "error.verify.not-a-release" if directory.is_dir() else "error.verify.no-such-folder"
        raise InputError(id, file=str(directory)) from error
    if not well_formed:
        raise InputError("error.verify.not-a-release", file=str(directory))
    return dict(files)


def _is_inside(path: str) -> bool:
    """Return whether a path in a manifest is a valid file path inside a release folder.

    "release/data.csv" is, and so are files directly in the folders of teaching copies, internal files and the analysis
    kit. Not so "../x", "release/a/b.csv", an absolute path, one with a backslash or unprintable characters, or with a
    name of more than 255 bytes.
    """
    parts = PurePosixPath(path).parts
    inside = len(parts) == 2 and parts[0] in (RELEASE, TEACHING, INTERNAL)
    in_kit = len(parts) == 3 and parts[:2] == (RELEASE, KIT)
    spelt = all(len(os.fsencode(part)) <= _LONGEST for part in parts) and path.isprintable()
    return (inside or in_kit) and spelt and ".." not in parts and "\\" not in path


def compare_files(directory: Path, listed: dict[str, str]) -> tuple[FileFinding, ...]:
    """Return every file that differs from the manifest, and the log of decisions if it is not as the report states.

    First come files that are missing or changed, then extra files, both sorted by path, then the log. Papers, the
    manifest itself, the key or the note of its destruction, and the log do not count as extra. ``listed`` has the
    manifest's hashes by path.
    """
    file_findings: list[FileFinding] = []
    for path, sha in sorted(listed.items()):
        file = directory / path
        if not file.is_file():
            file_findings.append(FileFinding(path, "missing"))
        elif file.stat().st_size > opening.RELEASED.largest or file_hash(file) != sha:
            file_findings.append(FileFinding(path, "changed"))
    present = {
        entry.relative_to(directory).as_posix()
        for entry in directory.rglob("*")
        if entry.is_symlink() or not entry.is_dir()
    }
    unlisted = {path for path in present if path.startswith(_PAPERS)} | _UNLISTED
    file_findings += [FileFinding(path, "extra") for path in sorted(present - set(listed) - unlisted)]
    return (*file_findings, *_log_findings(directory))


def read_printed_log(directory: Path) -> tuple[int, str] | None:
    """Return the length and last hash of the log of decisions that the report states; None where it states none.

    None too where the report cannot be read.
    """
    try:
        printed = read_json(directory / INTERNAL / REPORT_JSON, opening.REPORT)["log"]
        return None if printed is None else (int(printed["length"]), str(printed["head"]))
    except (OSError, InputError, ValueError, KeyError, TypeError):
        return None


def _log_findings(directory: Path) -> list[FileFinding]:
    """Return a list with one finding if the log of decisions is not as the report states, else an empty list.

    The finding is "changed" for a broken log and one that does not begin with the lines that the report states;
    "missing" where the report states a log and there is none. Lines added later are no finding. Where the report states
    no log, only a broken log is a finding.
    """
    printed = read_printed_log(directory)
    try:
        log = decision_log.read_log(directory / LOG)
    except InputError:
        return [FileFinding(LOG, "changed")]
    if printed is None:
        return []
    length, head = printed
    if not log:
        return [FileFinding(LOG, "missing")]
    return (
        []
        if decision_log.find_last_hash(log[:length]) == head and len(log) >= length
        else [FileFinding(LOG, "changed")]
    )
