"""Writes papers next to a release, and compares a paper that came back with the release."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from ppdm_desktop.engine.dossier import INTERNAL, PAPERS
from ppdm_desktop.engine.dossier.docx import differing_fields, read_controls, render_docx, typed_answers
from ppdm_desktop.engine.dossier.dossier import Dossier, Paper, PaperField
from ppdm_desktop.engine.dossier.forms import Form, all_forms, form_versions
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.files.saving import make_folder, save_whole
from ppdm_desktop.engine.report.html import page_of
from ppdm_desktop.engine.wording.catalogue import speak_language
from ppdm_desktop.engine.wording.values import Reason, Term

TEMPLATE = "paper.html"
Renderer = Callable[[str], bytes]


def chosen_forms(ids: Sequence[str], folder: Path | None = None) -> list[Form]:
    """Return the newest versions of the forms with these ids, in the order given; all forms if ``ids`` is empty.

    All forms are the bundled ones, then those in ``folder``, the organisation's own. An id given twice is returned
    twice.

    Raises
    ------
    InputError
        For an unknown id, or where ``folder`` cannot be read.
    """
    forms = all_forms(folder)
    for id in ids:
        if id not in forms:
            raise InputError("error.dossier.unknown-form", args={"form": Term(id), "known": Term(", ".join(forms))})
    return [forms[id] for id in ids or forms]


def write_papers(
    directory: Path, forms: Sequence[Form], out: Path | None = None, renderer: Renderer | None = None
) -> list[tuple[Path, Paper]]:
    """Write each form, filled in, as HTML, DOCX and PDF, and return the DOCX files with their papers.

    If an older DOCX of the form exists, what people typed into its open fields is copied into the new file. The result
    is in the order of ``forms``; a second copy (see ``out``) follows the first as an entry of its own.

    Parameters
    ----------
    directory
        The release folder.
    out
        The folder to write to. If None, it is ``papers/`` in the release folder, and a paper that can name rows of the
        source is written a second time, with these rows, to ``internal/papers/``.
    renderer
        Renders an HTML page as PDF; without one no PDF is written, and an older one is left as it is.

    Raises
    ------
    InputError
        When the release has no dossier, its log was changed, or a file cannot be read or written.
    """
    dossier = Dossier(directory)
    written = []
    with speak_language(dossier.language):
        for form in forms:
            copies = [(out or directory / PAPERS, dossier.paper(form))]
            if out is None and copies[0][1].has_internal_facts:
                copies.append((directory / INTERNAL / PAPERS, dossier.paper(form, internal=True)))
            written += [(_write_paper(folder, paper, renderer), paper) for folder, paper in copies]
    return written


def _write_paper(folder: Path, paper: Paper, renderer: Renderer | None) -> Path:
    """Write one paper as HTML, DOCX and (with a renderer) PDF, and return the path of the DOCX.

    The files have the form's id as their name and replace older ones; what people typed into an older DOCX is kept. The
    folder is created if needed. InputError is raised where it cannot be written, or where the older DOCX cannot be
    read.
    """
    docx = folder / f"{paper.form.id}.docx"
    typed = typed_answers(paper, read_controls(docx)) if docx.is_file() else {}
    page = page_of(TEMPLATE, paper=paper)
    files = {docx.with_suffix(".html"): page, docx: render_docx(paper, typed)}
    if renderer is not None:
        files[docx.with_suffix(".pdf")] = renderer(page.decode("utf-8"))
    try:
        if not folder.is_dir():
            make_folder(folder)
        for path, data in files.items():
            save_whole(path, data)
    except OSError as error:
        raise InputError("error.output.not-written", file=str(folder), args={"reason": Reason.of(error)}) from error
    return docx


def check_paper(directory: Path, docx: Path, folder: Path | None = None) -> tuple[Paper, list[PaperField]]:
    """Return the paper of a DOCX file, and its locked fields that differ from the release.

    The DOCX is compared with all versions of the form, with and without rows of the source; the version with fewest
    differences is returned (of equal ones the first, bundled and older ones coming first). A field that the DOCX lacks
    counts as a difference. The fields returned hold what the release says, not what the DOCX says.

    Parameters
    ----------
    directory
        The release folder.
    docx
        The paper that came back.
    folder
        The organisation's own forms, if there are any.

    Raises
    ------
    InputError
        When the file is not a paper of this program, the release has no dossier, its log was changed, or a form in
        ``folder`` cannot be read.
    """
    dossier, controls = Dossier(directory), read_controls(docx)
    ids = {tag.partition(".")[0] for tag in controls}
    with speak_language(dossier.language):
        papers = [
            dossier.paper(form, internal=internal) for form in form_versions(ids, folder) for internal in (False, True)
        ]
        compared = [(paper, differing_fields(paper, controls)) for paper in papers]
    if not compared:
        raise InputError("error.dossier.not-a-paper", file=str(docx))
    return min(compared, key=lambda pair: len(pair[1]))
