"""``recipient-secret``: draw the secret under which one recipient gets the same codes for the same people."""

from __future__ import annotations

import argparse
from pathlib import Path

from ppdm_desktop.cli.console import Console
from ppdm_desktop.engine.secret_files import new_recipient_secret

DESCRIPTION = (
    "Draw a secret from the system and write it to a new file that only you may read. Keep it apart from what you hand "
    "over: whoever has it can tell whose code is whose."
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("action", choices=("new",), metavar="new", help="draw a new secret")
    parser.add_argument("file", type=Path, metavar="FILE", help="the file to write; it must not exist yet")


def run(given: argparse.Namespace, console: Console) -> int:
    """Write the file and name it."""
    secret = new_recipient_secret(given.file)
    console.lines(f"{given.file}: written, mark {secret.fingerprint}")
    return 0
