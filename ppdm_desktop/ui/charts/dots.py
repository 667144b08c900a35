"""Figures before and after on one scale: a square and a disc joined by a line, one row for each group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen

from ppdm_desktop.engine.report.scene.ticks import round_ticks
from ppdm_desktop.ui.charts.labelled_rows import LabelledRows
from ppdm_desktop.ui.charts.model_accuracy import paint_mark
from ppdm_desktop.ui.charts.numbers import plain_number
from ppdm_desktop.ui.look.theme import theme


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


class Dots(LabelledRows):
    """Rows of two marks on a common scale, which need not begin at 0, and a dashed line for everybody."""

    WIDE, HIGH, FOOT = 320, 26, 38
    LABELS, AROUND_FIGURES, LEAST_PLOT = 0.34, 12, 40

    def __init__(self, *, name: str, words: str) -> None:
        super().__init__(name=name, words=words)
        self._rows: list[DotRow] = []
        self._everybody: float | None = None
        self._words = ""
        self._ends = (0.0, 1.0)

    def set_rows(self, rows: Sequence[DotRow], title: str, everybody: float | None, words: str) -> None:
        """Show other rows; ``everybody`` is the dashed line and ``words`` its label."""
        self._rows, self._everybody, self._words = list(rows), everybody, words
        found = [each for row in rows for each in (row.before, row.after, everybody) if each is not None]
        low, high = min(found, default=0.0), max(found, default=1.0)
        spare = (high - low) * 0.05 or max(abs(high) * 0.05, 1e-9)
        self._ends = (max(low - spare, 0.0) if low >= 0 else low - spare, high + spare)
        moved = sorted(rows, key=lambda row: -abs((row.after or 0.0) - (row.before or 0.0)))
        self._show(self._rows, moved, title)

    @property
    def rows(self) -> list[DotRow]:
        """The rows shown."""
        return self._rows

    @property
    def starts_at_zero(self) -> bool:
        """Whether the scale begins at 0."""
        return self._ends[0] == 0.0

    def _at(self, value: float, plot: QRectF) -> float:
        low, high = self._ends
        return plot.left() + (value - low) / (high - low) * plot.width()

    def _paint_row(self, painter: QPainter, place: int, box: QRectF, plot: QRectF) -> None:
        t, row, y = theme(), self._rows[place], box.center().y()
        painter.setPen(QPen(t.colour("line"), 1))
        painter.drawLine(QLineF(plot.left(), y, plot.right(), y))
        if row.before is not None and row.after is not None:
            painter.setPen(QPen(t.colour("control"), max(t.px(1.4), 1)))
            painter.drawLine(QLineF(self._at(row.before, plot), y, self._at(row.after, plot), y))
        for kind, value in enumerate((row.before, row.after)):
            if value is not None:
                paint_mark(painter, kind, QPointF(self._at(value, plot), y))

    def _paint_rest(self, painter: QPainter, plot: QRectF) -> None:
        t, (low, high) = theme(), self._ends
        metrics = QFontMetrics(t.font(0.85))
        painter.setFont(t.font(0.85))
        painter.setPen(t.colour("text2"))
        room = max(int(plot.width() / max(metrics.horizontalAdvance("00,000,000"), 1)), 1)
        for tick in round_ticks(low, high, min(room, 5)):
            words = plain_number(tick)
            wide = metrics.horizontalAdvance(words) + 2
            x = self._at(tick, plot)
            box = QRectF(x - wide / 2, plot.bottom() + t.px(2), wide, metrics.height())
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)
        if self._everybody is None:
            return
        x = self._at(self._everybody, plot)
        painter.setPen(QPen(t.colour("text2"), max(t.px(1.3), 1), Qt.PenStyle.DashLine))
        painter.drawLine(QLineF(x, 0, x, plot.bottom()))
        painter.setPen(t.colour("text"))
        wide = min(metrics.horizontalAdvance(self._words) + 4, self.width())
        begin = min(max(x - wide / 2, 0.0), self.width() - wide)
        box = QRectF(begin, plot.bottom() + metrics.height() + t.px(3), wide, metrics.height())
        words = metrics.elidedText(self._words, Qt.TextElideMode.ElideRight, round(wide))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)
