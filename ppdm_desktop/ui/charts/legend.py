"""A legend of marks or lines with their names, on as many lines as its width needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
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

    def _places(self, width: float) -> list[tuple[float, int, int]]:
        """Return the place (x, line) of each name and how many lines it takes.

        What does not fit beside goes on the next line, and what is too long for one goes on in another.
        """
        metrics, before = QFontMetrics(theme().font(0.9)), theme().px(self._wide + 6)
        x, line = 0.0, 0
        found: list[tuple[float, int, int]] = []
        for name in self._names:
            # Letters are a little wider than the whole pixels that are measured.
            wide, lines = before + metrics.horizontalAdvance(name) + 2, 1
            if x and x + wide > width:
                x, line = 0.0, found[-1][1] + found[-1][2]
            if wide > width:
                room = QRect(0, 0, max(round(width - before), 1), 10_000)
                high = metrics.boundingRect(room, Qt.TextFlag.TextWordWrap, name).height()
                lines = max(1, round(high / metrics.lineSpacing()))
            found.append((x, line, lines))
            x += wide + theme().px(_GAP)
        return found

    def sizeHint(self) -> QSize:
        """Return as many lines as the names take at the present width."""
        places = self._places(max(self.width(), theme().px(160)))
        lines = max((line + more for _, line, more in places), default=1)
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
        high = t.px(_LINE)
        for place, (name, (x, line, lines)) in enumerate(zip(self._names, self._places(self.width()), strict=True)):
            self._piece(painter, place, QPointF(x, line * high + high / 2))
            painter.setFont(t.font(0.9))
            painter.setPen(t.colour("text2"))
            begin = x + t.px(self._wide + 6)
            room = QRectF(begin, line * high, max(self.width() - begin, 0.0), lines * high)
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap, name)
        painter.end()
