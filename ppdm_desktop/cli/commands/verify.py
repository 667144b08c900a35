"""``verify``: whether a release folder is the one that its recipe, key and input make."""

from __future__ import annotations

import argparse
from pathlib import Path

from ppdm_desktop.cli.commands.release import recipient_argument
from ppdm_desktop.cli.console import Console
from ppdm_desktop.engine.release.verify import DIFFERENT, Verification, verify
from ppdm_desktop.engine.release.verify_figure import FigureVerification, verify_figure
from ppdm_desktop.engine.secret_files import read_recipient_secret
from ppdm_desktop.engine.texts import render

DESCRIPTION = (
    "Check every file of a release folder, run its recipe again with the kept key and compare byte by byte; or, with "
    "--figure, work out one figure of its certificate again from the written file."
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("directory", type=Path, metavar="DIR", help="the release folder")
    parser.add_argument("--input", type=Path, required=True, metavar="INPUT", help="the original file")
    parser.add_argument(
        "--figure",
        metavar="ID",
        help="work out one figure of the certificate again from the written file: the id that stands beside it",
    )
    recipient_argument(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(given: argparse.Namespace, console: Console) -> int:
    """Verify and print one line."""
    found: Verification | FigureVerification
    recipient = None if given.recipient_secret is None else read_recipient_secret(given.recipient_secret)
    if given.figure is None:
        found = verify(given.directory, given.input, console.progress, recipient=recipient)
    else:
        found = verify_figure(given.directory, given.input, given.figure, console.progress, recipient=recipient)
    console.document(found.document())
    text = render(found.reason.id, found.reason.arguments)
    console.lines(f"{found.result}: {text.sentence}")
    return 3 if found.result == DIFFERENT else 0
