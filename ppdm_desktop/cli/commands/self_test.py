"""``self-test``: release a sample with the installed program, or compare its files with the shipped list.

The list has the format of ``sha256sum``. It lies in the program's own folder, so a person who can change a file can
change the list; the list's own hash stands in ``SHA256SUMS`` of the delivery, with a copy of the list.
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
    """How the files of a folder differ from a list of hashes.

    Attributes
    ----------
    listed
        Number of files in the list.
    changed, missing, added
        Paths, within the folder, of files whose bytes differ, of files that are not there, and of files not in the
        list.
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


def list_of(folder: Path) -> str:
    """Return the SHA-256 of all files below a folder as text in the format of ``sha256sum``, sorted by path.

    Paths are relative to the folder, with slashes. The list itself (``LIST``) is left out; a file that cannot be read
    has an empty hash.
    """
    return "".join(f"{_hash_file(folder / name)}  {name}\n" for name in sorted(_list_files(folder)))


def compare(folder: Path, shipped: Path) -> Comparison:
    """Return how a folder differs from the hash list in the file ``shipped``: changed, missing and added files.

    A file that cannot be read counts as changed. The result also has the number of listed files and the SHA-256 of the
    list. Raise InputError if the file is missing or is no such list.
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
    """Yield the relative paths, with slashes, of all files below a folder except the list itself.

    Broken links are included; the paths are in no order.
    """
    for path in folder.rglob("*"):
        if (path.is_symlink() and not path.is_dir()) or path.is_file():
            name = path.relative_to(folder).as_posix()
            if name != LIST:
                yield name


def _hash_file(path: Path) -> str:
    """Return a file's SHA-256 as text; "" (which no list contains) if the file cannot be read."""
    try:
        return hashlib.sha256(read_file(path, PART_OF_PROGRAM)).hexdigest()
    except (OSError, InputError):
        return ""


def _parse_hash_list(data: bytes, shipped: Path) -> dict[str, str]:
    """Return the SHA-256 of each file in a list, by path; raise InputError if the data is no such list."""
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
    """Add the arguments of the command ``self-test`` to the parser."""
    parser.add_argument(
        "--files",
        nargs="?",
        type=Path,
        default=False,
        metavar="LIST",
        help=_("compare the installed files with the list shipped with them, or with LIST from the delivery"),
    )


def run(args: argparse.Namespace, console: Console) -> int:
    """Release a sample or, if asked, compare the installed files; return the exit code: 3 if files differ, else 0."""
    return _run_sample(console) if args.files is False else _compare_files(args.files, console)


def _compare_files(shipped: Path | None, console: Console) -> int:
    """Print which installed files differ from a hash list (None: the shipped one); return 3 if any does, else 0.

    At most 20 changed, 20 missing and 20 added files are named, for more only their number.

    Raise InputError if the program is not a delivered (bundled) one.
    """
    folder = Path(sys.executable).resolve().parent if getattr(sys, "frozen", False) else None
    if folder is None:
        raise InputError("error.files.not-delivered")
    differences = compare(folder, shipped or folder / LIST)
    for sentence, names in (
        (lazy("changed: {file}"), differences.changed),
        (lazy("missing: {file}"), differences.missing),
        (lazy("not in the list: {file}"), differences.added),
    ):
        console.lines(*(sentence.format(file=Term(name)) for name in names[:_MOST_NAMED]))
        if len(names) > _MOST_NAMED:
            console.lines(_("and {n} more", n=len(names) - _MOST_NAMED))
    console.lines(_("SHA-256 of the list: {hash}", hash=Term(differences.list_hash)))
    if not differences.same:
        console.lines(_("This installation is not as it was shipped. Remove it and install it again."))
        return 3
    console.lines(_("{n} {n:file is|files are} as in the list.", n=differences.listed), "OK")
    return 0


def _run_sample(console: Console) -> int:
    """Release and verify the bundled sample in a temporary folder, print the result, and return 0.

    The folder is removed in any case. Any error is raised.
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
    """Release a sample in a new folder and verify it; return the names of the PDFs written.

    The list is empty if no PDF can be made here, for want of Qt or a font. Raise GateBlocked if the release cannot be
    reproduced byte for byte.
    """
    folder.mkdir()
    source, recipe_file, out = folder / "sample.csv", folder / "sample.recipe.toml", folder / "out"
    source.write_bytes(sample.make({}))
    recipe_file.write_text(sample.recipe(), encoding="utf-8")
    quiet, renderers = progress.make_silent_progress(), pdf_renderers()
    prepared = quiet.run(prepare, source, read_recipe(recipe_file, formats=release_formats()), need_type=True)
    candidate = quiet.run(run_candidate, prepared, Key.fresh())
    quiet.run(export, candidate, out, created=datetime.now(UTC), renderers=renderers)
    verification = quiet.run(verify, out, source)
    if verification.result != "identical":
        raise GateBlocked(verification.reason.id, args=verification.reason.arguments)
    return list(renderers)
