"""Figures before and after on one scale: a square and a disc joined by a line, one row for each group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from ppdm_desktop.ui.charts.curves import round_ticks
from ppdm_desktop.ui.charts.learners import paint_mark
from ppdm_desktop.ui.charts.numbers import plain_number
from ppdm_desktop.ui.theme import theme


@dataclass(frozen=True)
class DotRow:
    """One group with its figure before and after; None where it has none."""

    label: str
    before: float | None
    after: float | None

    @property
    def words(self) -> str:
        """Both figures in words."""
        return " → ".join("–" if each is None else plain_number(each) for each in (self.before, self.after))


class Dots(QWidget):
    """Rows of two marks on a common scale, which need not begin at nought, and a dashed line for everybody."""

    def __init__(self, *, name: str, words: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(words)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._rows: list[DotRow] = []
        self._everybody: float | None = None
        self._words = ""
        theme().changed.connect(self._on_theme_changed)

    def set_rows(self, rows: Sequence[DotRow], title: str, everybody: float | None, words: str) -> None:
        """Show other rows; ``everybody`` is the dashed line and ``words`` its label."""
        self._rows, self._everybody, self._words = list(rows), everybody, words
        moved = sorted(rows, key=lambda row: -abs((row.after or 0.0) - (row.before or 0.0)))[:3]
        figures = "; ".join(f"{row.label}: {row.words}" for row in moved)
        self.setAccessibleDescription(f"{title}. {figures}" if figures else title)
        self._on_theme_changed()

    @property
    def rows(self) -> list[DotRow]:
        """The rows shown."""
        return self._rows

    def _row(self) -> int:
        return theme().px(26)

    def sizeHint(self) -> QSize:
        """Return the height of all rows and the scale."""
        return QSize(theme().px(320), max(len(self._rows), 1) * self._row() + theme().px(38))

    def minimumSizeHint(self) -> QSize:
        """Return the least width that still says something."""
        return QSize(theme().px(200), self.sizeHint().height())

    def _on_theme_changed(self) -> None:
        self.updateGeometry()
        self.update()

    def _ends(self) -> tuple[float, float]:
        found = [each for row in self._rows for each in (row.before, row.after) if each is not None]
        if self._everybody is not None:
            found.append(self._everybody)
        low, high = min(found, default=0.0), max(found, default=1.0)
        spare = (high - low) * 0.05 or max(abs(high) * 0.05, 1e-9)
        return low - spare, high + spare

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw labels, marks, figures, the dashed line and the scale."""
        if not self._rows:
            return
        t = theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(t.font())
        metrics = QFontMetrics(t.font())
        left = min(max(metrics.horizontalAdvance(row.label) for row in self._rows), round(self.width() * 0.34)) + t.px(
            14
        )
        right = max(metrics.horizontalAdvance(row.words) for row in self._rows) + t.px(12)
        plot = QRectF(left, 0, max(self.width() - left - right, t.px(40)), len(self._rows) * self._row())
        low, high = self._ends()

        def at(value: float) -> float:
            return plot.left() + (value - low) / (high - low) * plot.width()

        middle = Qt.AlignmentFlag.AlignVCenter
        for place, row in enumerate(self._rows):
            box = QRectF(0, place * self._row(), self.width(), self._row())
            y = box.center().y()
            painter.setFont(t.font())
            painter.setPen(t.colour("text"))
            label = metrics.elidedText(row.label, Qt.TextElideMode.ElideRight, left - t.px(10))
            painter.drawText(QRectF(0, box.top(), left, box.height()), middle | Qt.AlignmentFlag.AlignLeft, label)
            figures = QRectF(self.width() - right, box.top(), right, box.height())
            painter.drawText(figures, middle | Qt.AlignmentFlag.AlignRight, row.words)
            painter.setPen(QPen(t.colour("line"), 1))
            painter.drawLine(QLineF(plot.left(), y, plot.right(), y))
            if row.before is not None and row.after is not None:
                painter.setPen(QPen(t.colour("control"), max(t.px(1.4), 1)))
                painter.drawLine(QLineF(at(row.before), y, at(row.after), y))
            for kind, value in enumerate((row.before, row.after)):
                if value is not None:
                    paint_mark(painter, kind, QPointF(at(value), y))
        self._paint_scale(painter, plot, low, high)
        painter.end()

    def _paint_scale(self, painter: QPainter, plot: QRectF, low: float, high: float) -> None:
        t = theme()
        metrics = QFontMetrics(t.font(0.85))
        painter.setFont(t.font(0.85))
        painter.setPen(t.colour("text2"))
        room = max(int(plot.width() / max(metrics.horizontalAdvance("00,000,000"), 1)), 1)
        for tick in round_ticks(low, high, min(room, 5)):
            words = plain_number(tick)
            wide = metrics.horizontalAdvance(words) + 2
            x = plot.left() + (tick - low) / (high - low) * plot.width()
            box = QRectF(x - wide / 2, plot.bottom() + t.px(2), wide, metrics.height())
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)
        if self._everybody is None:
            return
        x = plot.left() + (self._everybody - low) / (high - low) * plot.width()
        painter.setPen(QPen(t.colour("text2"), max(t.px(1.3), 1), Qt.PenStyle.DashLine))
        painter.drawLine(QLineF(x, 0, x, plot.bottom()))
        painter.setPen(t.colour("text"))
        wide = min(metrics.horizontalAdvance(self._words) + 4, self.width())
        begin = min(max(x - wide / 2, 0.0), self.width() - wide)
        box = QRectF(begin, plot.bottom() + metrics.height() + t.px(3), wide, metrics.height())
        words = metrics.elidedText(self._words, Qt.TextElideMode.ElideRight, round(wide))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)
