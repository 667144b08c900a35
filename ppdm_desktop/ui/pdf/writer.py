"""Write HTML pages of the engine as PDF: A4, charts as vectors, numbered pages.

Only for the application's own thread; ``own_process`` is for all other threads. The same page gives the same bytes if
its letters are in the program's own font: the bytes do not depend on clock, user, host, path or installed fonts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from html import escape

from PySide6.QtCore import (
    QBuffer,
    QByteArray,
    QCoreApplication,
    QIODevice,
    QMarginsF,
    QObject,
    QPointF,
    QRect,
    QRectF,
    QSizeF,
    Qt,
    QThread,
    QUuid,
)
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QFont,
    QPageSize,
    QPainter,
    QPalette,
    QPdfWriter,
    QPyTextObject,
    QTextDocument,
    QTextFormat,
    QTextOption,
)
from PySide6.QtSvg import QSvgRenderer

from ppdm_desktop.engine.report.template_source import template_source
from ppdm_desktop.ui.pdf.html import CHART, PaperPage, paper_page
from ppdm_desktop.ui.pdf.letters import document_font, font_family, replace_missing_letters
from ppdm_desktop.ui.pdf.pages import Laid, Slice, content_height, split_into_pages

_PROGRAM = "PPDM Desktop"
STYLE = "paper.css"
# Lengths are in CSS pixels, 96 to the inch, whatever the screen; the file has 1200 dots to the inch.
PER_INCH, _DOTS = 96.0, 1200
_MM = PER_INCH / 25.4
WIDTH, HEIGHT, MARGIN, FOOT = 210 * _MM, 297 * _MM, 15 * _MM, 18.0
_READABLE = 0.8
"""Smallest scale to which a page is shrunk to save a further page."""
_SHRINK = (1.0, 0.95, 0.9, 0.86, 0.82, 0.78, 0.74, 0.7, 0.65, 0.6)
_TEXT, _BETWEEN = 12, 6.0
_SHAPE = 1.25
"""Height of the tallest chart as a multiple of the width, so that it fits on a page with its sentence."""
_HAIR = 0.1
_SOFT = QColor("#4d5864")
_DATES = re.compile(rb"/(CreationDate|ModDate) \(D:[^)]*\)")
_HEAD = 4096
"""Number of bytes at the start of a file that contain its dates."""
Images = Callable[[QSizeF, QTextDocument], QPyTextObject]
"""Makes what draws the images of a document, for the largest size of an image."""
_SPACE = QUuid("{0b4c2b0e-6f0a-5d6e-9a53-7d0f4f6f2c11}")
"""Name space of the documents' identifiers (UUID)."""


_CELL_SIZES = ("font-size:10.5px", "font-size:9.5px", "font-size:8.5px", "font-size:7.5px")
"""Size of the text in tables, and smaller ones for a table whose words would not fit on the page."""


def write_pdf(html: str) -> bytes:
    """Return an HTML page of the engine as a PDF on A4 paper; the same page gives the same bytes.

    Letters that no font has are replaced by their code points.

    Parameters
    ----------
    html
        The page. Its title and its ``meta`` element ``created`` become title and date of the document. Its ``meta``
        element ``most-pages`` is the number of pages to which it is shrunk; of two numbers the second applies if the
        first would make it hard to read. A page that is too long even at a scale of 0.6 gets more pages at that scale.

    Raises
    ------
    RuntimeError
        In another thread than the application's: with Qt objects in both threads, each can wait for the other for ever.
    """
    application = QCoreApplication.instance()
    if application is None or QThread.currentThread() != application.thread():
        raise RuntimeError("PDFs are made in the application's own thread")
    page = paper_page(replace_missing_letters(html))
    family = font_family() or ""
    for shrink, most in _list_scales_to_try(page.named.get("most-pages", "")):
        # A smaller page is one laid out on larger paper.
        parts = lay_out_sections(page, family, (WIDTH - 2 * MARGIN) / shrink)
        pages = split_into_pages(parts, (HEIGHT - 2 * MARGIN - FOOT) / shrink)
        if most is None or len(pages) <= most:
            break
    return paint_pdf(page, [(parts, page_slice) for page_slice in pages], shrink, html)


def _list_scales_to_try(wanted: str) -> list[tuple[float, int | None]]:
    """Return (scale, largest number of pages) to try in turn; None as number allows any number of pages.

    ``wanted`` has numbers of pages, such as "1 2": one page is tried at the scales from 1 down to 0.82, then two pages
    at the scales from 1 down to 0.6. The last number is tried at every scale, the others only at 0.8 or more. An empty
    text gives only (1.0, None).
    """
    numbers = [int(number) for number in wanted.split()]
    if not numbers:
        return [(1.0, None)]
    readable = [(shrink, most) for most in numbers[:-1] for shrink in _SHRINK if shrink >= _READABLE]
    return [*readable, *((shrink, numbers[-1]) for shrink in _SHRINK)]


