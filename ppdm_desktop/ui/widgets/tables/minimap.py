"""An overview strip of all rows: bars for hidden, generalised and changed values, in a lane each."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy

from ppdm_desktop.ui.look.accessibility import as_chart
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.look.tips import plain_tip
from ppdm_desktop.ui.widgets.layout import Panel

SIGNS = ("▨", "≈", "≠")
"""Signs above the lanes, from the left: hidden, generalised, changed."""
_LEAST_BAR = 2.0


class Minimap(Panel):
    """Overview of changes in equal parts of the rows, with a frame around the visible rows; a click jumps there.

    Signals
    -------
    jumped
        Emitted with the clicked position, from 0 (first row) to 1 (last row).
    """

    accessible_info = as_chart

    jumped = Signal(float)

    def __init__(self, text: str) -> None:
        super().__init__(name="minimap", label=text)
        self.setToolTip(plain_tip(text))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.lanes: tuple[list[float], ...] = ([], [], [])
        self._view = (0.0, 1.0)
        theme().changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        """Return a width of 38 px (fixed) and a height of 120 px, both at 100 % text size."""
        return QSize(theme().px(38), theme().px(120))

    def minimumSizeHint(self) -> QSize:
        """Return the width of ``sizeHint`` and half its height."""
        return QSize(theme().px(38), theme().px(60))

    def _compute_sign_height(self) -> int:
        """Return the height in pixels of the line of signs above the map."""
        return QFontMetrics(theme().font(0.9)).height() + theme().px(2)

    def _map_height(self) -> int:
        """Return the height of the map in pixels, without the line of signs above it; at least 1."""
        return max(self.height() - self._compute_sign_height(), 1)

    @property
    def buckets(self) -> int:
        """Number of equal parts of the rows that can be drawn, each at least 3 px high; at least 1."""
        return max(self._map_height() // max(theme().px(5), 3), 1)

    def set_shares(self, hidden: Sequence[float], generalised: Sequence[float], changed: Sequence[float]) -> None:
        """Show for each part of the rows the shares (0 to 1) of rows with hidden, generalised and changed values."""
        self.lanes = (list(hidden), list(generalised), list(changed))
        self.update()

    def set_view(self, low: float, high: float) -> None:
        """Draw the frame around the visible rows, given as positions from 0 to 1."""
        if (low, high) != self._view:
            self._view = (low, high)
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the lanes (hidden, generalised, changed) and the frame around the visible rows.

        Above each lane that has bars stands its sign.
        """
        t, head, high = theme(), self._compute_sign_height(), self._map_height()
        painter = QPainter(self)
        painter.fillRect(QRectF(0, head, self.width(), high), t.colour("sunken"))
        painter.setFont(t.font(0.9))
        wide = self.width() / len(self.lanes)
        for index, (sign, shares) in enumerate(zip(SIGNS, self.lanes, strict=True)):
            if any(share > 0 for share in shares):
                painter.setPen(t.colour("text2"))
                painter.drawText(QRectF(index * wide, 0, wide, head), Qt.AlignmentFlag.AlignCenter, sign)
                self._paint_lane(painter, index, shares, QRectF(index * wide + 2, head, wide - 4, high))
        low, end = self._view
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(t.colour("text"), 2))
        frame = QRectF(1, head + low * high + 1, self.width() - 2, max((end - low) * high - 2, 5))
        if frame.bottom() > self.height() - 1:
            frame.moveBottom(self.height() - 1)
        painter.drawRect(frame)
        painter.end()

    def _paint_lane(self, painter: QPainter, index: int, shares: Sequence[float], box: QRectF) -> None:
        """Draw the bars of one lane (``index``: 0 hidden, 1 generalised, 2 changed), one for each share, from above.

        The bar of the largest share is as wide as the lane, the others in proportion, but visible if above 0. Bars of
        generalised values are hollow. At least one share has to be above 0.
        """
        tokens = theme().tokens
        hollow = index == 1
        painter.setPen(QPen(QColor(tokens.kinds[0]), 1) if hollow else Qt.PenStyle.NoPen)
        painter.setBrush(Qt.BrushStyle.NoBrush if hollow else QColor((tokens.plain_bar, "", tokens.kinds[1])[index]))
        tall, most = box.height() / len(shares), max(shares)
        for part, share in enumerate(shares):
            if share > 0:
                bar = QRectF(box.left(), box.top() + part * tall, max(box.width() * share / most, _LEAST_BAR), tall - 1)
                painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5) if hollow else bar)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Send the position under the pointer, 0 at the top of the map to 1 at its end."""
        self.jumped.emit(min(max((event.position().y() - self._compute_sign_height()) / self._map_height(), 0.0), 1.0))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Send the position under the pointer while a button is held down."""
        self.mousePressEvent(event)
