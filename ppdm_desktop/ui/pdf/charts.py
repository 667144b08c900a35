"""The engine's charts inside a text document: drawn as vectors, never larger than a page."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QByteArray, QObject, QRect, QRectF, QSizeF
from PySide6.QtGui import QPainter, QPyTextObject, QTextDocument, QTextFormat
from PySide6.QtSvg import QSvgRenderer

from ppdm_desktop.ui.pdf.html import CHART
from ppdm_desktop.ui.pdf.letters import document_font


class Charts(QPyTextObject):
    """Stands for the images of a document that are named ``chart:N``.

    Parameters
    ----------
    charts
        SVG documents.
    family
        The font of their text.
    room
        The most a chart may take; a larger one is drawn smaller.
    """

    def __init__(self, charts: Sequence[str], family: str, room: QSizeF, parent: QObject) -> None:
        super().__init__(parent)
        self._charts = charts
        self._font = document_font(family)
        self._named = f'<svg font-family="{family}" '
        self._drawings: dict[str, QSvgRenderer] = {}
        self._room = room

    def _drawing(self, form: QTextFormat) -> QSvgRenderer | None:
        name = form.toImageFormat().name()
        if not name.startswith(CHART):
            return None
        if name not in self._drawings:
            chart = self._charts[int(name.removeprefix(CHART))].replace("<svg ", self._named, 1)
            self._drawings[name] = QSvgRenderer(QByteArray(chart.encode("utf-8")))
        return self._drawings[name]

    def intrinsicSize(self, document: QTextDocument, position: int, form: QTextFormat) -> QSizeF:
        """Return the room a chart takes."""
        drawing = self._drawing(form)
        if drawing is None:
            return QSizeF()
        size = QSizeF(drawing.defaultSize())
        shrink = min(self._room.width() / max(size.width(), 1.0), self._room.height() / max(size.height(), 1.0))
        return size * min(1.0, shrink)

    def drawObject(
        self, painter: QPainter, place: QRectF | QRect, document: QTextDocument, position: int, form: QTextFormat
    ) -> None:
        """Draw a chart."""
        drawing = self._drawing(form)
        if drawing is not None:
            painter.save()
            painter.setFont(self._font)  # its text begins with the painter's font
            drawing.render(painter, QRectF(place))
            painter.restore()
