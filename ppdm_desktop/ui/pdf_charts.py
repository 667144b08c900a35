"""The engine's charts inside a text document: drawn as vectors, never wider than the page."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QByteArray, QObject, QRect, QRectF, QSizeF
from PySide6.QtGui import QPainter, QPyTextObject, QTextDocument, QTextFormat
from PySide6.QtSvg import QSvgRenderer

from ppdm_desktop.ui.pdf_html import CHART


class Charts(QPyTextObject):
    """Stands for the images of a document that are named ``chart:N``.

    Parameters
    ----------
    charts
        SVG documents.
    family
        The font of their text.
    width
        Of the page; a wider chart is drawn smaller.
    """

    def __init__(self, charts: Sequence[str], family: str, width: float, parent: QObject) -> None:
        super().__init__(parent)
        named = f'<svg font-family="{family}" '
        self._drawings = [
            QSvgRenderer(QByteArray(chart.replace("<svg ", named, 1).encode("utf-8"))) for chart in charts
        ]
        self._width = width

    def _drawing(self, form: QTextFormat) -> QSvgRenderer | None:
        name = form.toImageFormat().name()
        return self._drawings[int(name.removeprefix(CHART))] if name.startswith(CHART) else None

    def intrinsicSize(self, document: QTextDocument, position: int, form: QTextFormat) -> QSizeF:
        """Return the room a chart takes."""
        drawing = self._drawing(form)
        if drawing is None:
            return QSizeF()
        size = QSizeF(drawing.defaultSize())
        return size * min(1.0, self._width / max(size.width(), 1.0))

    def drawObject(
        self, painter: QPainter, place: QRectF | QRect, document: QTextDocument, position: int, form: QTextFormat
    ) -> None:
        """Draw a chart."""
        drawing = self._drawing(form)
        if drawing is not None:
            drawing.render(painter, QRectF(place))
