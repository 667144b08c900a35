"""``verify``: check whether a release folder is what its recipe, key and source file produce."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path

from ppdm_desktop.cli.app_folder import ledger_file
from ppdm_desktop.cli.columns_storage import add_columns_argument, provide_column_store
from ppdm_desktop.cli.commands.release import add_recipient_argument
from ppdm_desktop.cli.console import Console
from ppdm_desktop.cli.plugins_option import add_plugins_argument
from ppdm_desktop.engine.release.storage.unfinished import find_unfinished, remove_unfinished
from ppdm_desktop.engine.release.verify import (
    DIFFERENT,
    IDENTICAL,
    NOT_POSSIBLE,
    Verification,
    read_named_plugins,
    verify,
)
from ppdm_desktop.engine.release.verify_figure import FigureVerification, verify_figure
from ppdm_desktop.engine.report.html import format_iso_day
from ppdm_desktop.engine.secret_files import read_recipient_secret
from ppdm_desktop.engine.wording.catalogue import SOURCE, _, lazy, speak_language
from ppdm_desktop.engine.wording.texts import Note, render
from ppdm_desktop.engine.wording.values import Term

DESCRIPTION = lazy(
    "Check every file of a release folder, run its recipe again with the kept key, and compare byte by byte. With "
    "--figure, work out one figure of the release record again from the written file."
)
_RESULTS = {
    IDENTICAL: lazy("identical"),
    DIFFERENT: lazy("different"),
    NOT_POSSIBLE: lazy("not possible"),
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command ``verify`` to the parser."""
    parser.add_argument("directory", type=Path, metavar="DIR", help=_("the release folder"))
    parser.add_argument("--input", type=Path, required=True, metavar="INPUT", help=_("the original file"))
    parser.add_argument(
        "--figure",
        metavar="ID",
        help=_("work out only this figure of the release record again; the id is beside it"),
    )
    add_recipient_argument(parser)
    add_plugins_argument(parser)
    add_columns_argument(parser)
    parser.add_argument(
        "--clear-leftovers",
        action="store_true",
        help=_("remove what interrupted runs left beside releases and in the folder for temporary files"),
    )
    parser.add_argument("--json", action="store_true", help=_("print one JSON document"))


def _note_paths(id: str, paths: Iterable[Path]) -> Note:
    """Return the note with this text id about some files; their paths are joined by commas, unchanged and in order."""
    return Note(id, {"files": Term(", ".join(map(str, paths)))})


def _report_leftovers(args: argparse.Namespace, console: Console) -> None:
    """Print the files that interrupted runs left or, with ``--clear-leftovers``, remove them and print which.

    Files that could not be removed are printed as well; nothing is printed if there are none.
    """
    ledger = ledger_file()
    unfinished = find_unfinished(ledger, [args.directory.absolute().parent])
    if not unfinished.paths:
        return
    if not args.clear_leftovers:
        console.warn(_note_paths("note.unfinished.found", unfinished.paths))
        return
    before = unfinished.paths
    left = remove_unfinished(unfinished, ledger)
    gone = [path for path in before if path not in left]
    if gone:
        console.warn(_note_paths("note.unfinished.removed", gone))
    if left:
        console.warn(_note_paths("note.unfinished.not-removed", left))


def run(args: argparse.Namespace, console: Console) -> int:
    """Verify a release, or one of its figures, and print the result; return the exit code: 3 if it differs, else 0.

    The code is 0, too, if verifying is not possible. Leftovers of interrupted runs are reported first, or removed if
    asked. Raise a PpdmError if the folder holds no release, or the input is another file.

    If the whole release is verified, lines also say if it is a teaching copy, is not approved yet, or must no longer be
    used.
    """
    figure_verification: Verification | FigureVerification
    _report_leftovers(args, console)
    if args.plugins:
        from ppdm_desktop import plugins

        plugins.switch_on(read_named_plugins(args.directory))
    recipient = None if args.recipient_secret is None else read_recipient_secret(args.recipient_secret)
    # The release is written once more to be compared: in the language it was written in, not in the operator's.
    with speak_language(SOURCE):
        if args.figure is None:
            with provide_column_store(args.columns, args.input, console, judged=True) as store:
                figure_verification = verify(args.directory, args.input, recipient=recipient, store=store)
        else:
            figure_verification = verify_figure(args.directory, args.input, args.figure, recipient=recipient)
        console.document(figure_verification.document())
    text = render(figure_verification.reason.id, figure_verification.reason.arguments)
    console.lines(f"{_RESULTS[figure_verification.result]}: {text.sentence}")
    if isinstance(figure_verification, Verification) and figure_verification.teaching_copy:
        console.lines(_("Teaching copy, not for release"))
    if isinstance(figure_verification, Verification) and figure_verification.waits:
        console.lines(_("Nobody has approved this release. Do not pass it on."))
    if isinstance(figure_verification, Verification) and figure_verification.expired:
        console.lines(f"{_('Not to be used after')}: {format_iso_day(figure_verification.expired)}")
    return 3 if figure_verification.result == DIFFERENT else 0
