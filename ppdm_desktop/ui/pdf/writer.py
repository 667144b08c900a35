"""PDF from the engine's pages by Qt's text engine: A4, charts as vectors, numbered pages.

Works in any thread once an application is there. The same page gives the same bytes on the same
machine: nothing of clock, user, host or path gets in.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.sax.saxutils import escape

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QPointF, QRectF, QSizeF, Qt, QUuid
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QFont,
    QPageSize,
    QPainter,
    QPdfWriter,
    QTextDocument,
    QTextFormat,
    QTextOption,
)

from ppdm_desktop.engine.report.html import template_source
from ppdm_desktop.ui.pdf.charts import Charts
from ppdm_desktop.ui.pdf.html import PaperPage, paper_page
from ppdm_desktop.ui.pdf.letters import document_font, font_family, writable
from ppdm_desktop.ui.pdf.pages import Laid, Slice, content_height, slices

PROGRAM = "PPDM Desktop"
STYLE = "paper.css"
# Lengths are in CSS pixels, 96 to the inch, whatever the screen; the file has 1200 dots to the inch.
_PER_INCH, _DOTS = 96.0, 1200
_MM = _PER_INCH / 25.4
_WIDTH, _HEIGHT, _MARGIN, _FOOT = 210 * _MM, 297 * _MM, 15 * _MM, 18.0
_READABLE = 0.8
"""Size down to which a page is shrunk rather than run on to another."""
_SHRINK = (1.0, 0.95, 0.9, 0.86, 0.82, 0.78, 0.74, 0.7, 0.65, 0.6)
_TEXT, _BETWEEN = 12, 6.0
_SHAPE = 1.25
"""Height of the tallest chart, as a multiple of the width: with its sentence it has room on a page."""
_SOFT = QColor("#4d5864")
_DATES = re.compile(rb"/(CreationDate|ModDate) \(D:[^)]*\)")
_HEAD = 4096
"""Bytes at the beginning of a file in which its dates stand."""
_SPACE = QUuid("{0b4c2b0e-6f0a-5d6e-9a53-7d0f4f6f2c11}")
"""Name space of the documents' identifiers."""


def write_pdf(html: str) -> bytes:
    """Return a page of the engine's as a PDF.

    Parameters
    ----------
    html
        The page. Its title becomes the document's, ``meta`` ``created`` its date, and ``meta``
        ``most-pages`` makes it smaller until it holds on so many pages; of two numbers the second holds
        where the first would make it hard to read.
    """
    page = paper_page(writable(html))
    family = font_family() or ""
    for shrink, most in _tries(page.named.get("most-pages", "")):
        # A smaller page is one laid out on larger paper.
        parts = _laid(page, family, (_WIDTH - 2 * _MARGIN) / shrink)
        pages = slices(parts, (_HEIGHT - 2 * _MARGIN - _FOOT) / shrink)
        if most is None or len(pages) <= most:
            break
    return _dated(_painted(parts, pages, page, shrink, html), page.named.get("created", ""))


def _tries(wanted: str) -> list[tuple[float, int | None]]:
    """Return sizes to try in turn, and on how many pages each has to hold."""
    numbers = [int(each) for each in wanted.split()]
    if not numbers:
        return [(1.0, None)]
    readable = [(shrink, most) for most in numbers[:-1] for shrink in _SHRINK if shrink >= _READABLE]
    return [*readable, *((shrink, numbers[-1]) for shrink in _SHRINK)]


def _laid(page: PaperPage, family: str, width: float) -> list[Laid]:
    """Lay the sections out one below the other.

    Each is a document of its own: reading one long page holds the interpreter for longer than a
    window may stand still.
    """
    found, top = [], -_BETWEEN
    for section in page.sections:
        top += _BETWEEN
        document = _document(section, page.charts, family, width)
        found.append(Laid(document, top))
        top += content_height(document)
    return found


def _document(body: str, charts: Sequence[str], family: str, width: float) -> QTextDocument:
    document = QTextDocument()
    document.setUseDesignMetrics(True)
    font = document_font(family)
    font.setPixelSize(_TEXT)
    document.setDefaultFont(font)
    wrap = QTextOption()
    wrap.setWrapMode(QTextOption.WrapMode.WordWrap)  # long words have places to break in them already
    document.setDefaultTextOption(wrap)
    document.setDocumentMargin(0)
    drawn = Charts(charts, family, QSizeF(width, width * _SHAPE), document)
    document.documentLayout().registerHandler(QTextFormat.ObjectTypes.ImageObject.value, drawn)
    document.setDefaultStyleSheet(template_source(STYLE))
    document.setHtml(f"<body>{body}</body>")
    document.setTextWidth(width)
    return document


