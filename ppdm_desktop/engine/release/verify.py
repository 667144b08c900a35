"""Verification that a release folder is what its recipe, key and input produce."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from ppdm_desktop.engine import decision_log, plugins, progress
from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.files.opening import RELEASED, REPORT, read_file, read_json
from ppdm_desktop.engine.methods.algorithms.pseudonyms.codes import are_codes
from ppdm_desktop.engine.methods.base.recipients import check_is_asked_for
from ppdm_desktop.engine.randomness import Key, RecipientSecret
from ppdm_desktop.engine.recipe.load import read_recipe
from ppdm_desktop.engine.recipe.models import PSEUDONYM, Recipe
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.evaluate.release_files import (
    DICTIONARY,
    data_bytes,
    data_file_name,
    file_hash,
    kit_of,
    mark_teaching_name,
    name_data_folder,
)
from ppdm_desktop.engine.release.measures.utility import public_dictionary
from ppdm_desktop.engine.release.storage.atomic_folder import INTERNAL, TEACHING, to_input_error
from ppdm_desktop.engine.release.storage.disk import Disk
from ppdm_desktop.engine.release.top_up.previous_release import TOP_UP, read_stored
from ppdm_desktop.engine.release.top_up.run import top_up
from ppdm_desktop.engine.release.writing.export import (
    DESTROYED,
    KEY,
    LOG,
    RECIPE,
    REPORT_JSON,
    FileFinding,
    compare_files,
    read_manifest,
)
from ppdm_desktop.engine.report.documents import to_plain_json
from ppdm_desktop.engine.report.model import RULES
from ppdm_desktop.engine.report.public.analysis_kit import KIT
from ppdm_desktop.engine.secret_files import KEY_TEXTS, read_digits
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.kinds import present_texts
from ppdm_desktop.engine.table.reading.memory_source import MemorySource, Source, path_of
from ppdm_desktop.engine.table.stored.code_store import CodeStore
from ppdm_desktop.engine.table.writing import count_differing_cells, read_table
from ppdm_desktop.engine.table.writing.base import UnreadableFile, Written
from ppdm_desktop.engine.table.writing.registry import release_formats
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Names, Term, Terms

IDENTICAL, DIFFERENT, NOT_POSSIBLE = "identical", "different", "not possible"


@dataclass(frozen=True)
class Verification:
    """The result of ``verify``.

    Attributes
    ----------
    result
        ``identical``, ``different`` or ``not possible``.
    reason
        The reason, as a note.
    cells
        Number of cells in which the data file differs from the repeated run; None where it was not compared.
    files
        Files that differ from the manifest.
    teaching_copy
        Whether the folder holds a teaching copy, which must not be released in any case.
    expired
        The last day on which the release could be used, if it is over; "" otherwise.
    waits
        Whether nobody has approved the release yet, or it was refused.
    """

    result: str
    reason: Note
    cells: int | None
    files: tuple[FileFinding, ...]
    teaching_copy: bool = False
    expired: str = ""
    waits: bool = False

    def document(self) -> dict[str, Any]:
        """Return the result as plain data for ``--json``, one key for each field.

        ``reason`` has the id of a sentence and its arguments; ``files`` has for each file that differs a dict with its
        ``path`` and its ``state``: "changed", "missing" or "extra".
        """
        reason = {"id": self.reason.id, "arguments": dict(self.reason.arguments)}
        plain: dict[str, Any] = to_plain_json({**asdict(self), "reason": reason})
        return plain


def verify(
    directory: Path, source: Source, *, recipient: RecipientSecret | None = None, store: CodeStore | None = None
) -> Verification:
    """Return whether a release folder agrees with its manifest, the input's hash and a repeated run of the recipe.

    The result is ``identical``, ``different`` or ``not possible``. It is ``not possible`` without the key, for a draft,
    where a plug-in is missing, where the repeated run differs but plug-ins or the program's rules have changed since
    the release, and where it fails under changed rules. A file that differs from the manifest makes it ``different`` in
    any case. Where codes were made with a recipient's secret that is not available, everything else is compared.
    Whatever the result, it also says whether the folder holds a teaching copy, has expired, or waits for approval. With
    a ``store`` the codes of all columns are kept there instead of in memory (not for a top-up).

    Raises
    ------
    InputError
        When the folder holds no release of this program, the input is another file, or a recipient's secret is given
        that no step uses.
    RecipeError
        When the recipe kept in the folder does not work any more, although the program's rules have not changed.
    """
    verification = _verify_by_rerun(Path(directory), source, recipient, store)
    teaching, log = (Path(directory) / TEACHING).is_dir(), _read_decision_log(Path(directory))
    waits = decision_log.state_of(log) in (decision_log.PREPARED, decision_log.REFUSED)
    return replace(verification, teaching_copy=teaching, expired=_find_expired_day(Path(directory)), waits=waits)


def _read_decision_log(directory: Path) -> tuple[decision_log.LogLine, ...]:
    """Return the lines of a release's log of decisions; no lines if the log is missing or broken.

    A broken log is reported elsewhere, with the files that differ.
    """
    try:
        return decision_log.read_log(directory / LOG)
    except InputError:
        return ()


def _find_expired_day(directory: Path) -> str:
    """Return the last day on which a release may be used (ISO) if that day is over; "" otherwise.

    On the day itself (UTC) the release may still be used. Also "" where the recipe states no day or cannot be read.
    """
    try:
        expires = read_recipe(directory / INTERNAL / RECIPE).operator.expires or ""
    except RecipeError:
        return ""
    return expires if expires and expires < datetime.now(UTC).date().isoformat() else ""


def _verify_by_rerun(
    directory: Path, source: Source, recipient: RecipientSecret | None, store: CodeStore | None
) -> Verification:
    """Return the result of running the recipe again and comparing the outcome with the folder.

    A difference gives ``not possible`` where plug-ins or the rules of the program have changed since the release,
    unless a file differs from the manifest. Where the recipe cannot be run, the result of `rerun` says why.
    """
    repeated = progress.part(0.0, 0.8).run(rerun, directory, source, recipient=recipient, store=store)
    if isinstance(repeated, Verification):
        return repeated
    compared = progress.part(0.8, 1.0).run(_compare_run, directory, repeated.candidate, repeated.findings)
    rules = read_rules_number(directory)
    if compared.result == IDENTICAL:
        return compared
    if changed := _list_differing_plugins(directory):
        return _make_undecided_result(
            Note("verify.not-possible.other-plugins", {"plugins": Names.of(changed)}), repeated.findings
        )
    if rules == RULES:
        return compared
    return _make_undecided_result("verify.not-possible.other-rules", repeated.findings)


@dataclass(frozen=True, eq=False)
class Rerun:
    """The outcome of running a release folder's recipe again with the kept key.

    Attributes
    ----------
    candidate
        The candidate that the repeated run made.
    findings
        Files of the folder that differ from its manifest.
    """

    candidate: Candidate
    findings: tuple[FileFinding, ...]


def rerun(
    directory: Path, source: Source, *, recipient: RecipientSecret | None = None, store: CodeStore | None = None
) -> Rerun | Verification:
    """Return the candidate from running a release folder's recipe again with the kept key, or why it cannot be run.

    If the recipe is not as it was written, it is not run. It cannot be run without the key, for a draft, where a
    plug-in is missing or switched off, and where it fails and the program's rules have changed since. The result is
    then ``different`` if any file differs from the manifest, else ``not possible``. A candidate comes with the files
    that differ, in ``findings``.

    A folder that holds a top-up is topped up again. Otherwise codes are made with ``recipient``, the secret that they
    were made with; without it the data file's codes are used where they fit. The codes of all columns are kept in
    ``store``, or in memory where it is None.

    Raises
    ------
    InputError, RecipeError
        When the folder is no release, the input is another file, a recipient's secret is given that no step uses, the
        recipe or the key cannot be read, or the recipe fails although the release was made by today's rules.
    """
    listed = read_manifest(directory)
    findings = compare_files(directory, listed)
    progress.report(0.1, "doing.verifying")
    if any(finding.path == f"{INTERNAL}/{RECIPE}" for finding in findings):
        return report_differing_files(findings, None)
    recipe = read_recipe(directory / INTERNAL / RECIPE, formats=release_formats())
    _check_input(recipe, source)
    if recipient is not None:
        check_is_asked_for(recipe)
    if missing := plugins.not_on(recipe.plugins.use):
        return _make_undecided_result(Note("verify.not-possible.plugins", {"plugins": Names.of(missing)}), findings)
    if not any(path.startswith(name_data_folder(recipe) + "/") for path in listed):
        return _make_undecided_result("verify.not-possible.draft", findings)
    key_file = directory / INTERNAL / KEY
    if not key_file.is_file():
        destroyed = (directory / INTERNAL / DESTROYED).is_file()
        return _make_undecided_result(
            "verify.not-possible.destroyed" if destroyed else "verify.not-possible.no-key", findings
        )
    key = Key.from_hex(read_digits(key_file, KEY_TEXTS), file=str(key_file))
    rules = read_rules_number(directory)
    try:
        if f"{INTERNAL}/{TOP_UP}" in listed:
            earlier = progress.part(0.1, 0.25).run(read_stored, directory, recipe)
            candidate = progress.part(0.25, 1.0).run(top_up, earlier, _require_source_path(source), key)
        else:
            secret = recipient or RecipientSecret.stand_in(key)
            prepared = progress.part(0.1, 0.5).run(prepare, source, recipe, store=store)
            candidate = progress.part(0.5, 1.0).run(run_candidate, prepared, key, recipient=secret)
            candidate = _restore_released_codes(candidate, directory)
        return Rerun(candidate, findings)
    except (InputError, RecipeError):
        if rules == RULES:
            raise
        return _make_undecided_result("verify.not-possible.other-rules", findings)


def read_rules_number(directory: Path) -> int:
    """Return the version number of the rules that a release was made with, as its report states it.

    If the report cannot be read or states none, today's number is returned, as if the rules had not changed.
    """
    try:
        program = read_json(directory / INTERNAL / REPORT_JSON, REPORT)["program"]
        return int(program["rules"])
    except (OSError, InputError, ValueError, OverflowError, KeyError, TypeError, AttributeError):
        return RULES


def read_named_plugins(directory: Path) -> tuple[str, ...]:
    """Return the names of the plug-ins that the recipe in a release folder uses; empty where it cannot be read."""
    try:
        return read_recipe(Path(directory) / INTERNAL / RECIPE).plugins.use
    except RecipeError:
        return ()


def _list_differing_plugins(directory: Path) -> tuple[str, ...]:
    """Return the names of the plug-ins that a release was made with and that are missing here or have other files.

    Plug-ins that are not switched on count as missing. Empty where the report cannot be read.
    """
    try:
        program = read_json(directory / INTERNAL / REPORT_JSON, REPORT)["program"]
        made_with = {str(plugin["distribution"]): plugin["sha256"] for plugin in program.get("plugins", ())}
    except (OSError, InputError, ValueError, KeyError, TypeError, AttributeError):
        return ()
    here = {plugin.name: plugin.sha256 for plugin in plugins.switched_on()}
    return tuple(name for name, sha in made_with.items() if here.get(name) != sha)


def _compare_run(directory: Path, candidate: Candidate, findings: tuple[FileFinding, ...]) -> Verification:
    """Return the result of comparing a repeated run with the released files: data, dictionary and analysis kit.

    The result is ``identical`` or ``different``. If ``findings`` names files that differ from the manifest, it is
    ``different`` even if the data are equal. Dictionary and kit are compared only where the data are equal. ``cells``
    of the result counts differing cells of the data file, and is None where the file is missing, cannot be read as a
    table or is far too large. The reason of ``identical`` names the columns of codes that could not be made again.
    """
    made = data_bytes(candidate)
    recipe = candidate.prepared.recipe
    folder = directory / name_data_folder(recipe)
    data_file = folder / data_file_name(candidate)
    released_bytes = read_file(data_file, RELEASED) if data_file.is_file() else b""
    cells = 0 if released_bytes == made.data else _count_cells(made, released_bytes, candidate)
    same_dictionary = _is_same(folder / mark_teaching_name(recipe, DICTIONARY), public_dictionary(candidate))
    kit = kit_of(candidate, data_file.name)
    same_kit = all(_is_same(folder / KIT / name, content) for name, content in kit.items())
    if released_bytes == made.data:
        if findings:
            return report_differing_files(findings, 0)
        if not same_dictionary or not same_kit:
            id = "verify.different.kit" if same_dictionary else "verify.different.dictionary"
            return Verification(DIFFERENT, Note(id), 0, findings)
        if names := list_codes_not_remade(candidate):
            return Verification(IDENTICAL, Note("verify.identical.codes", {"columns": Names.of(names)}), 0, ())
        return Verification(IDENTICAL, Note("verify.identical"), 0, ())
    if cells is None:
        return Verification(DIFFERENT, Note("verify.different.unreadable"), None, findings)
    return Verification(DIFFERENT, Note("verify.different.cells", {"cells": cells}), cells, findings)


def _is_same(path: Path, content: bytes) -> bool:
    """Return whether a file exists and holds these bytes."""
    return path.is_file() and read_file(path, RELEASED) == content


def _restore_released_codes(candidate: Candidate, directory: Path) -> Candidate:
    """Return the candidate with the codes of the data file, where the secret they were made with is not available.

    Only its ``released`` table gets them. The candidate itself is returned where the secret is available, the file
    is missing or cannot be read, or in some column the codes made now and those of the file do not correspond one to
    one.
    """
    names = list_codes_not_remade(candidate)
    data_file = directory / name_data_folder(candidate.prepared.recipe) / data_file_name(candidate)
    if not names or not data_file.is_file():
        return candidate
    made = data_bytes(candidate)
    try:
        columns = read_table(Written(read_file(data_file, RELEASED), made.format, made.guarded, 0, made.decimal))
    except UnreadableFile:
        return candidate
    by_name = {column.name: column for column in columns}
    released = candidate.released
    if not all(name in by_name and _is_one_to_one(released.column(name), by_name[name]) for name in names):
        return candidate
    as_written = (
        replace(by_name[name], role=PSEUDONYM, missing_texts=released.column(name).missing_texts) for name in names
    )
    return replace(candidate, released=released.replacing(*as_written))


def _is_one_to_one(made: Column, column: Column) -> bool:
    """Return whether two columns of codes correspond one to one, so that both can come from the same identifiers.

    With shortened codes, ["a1", "a1", "b2"] and ["x7", "x7", "y3"] do; ["a1", "a1", "b2"] and ["x7", "y3", "y3"] do
    not. False also where the lengths differ, ``column`` holds a text that is no code, or a value is missing in one of
    them only.
    """
    if len(made) != len(column) or not are_codes(set(present_texts(column)) - made.missing_texts):
        return False
    pairs = np.unique(np.column_stack([made.category_codes, column.codes]), axis=0)
    one_to_one = all(len(np.unique(pairs[:, side])) == len(pairs) for side in (0, 1))
    return one_to_one and all((kind < 0) == (column.texts[code] in made.missing_texts) for kind, code in pairs.tolist())


def list_codes_not_remade(candidate: Candidate) -> tuple[str, ...]:
    """Return the names of the columns of codes not made again, because the recipient's secret is not available.

    In the order of the steps; empty where the secret is available.
    """
    secret = candidate.streams.recipient
    if secret is None or not secret.is_stand_in:
        return ()
    return tuple(
        name for step in candidate.steps if step.result.detail.get("kept_secret") for name in step.settings.columns
    )


def _count_cells(made: Written, released_bytes: bytes, candidate: Candidate) -> int | None:
    """Return the number of cells, headers included, in which the released file and the repeated run's table differ.

    A cell that only one of them has differs. The number may be 0 although the bytes differ. None where the file cannot
    be read, or is over 1 MiB larger than twice the size of the repeated run's file.
    """
    if len(released_bytes) > 2 * len(made.data) + 2**20:
        return None
    try:
        columns = read_table(Written(released_bytes, made.format, made.guarded, 0, made.decimal))
    except UnreadableFile:
        return None
    return progress.make_silent_progress().run(count_differing_cells, columns, candidate.released.columns)


_FILE_TEXTS = {
    "changed": "verify.file.changed",
    "missing": "verify.file.missing",
    "extra": "verify.file.extra",
}


def report_differing_files(findings: tuple[FileFinding, ...], cells: int | None) -> Verification:
    """Return the result ``different``, whose reason names every file that differs from the manifest and how.

    ``cells`` is the number of differing cells of the data file, None where it was not compared.
    """
    files = Terms(tuple(Note(_FILE_TEXTS[finding.state], {"file": Term(finding.path)}) for finding in findings))
    return Verification(DIFFERENT, Note("verify.different.files", {"files": files}), cells, findings)


def _make_undecided_result(why: str | Note, findings: tuple[FileFinding, ...]) -> Verification:
    """Return the result ``not possible`` for the reason ``why`` (a note or its id), or ``different`` if files differ.

    ``findings`` are the files that differ from the manifest.
    """
    note = Note(why) if isinstance(why, str) else why
    return report_differing_files(findings, None) if findings else Verification(NOT_POSSIBLE, note, None, ())


def _check_input(recipe: Recipe, source: Source) -> None:
    """Raise InputError if the input cannot be read, or its SHA-256 is not the one in the recipe."""
    sha256 = source.sha256 if isinstance(source, MemorySource) else file_hash(source)
    if sha256 is None:
        raise InputError("error.verify.no-input", file=str(path_of(source)))
    if recipe.input.sha256 != sha256:
        raise InputError("error.verify.wrong-input", file=str(path_of(source)))


def _require_source_path(source: Source) -> Path:
    """Return the source's path; raise InputError for a table in memory."""
    if isinstance(source, MemorySource):
        raise InputError("error.frame.top-up")
    return source


