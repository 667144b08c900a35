"""The marks of the risk-utility map: shape beside colour, the ring of the one looked at, and their legend."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from ppdm_desktop.ui.charts.legend import Legend
from ppdm_desktop.ui.look.theme import theme

MET, SHORT, ORIGINAL = "met", "short", "original"
HALF = 5.5
"""Half the width of a mark at 100 %."""


def paint_mark(painter: QPainter, kind: str, at: QPointF, factor: float = 1.0) -> None:
    """Draw a mark: every level met (disc), some not (open triangle), the original (square)."""
    t = theme()
    half = t.px(HALF) * factor
    if kind == ORIGINAL:
        painter.setPen(QPen(t.colour("surface"), 1))
        painter.setBrush(t.colour("text2"))
        painter.drawRect(QRectF(at.x() - half * 0.9, at.y() - half * 0.9, 1.8 * half, 1.8 * half))
    elif kind == MET:
        painter.setPen(QPen(t.colour("surface"), 1))
        painter.setBrush(t.colour("accent"))
        painter.drawEllipse(at, half, half)
    else:
        painter.setPen(QPen(QColor(t.tokens.kinds[1]), max(t.px(1.8), 1)))
        painter.setBrush(t.colour("surface"))
        top = QPointF(at.x(), at.y() - half * 1.1)
        painter.drawPolygon(
            QPolygonF([top, QPointF(at.x() + half * 1.1, at.y() + half), QPointF(at.x() - half * 1.1, at.y() + half)])
        )


def paint_ring(painter: QPainter, at: QPointF, *, dashed: bool = False) -> None:
    """Draw the ring of the candidate looked at; dashed where the keys or the pointer are."""
    t = theme()
    style = Qt.PenStyle.DotLine if dashed else Qt.PenStyle.SolidLine
    painter.setPen(QPen(t.colour("accent"), max(t.px(2), 1), style))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    radius = t.px(HALF + (8 if dashed else 5))
    painter.drawEllipse(at, radius, radius)


def frontier_pen() -> QPen:
    """Return the line of the frontier."""
    return QPen(theme().colour("accent"), max(theme().px(1.8), 1))


def map_legend(names: Sequence[str]) -> Legend:
    """Return the legend of: every level met, some not met, the original, the frontier."""
    return Legend(names, _paint_piece, 20)


def _paint_piece(painter: QPainter, place: int, at: QPointF) -> None:
    middle = QPointF(at.x() + theme().px(10), at.y())
    if place < 3:
        paint_mark(painter, (MET, SHORT, ORIGINAL)[place], middle, 0.85)
    else:
        painter.setPen(frontier_pen())
        painter.drawLine(QLineF(at.x(), at.y(), at.x() + theme().px(20), at.y()))
