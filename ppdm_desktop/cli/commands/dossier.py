"""``dossier``: write the documents of a release, or compare a document that came back with the release."""

from __future__ import annotations

import argparse
from pathlib import Path

from ppdm_desktop.cli.console import Console
from ppdm_desktop.engine.dossier.papers import check_paper, chosen_forms, write_papers
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.wording.catalogue import _, lazy
from ppdm_desktop.engine.wording.values import Name, Term
from ppdm_desktop.ui.pdf.renderers import pdf_renderers

DESCRIPTION = lazy(
    "Write the papers of a release as HTML, DOCX and PDF: what officers, boards, recipients and auditors ask for. With "
    "--check, name the locked fields of a paper that differ from the release."
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command ``dossier`` to the parser."""
    parser.add_argument("directory", nargs="?", type=Path, metavar="DIR", help=_("the release folder"))
    parser.add_argument("--form", action="append", default=[], metavar="ID", help=_("only this form; may be repeated"))
    parser.add_argument("--out", type=Path, metavar="FOLDER", help=_("the folder to write"))
    parser.add_argument("--forms", type=Path, metavar="FOLDER", help=_("a folder with forms of your own"))
    parser.add_argument("--check", type=Path, metavar="FILE", help=_("a DOCX file to compare with the release"))
    parser.add_argument("--list", action="store_true", help=_("name all forms with their dates and sources"))
    parser.add_argument("--json", action="store_true", help=_("print one JSON document"))


def run(args: argparse.Namespace, console: Console) -> int:
    """Write a release's documents to files or, if asked, compare one that came back, or list all kinds of documents.

    They are written to the folder of ``--out``, else to ``papers/`` of the release. Return the exit code: 3 if a
    compared document differs in a locked field, else 0. Raise InputError if no release folder is given (not needed for
    the list) or a named form does not exist.
    """
    forms = chosen_forms(args.form, args.forms)
    if args.list:
        console.document({"forms": [form.model_dump(mode="json", include={"id", "date", "source"}) for form in forms]})
        for form in forms:
            console.lines(
                f"{form.id} {form.date.isoformat()}: {form.name}", *(f"  {line}" for line in form.translated("source"))
            )
        return 0
    if args.directory is None:
        raise InputError("error.verify.no-such-folder", file="")
    if args.check is not None:
        paper, different = check_paper(args.directory, args.check, args.forms)
        console.document({"form": paper.form.id, "different": [entry.field.id for entry in different]})
        for entry in different:
            console.lines(_("Differs: {field} ({question})", field=Name(entry.field.id), question=Term(entry.heading)))
        if not different:
            console.lines(_("No locked field differs from the release."))
        return 3 if different else 0
    renderer = next(iter(pdf_renderers().values()), None)
    written = write_papers(args.directory, forms, args.out, renderer)
    console.document(
        {"papers": [{"file": str(path), "form": paper.form.id, "filled": paper.filled} for path, paper in written]}
    )
    for path, paper in written:
        text = _("{n} of {m} fields are for you", n=paper.for_people, m=len(paper.fields))
        console.lines(f"{path}: {text}")
    return 0
