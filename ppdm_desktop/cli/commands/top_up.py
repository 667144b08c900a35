"""``top-up``: new records added to a condensed release, from its statistics alone."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from pathlib import Path

from ppdm_desktop.cli.app_folder import ledger_file
from ppdm_desktop.cli.commands.release import (
    accept_argument,
    accepted_reasons,
    chosen_key,
    key_arguments,
    tell_blocked,
    tell_gate,
)
from ppdm_desktop.cli.console import Console, recipe_named
from ppdm_desktop.engine.errors import GateBlocked
from ppdm_desktop.engine.release.top_up.previous_release import read_earlier
from ppdm_desktop.engine.release.top_up.run import check_place, top_up
from ppdm_desktop.engine.release.writing.export import Exported, export
from ppdm_desktop.ui.pdf.renderers import pdf_renderers

DESCRIPTION = (
    "Add new records to a condensed release made earlier, from its group statistics and released rows; the "
    "original file is not needed. Groups that enough new records join are made anew, the rows of all others are "
    "repeated, and records for whom there are not enough others wait."
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("directory", type=Path, metavar="DIR", help="the folder of the release made earlier")
    parser.add_argument("--input", type=Path, required=True, metavar="NEW", help="the spreadsheet with new records")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR2", help="folder to write")
    key_arguments(parser)
    accept_argument(parser)
    parser.add_argument("--json", action="store_true", help="print report.json")


def run(given: argparse.Namespace, console: Console) -> int:
    """Add the records and write the new release."""
    key = chosen_key(given.key_file, given.seed)
    reasons = accepted_reasons(given.accept)
    check_place(given.directory, given.out)
    earlier = read_earlier(given.directory, console.progress.part(0, 0.1))
    try:
        # What does not fit the earlier recipe is the file's fault here, not the recipe's.
        with recipe_named(given.input):
            candidate = top_up(earlier, given.input, key, console.progress.part(0.1, 0.7))
        console.tell_reading(candidate.prepared.account)
        done = export(
            candidate,
            given.out,
            accepts=reasons,
            created=datetime.now(UTC),
            ledger=ledger_file(),
            renderers=pdf_renderers(),
            progress=console.progress.part(0.7, 1.0),
        )
    except GateBlocked as blocked:
        tell_blocked(blocked, console)
        raise
    return _tell(done, given, console)


def _tell(done: Exported, given: argparse.Namespace, console: Console) -> int:
    """Print what was added and what the gate said."""
    console.released = given.out
    console.document(done.report)
    tell_gate(done.report, console)
    for note in done.report["steps"][0]["notes"]:
        console.warn(note["id"], note["arguments"])
    for each in done.notes:
        console.warn(each.id, each.arguments)
    console.lines(
        f"To hand over:   {given.out / 'release'}",
        f"Stays with you: {given.out / 'internal'} (must not be sent)",
    )
    return 0
