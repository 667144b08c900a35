"""Which PDFs can be written on this computer. Qt is loaded only when this is asked."""

from __future__ import annotations

from ppdm_desktop.engine.release.writing.export import Renderer
from ppdm_desktop.engine.report.documents import PAGES
from ppdm_desktop.ui.pdf.application import has_application


def pdf_renderers() -> dict[str, Renderer]:
    """Return a renderer (HTML text to PDF bytes) for each PDF of a release's internal folder, by file name.

    They work only in the application's own thread. If there is no Qt application, one without a screen is started.
    Empty if Qt or its system libraries are missing, if the existing application cannot draw or none can be started (as
    in another than the main thread), or if no font can write a page.
    """
    try:
        from ppdm_desktop.ui.pdf.letters import font_family
        from ppdm_desktop.ui.pdf.writer import write_pdf

        can = has_application() and font_family() is not None
    except ImportError:
        return {}
    return dict.fromkeys(PAGES, write_pdf) if can else {}