def lay_out_sections(page: PaperPage, family: str, width: float, images: Images | None = None) -> list[Laid]:
    """Return the sections of a page laid out one below the other, on paper of this width in CSS pixels.

    ``images`` makes the object that draws a section's images; None stands for the page's charts. Each section is a
    separate document, because one long document would block the interpreter for longer than a window may stand still.
    """
    sections, top = [], -_BETWEEN
    for section in page.sections:
        top += _BETWEEN
        document = _build_document(section, family, width, images or partial(Charts, page.charts, family))
        sections.append(Laid(document, top))
        top += content_height(document)
    return sections


def _build_document(body: str, family: str, width: float, images: Images) -> QTextDocument:
    """Return an HTML body laid out as a document with its images, on a page of this width in pixels.

    If a table does not fit, the text of all tables becomes smaller, from 10.5 px down to 7.5 px; if that is not enough,
    the table is too wide.
    """
    document = QTextDocument()
    document.setUseDesignMetrics(True)
    font = document_font(family)
    font.setPixelSize(_TEXT)
    document.setDefaultFont(font)
    wrap = QTextOption()
    wrap.setWrapMode(QTextOption.WrapMode.WordWrap)  # long words have places to break in them already
    document.setDefaultTextOption(wrap)
    document.setDocumentMargin(0)
    drawn = images(QSizeF(width, width * _SHAPE), document)
    document.documentLayout().registerHandler(QTextFormat.ObjectTypes.ImageObject.value, drawn)
    for size in _CELL_SIZES:
        document.setDefaultStyleSheet(template_source(STYLE).replace(_CELL_SIZES[0], size))
        document.setHtml(f"<body>{body}</body>")
        document.setTextWidth(width)
        if document.size().width() <= width + 1:
            break
    return document


def paint_pdf(page: PaperPage, sheets: Sequence[tuple[Sequence[Laid], Slice]], shrink: float, known_by: str) -> bytes:
    """Return pages that were laid out as a PDF.

    Parameters
    ----------
    page
        Title, language and time of the document.
    sheets
        For each page of the PDF, the documents and the slice of them that it shows.
    shrink
        Scale of the content, where 1 is full size.
    known_by
        Text from which the document's identifier is derived.
    """
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(_DOTS)
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    writer.setTitle(page.title)
    writer.setCreator(_PROGRAM)
    identifier = QUuid.createUuidV5(_SPACE, QByteArray(known_by.encode("utf-8")))
    writer.setDocumentId(identifier)
    writer.setDocumentXmpMetadata(
        QByteArray(_build_metadata(page, identifier.toString(QUuid.StringFormat.WithoutBraces)).encode())
    )
    painter = QPainter(writer)
    painter.scale(_DOTS / PER_INCH, _DOTS / PER_INCH)
    for number, (parts, page_slice) in enumerate(sheets):
        if number:
            writer.newPage()
        _draw_page(painter, parts, page_slice, shrink)
        _draw_foot(painter, parts[0].document, page, f"{number + 1} / {len(sheets)}")
    painter.end()
    return _replace_clock_time(bytes(buffer.data().data()), page.named.get("created", ""))


def _draw_page(painter: QPainter, parts: Sequence[Laid], page_slice: Slice, shrink: float) -> None:
    """Draw a page's slice of the documents within the margins, below the repeated head of a continued table."""
    painter.save()
    painter.translate(QPointF(MARGIN, MARGIN))
    painter.scale(shrink, shrink)
    if page_slice.head is not None:
        _draw_part(painter, parts, *page_slice.head)
        painter.translate(QPointF(0, page_slice.head[1] - page_slice.head[0]))
    _draw_part(painter, parts, page_slice.top, page_slice.bottom)
    painter.restore()


def _draw_part(painter: QPainter, parts: Sequence[Laid], top: float, bottom: float) -> None:
    """Draw what the documents show between two heights (pixels); ``top`` is drawn at the painter's origin.

    Documents outside these heights are skipped.
    """
    for part in parts:
        first, last = max(top, part.top), min(bottom, part.top + part.document.size().height())
        if first >= last:
            continue
        clip = QRectF(0, first - part.top, part.document.textWidth(), last - first)
        context = QAbstractTextDocumentLayout.PaintContext()
        palette = QPalette()  # the application's, which the look of window and desktop must not bring in
        palette.setColor(QPalette.ColorRole.Text, QColor(Qt.GlobalColor.black))
        context.palette = palette
        # What only touches the edge belongs to another page: it would be unseen here and yet be copied and read aloud.
        context.clip = clip.adjusted(0, _HAIR, 0, -_HAIR)
        painter.save()
        painter.translate(QPointF(0, part.top - top))
        painter.setClipRect(clip)
        part.document.documentLayout().draw(painter, context)
        painter.restore()