def _painted(parts: Sequence[Laid], pages: Sequence[Slice], page: PaperPage, shrink: float, html: str) -> bytes:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(_DOTS)
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    writer.setTitle(page.title)
    writer.setCreator(PROGRAM)
    identifier = QUuid.createUuidV5(_SPACE, QByteArray(html.encode("utf-8")))
    writer.setDocumentId(identifier)
    writer.setDocumentXmpMetadata(
        QByteArray(_xmp(page, identifier.toString(QUuid.StringFormat.WithoutBraces)).encode())
    )
    painter = QPainter(writer)
    painter.scale(_DOTS / _PER_INCH, _DOTS / _PER_INCH)
    for number, shown in enumerate(pages):
        if number:
            writer.newPage()
        _draw_page(painter, parts, shown, shrink)
        _draw_foot(painter, parts[0].document, page, f"{number + 1} / {len(pages)}")
    painter.end()
    return bytes(buffer.data().data())


def _draw_page(painter: QPainter, parts: Sequence[Laid], shown: Slice, shrink: float) -> None:
    painter.save()
    painter.translate(QPointF(_MARGIN, _MARGIN))
    painter.scale(shrink, shrink)
    if shown.head is not None:
        _draw_part(painter, parts, *shown.head)
        painter.translate(QPointF(0, shown.head[1] - shown.head[0]))
    _draw_part(painter, parts, shown.top, shown.bottom)
    painter.restore()


def _draw_part(painter: QPainter, parts: Sequence[Laid], top: float, bottom: float) -> None:
    for part in parts:
        first, last = max(top, part.top), min(bottom, part.top + part.document.size().height())
        if first >= last:
            continue
        context = QAbstractTextDocumentLayout.PaintContext()
        context.clip = QRectF(0, first - part.top, part.document.textWidth(), last - first)
        painter.save()
        painter.translate(QPointF(0, part.top - top))
        painter.setClipRect(context.clip)
        part.document.documentLayout().draw(painter, context)
        painter.restore()


def _draw_foot(painter: QPainter, document: QTextDocument, page: PaperPage, count: str) -> None:
    font = QFont(document.defaultFont())
    font.setPixelSize(9)
    painter.save()
    painter.setFont(font)
    painter.setPen(_SOFT)
    place = QRectF(_MARGIN, _HEIGHT - _MARGIN - _FOOT + 6, _WIDTH - 2 * _MARGIN, _FOOT)
    said = " · ".join(part for part in (page.title, page.named.get("created", "")) if part)
    painter.drawText(place, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom, said)
    painter.drawText(place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom, count)
    painter.restore()


def _xmp(page: PaperPage, identifier: str) -> str:
    """Return the metadata that a reader shows: title, language, program and the page's own time."""
    created = page.named.get("created", "")
    times = f'xmp:CreateDate="{escape(created)}" xmp:ModifyDate="{escape(created)}"' if created else ""
    bag = f"<rdf:Bag><rdf:li>{escape(page.language)}</rdf:li></rdf:Bag>"
    spoken = f"<dc:language>{bag}</dc:language>" if page.language else ""
    return (
        "<?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?>"
        '<x:xmpmeta xmlns:x="adobe:ns:meta/" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" '
        'xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/"><rdf:RDF>'
        f'<rdf:Description rdf:about=""><dc:title><rdf:Alt><rdf:li xml:lang="x-default">{escape(page.title)}</rdf:li>'
        f"</rdf:Alt></dc:title>{spoken}</rdf:Description>"
        f'<rdf:Description rdf:about="" xmp:CreatorTool="{PROGRAM}" {times}/>'
        f'<rdf:Description rdf:about="" xmpMM:DocumentID="uuid:{identifier}"/>'
        "</rdf:RDF></x:xmpmeta><?xpacket end='w'?>"
    )


def _dated(data: bytes, created: str) -> bytes:
    """Put the page's time in place of the machine's clock; places in the file stay where they are."""
    digits = re.sub(r"\D", "", created)[:14]
    stamp = f" (D:{digits}Z)".encode() if len(digits) == 14 else b" ()"
    head = _DATES.sub(lambda found: (b"/" + found[1] + stamp).ljust(len(found[0])), data[:_HEAD])
    return head + data[_HEAD:]
