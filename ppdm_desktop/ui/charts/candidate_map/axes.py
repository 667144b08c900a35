"""Ground, limit and axes of the risk-utility map."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen

from ppdm_desktop.ui.charts.candidate_map.points import MapAxes
from ppdm_desktop.ui.charts.curves import round_ticks
from ppdm_desktop.ui.look.theme import theme

_WHOLE = 100.0
Span = tuple[float, float, float]
"""Right end of the risk, and both ends of the usefulness."""


def limit_at(axes: MapAxes, span: Span, box: QRectF) -> float | None:
    """Return where the limit stands, None without one."""
    limit = axes.limit
    return None if limit is None else box.left() + limit / span[0] * box.width()


def paint_allowed(painter: QPainter, axes: MapAxes, span: Span, box: QRectF) -> None:
    """Tint the allowed side, and draw the limit."""
    x = limit_at(axes, span, box)
    if x is None:
        return
    t = theme()
    painter.fillRect(QRectF(box.left(), box.top(), x - box.left(), box.height()), t.colour("passed_tint"))
    painter.setPen(QPen(t.colour("text"), max(t.px(1.3), 1), Qt.PenStyle.DashLine))
    painter.drawLine(QLineF(x, box.top(), x, box.bottom()))


def _paint_limit_words(painter: QPainter, axes: MapAxes, span: Span, box: QRectF) -> None:
    """Write what the tint and the limit are, on a ground of their own: no line of the grid runs through."""
    t, x = theme(), limit_at(axes, span, box)
    for words, token, semibold, rect in limit_labels(axes, span, box):
        painter.fillRect(rect, t.colour("surface" if x is None or rect.left() > x else "passed_tint"))
        painter.setFont(t.font(0.85, semibold=semibold))
        painter.setPen(t.colour(token))
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, words)


def limit_labels(axes: MapAxes, span: Span, box: QRectF) -> list[tuple[str, str, bool, QRectF]]:
    """Return the words at the foot of the limit that have room: (words, colour, semibold, place).

    The limit's own words stand at its right, or at its left where there is no room.
    """
    x = limit_at(axes, span, box)
    if x is None:
        return []
    t = theme()
    found: list[tuple[str, str, bool, QRectF]] = []
    for words, token, semibold, left, right in (
        (axes.allowed_words, "passed", True, box.left() + t.px(6), x - t.px(4)),
        (axes.limit_words, "text", False, x + t.px(6), box.right()),
    ):
        metrics = QFontMetrics(t.font(0.85, semibold=semibold))
        wide, high = metrics.horizontalAdvance(words) + 2, metrics.height()
        place = QRectF(left, box.bottom() - high - t.px(4), wide, high)
        if left + wide > right and words == axes.limit_words:
            # At the other side, above the words that may stand there: a limit without its figure says nothing.
            place.moveRight(x - t.px(6))
            if any(place.intersects(other) for *_, other in found):
                place.translate(0, -high)
            left, right = place.left(), x
        if left >= box.left() and left + wide <= right:
            found.append((words, token, semibold, place))
    return found


def paint_axes(painter: QPainter, axes: MapAxes, span: Span, box: QRectF) -> None:
    """Draw grid, axes, ticks, and what the axes and the limit say."""
    t = theme()
    metrics = QFontMetrics(t.font(0.85))
    right, low, high = span
    painter.setFont(t.font(0.85))
    for tick in round_ticks(low, min(high, _WHOLE), 5):
        y = box.bottom() - (tick - low) / max(high - low, 1e-9) * box.height()
        painter.setPen(QPen(t.colour("line"), 1))
        painter.drawLine(QLineF(box.left(), y, box.right(), y))
        painter.setPen(t.colour("text2"))
        place = QRectF(0, y - metrics.height() / 2, box.left() - t.px(6), metrics.height())
        painter.drawText(place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, f"{tick:g}")
    painter.setPen(QPen(t.colour("control"), 1))
    painter.drawLine(QLineF(box.left(), box.bottom(), box.right(), box.bottom()))
    painter.drawLine(QLineF(box.left(), box.top(), box.left(), box.bottom()))
    painter.setPen(t.colour("text2"))
    for tick in round_ticks(0.0, min(right, _WHOLE), 6):
        x = box.left() + tick / right * box.width()
        place = QRectF(x - t.px(24), box.bottom() + t.px(3), t.px(48), metrics.height())
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, f"{tick:g}")
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
