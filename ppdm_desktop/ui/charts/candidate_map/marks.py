"""The marks of the risk-utility map: shape beside colour, the ring of the one looked at, and their legend."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from ppdm_desktop.ui.charts.legend import Legend
from ppdm_desktop.ui.look.theme import theme

RELEASED, REASONS, BLOCKED, ORIGINAL = "released", "released-with-reasons", "blocked", "original"
KINDS = (RELEASED, REASONS, BLOCKED, ORIGINAL)
"""What a mark can say: the decision as a verdict calls it, or that it is the original."""
HALF = 5.5
"""Half the width of a mark at 100 %."""


def paint_mark(painter: QPainter, kind: str, at: QPointF, factor: float = 1.0) -> None:
    """Draw a mark: may go (disc), with reasons (diamond), blocked (triangle), the original (open square)."""
    t = theme()
    half = t.px(HALF) * factor
    if kind == ORIGINAL:
        # Larger than the others and open: a candidate that changed nothing lies on it and hides it not.
        painter.setPen(QPen(t.colour("text2"), max(t.px(2), 1)))
        painter.setBrush(t.colour("surface"))
        far = half * 1.2
        painter.drawRect(QRectF(at.x() - far, at.y() - far, 2 * far, 2 * far))
    elif kind == RELEASED:
        painter.setPen(QPen(t.colour("surface"), 1))
        painter.setBrush(t.colour("passed"))
        painter.drawEllipse(at, half, half)
    elif kind == REASONS:
        painter.setPen(QPen(t.colour("surface"), 1))
        painter.setBrush(t.colour("amber"))
        far = half * 1.25
        painter.drawPolygon(
            QPolygonF([at + QPointF(0, -far), at + QPointF(far, 0), at + QPointF(0, far), at + QPointF(-far, 0)])
        )
    else:
        painter.setPen(QPen(t.colour("blocks"), max(t.px(1.8), 1)))
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
    """Return the legend of the kinds of marks and of the frontier."""
    return Legend(names, _paint_piece, 20)


def _paint_piece(painter: QPainter, place: int, at: QPointF) -> None:
    middle = QPointF(at.x() + theme().px(10), at.y())
    if place < len(KINDS):
        paint_mark(painter, KINDS[place], middle, 0.85)
    else:
        painter.setPen(frontier_pen())
        painter.drawLine(QLineF(at.x(), at.y(), at.x() + theme().px(20), at.y()))
