"""``approve``: record the decision of a second person on a release that waits for approval."""

from __future__ import annotations

import argparse
from pathlib import Path

from ppdm_desktop.cli.app_folder import ledger_file
from ppdm_desktop.cli.commands.release import tell_folders
from ppdm_desktop.cli.console import ABSENT, Console
from ppdm_desktop.engine.release.approval import approve, read_report
from ppdm_desktop.engine.report.report_texts import describe_readiness, figure_lines
from ppdm_desktop.engine.wording.catalogue import SOURCE, _, lazy, speak_language
from ppdm_desktop.ui.pdf.renderers import pdf_renderers

DESCRIPTION = lazy(
    "Check a release that waits for a second person, print its decision and figures, and approve or refuse it. The "
    "program compares names; it does not know people."
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command ``approve`` to the parser."""
    parser.add_argument("directory", type=Path, metavar="DIR", help=_("the release folder"))
    parser.add_argument("--by", required=True, metavar="NAME", help=_("your name; not that of the person who made it"))
    parser.add_argument("--note", default="", metavar="T", help=_("a sentence for the log of decisions"))
    parser.add_argument("--refuse", action="store_true", help=_("refuse the release; its folder stays where it is"))
    parser.add_argument("--input", type=Path, metavar="INPUT", help=_("the original file"))
    parser.add_argument("--forms", type=Path, metavar="FOLDER", help=_("a folder with forms of your own"))
    parser.add_argument("--json", action="store_true", help=_("print one JSON document"))


def run(args: argparse.Namespace, console: Console) -> int:
    """Print figures of the original and of a waiting release, approve or refuse it, and print its folder; return 0.

    The decision is added to the release's log and to the ledger (the list of releases), and the release's papers are
    written anew; an approved release is moved out of its waiting folder. Remarks on what was checked are printed, too.
    Raise a PpdmError if the release cannot be approved or refused.
    """
    report = read_report(args.directory)
    console.lines(describe_readiness(report.verdict))
    lines = figure_lines(report.verdict, report.original)
    rows = [(line.title, line.before or ABSENT, line.after, line.limit) for line in lines]
    console.table(rows, ["", _("Before"), _("After"), _("Limit")])
    with speak_language(SOURCE):
        decided = approve(
            args.directory,
            args.by,
            note=args.note,
            refuse=args.refuse,
            source=args.input,
            ledger=ledger_file(),
            renderer=next(iter(pdf_renderers().values()), None),
            forms=args.forms,
        )
    remarks = [str(remark) for remark in decided.remarks]
    console.document({"approved": not args.refuse, "folder": str(decided.folder), "checked": remarks})
    console.lines(*remarks)
    if args.refuse:
        console.lines(f"{_('Refused. Do not pass this folder on.')} {decided.folder}")
    else:
        tell_folders(decided.folder, console)
    return 0
