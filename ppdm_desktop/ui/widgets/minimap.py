"""A narrow picture of all rows shown: bars at the left where values are hidden, at the right where they changed."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from ppdm_desktop.ui.theme import theme


class Minimap(QWidget):
    """Shares by part of the rows, with a frame round what is in view; a click jumps.

    Signals
    -------
    jumped
        Share of the way down, 0 to 1.
    """

    jumped = Signal(float)

    def __init__(self, words: str) -> None:
        super().__init__()
        self.setObjectName("minimap")
        self.setAccessibleName(words)
        self.setToolTip(words)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self._hidden: list[float] = []
        self._changed: list[float] = []
        self._view = (0.0, 1.0)
        theme().changed.connect(self._on_theme)

    def _on_theme(self) -> None:
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Return a narrow column."""
        return QSize(theme().px(30), theme().px(120))

    def minimumSizeHint(self) -> QSize:
        """Return the same width."""
        return QSize(theme().px(30), theme().px(60))

    @property
    def buckets(self) -> int:
        """How many parts there is room for."""
        return max(self.height() // max(theme().px(5), 3), 1)

    def set_shares(self, hidden: Sequence[float], changed: Sequence[float]) -> None:
        """Show other shares, one for each part."""
        self._hidden, self._changed = list(hidden), list(changed)
        self.update()

    def set_view(self, low: float, high: float) -> None:
        """Frame what is in view, as shares of the way down."""
        if (low, high) != self._view:
            self._view = (low, high)
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw both rows of bars and the frame."""
        painter = QPainter(self)
        tokens = theme().tokens
        painter.fillRect(self.rect(), theme().colour("sunken"))
        parts = len(self._changed)
        middle = self.width() / 2
        if parts:
            high = self.height() / parts
            most = max([*self._hidden, *self._changed]) or 1.0
            painter.setPen(Qt.PenStyle.NoPen)
            for place, (hidden, changed) in enumerate(zip(self._hidden, self._changed, strict=True)):
                top, tall = place * high, max(high - 1, 1)
                for share, colour, left in ((hidden, tokens.plain_bar, True), (changed, tokens.kinds[1], False)):
                    if share <= 0:
                        continue
                    wide = max((middle - 2) * share / most, 2.0)
                    painter.setBrush(QColor(colour))
                    painter.drawRect(QRectF(0 if left else self.width() - wide, top, wide, tall))
        low, top = self._view
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme().colour("text"), 2))
        frame = QRectF(1, low * self.height() + 1, self.width() - 2, max((top - low) * self.height() - 2, 5))
        if frame.bottom() > self.height() - 1:
            frame.moveBottom(self.height() - 1)
        painter.drawRect(frame)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Jump to the place under the pointer."""
        self.jumped.emit(min(max(event.position().y() / max(self.height(), 1), 0.0), 1.0))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Follow the pointer while it is held."""
        self.mousePressEvent(event)
