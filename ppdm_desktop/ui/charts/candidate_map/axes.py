"""Limit and axes of the risk-utility map.

No side of the limit is tinted: one axis alone makes nothing safe, and the original may stand on either side.
"""

from __future__ import annotations

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen

from ppdm_desktop.engine.report.scene.ticks import percent_ticks, round_ticks
from ppdm_desktop.ui.charts.candidate_map.points import MapAxes
from ppdm_desktop.ui.look.theme import theme

_WHOLE = 100.0
Span = tuple[float, float, float]
"""Right end of the risk, and both ends of the usefulness."""


def limit_at(axes: MapAxes, span: Span, box: QRectF) -> float | None:
    """Return where the limit stands, None without one."""
    limit = axes.limit
    return None if limit is None else box.left() + limit / span[0] * box.width()


def paint_limit(painter: QPainter, axes: MapAxes, span: Span, box: QRectF) -> None:
    """Draw the limit."""
    x = limit_at(axes, span, box)
    if x is None:
        return
    t = theme()
    painter.setPen(QPen(t.colour("text"), max(t.px(1.3), 1), Qt.PenStyle.DashLine))
    painter.drawLine(QLineF(x, box.top(), x, box.bottom()))


def _paint_limit_words(painter: QPainter, axes: MapAxes, span: Span, box: QRectF) -> None:
    """Write what the limit is, on a ground of its own: no line of the grid runs through."""
    t, place = theme(), limit_label(axes, span, box)
    if place is None:
        return
    painter.fillRect(place, t.colour("surface"))
    painter.setFont(t.font(0.85))
    painter.setPen(t.colour("text"))
    painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, axes.limit_words)


def limit_label(axes: MapAxes, span: Span, box: QRectF) -> QRectF | None:
    """Return the place of the words at the foot of the limit, None where there is no room.

    They stand at its right, or at its left where there is no room: a limit without its figure says nothing.
    """
    x = limit_at(axes, span, box)
    if x is None:
        return None
    t = theme()
    metrics = QFontMetrics(t.font(0.85))
    wide, high = metrics.horizontalAdvance(axes.limit_words) + 2, metrics.height()
    place = QRectF(x + t.px(6), box.bottom() - high - t.px(4), wide, high)
    if place.right() > box.right():
        place.moveRight(x - t.px(6))
    return place if place.left() >= box.left() else None


def paint_axes(painter: QPainter, axes: MapAxes, span: Span, box: QRectF) -> None:
    """Draw grid, axes, ticks, and what the axes and the limit say."""
    t = theme()
    metrics = QFontMetrics(t.font(0.85))
    right, low, high = span
    painter.setFont(t.font(0.85))
    upright = round_ticks(low, min(high, _WHOLE), 5)
    for tick, words in zip(upright, percent_ticks(upright), strict=True):
        y = box.bottom() - (tick - low) / max(high - low, 1e-9) * box.height()
        painter.setPen(QPen(t.colour("line"), 1))
        painter.drawLine(QLineF(box.left(), y, box.right(), y))
        painter.setPen(t.colour("text2"))
        place = QRectF(0, y - metrics.height() / 2, box.left() - t.px(6), metrics.height())
        painter.drawText(place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, words)
    painter.setPen(QPen(t.colour("control"), 1))
    painter.drawLine(QLineF(box.left(), box.bottom(), box.right(), box.bottom()))
    painter.drawLine(QLineF(box.left(), box.top(), box.left(), box.bottom()))
    painter.setPen(t.colour("text2"))
    across = round_ticks(0.0, min(right, _WHOLE), 6)
    for tick, words in zip(across, percent_ticks(across), strict=True):
        x = box.left() + tick / right * box.width()
        wide = metrics.horizontalAdvance(words) + 2
        # Beside the words of a tick at the lower end of the other axis, not below them.
        begin = max(x - wide / 2, box.left() - t.px(5))
        place = QRectF(begin, box.bottom() + t.px(3), wide, metrics.height())
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, words)
    foot = QRectF(box.left(), box.bottom() + metrics.height() + t.px(5), box.width(), metrics.height())
    words = metrics.elidedText(axes.risk, Qt.TextElideMode.ElideRight, round(box.width()))
    painter.drawText(foot, Qt.AlignmentFlag.AlignCenter, words)
    painter.save()
    painter.translate(metrics.height() / 2 + t.px(3), box.center().y())
    painter.rotate(-90)
    words = metrics.elidedText(axes.use, Qt.TextElideMode.ElideRight, round(box.height()))
    wide = metrics.horizontalAdvance(words) + 4
    painter.drawText(
        QRectF(-wide / 2, -metrics.height() / 2, wide, metrics.height()), Qt.AlignmentFlag.AlignCenter, words
    )
    painter.restore()
    _paint_limit_words(painter, axes, span, box)
