"""The frame of charts that draw one thing a row: its label at the left, its figures at the right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ppdm_desktop.ui.look.spoken import as_chart, in_sentences
from ppdm_desktop.ui.look.theme import theme

_AROUND_LABEL, _LEAST_WIDE = 14, 200
_MOST_NAMED = 3


class Labelled(Protocol):
    """What a row is called, and its figures in words."""

    @property
    def label(self) -> str:
        """What it is called."""

    @property
    def words(self) -> str:
        """Its figures."""


class LabelledRows(QWidget):
    """Rows with labels and figures; a subclass draws what stands between them.

    Its class attributes are pixels at 100 % but for ``LABELS``, the share of the width that labels may take.
    """

    spoken = as_chart

    WIDE, HIGH, FOOT = 300, 28, 0
    LABELS, AROUND_FIGURES, LEAST_PLOT = 0.36, 10, 20

    def __init__(self, *, name: str, words: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(words)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._shown: Sequence[Labelled] = ()
        theme().changed.connect(self._on_theme_changed)

    def _show(self, rows: Sequence[Labelled], most_moved: Sequence[Labelled], title: str) -> None:
        """Show other rows; screen readers read the title and those that moved most."""
        self._shown = rows
        figures = "; ".join(f"{row.label}: {row.words}" for row in most_moved[:_MOST_NAMED])
        self.setAccessibleDescription(in_sentences([title, figures]))
        self._on_theme_changed()

    # --- size ---------------------------------------------------------------------------

    def _row(self) -> int:
        return theme().px(self.HIGH)

    def sizeHint(self) -> QSize:
        """Return the height of all rows and what stands below them."""
        return QSize(theme().px(self.WIDE), max(len(self._shown), 1) * self._row() + theme().px(self.FOOT))

    def minimumSizeHint(self) -> QSize:
        """Return the least width that still says something."""
        return QSize(theme().px(_LEAST_WIDE), self.sizeHint().height())

    def _on_theme_changed(self) -> None:
        self.updateGeometry()
        self.update()

    # --- drawing ------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw each row's label, figures and what stands between, then what belongs to all of them."""
        if not self._shown:
            return
        t = theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        metrics = QFontMetrics(t.font())
        labels = max(metrics.horizontalAdvance(row.label) for row in self._shown)
        left = min(labels, round(self.width() * self.LABELS)) + t.px(_AROUND_LABEL)
        right = max(metrics.horizontalAdvance(row.words) for row in self._shown) + t.px(self.AROUND_FIGURES)
        room = max(self.width() - left - right, t.px(self.LEAST_PLOT))
        plot = QRectF(left, 0, room, len(self._shown) * self._row())
        middle = Qt.AlignmentFlag.AlignVCenter
        for place, row in enumerate(self._shown):
            box = QRectF(0, place * self._row(), self.width(), self._row())
            painter.setFont(t.font())
            painter.setPen(t.colour("text"))
            label = metrics.elidedText(row.label, Qt.TextElideMode.ElideRight, left - t.px(10))
            painter.drawText(QRectF(0, box.top(), left, box.height()), middle | Qt.AlignmentFlag.AlignLeft, label)
            self._paint_row(painter, place, box, plot)
            painter.setPen(t.colour("text"))
            figures = QRectF(self.width() - right, box.top(), right, box.height())
            painter.drawText(figures, middle | Qt.AlignmentFlag.AlignRight, row.words)
        self._paint_rest(painter, plot)
        painter.end()

    def _paint_row(self, painter: QPainter, place: int, box: QRectF, plot: QRectF) -> None:
        """Draw what a row shows within the plot."""
        raise NotImplementedError

    def _paint_rest(self, painter: QPainter, plot: QRectF) -> None:
        """Draw what belongs to all rows."""
        raise NotImplementedError