def _draw_foot(painter: QPainter, document: QTextDocument, page: PaperPage, count: str) -> None:
    """Draw the footer: title and time of the page at the left, ``count`` ("1 / 3") at the right."""
    font = QFont(document.defaultFont())
    font.setPixelSize(9)
    painter.save()
    painter.setFont(font)
    painter.setPen(_SOFT)
    rect = QRectF(MARGIN, HEIGHT - MARGIN - FOOT + 6, WIDTH - 2 * MARGIN, FOOT)
    foot = " · ".join(part for part in (page.title, page.named.get("created", "")) if part)
    painter.drawText(rect, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom, foot)
    painter.drawText(rect, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom, count)
    painter.restore()


def _build_metadata(page: PaperPage, identifier: str) -> str:
    """Return the PDF's XMP metadata as XML text: title, language, program, identifier, and the page's time.

    Language and time are left out if the page has none.
    """
    properties = (page.named.get("created", ""), page.language, page.title)
    created, language, title = (escape(text, quote=False) for text in properties)
    times = f'xmp:CreateDate="{created}" xmp:ModifyDate="{created}"' if created else ""
    bag = f"<rdf:Bag><rdf:li>{language}</rdf:li></rdf:Bag>"
    language_tag = f"<dc:language>{bag}</dc:language>" if language else ""
    return (
        "<?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?>"
        '<x:xmpmeta xmlns:x="adobe:ns:meta/" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" '
        'xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/"><rdf:RDF>'
        f'<rdf:Description rdf:about=""><dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li>'
        f"</rdf:Alt></dc:title>{language_tag}</rdf:Description>"
        f'<rdf:Description rdf:about="" xmp:CreatorTool="{_PROGRAM}" {times}/>'
        f'<rdf:Description rdf:about="" xmpMM:DocumentID="uuid:{identifier}"/>'
        "</rdf:RDF></x:xmpmeta><?xpacket end='w'?>"
    )


def _replace_clock_time(data: bytes, created: str) -> bytes:
    """Return a PDF with the page's own time as its dates instead of the clock's; all bytes keep their positions.

    ``created`` is the page's time, such as "2026-01-31T10:00:00Z". Without date and time in full the dates are emptied.
    Only the first 4,096 bytes are searched.
    """
    digits = re.sub(r"\D", "", created)[:14]
    stamp = f" (D:{digits}Z)".encode() if len(digits) == 14 else b" ()"
    head = _DATES.sub(lambda hit: (b"/" + hit[1] + stamp).ljust(len(hit[0])), data[:_HEAD])
    return head + data[_HEAD:]


class Charts(QPyTextObject):
    """Draws those images of a document that are charts, named ``chart:N``.

    Parameters
    ----------
    charts
        The charts as SVG text, by number N.
    family
        Font family for the text in charts.
    most_size
        Largest size of a chart on a page.
    parent
        The document.
    """

    def __init__(self, charts: Sequence[str], family: str, most_size: QSizeF, parent: QObject) -> None:
        super().__init__(parent)
        self._charts = charts
        self._font = document_font(family)
        self._named = f'<svg font-family="{family}" '
        self._drawings: dict[str, QSvgRenderer] = {}
        self._most_size = most_size

    def _find_chart(self, form: QTextFormat) -> QSvgRenderer | None:
        """Return the chart that an image element stands for, parsed at its first use; None if it is no chart."""
        name = form.toImageFormat().name()
        if not name.startswith(CHART):
            return None
        if name not in self._drawings:
            chart = self._charts[int(name.removeprefix(CHART))].replace("<svg ", self._named, 1)
            self._drawings[name] = QSvgRenderer(QByteArray(chart.encode("utf-8")))
        return self._drawings[name]

    def intrinsicSize(self, document: QTextDocument, position: int, form: QTextFormat) -> QSizeF:
        """Return the size of a chart, shrunk in proportion if it is larger than fits on a page.

        The size is empty if the image is no chart.
        """
        drawing = self._find_chart(form)
        if drawing is None:
            return QSizeF()
        size = QSizeF(drawing.defaultSize())
        shrink = min(
            self._most_size.width() / max(size.width(), 1.0), self._most_size.height() / max(size.height(), 1.0)
        )
        return size * min(1.0, shrink)

    def drawObject(
        self, painter: QPainter, rect: QRectF | QRect, document: QTextDocument, position: int, form: QTextFormat
    ) -> None:
        """Draw a chart into a rectangle; do nothing if the image is no chart."""
        drawing = self._find_chart(form)
        if drawing is not None:
            painter.save()
            painter.setFont(self._font)  # its text begins with the painter's font
            drawing.render(painter, QRectF(rect))
            painter.restore()
