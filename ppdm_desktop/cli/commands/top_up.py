"""``top-up``: add records to a condensed release, or remove people, using only its group statistics."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from pathlib import Path

from ppdm_desktop.cli.app_folder import ledger_file
from ppdm_desktop.cli.commands.release import (
    add_accept_argument,
    add_key_arguments,
    choose_key,
    read_accepted_reasons,
    tell_blocked,
    tell_gate,
    tell_written,
)
from ppdm_desktop.cli.console import Console, name_recipe_in_errors
from ppdm_desktop.engine import progress
from ppdm_desktop.engine.errors import GateBlocked
from ppdm_desktop.engine.release.top_up.run import check_folder, read_and_top_up
from ppdm_desktop.engine.release.writing.export import Exported, export
from ppdm_desktop.engine.wording.catalogue import SOURCE, _, lazy, speak_language
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import restore_values
from ppdm_desktop.ui.pdf.renderers import pdf_renderers

DESCRIPTION = lazy(
    (
        "Add new records to an earlier release made by condensation. It uses the group statistics and the "
        "released rows; the original file is not needed. Groups that enough new records join are generated "
        "again. The rows of all other groups are repeated. New records without enough similar ones wait. "
        "People can be taken out, too: as many artificial rows of their groups are left out."
    ),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command ``top-up`` to the parser."""
    parser.add_argument("directory", type=Path, metavar="DIR", help=_("the folder of the earlier release"))
    parser.add_argument("--input", type=Path, metavar="NEW", help=_("the file with the new records"))
    parser.add_argument(
        "--withdraw",
        type=Path,
        metavar="GONE",
        help=_("a file with the original records of the people to take out"),
    )
    parser.add_argument("--out", type=Path, required=True, metavar="DIR2", help=_("the folder to write"))
    add_key_arguments(parser)
    add_accept_argument(parser)
    parser.add_argument("--json", action="store_true", help=_("print report.json"))


def run(args: argparse.Namespace, console: Console) -> int:
    """Add records to a release or remove people, and write the new release; return the exit code 0.

    The draw and the new release are entered in the ledger (the list of releases). If a check stops the release, the
    failed checks are printed and GateBlocked is raised. Raise another PpdmError if the files do not fit the earlier
    release.
    """
    key = choose_key(args.key_file, args.seed)
    reasons = read_accepted_reasons(args.accept)
    check_folder(args.directory, args.out)
    try:
        # What does not fit the earlier recipe is the file's fault here, not the recipe's.
        with name_recipe_in_errors(args.input or args.withdraw), speak_language(SOURCE):
            candidate = progress.part(0.0, 0.7).run(read_and_top_up, args.directory, args.input, args.withdraw, key)
        console.tell_reading(candidate.prepared.account)
        with speak_language(SOURCE):
            done = progress.part(0.7, 1.0).run(
                export,
                candidate,
                args.out,
                accepts=reasons,
                created=datetime.now(UTC),
                ledger=ledger_file(),
                renderers=pdf_renderers(),
            )
    except GateBlocked as blocked:
        tell_blocked(blocked, console)
        raise
    return _print_top_up(done, args, console)


def _print_top_up(done: Exported, args: argparse.Namespace, console: Console) -> int:
    """Print the decision, notes on records added or people removed, and the folders; return the exit code 0.

    If the release waits for a second person, the command that approves it is printed instead of the folders. The
    release folder is also noted in ``console.released``.
    """
    console.released = done.path
    console.document(done.report)
    tell_gate(done.report, console)
    for note in done.report["steps"][0]["notes"]:
        console.warn(Note(note["id"], restore_values(note["arguments"])))
    console.warn(*done.notes)
    tell_written(done, console)
    return 0
