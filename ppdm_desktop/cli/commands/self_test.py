"""``self-test``: release a sample in the installed program, or compare its files with the shipped list.

Compare the files of a delivered program with its shipped list: changed, missing and added ones.

The list is what ``sha256sum`` writes and checks. It lies in the program's own folder, so a person who can change a file
can change the list; its own hash stands in ``SHA256SUMS`` of the delivery, with a copy of it.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from ppdm_desktop.cli.console import Console
from ppdm_desktop.engine import progress
from ppdm_desktop.engine.errors import GateBlocked, InputError
from ppdm_desktop.engine.files.opening import MANIFEST, PART_OF_PROGRAM, read_file
from ppdm_desktop.engine.files.private import PrivateFolder
from ppdm_desktop.engine.methods.base.declaration import all_methods
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import read_recipe
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.verify import verify
from ppdm_desktop.engine.release.writing.export import export
from ppdm_desktop.engine.samples import Sample, find_bundled_sample
from ppdm_desktop.engine.table.writing.registry import release_formats
from ppdm_desktop.engine.wording.catalogue import SOURCE, _, lazy, speak_language
from ppdm_desktop.engine.wording.values import Term, Terms
from ppdm_desktop.ui.pdf.renderers import pdf_renderers

LIST = "FILES.sha256"
_LINE = re.compile(r"([0-9a-f]{64})  (\S.*)")


@dataclass(frozen=True)
class Comparison:
    """How a folder differs from a list of files.

    Attributes
    ----------
    listed
        How many files the list names.
    changed, missing, added
        Files whose bytes differ, that are not there, and that the list does not name, by their paths in the folder.
    list_hash
        SHA-256 of the list itself.
    """

    listed: int
    changed: tuple[str, ...]
    missing: tuple[str, ...]
    added: tuple[str, ...]
    list_hash: str

    @property
    def same(self) -> bool:
        """Whether no file was changed, is missing or was added."""
        return not (self.changed or self.missing or self.added)


def program_folder() -> Path | None:
    """Return the folder of a delivered program; None where it runs with an installed Python."""
    return Path(sys.executable).resolve().parent if getattr(sys, "frozen", False) else None


def list_of(folder: Path) -> str:
    """Return the list of a folder's files as ``sha256sum`` writes it, sorted by path."""
    return "".join(f"{_hash_file(folder / name)}  {name}\n" for name in sorted(_list_files(folder)))


def compare(folder: Path, shipped: Path) -> Comparison:
    """Return how a folder differs from the list in the file ``shipped``: changed, missing and unlisted files, by name.

    Raises InputError where the list is missing or is none.
    """
    try:
        data = read_file(shipped, MANIFEST)
    except OSError as error:
        raise InputError("error.files.no-list", file=str(shipped)) from error
    listed = _parse_hash_list(data, shipped)
    comparison = set(_list_files(folder))
    changed = [name for name in sorted(comparison & set(listed)) if _hash_file(folder / name) != listed[name]]
    return Comparison(
        len(listed),
        tuple(changed),
        tuple(sorted(set(listed) - comparison)),
        tuple(sorted(comparison - set(listed))),
        hashlib.sha256(data).hexdigest(),
    )


def _list_files(folder: Path) -> Iterator[str]:
    """Yield the paths of the files below a folder, relative and with slashes, in no order, without the list itself.

    Broken links are included.
    """
    for path in folder.rglob("*"):
        if (path.is_symlink() and not path.is_dir()) or path.is_file():
            name = path.relative_to(folder).as_posix()
            if name != LIST:
                yield name


def _hash_file(path: Path) -> str:
    """Return a file's SHA-256; "", which no list contains, if it cannot be read."""
    try:
        return hashlib.sha256(read_file(path, PART_OF_PROGRAM)).hexdigest()
    except (OSError, InputError):
        return ""


