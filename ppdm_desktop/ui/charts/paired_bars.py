"""Shares before and after: two bars a row, the original square and outlined, the released round and filled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from ppdm_desktop.ui.charts.labelled_rows import LabelledRows
from ppdm_desktop.ui.look.spoken import as_text
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.state.number_words import percent


@dataclass(frozen=True)
class Pair:
    """One row: a label and its share before and after, 0 to 1."""

    label: str
    before: float
    after: float

    @property
    def words(self) -> str:
        """Both shares in words."""
        return f"{percent(self.before)} → {percent(self.after)}"


class PairedBars(LabelledRows):
    """Two bars from zero in each row; the figures stand at the right."""

    def __init__(self, *, name: str, words: str) -> None:
        super().__init__(name=name, words=words)
        self._pairs: list[Pair] = []
        self._most = 1.0

    def set_pairs(self, pairs: Sequence[Pair], title: str) -> None:
        """Show other rows."""
        self._pairs = list(pairs)
        self._most = max((max(pair.before, pair.after) for pair in pairs), default=0.0) or 1.0
        moved = sorted(pairs, key=lambda pair: -abs(pair.after - pair.before))
        self._show(self._pairs, moved, title)

    @property
    def pairs(self) -> list[Pair]:
        """The rows shown."""
        return self._pairs

    def _paint_row(self, painter: QPainter, place: int, box: QRectF, plot: QRectF) -> None:
        t, pair, thick = theme(), self._pairs[place], self._row() * 0.34
        top = box.center().y() - thick - 1
        painter.setPen(QPen(t.colour("original_line"), 1))
        painter.setBrush(t.colour("original"))
        if pair.before > 0:
            wide = max(pair.before / self._most * plot.width(), 2.0)
            painter.drawRect(QRectF(plot.left(), top, wide, thick - 1))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(t.colour("accent"))
        if pair.after > 0:
            wide = max(pair.after / self._most * plot.width(), 2.0)
            painter.drawRoundedRect(QRectF(plot.left(), top + thick + 2, wide, thick), thick / 2, thick / 2)

    def _paint_rest(self, painter: QPainter, plot: QRectF) -> None:
        """Draw the line at zero."""
        painter.setPen(QPen(theme().colour("control"), 1))
        painter.drawLine(round(plot.left()), 0, round(plot.left()), round(plot.bottom()))


class PairLegend(QWidget):
    """What the two bars are."""

    spoken = as_text

    def __init__(self, before: str, after: str) -> None:
        super().__init__()
        self.set_words(before, after)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self._on_theme_changed)

    def set_words(self, before: str, after: str) -> None:
        """Name them otherwise."""
        self._words = (before, after)
        self.setAccessibleName(", ".join(self._words))
        self.update()

    def _on_theme_changed(self) -> None:
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Return one line."""
        return QSize(theme().px(160), theme().px(18))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw square and disc with their words."""
        t = theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(t.font(0.9))
        metrics = QFontMetrics(t.font(0.9))
        side, x, middle = t.px(10), 1.0, self.height() / 2
        for place, words in enumerate(self._words):
            box = QRectF(x, middle - side / 2, side, side)
            if place == 0:
                painter.setPen(QPen(t.colour("original_line"), 1))
                painter.setBrush(t.colour("original"))
                painter.drawRect(box)
            else:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(t.colour("accent"))
                painter.drawEllipse(box)
            painter.setPen(t.colour("text2"))
            x += side + t.px(6)
            wide = metrics.horizontalAdvance(words) + 2
            painter.drawText(QRectF(x, 0, wide, self.height()), Qt.AlignmentFlag.AlignVCenter, words)
            x += wide + t.px(14)
        painter.end()
