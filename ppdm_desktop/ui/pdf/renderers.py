"""Whether PDFs can be written here, and by what. Nothing of Qt is loaded before that is asked."""

from __future__ import annotations

from ppdm_desktop.engine.release.writing.export import Renderer
from ppdm_desktop.engine.report.documents import PAGES
from ppdm_desktop.ui.pdf.application import has_application


def pdf_renderers() -> dict[str, Renderer]:
    """Return what writes each PDF of ``internal/`` in the application's own thread, by file name.

    Empty where Qt or its system libraries are lacking, or where the system has no font that could
    write a page: the export then leaves the PDFs out and says so. No screen is needed.
    """
    try:
        from ppdm_desktop.ui.pdf.letters import font_family
        from ppdm_desktop.ui.pdf.writer import write_pdf

        can = has_application() and font_family() is not None
    except ImportError:
        return {}
    return dict.fromkeys(PAGES, write_pdf) if can else {}
