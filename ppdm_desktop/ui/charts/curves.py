"""Step curves of one column: as it was, as it is released, and as a recipient can reconstruct it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from ppdm_desktop.ui.charts.legend import Legend
from ppdm_desktop.ui.charts.numbers import percent_ticks, plain_number
from ppdm_desktop.ui.look.spoken import as_chart, in_sentences
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.state.number_words import percent

_LINES = 4
_SOLID, _DOTTED, _DASHED = Qt.PenStyle.SolidLine, Qt.PenStyle.DotLine, Qt.PenStyle.DashLine
STYLES = (_SOLID, _DOTTED, _DASHED)
At = Callable[[float, float], QPointF]
"""Where a value and a share stand in the drawing."""


@dataclass(frozen=True)
class StepCurve:
    """One curve: its name and the share in each cell."""

    name: str
    shares: tuple[float, ...]


def round_ticks(low: float, high: float, most: int) -> list[float]:
    """Return at most ``most`` round numbers from low to high: multiples of 1, 2, 2.5 or 5 times a power of ten."""
    if not high > low or most < 1:
        return [low]
    rough = (high - low) / most
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= rough * (1 - 1e-9))
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    ticks = [place * step for place in range(first, last + 1)]
    return ticks if len(ticks) <= most else ticks[:: math.ceil(len(ticks) / most)]


def _number(value: float) -> str:
    return plain_number(value)


class Curves(QWidget):
    """Up to three step curves over the same cells, from zero.

    They differ by line (solid with a light ground, dotted, dashed), by width and by colour, and
    each bears its name where it stands highest above the others.
    """

    spoken = as_chart

    def __init__(self, *, name: str, words: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(words)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._edges: tuple[float, ...] = ()
        self._curves: list[StepCurve] = []
        theme().changed.connect(self._on_theme_changed)

    def set_curves(self, edges: Sequence[float], curves: Sequence[StepCurve], title: str) -> None:
        """Show other curves; each has one share for every cell between two edges."""
        if any(len(curve.shares) + 1 != len(edges) for curve in curves):
            raise ValueError("a curve has one share for each cell")
        self._edges, self._curves = tuple(edges), list(curves)
        tops = []
        for curve in curves:
            place = max(range(len(curve.shares)), key=curve.shares.__getitem__, default=0)
            if curve.shares:
                span = f"{_number(edges[place])} – {_number(edges[place + 1])}"
                tops.append(f"{curve.name}: {percent(curve.shares[place])} ({span})")
        self.setAccessibleDescription(in_sentences([title, "; ".join(tops)]))
        self._on_theme_changed()

    @property
    def curves(self) -> list[StepCurve]:
        """The curves shown."""
        return self._curves

    @property
    def edges(self) -> tuple[float, ...]:
        """The edges of their cells."""
        return self._edges

    def sizeHint(self) -> QSize:
        """Return a height at which steps can be distinguished."""
        return QSize(theme().px(360), theme().px(210))

    def minimumSizeHint(self) -> QSize:
        """Return the least width that still says something."""
        return QSize(theme().px(200), theme().px(210))

    def _on_theme_changed(self) -> None:
        self.updateGeometry()
        self.update()

    # --- drawing ------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the grid, the curves, their names, and the axes."""
        if not self._curves or len(self._edges) < 2:
            return
        t = theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(t.font(0.85))
        metrics = QFontMetrics(t.font(0.85))
        most = max(max(curve.shares) for curve in self._curves) or 1.0
        ticks = [round(tick, 6) for tick in round_ticks(0.0, 100 * most, _LINES) if tick > 0]
        left = max(metrics.horizontalAdvance(words) for words in percent_ticks(ticks or [1.0])) + t.px(8)
        box = QRectF(left, metrics.height() + t.px(2), 0, 0)
        box.setRight(self.width() - t.px(6))
        box.setBottom(self.height() - metrics.height() - t.px(6))
        self._paint_axes(painter, metrics, box, ticks, most)
        low, wide = self._edges[0], self._edges[-1] - self._edges[0]

        def at(value: float, share: float) -> QPointF:
            return QPointF(box.left() + (value - low) / wide * box.width(), box.bottom() - share / most * box.height())

        for place, curve in enumerate(self._curves):
            self._paint_curve(painter, place, curve, at)
        self._paint_names(painter, metrics, box, at)
        painter.end()

    def _paint_axes(
        self, painter: QPainter, metrics: QFontMetrics, box: QRectF, ticks: Sequence[float], most: float
    ) -> None:
        t = theme()
        for tick, words in zip(ticks, percent_ticks(ticks), strict=True):
            y = box.bottom() - tick / 100 / most * box.height()
            painter.setPen(QPen(t.colour("line"), 1))
            painter.drawLine(QLineF(box.left(), y, box.right(), y))
            painter.setPen(t.colour("text2"))
            label = QRectF(0, y - metrics.height() / 2, box.left() - t.px(5), metrics.height())
            painter.drawText(label, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, words)
        painter.setPen(QPen(t.colour("control"), 1))
        painter.drawLine(QLineF(box.left(), box.bottom(), box.right(), box.bottom()))
        low, high = self._edges[0], self._edges[-1]
        room = max(int(box.width() / max(metrics.horizontalAdvance("000,000"), 1)), 2)
        painter.setPen(t.colour("text2"))
        for tick in round_ticks(low, high, min(room, 8)):
            x = box.left() + (tick - low) / (high - low) * box.width()
            words = _number(tick)
            wide = metrics.horizontalAdvance(words) + 2
            begin = min(max(x - wide / 2, 0.0), self.width() - wide)
            painter.drawLine(QLineF(x, box.bottom(), x, box.bottom() + t.px(3)))
            painter.drawText(QRectF(begin, box.bottom() + t.px(4), wide, metrics.height()), words)

    def _paint_curve(self, painter: QPainter, place: int, curve: StepCurve, at: object) -> None:
        assert callable(at)
        points = QPolygonF()
        for cell, share in enumerate(curve.shares):
            points.append(at(self._edges[cell], share))
            points.append(at(self._edges[cell + 1], share))
        if place == 0:
            ground = QPolygonF(points)
            ground.append(at(self._edges[-1], 0.0))
            ground.append(at(self._edges[0], 0.0))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme().colour("selection"))
            painter.drawPolygon(ground)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(curve_pen(place))
        painter.drawPolyline(points)

    def _paint_names(self, painter: QPainter, metrics: QFontMetrics, box: QRectF, at: At) -> None:
        """Write each name where it belongs to its curve and hides no line; the legend has all of them."""
        for place, label in enumerate(self.name_places(metrics, box, at)):
            if label is not None:
                ground = theme().colour("surface")
                ground.setAlphaF(0.75)
                painter.fillRect(label, ground)
                painter.setPen(curve_colour(place))
                painter.drawText(label, Qt.AlignmentFlag.AlignCenter, self._curves[place].name)

    def name_places(self, metrics: QFontMetrics, box: QRectF, at: At) -> list[QRectF | None]:
        """Return where each name stands: above a cell in which its curve is the highest, or beside it.

        Parameters
        ----------
        metrics
            Of the names.
        box
            The drawing.
        at
            Where a value and a share stand.
        """
        taken: list[QRectF] = []
        found: list[QRectF | None] = []
        across = np.array([at(edge, 0.0).x() for edge in self._edges])
        heights = np.array([[at(0.0, share).y() for share in curve.shares] for curve in self._curves])

        def hides_a_line(label: QRectF) -> bool:
            first = int(np.searchsorted(across[1:], label.left()))
            beneath = heights[:, first : int(np.searchsorted(across[:-1], label.right(), "right"))]
            crossed = (beneath.min(axis=1) < label.bottom()) & (beneath.max(axis=1) > label.top())
            return bool(crossed.any())

        for curve in self._curves:
            others = [other.shares for other in self._curves if other is not curve]
            ahead = [
                share - max((shares[cell] for shares in others), default=0.0) for cell, share in enumerate(curve.shares)
            ]
            cells = [cell for cell in range(len(ahead)) if ahead[cell] > 0 or not others]
            cells.sort(key=lambda cell: -ahead[cell])
            wide, high = metrics.horizontalAdvance(curve.name) + theme().px(6), metrics.height()
            labels = (
                label for cell in cells for label in self._beside_cell(curve, cell, QSizeF(wide, high), box, at)
                if not any(label.intersects(each) for each in taken) and not hides_a_line(label)
            )  # fmt: skip
            label = next(labels, None)
            found.append(label)
            taken += [label] if label is not None else []
        return found

    def _beside_cell(self, curve: StepCurve, cell: int, size: QSizeF, box: QRectF, at: At) -> list[QRectF]:
        """Return the places of a name at a cell: above its middle, then at its right and its left end."""
        left, right = (at(edge, curve.shares[cell]) for edge in self._edges[cell : cell + 2])
        wide, high, off = size.width(), size.height(), theme().px(3)
        corners = (
            ((left.x() + right.x() - wide) / 2, left.y() - high - theme().px(1)),
            (right.x() + off, left.y() - high / 2),
            (left.x() - wide - off, left.y() - high / 2),
        )
        places = (QRectF(min(max(x, box.left() + 2), box.right() - wide), y, wide, high) for x, y in corners)
        return [each for each in places if each.top() >= 0 and each.bottom() <= box.bottom()]


def curve_legend(names: Sequence[str]) -> Legend:
    """Return the legend of the three lines."""
    return Legend(names, _paint_piece, 26)


def curve_colour(place: int) -> QColor:
    """Return the colour of the original (0), the released (1) or the reconstructed curve (2)."""
    t = theme()
    return (t.colour("text2"), QColor(t.tokens.kinds[1]), t.colour("accent"))[min(place, 2)]


def curve_pen(place: int) -> QPen:
    """Return its line."""
    t = theme()
    pen = QPen(curve_colour(place), max(t.px(2 if place else 1.4), 1), STYLES[min(place, 2)])
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    return pen


def _paint_piece(painter: QPainter, place: int, at: QPointF) -> None:
    painter.setPen(curve_pen(place))
    painter.drawLine(QLineF(at.x(), at.y(), at.x() + theme().px(26), at.y()))
