"""Charts and pictures inside a text document: charts are drawn as vectors, and nothing is larger than a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from PySide6.QtCore import QByteArray, QObject, QRect, QRectF, QSizeF
from PySide6.QtGui import QImage, QPainter, QPyTextObject, QTextDocument, QTextFormat
from PySide6.QtSvg import QSvgRenderer

from ppdm_desktop.ui.pdf.html import CHART, PICTURE
from ppdm_desktop.ui.pdf.letters import document_font
from ppdm_desktop.ui.pdf.pictures import Picture


class Charts(QPyTextObject):
    """Stands for the images of a document that are named ``chart:N`` or ``picture:NAME``.

    Parameters
    ----------
    charts
        SVG documents.
    family
        The font of their text.
    room
        The most a chart may take; a larger one is drawn smaller.
    pictures
        Pictures by name; one is as wide as all the room, or the share of it in per cent that its ``width`` says.
    """

    def __init__(
        self,
        charts: Sequence[str],
        family: str,
        room: QSizeF,
        parent: QObject,
        pictures: Mapping[str, Picture] = MappingProxyType({}),
    ) -> None:
        super().__init__(parent)
        self._pictures = pictures
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

    def _picture(self, form: QTextFormat) -> Picture | None:
        name = form.toImageFormat().name()
        return self._pictures[name.removeprefix(PICTURE)] if name.startswith(PICTURE) else None

    def _size_of(self, image: QImage, form: QTextFormat) -> QSizeF:
        """Return the room of a picture."""
        share = form.toImageFormat().width()
        wide = self._room.width() * min(share or 100.0, 100.0) / 100.0
        return QSizeF(wide, wide * image.height() / max(image.width(), 1))

    def intrinsicSize(self, document: QTextDocument, position: int, form: QTextFormat) -> QSizeF:
        """Return the room a chart or a picture takes."""
        picture = self._picture(form)
        if picture is not None:
            return self._size_of(picture.image, form)
        drawing = self._drawing(form)
        if drawing is None:
            return QSizeF()
        size = QSizeF(drawing.defaultSize())
        shrink = min(self._room.width() / max(size.width(), 1.0), self._room.height() / max(size.height(), 1.0))
        return size * min(1.0, shrink)

    def drawObject(
        self, painter: QPainter, place: QRectF | QRect, document: QTextDocument, position: int, form: QTextFormat
    ) -> None:
        """Draw a chart or a picture."""
        picture = self._picture(form)
        if picture is not None:
            painter.drawImage(QRectF(place), picture.stand_in)
            return
        drawing = self._drawing(form)
        if drawing is not None:
            painter.save()
            painter.setFont(self._font)  # its text begins with the painter's font
            drawing.render(painter, QRectF(place))
            painter.restore()
