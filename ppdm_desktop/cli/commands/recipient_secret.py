"""``recipient-secret``: draw a secret from which one recipient gets the same pseudonyms in all releases."""

from __future__ import annotations

import argparse
from pathlib import Path

from ppdm_desktop.cli.console import Console
from ppdm_desktop.engine.release.storage.atomic_folder import check_apart
from ppdm_desktop.engine.secret_files import create_recipient_secret
from ppdm_desktop.engine.wording.catalogue import _, lazy
from ppdm_desktop.engine.wording.values import Term

DESCRIPTION = lazy(
    "Have the system create a secret and write it to a new file that only you may read. Keep it apart "
    "from what you share: anyone who has it can find out whose code name is whose."
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command ``recipient-secret`` to the parser."""
    parser.add_argument("action", choices=("new",), metavar="new", help=_("create a new secret"))
    parser.add_argument("file", type=Path, metavar="FILE", help=_("the file to write; it must not exist yet"))


def run(args: argparse.Namespace, console: Console) -> int:
    """Write a new secret to a new file, and print its path and its mark (fingerprint); return the exit code 0.

    Raise InputError if the file exists already, cannot be written, or would lie in a release folder.
    """
    check_apart(args.file)
    secret = create_recipient_secret(args.file)
    console.lines(_("Written: {file} (mark {mark})", file=Term(str(args.file)), mark=Term(secret.fingerprint)))
    return 0
