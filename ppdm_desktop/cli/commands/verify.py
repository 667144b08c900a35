"""``verify``: whether a release folder is the one that its recipe, key and input make."""

from __future__ import annotations

import argparse
from pathlib import Path

from ppdm_desktop.cli.console import Console
from ppdm_desktop.engine.release.verify import DIFFERENT, Verification, verify
from ppdm_desktop.engine.release.verify_figure import FigureVerification, verify_figure
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
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(given: argparse.Namespace, console: Console) -> int:
    """Verify and print one line."""
    found: Verification | FigureVerification
    if given.figure is None:
        found = verify(given.directory, given.input, console.progress)
    else:
        found = verify_figure(given.directory, given.input, given.figure, console.progress)
    console.document(found.document())
    text = render(found.reason.id, found.reason.arguments)
    console.lines(f"{found.result}: {text.sentence}")
    return 3 if found.result == DIFFERENT else 0
