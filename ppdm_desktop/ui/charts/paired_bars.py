"""Shares before and after: two bars a row, the original square and outlined, the released round and filled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from ppdm_desktop.ui.theme import theme


@dataclass(frozen=True)
class Pair:
    """One row: a label and its share before and after, 0 to 1."""

    label: str
    before: float
    after: float

    @property
    def words(self) -> str:
        """Both shares in words."""
        return f"{_percent(self.before)} → {_percent(self.after)}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


class PairedBars(QWidget):
    """Two bars from zero in each row; the figures stand at the right, in per cent."""

    def __init__(self, *, name: str, words: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(words)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._pairs: list[Pair] = []
        theme().changed.connect(self._on_theme_changed)

    def set_pairs(self, pairs: Sequence[Pair], title: str) -> None:
        """Show other rows."""
        self._pairs = list(pairs)
        largest = sorted(pairs, key=lambda pair: -abs(pair.after - pair.before))[:3]
        figures = "; ".join(f"{pair.label}: {pair.words} %" for pair in largest)
        self.setAccessibleDescription(f"{title}. {figures}" if figures else title)
        self._on_theme_changed()

    @property
    def pairs(self) -> list[Pair]:
        """The rows shown."""
        return self._pairs

    def _row(self) -> int:
        return theme().px(28)

    def sizeHint(self) -> QSize:
        """Return the height of all rows."""
        return QSize(theme().px(300), max(len(self._pairs), 1) * self._row())

    def minimumSizeHint(self) -> QSize:
        """Return the least width that still says something."""
        return QSize(theme().px(200), self.sizeHint().height())

    def _on_theme_changed(self) -> None:
        self.updateGeometry()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw labels, bars and figures."""
        if not self._pairs:
            return
        t = theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(t.font())
        metrics = QFontMetrics(t.font())
        labels = max(metrics.horizontalAdvance(pair.label) for pair in self._pairs)
        left = min(labels, round(self.width() * 0.36)) + t.px(14)
        right = max(metrics.horizontalAdvance(pair.words) for pair in self._pairs) + t.px(10)
        room = max(self.width() - left - right, t.px(20))
        most = max(max(pair.before, pair.after) for pair in self._pairs) or 1.0
        thick = self._row() * 0.34
        for row, pair in enumerate(self._pairs):
            box = QRectF(0, row * self._row(), self.width(), self._row())
            painter.setPen(t.colour("text"))
            label = metrics.elidedText(pair.label, Qt.TextElideMode.ElideRight, left - t.px(10))
            middle = Qt.AlignmentFlag.AlignVCenter
            painter.drawText(QRectF(0, box.top(), left, box.height()), middle | Qt.AlignmentFlag.AlignLeft, label)
            top = box.center().y() - thick - 1
            painter.setPen(QPen(t.colour("original_line"), 1))
            painter.setBrush(t.colour("original"))
            if pair.before > 0:
                painter.drawRect(QRectF(left, top, max(pair.before / most * room, 2.0), thick - 1))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(t.colour("accent"))
            if pair.after > 0:
                bar = QRectF(left, top + thick + 2, max(pair.after / most * room, 2.0), thick)
                painter.drawRoundedRect(bar, thick / 2, thick / 2)
            painter.setPen(t.colour("text"))
            at = QRectF(self.width() - right, box.top(), right, box.height())
            painter.drawText(at, middle | Qt.AlignmentFlag.AlignRight, pair.words)
        painter.setPen(QPen(t.colour("control"), 1))
        painter.drawLine(left, 0, left, len(self._pairs) * self._row())
        painter.end()


class PairLegend(QWidget):
    """What the two bars are."""

    def __init__(self, before: str, after: str) -> None:
        super().__init__()
        self._words = (before, after)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self._on_theme_changed)

    def set_words(self, before: str, after: str) -> None:
        """Name them otherwise."""
        self._words = (before, after)
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
