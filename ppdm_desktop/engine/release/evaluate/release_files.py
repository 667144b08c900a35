"""Making the files of a release, and reading them back as evidence for the gate."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.recipe.models import Recipe
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.gate.environment_terms import collect_host_metadata
from ppdm_desktop.engine.release.gate.evidence import Evidence, ReleaseTexts
from ppdm_desktop.engine.release.measures.analysis_kit import asks_for_kit, noise_law
from ppdm_desktop.engine.release.measures.utility import Measures, public_dictionary, public_note
from ppdm_desktop.engine.release.storage.atomic_folder import RELEASE, TEACHING
from ppdm_desktop.engine.report.html import render_note
from ppdm_desktop.engine.report.public.analysis_kit import KIT, kit_files
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.reading.memory_source import FRAME_FORMAT
from ppdm_desktop.engine.table.reading.source import hash_file
from ppdm_desktop.engine.table.stored.code_store import store_columns_like
from ppdm_desktop.engine.table.writing import read_as_written, write_table
from ppdm_desktop.engine.table.writing.base import UnreadableFile, Written, WrittenFile
from ppdm_desktop.engine.table.writing.limits import ExcelLimits, excel_limits
from ppdm_desktop.engine.table.writing.registry import find_writer
from ppdm_desktop.engine.wording.catalogue import speak_language
from ppdm_desktop.engine.wording.values import Name

DICTIONARY, NOTE = "data-dictionary.csv", "release-note.html"
TEACHING_PREFIX = "teaching-copy-not-for-release-"
Add = Callable[[str, bytes], bytes]
_FILE_NAME = re.compile(r"[\w][\w .()-]{0,99}")
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?")


def build_release_files(candidate: Candidate, measures: Measures, add: Add) -> Evidence:
    """Make the files of a release; return the evidence gathered by reading them back.

    They are the data file, the release note, the data dictionary and, if wanted and possible, the analysis kit. No data
    file is made where the format cannot hold the table: then ``written`` is None and ``breaches`` states why.

    Parameters
    ----------
    candidate, measures
        The candidate and its figures of usefulness.
    add
        Function that takes the name and bytes of a file, writes it, and returns its bytes as read back.

    Raises
    ------
    RecipeError
        When the data file cannot have the name that the owner typed.
    """
    name = data_file_name(candidate)
    breaches = find_writer(candidate.prepared.recipe.release.format).limits(candidate.released)
    written, raw = (None, None) if breaches else progress.part(0.05, 0.9).run(_write_data_file, candidate, name, add)
    progress.report(0.9, "doing.exporting")
    note = public_note(
        candidate,
        measures,
        data_name=name,
        data_sha256=written.sha256 if written is not None else "",
        guarded_cells=written.guarded_cells if written is not None else 0,
    )
    progress.report(0.95, "doing.exporting")
    recipe = candidate.prepared.recipe
    texts = ReleaseTexts(
        note=add(mark_teaching_name(recipe, NOTE), render_note(note)),
        dictionary=add(mark_teaching_name(recipe, DICTIONARY), public_dictionary(candidate)),
        kit={file: add(f"{KIT}/{file}", data) for file, data in kit_of(candidate, name).items()},
    )
    return build_evidence(candidate, name, written, raw, texts)


def build_evidence(
    candidate: Candidate,
    name: str,
    written: WrittenFile | None,
    as_written: tuple[Column, ...] | None,
    texts: ReleaseTexts,
) -> Evidence:
    """Return the evidence for the gate on the files of a release.

    Parameters
    ----------
    candidate
        The candidate with the file's values.
    name
        Name of the data file.
    written, as_written
        The data file, and its columns as read back; None where it was not written or cannot be read.
    texts
        The files next to it: note, dictionary and kit.
    """
    return Evidence(
        candidate=candidate,
        written=written,
        as_written=as_written,
        limits=excel_limits(candidate.released),
        breaches=find_writer(candidate.prepared.recipe.release.format).limits(candidate.released),
        data_name=name,
        texts=texts,
        source_sha256=source_hash(candidate),
        host_metadata=collect_host_metadata(candidate),
    )


def draft_evidence(candidate: Candidate) -> Evidence:
    """Return evidence on a candidate of which no file is written: the table in memory, and the data dictionary.

    Only planning uses it, for checks that read no file. The release note is empty, and the dictionary does not state
    which rules hold in every row. Raises RecipeError when the data file cannot have the name that the owner typed.
    """
    table = candidate.released
    return Evidence(
        candidate=candidate,
        written=None,
        as_written=table.columns,
        limits=ExcelLimits(table.rows + 1, len(table.columns), 0, 0),
        data_name=data_file_name(candidate),
        texts=ReleaseTexts(note=b"", dictionary=public_dictionary(candidate, is_draft=True)),
        source_sha256=candidate.prepared.account.sha256,
        host_metadata=collect_host_metadata(candidate),
        draft=True,
    )


def _write_data_file(candidate: Candidate, name: str, add: Add) -> tuple[WrittenFile, tuple[Column, ...] | None]:
    """Write the data file; return it, and its columns as read back (None where the file cannot be read).

    ``add`` takes the name and bytes of a file, writes it, and returns its bytes as read back.
    """
    made = progress.part(0.0, 0.5).run(data_bytes, candidate)
    made = replace(made, data=add(name, made.data))
    written = WrittenFile.of(
        made, find_writer(made.format), lambda: progress.make_silent_progress().run(data_bytes, candidate).data
    )
    try:
        return written, store_columns_like(progress.part(0.5, 1.0).run(read_as_written, made), candidate.released)
    except UnreadableFile:
        return written, None


def kit_of(candidate: Candidate, data_name: str) -> dict[str, bytes]:
    """Return the files of the analysis kit, bytes by name; empty where no kit is wanted or possible.

    Names are those inside the kit's own folder. The kit tells recipients how to correct their analyses for noise and
    for categories changed by chance, in the language of the release's notes. ``data_name`` is the name of the data
    file.
    """
    if not asks_for_kit(candidate):
        return {}
    with speak_language(candidate.prepared.recipe.release.note_language):
        return kit_files(noise_law(candidate, data_name))


def data_bytes(candidate: Candidate) -> Written:
    """Return a candidate's data file, made in memory in the recipe's format.

    Cells that a spreadsheet would take for formulas are guarded if the recipe asks for it.
    """
    wanted = candidate.prepared.recipe.release
    return write_table(candidate.released, wanted.format, guarded=wanted.formula_guard)


def data_file_name(candidate: Candidate) -> str:
    """Return the name of the data file: ``data``, or the name typed by the owner, with the format's extension.

    For CSV, "visits" and "visits.csv" both give "visits.csv". A teaching copy gets a prefix that marks it as such.

    Raises
    ------
    RecipeError
        When some system may refuse the typed name, or it is that of the dictionary or the note, in whatever case.
        Letters, digits and ``_`` are allowed and, but for the first character, ``.()-`` and blanks, 100 characters
        without the extension; a blank or point at the end and reserved names such as "con" are not.
    """
    release = candidate.prepared.recipe.release
    suffix = find_writer(release.format).suffix
    stem = ("data" if release.file_name is None else release.file_name).removesuffix(suffix)
    name = stem + suffix
    is_taken = _RESERVED.fullmatch(stem) or name.casefold() in (DICTIONARY, NOTE)
    if is_taken or _FILE_NAME.fullmatch(stem) is None or stem != stem.strip(" ."):
        raise RecipeError("error.export.file-name", args={"name": Name(name)})
    return mark_teaching_name(candidate.prepared.recipe, name)


def mark_teaching_name(recipe: Recipe, name: str) -> str:
    """Return a file name, with the prefix of teaching copies in front if the recipe makes a teaching copy."""
    return TEACHING_PREFIX + name if recipe.release.teaching_copy else name


def name_data_folder(recipe: Recipe) -> str:
    """Return the name of the folder for the recipient's files; teaching copies have another than releases."""
    return TEACHING if recipe.release.teaching_copy else RELEASE


def source_hash(candidate: Candidate) -> str | None:
    """Return the SHA-256 of the source file as it is on disk now; None where it cannot be read.

    A source that exists only as a table in memory keeps the digest noted when it was prepared.
    """
    account = candidate.prepared.account
    return account.sha256 if account.format == FRAME_FORMAT else file_hash(candidate.prepared.path)


def file_hash(path: Path) -> str | None:
    """Return the SHA-256 of a file as hexadecimal text; None where it cannot be read."""
    try:
        return hash_file(path)
    except InputError:
        return None
