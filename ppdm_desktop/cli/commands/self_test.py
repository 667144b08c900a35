"""``self-test``: release a sample in the installed program, or compare its files with the shipped list."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from pathlib import Path

from ppdm_desktop.cli.console import Console
from ppdm_desktop.cli.shipped_files import LIST, compare, program_folder
from ppdm_desktop.engine import progress
from ppdm_desktop.engine.errors import GateBlocked, InputError
from ppdm_desktop.engine.files.private import PrivateFolder
from ppdm_desktop.engine.methods.base.declaration import all_methods
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import read_recipe
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.verify import verify
from ppdm_desktop.engine.release.writing.export import export
from ppdm_desktop.engine.samples import Sample, ready_sample
from ppdm_desktop.engine.table.writing import release_formats
from ppdm_desktop.engine.wording.catalogue import SOURCE, _, lazy, speaking
from ppdm_desktop.engine.wording.values import Term, Terms
from ppdm_desktop.ui.pdf.renderers import pdf_renderers

DESCRIPTION = lazy(
    "Release a bundled sample into a private temporary folder, verify it, and print OK. With --files, compare the "
    "installed files with the shipped list instead."
)
_MOST_NAMED = 20


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to the parser."""
    parser.add_argument(
        "--files",
        nargs="?",
        type=Path,
        default=False,
        metavar="LIST",
        help=_("compare the installed files with the list shipped with them, or with LIST from the delivery"),
    )


def run(given: argparse.Namespace, console: Console) -> int:
    """Run the sample, or compare the installed files; return the exit code."""
    return _run_sample(console) if given.files is False else _compare_files(given.files, console)


def _compare_files(shipped: Path | None, console: Console) -> int:
    """Print which installed files differ from a list; return the exit code."""
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
    """Run the sample and print OK; return the exit code."""
    private = PrivateFolder("self-test")
    try:
        sample = ready_sample()
        with speaking(SOURCE):
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
    """Release and verify a sample; return the names of the PDFs written."""
    folder.mkdir()
    source, recipe_file, out = folder / "sample.csv", folder / "sample.recipe.toml", folder / "out"
    source.write_bytes(sample.make({}))
    recipe_file.write_text(sample.recipe(), encoding="utf-8")
    prepared = progress.silent().run(
        prepare, source, read_recipe(recipe_file, formats=release_formats()), need_type=True
    )
    candidate = progress.silent().run(run_candidate, prepared, Key.fresh())
    renderers = pdf_renderers()
    progress.silent().run(export, candidate, out, created=datetime.now(UTC), renderers=renderers)
    verification = progress.silent().run(verify, out, source)
    if verification.result != "identical":
        raise GateBlocked(verification.reason.id, args=verification.reason.arguments)
    return list(renderers)