# --- destroying the key ------------------------------------------------------------------------


def destroy_key(out: Path, operator: str | None, *, now: datetime | None = None, disk: Disk | None = None) -> None:
    """Delete the kept key of a release and record who did it and when; the release cannot be repeated after that.

    The record is a file of its own with the time (UTC), written before the key is deleted, and then a line in the log
    of decisions where the release has one that can be read. If writing that line failed, the key is deleted already,
    and calling this again writes it.

    Parameters
    ----------
    out
        The release folder.
    operator
        Name of the person who does it; None for unknown.
    now
        Time to record; the present when None.
    disk
        The file operations.

    Raises
    ------
    InputError
        When the folder has no key, the key cannot be removed, or the record cannot be written.
    """
    disk = disk or Disk()
    key_file, record, log = out / INTERNAL / KEY, out / INTERNAL / DESTROYED, _read_decision_log(out)
    is_logged = not log or any(line.event == decision_log.KEY_DESTROYED for line in log)
    if not key_file.is_file() and (is_logged or not record.is_file()):
        raise InputError("error.export.no-key", file=str(out))
    stamp = (now or datetime.now(UTC)).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    document = {"format": 1, "destroyed": stamp, "operator": operator}
    try:
        disk.remove_file(record)
        disk.write_file(record, json.dumps(document, ensure_ascii=False, indent=2).encode("utf-8") + b"\n")
        disk.remove_file(key_file)
        if log:
            line = decision_log.Entry(decision_log.KEY_DESTROYED)
            decision_log.write_log(out / LOG, decision_log.extend_log(log, [line], at=stamp, who=operator or ""))
        disk.sync_folder(out / INTERNAL)
    except OSError as error:
        raise to_input_error(error, out) from error
