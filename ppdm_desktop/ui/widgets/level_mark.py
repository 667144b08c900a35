"""The mark of a protection level: one to four filled bars of rising height."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QApplication

from ppdm_desktop.ui.look.theme import theme

_BARS = 4


def paint_level(painter: QPainter, box: QRectF, filled: int) -> None:
    """Draw the mark into a rectangle, with so many bars filled."""
    colour = QColor(theme().tokens.roles["privacy-level"])
    gap = max(box.width() * 0.06, 1.0)
    width = (box.width() - gap * (_BARS - 1)) / _BARS
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for index in range(_BARS):
        height = box.height() * (0.4 + 0.2 * index)
        bar = QRectF(box.left() + index * (width + gap), box.bottom() - height, width, height)
        painter.setPen(QPen(colour, 1.0))
        painter.setBrush(colour if index < filled else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(bar.adjusted(0.5, 0.5, -0.5, -0.5), 1, 1)
    painter.restore()


def level_icon(filled: int) -> QIcon:
    """Return the mark as an icon in the colours of the theme."""
    app = QApplication.instance()
    ratio = app.devicePixelRatio() if isinstance(app, QApplication) else 1.0
    wide, high = theme().px(18), theme().px(13)
    pixmap = QPixmap(QSize(wide, high) * ratio)
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    paint_level(painter, QRectF(0, 0, wide, high), filled)
    painter.end()
    return QIcon(pixmap)