def _parse_hash_list(data: bytes, shipped: Path) -> dict[str, str]:
    """Return the SHA-256 of each file that a list names, by path; raise InputError where it is no such list."""
    try:
        lines = data.decode("utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise InputError("error.files.no-list", file=str(shipped)) from error
    matches = [_LINE.fullmatch(line) for line in lines]
    if not matches or not all(matches):
        raise InputError("error.files.no-list", file=str(shipped))
    return {hit[2]: hit[1] for hit in matches if hit}


DESCRIPTION = lazy(
    "Release a bundled sample into a private temporary folder, verify it, and print OK. With --files, compare the "
    "installed files with the shipped list instead."
)
_MOST_NAMED = 20


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command ``self-test``, which ``run`` gets, to the parser."""
    parser.add_argument(
        "--files",
        nargs="?",
        type=Path,
        default=False,
        metavar="LIST",
        help=_("compare the installed files with the list shipped with them, or with LIST from the delivery"),
    )


def run(given: argparse.Namespace, console: Console) -> int:
    """Run the sample, or compare the installed files if asked; return the exit code: 3 for differing files, else 0."""
    return _run_sample(console) if given.files is False else _compare_files(given.files, console)


def _compare_files(shipped: Path | None, console: Console) -> int:
    """Print which installed files differ from a list, the delivered one for None.

    Return the exit code, 3 for differences. Raises InputError for a program that was not delivered with a list.
    """
    folder = program_folder()
    if folder is None:
        raise InputError("error.files.not-delivered")
    differences = compare(folder, shipped or folder / LIST)
    for sentence, names in (
        (lazy("changed: {file}"), differences.changed),
        (lazy("missing: {file}"), differences.missing),
        (lazy("not in the list: {file}"), differences.added),
    ):
        console.lines(*(sentence.said(file=Term(name)) for name in names[:_MOST_NAMED]))
        if len(names) > _MOST_NAMED:
            console.lines(_("and {n} more {n:file|files}", n=len(names) - _MOST_NAMED))
    console.lines(_("SHA-256 of the list: {hash}", hash=Term(differences.list_hash)))
    if not differences.same:
        console.lines(_("This installation is not as it was shipped. Remove it and install it again."))
        return 3
    console.lines(_("{n} {n:file is|files are} as in the list.", n=differences.listed), "OK")
    return 0


def _run_sample(console: Console) -> int:
    """Release and verify the bundled sample in a private folder, print what was done and "OK", and return 0.

    The folder is removed in any case. Whatever fails is raised.
    """
    private = PrivateFolder("self-test")
    try:
        sample = find_bundled_sample()
        with speak_language(SOURCE):
            written = _release_and_verify(private.path / sample.id, sample)
        console.lines(_("{sample}: released and verified, identical", sample=Term(sample.id)))
        if written:
            console.lines(_("PDF files written: {files}", files=Terms(tuple(written))))
        else:
            console.lines(_("PDF files left out: there is no Qt or no font here."))
    finally:
        private.remove()
    console.lines(_("{n} {n:method|methods} found", n=len(all_methods())), "OK")
    return 0


def _release_and_verify(folder: Path, sample: Sample) -> list[str]:
    """Release and verify a sample in a new folder; return the names of the PDFs written.

    Raises GateBlocked when it cannot be made again with the same bytes.
    """
    folder.mkdir()
    source, recipe_file, out = folder / "sample.csv", folder / "sample.recipe.toml", folder / "out"
    source.write_bytes(sample.make({}))
    recipe_file.write_text(sample.recipe(), encoding="utf-8")
    prepared = progress.make_silent_progress().run(
        prepare, source, read_recipe(recipe_file, formats=release_formats()), need_type=True
    )
    candidate = progress.make_silent_progress().run(run_candidate, prepared, Key.fresh())
    renderers = pdf_renderers()
    progress.make_silent_progress().run(export, candidate, out, created=datetime.now(UTC), renderers=renderers)
    verification = progress.make_silent_progress().run(verify, out, source)
    if verification.result != "identical":
        raise GateBlocked(verification.reason.id, args=verification.reason.arguments)
    return list(renderers)
