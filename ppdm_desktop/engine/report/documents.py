"""Which page each document is made from that a renderer (HTML in, bytes out) writes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ppdm_desktop.engine.report.certificate import render_certificate
from ppdm_desktop.engine.report.html import Drawn, render_report
from ppdm_desktop.engine.report.model import Report

CERTIFICATE_PDF, REPORT_PDF = "certificate.pdf", "report.pdf"
PAGES: Mapping[str, Callable[[Report, Drawn], bytes]] = {
    CERTIFICATE_PDF: lambda report, drawn: render_certificate(report),
    REPORT_PDF: render_report,
}
"""By file name in ``internal/``."""
