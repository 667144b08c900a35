"""The legend of a matrix in colour bands: every band with its edges in words."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ppdm_desktop.engine.report.scene.bands import span_labels
from ppdm_desktop.engine.report.scene.model import Palette
from ppdm_desktop.ui.charts.bands import band_colours, checked_edges
from ppdm_desktop.ui.look.spoken import as_text
from ppdm_desktop.ui.look.theme import theme


class MatrixLegend(QWidget):
    """Colour steps from left to right, each with its span below it; on several lines where there is no room.

    Parameters
    ----------
    words
        What the colour says, for screen readers ("People alone by these two columns").
    """

    spoken = as_text

    def __init__(self, words: str) -> None:
        super().__init__()
        self._words = words
        self._edges: tuple[float, ...] = ()
        self._palette: Palette = "amount"
        self.labels: tuple[str, ...] = ("",)
        self._wide: int | None = None
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        theme().changed.connect(self._on_theme_changed)

    def set_bands(self, edges: Sequence[float], palette: Palette, labels: Sequence[str] | None = None) -> None:
        """Show other bands; without ``labels`` the spans between the edges are printed.

        Raises
        ------
        ValueError
            When the edges do not rise or are too many, or there is not one label for each band.
        """
        self._edges, self._palette = checked_edges(edges, palette, theme().tokens), palette
        self.labels = span_labels(self._edges) if labels is None else tuple(labels)
        if len(self.labels) != len(self._edges) + 1:
            raise ValueError("a legend needs one label for each band")
        self.setAccessibleName(f"{self._words}: {' · '.join(self.labels)}")
        self._on_theme_changed()

    def _on_theme_changed(self) -> None:
        self._wide = None
        self.updateGeometry()
        self.update()

    # --- size ---------------------------------------------------------------------------

    def _step(self) -> int:
        # Asked for many times while a page is laid out.
        if self._wide is None:
            metrics = QFontMetrics(theme().font(0.85))
            widest = max(metrics.horizontalAdvance(label) for label in self.labels)
            self._wide = max(theme().px(34), widest + theme().px(8))
        return self._wide

    def _across(self, width: int) -> int:
        """Return how many steps stand on a line: as few lines as there is room for, all about as long."""
        most = max(min(width // self._step(), len(self.labels)), 1)
        lines = -(-len(self.labels) // most)
        return -(-len(self.labels) // lines)

    def _line(self) -> int:
        return theme().px(10) + QFontMetrics(theme().font(0.85)).height() + theme().px(4)

    def hasHeightForWidth(self) -> bool:
        """Say that a narrow legend is higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height of all lines at a width."""
        return -(-len(self.labels) // self._across(width)) * self._line()

    def sizeHint(self) -> QSize:
        """Return the width of one line."""
        return QSize(self._step() * len(self.labels), self.heightForWidth(max(self.width(), theme().px(120))))

    def minimumSizeHint(self) -> QSize:
        """Return a width at which lines are broken."""
        return QSize(min(theme().px(120), self._step()), self._line())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take more or fewer lines."""
        super().resizeEvent(event)
        self.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the steps and their words."""
        t = theme()
        painter = QPainter(self)
        painter.setFont(t.font(0.85))
        wide, high, across = self._step(), t.px(10), self._across(self.width())
        colours = band_colours(t.tokens, self._palette, len(self.labels))
        for place, words in enumerate(self.labels):
            left, top = place % across * wide, place // across * self._line()
            box = QRect(left, top, wide - 1, high)
            painter.fillRect(box, QColor(colours[place]))
            painter.setPen(QPen(t.colour("line"), 1))
            painter.drawRect(box.adjusted(0, 0, -1, -1))
            painter.setPen(t.colour("text2"))
            under = QRect(left, top + high, wide, self._line() - high)
            painter.drawText(under, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop, words)
        painter.end()
