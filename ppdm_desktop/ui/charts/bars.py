"""Horizontal bars with labels and figures; each bar may have parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from ppdm_desktop.ui.look.spoken import as_chart, in_sentences
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.widgets.level_mark import paint_level

_GAP = 2
_ROW, _HIGHEST_ROW = 23, 34  # px at 100 %


@dataclass(frozen=True)
class Bar:
    """One bar.

    Attributes
    ----------
    label
        At the left.
    parts
        Lengths of its parts in the bars' common unit, from the left.
    figures
        Texts at the right, the last one semibold.
    level
        Filled bars of a level mark before the label, or None.
    alarming
        Whether the first part is drawn in the colour of risk.
    said
        The figures for a screen reader, where they say too little without the picture.
    """

    label: str
    parts: tuple[float, ...]
    figures: tuple[str, ...]
    level: int | None = None
    alarming: bool = True
    said: str = ""

    @property
    def spoken(self) -> str:
        """What a reader says of it."""
        return f"{self.label}: {self.said or ', '.join(self.figures)}"


class Bars(QWidget):
    """Bars from zero, one a row, with an optional dashed line between two rows.

    Up and Down move between bars, Enter or a click chooses one.

    Parameters
    ----------
    name, words
        Object name and accessible name.
    grows
        Whether the bars become higher, up to half as high again, where there is room.
    """

    spoken = as_chart

    chosen = Signal(int)

    def __init__(self, *, name: str, words: str, grows: bool = False) -> None:
        super().__init__()
        self._highest = _HIGHEST_ROW if grows else _ROW
        self.setObjectName(name)
        self.setAccessibleName(words)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._bars: list[Bar] = []
        self._limit: tuple[int, str] | None = None
        self._current = 0
        self._clickable = False
        theme().changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    def set_bars(self, bars: Sequence[Bar], title: str, *, limit: tuple[int, str] | None = None) -> None:
        """Show other bars; ``limit`` is (rows above the line, its label)."""
        self._bars, self._limit = list(bars), limit
        self._current = min(self._current, max(len(bars) - 1, 0))
        largest = sorted(bars, key=lambda bar: -sum(bar.parts))[:3]
        figures = "; ".join(bar.spoken for bar in largest)
        self.setAccessibleDescription(in_sentences([title, figures]))
        self._on_theme_changed()

    def set_clickable(self, words: str) -> None:
        """Let bars be chosen; the words say what that does."""
        self._clickable = True
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip(words)

    @property
    def bars(self) -> list[Bar]:
        """The bars shown."""
        return self._bars

    # --- sizes --------------------------------------------------------------------------

    def _row(self) -> int:
        room = (self.height() - self._limit_height()) // max(len(self._bars), 1)
        return min(max(room, theme().px(_ROW)), theme().px(self._highest))

    def _high(self, row: int) -> int:
        return max(len(self._bars), 1) * theme().px(row) + self._limit_height()

    def _limit_height(self) -> int:
        return theme().px(18) if self._limit is not None else 0

    def sizeHint(self) -> QSize:
        """Return the height of all bars."""
        return QSize(theme().px(260), self._high(_ROW))

    def minimumSizeHint(self) -> QSize:
        """Return the least width that still says something."""
        return QSize(theme().px(180), self.sizeHint().height())

    def _on_theme_changed(self) -> None:
        self.setMaximumHeight(self._high(self._highest))
        self.updateGeometry()
        self.update()

    def bar_rect(self, row: int) -> QRectF:
        """Return where a bar's row is."""
        below = self._limit_height() if self._limit is not None and row >= self._limit[0] else 0
        return QRectF(0, row * self._row() + below, self.width(), self._row())

    # --- drawing ------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw rows, then the limit."""
        if not self._bars:
            return
        t = theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        plain, bold = QFontMetrics(t.font()), QFontMetrics(t.font(semibold=True))
        mark = t.px(26) if any(bar.level is not None for bar in self._bars) else 0
        labels = max(plain.horizontalAdvance(bar.label) for bar in self._bars)
        wide_label = min(labels, round(self.width() * 0.38)) + t.px(10)
        columns = max(len(bar.figures) for bar in self._bars)
        widths = [
            max((bold.horizontalAdvance(bar.figures[i]) for bar in self._bars if i < len(bar.figures)), default=0)
            + t.px(12)
            for i in range(columns)
        ]
        left = mark + wide_label
        room = max(self.width() - left - sum(widths), t.px(24))
        most = max((sum(bar.parts) for bar in self._bars), default=0) or 1
        colours = (QColor(t.tokens.risk[5]), t.colour("plain_bar"))
        for row, bar in enumerate(self._bars):
            box = self.bar_rect(row)
            if bar.level is not None:
                high = t.px(12)
                paint_level(painter, QRectF(1, box.center().y() - high / 2, t.px(18), high), bar.level)
            painter.setFont(t.font())
            painter.setPen(t.colour("text"))
            label = plain.elidedText(bar.label, Qt.TextElideMode.ElideRight, wide_label - t.px(8))
            at = QRectF(mark, box.top(), wide_label, box.height())
            painter.drawText(at, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, label)
            x = float(left)
            painter.setPen(Qt.PenStyle.NoPen)
            thick = box.height() * 0.62
            for place, part in enumerate(bar.parts):
                if part <= 0:
                    continue
                wide = max(part / most * (room - _GAP * (len(bar.parts) - 1)), 2.0)
                painter.setBrush(colours[0 if place == 0 and bar.alarming else 1])
                painter.drawRoundedRect(QRectF(x, box.center().y() - thick / 2, wide, thick), 2, 2)
                x += wide + _GAP
            x = self.width() - sum(widths)
            for place, figure in enumerate(bar.figures):
                last = place == len(bar.figures) - 1
                painter.setFont(t.font(semibold=last))
                painter.setPen(t.colour("text" if last else "text2"))
                at = QRectF(x, box.top(), widths[place], box.height())
                painter.drawText(at, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, figure)
                x += widths[place]
            if self.hasFocus() and row == self._current:
                painter.setPen(QPen(t.colour("accent"), 2))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), 4, 4)
        self._paint_limit(painter)

    def _paint_limit(self, painter: QPainter) -> None:
        if self._limit is None:
            return
        t = theme()
        rows, words = self._limit
        y = rows * self._row() + self._limit_height() / 2
        painter.setFont(t.font(0.85))
        metrics = QFontMetrics(t.font(0.85))
        wide = metrics.horizontalAdvance(words)
        painter.setPen(t.colour("text2"))
        at = QRectF(0, y - self._limit_height() / 2, self.width(), self._limit_height())
        painter.drawText(at, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, words)
        pen = QPen(t.colour("text2"), 1)
        pen.setStyle(Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.drawLine(round(wide + t.px(8)), round(y), self.width(), round(y))

    # --- choosing -----------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the bar under the pointer."""
        for row in range(len(self._bars)):
            if self.bar_rect(row).contains(event.position()):
                self._current = row
                self.update()
                if self._clickable:
                    self.chosen.emit(row)
                return

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move between bars and choose one."""
        moves = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        if event.key() in moves and self._bars:
            self._current = min(max(self._current + moves[Qt.Key(event.key())], 0), len(self._bars) - 1)
            self.update()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and self._clickable and self._bars:
            self.chosen.emit(self._current)
        else:
            super().keyPressEvent(event)
