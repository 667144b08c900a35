"""Background work of the page Release: writing a release and its forms, together with their PDFs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ppdm_desktop.engine.dossier.dossier import Paper
from ppdm_desktop.engine.dossier.forms import Form
from ppdm_desktop.engine.dossier.papers import write_papers
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.writing.export import Exported, export
from ppdm_desktop.ui.pdf.own_process import pdf_process


def export_with_pdf(documents: Sequence[str], candidate: Candidate, out: Path, **options: Any) -> Exported:
    """Write a release into the folder ``out``, convert some of its documents to PDF, and return what was written.

    ``documents`` are the file names of these documents, ``options`` those of ``export``. The PDFs are made in a
    separate process.
    """
    with pdf_process(documents) as renderers:
        return export(candidate, out, renderers=renderers, **options)


def write_papers_with_pdf(documents: Sequence[str], out: Path, forms: Sequence[Form]) -> list[tuple[Path, Paper]]:
    """Write forms for the release in the folder ``out``; return (path of the DOCX file, filled-in form) for each.

    A form that can name rows of the source is written twice, with these rows to the internal folder, and has two
    entries. If ``documents`` is not empty, the forms are written as PDF, too.
    """
    with pdf_process(documents) as renderers:
        return write_papers(out, forms, renderer=next(iter(renderers.values()), None))
