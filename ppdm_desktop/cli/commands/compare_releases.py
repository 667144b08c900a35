"""``compare-releases``: print the differences between two releases."""

from __future__ import annotations

import argparse
from itertools import groupby
from pathlib import Path

from ppdm_desktop.cli.app_folder import ledger_file
from ppdm_desktop.cli.console import ABSENT, Console
from ppdm_desktop.engine.release.two_releases import compare_releases, compare_with_ledger
from ppdm_desktop.engine.wording.catalogue import _, lazy

DESCRIPTION = lazy(
    "Compare two releases: columns, limits, steps, the figure of each check, and reasons. No figure is computed again. "
    "With one folder, compare it with the last earlier release of its source that this computer knows."
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command ``compare-releases`` to the parser."""
    parser.add_argument("first", type=Path, metavar="A", help=_("the folder of the earlier release"))
    parser.add_argument("second", type=Path, metavar="B", nargs="?", help=_("the folder of the later release"))
    parser.add_argument("--json", action="store_true", help=_("print one JSON document"))


def run(args: argparse.Namespace, console: Console) -> int:
    """Print how far the sources of two releases overlap, and each line in which they differ; return the exit code 0.

    If only one folder is given, its release is compared with the last earlier release of the same source in the ledger
    (the list of releases made on this computer), which knows only rows, day and columns. Raise InputError if a folder
    holds no release, or if there is no earlier one.
    """
    if args.second is None:
        lines = compare_with_ledger(args.first, ledger_file())
    else:
        lines = compare_releases(args.first, args.second, ledger_file())
    console.document({"lines": [line.document() for line in lines]})
    head = ["", _("earlier"), _("later")]
    for group, members in groupby(lines, key=lambda line: line.group):
        lines_to_print = [line for line in members if line.differs or group == "people"]
        rows = [(line.what, line.first or ABSENT, line.second or ABSENT) for line in lines_to_print]
        console.table(rows, head) if rows else None
    return 0
