"""A legend of marks or lines with their names, on as many lines as its width needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ppdm_desktop.ui.look.spoken import as_text
from ppdm_desktop.ui.look.theme import theme

_LINE, _GAP = 19, 16


class Legend(QWidget):
    """Names, each after its piece of the drawing.

    Parameters
    ----------
    names
        What the pieces are.
    piece
        Called with (painter, place, left end of the piece) to draw it.
    wide
        Width of a piece at 100 %.
    """

    spoken = as_text

    def __init__(self, names: Sequence[str], piece: Callable[[QPainter, int, QPointF], None], wide: int) -> None:
        super().__init__()
        self._names, self._piece, self._wide = tuple(names), piece, wide
        self.setAccessibleName(", ".join(names))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self._on_theme_changed)

    def _on_theme_changed(self) -> None:
        self.updateGeometry()
        self.update()

    def _places(self, width: float) -> list[tuple[float, int]]:
        """Return the place (x, line) of each name; what does not fit beside goes on the next line."""
        metrics = QFontMetrics(theme().font(0.9))
        x, line, found = 0.0, 0, []
        for name in self._names:
            # Letters are a little wider than the whole pixels that are measured.
            wide = theme().px(self._wide + 6) + metrics.horizontalAdvance(name) + 2
            if x and x + wide > width:
                x, line = 0.0, line + 1
            found.append((x, line))
            x += wide + theme().px(_GAP)
        return found

    def sizeHint(self) -> QSize:
        """Return as many lines as the names take at the present width."""
        lines = max((line for _, line in self._places(max(self.width(), theme().px(160)))), default=0) + 1
        return QSize(theme().px(160), lines * theme().px(_LINE))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take more or fewer lines."""
        super().resizeEvent(event)
        self.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the pieces and the names."""
        t = theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        metrics = QFontMetrics(t.font(0.9))
        high = t.px(_LINE)
        for place, (name, (x, line)) in enumerate(zip(self._names, self._places(self.width()), strict=True)):
            self._piece(painter, place, QPointF(x, line * high + high / 2))
            painter.setFont(t.font(0.9))
            painter.setPen(t.colour("text2"))
            begin = x + t.px(self._wide + 6)
            room = max(self.width() - begin, 0.0)
            words = metrics.elidedText(name, Qt.TextElideMode.ElideRight, round(room))
            painter.drawText(QRectF(begin, line * high, room, high), Qt.AlignmentFlag.AlignVCenter, words)
        painter.end()
