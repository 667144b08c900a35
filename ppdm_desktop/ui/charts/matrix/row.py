"""A few small matrices of one kind: beside each other where there is room, otherwise one with a switch."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from ppdm_desktop.ui.charts.matrix.chart import MatrixChart
from ppdm_desktop.ui.look.spoken import as_group
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.widgets.basic import Text
from ppdm_desktop.ui.widgets.buttons import Segments

_GAP = 14


class MatrixRow(QWidget):
    """Matrices with a caption each.

    Parameters
    ----------
    name
        Object name; the matrices are ``<name>_<key>``, the switch ``<name>_shown``.
    words
        Accessible name of all of it.
    parts
        (key, caption) of each matrix, from the left.
    first
        Key of the one shown where there is room for one only.

    Signals
    -------
    chosen
        Row and column of a cell the user chose in any of them.
    """

    spoken = as_group

    chosen = Signal(int, int)

    def __init__(self, *, name: str, words: str, parts: Sequence[tuple[str, str]], first: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(words)
        self._captions = dict(parts)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        theme().gap(column, 6)
        self.switch = Segments(parts, name=f"{name}_shown")
        self.switch.setAccessibleName(words)
        self.switch.set_current(first)
        self.switch.chosen.connect(self._on_switched)
        column.addWidget(self.switch)
        row = QHBoxLayout()
        theme().gap(row, _GAP)
        self.charts: dict[str, MatrixChart] = {}
        self._boxes: dict[str, QWidget] = {}
        self._labels: dict[str, Text] = {}
        for key, caption in parts:
            box = QWidget()
            inside = QVBoxLayout(box)
            inside.setContentsMargins(0, 0, 0, 0)
            theme().gap(inside, 2)
            label = Text(caption, tone="text2", semibold=True, factor=0.9)
            chart = MatrixChart(name=f"{name}_{key}", words=caption)
            chart.chosen.connect(self._on_chosen)
            inside.addWidget(label)
            inside.addWidget(chart)
            inside.addStretch(1)
            row.addWidget(box, 1)
            self.charts[key], self._boxes[key], self._labels[key] = chart, box, label
        column.addLayout(row)
        self._together: bool | None = None
        theme().changed.connect(self.fit)

    @property
    def together(self) -> bool:
        """Whether all of them are shown beside each other."""
        return bool(self._together)

    def rename(self, key: str, caption: str) -> None:
        """Give a matrix another caption."""
        self._captions[key] = caption
        self._labels[key].setText(caption)
        self.charts[key].setAccessibleName(caption)
        self.switch.set_words(key, caption)

    def set_current(self, row: int, column: int) -> None:
        """Put the ring on a cell of all of them."""
        for chart in self.charts.values():
            chart.set_current(row, column)

    def _on_chosen(self, row: int, column: int) -> None:
        self.set_current(row, column)
        self.chosen.emit(row, column)

    def _on_switched(self, _key: str) -> None:
        self._together = None
        self.fit()

    def fit(self) -> None:
        """Show all of them where each has room for its figures, otherwise the one chosen."""
        needed = sum(chart.good_width() for chart in self.charts.values())
        together = self.width() >= needed + (len(self.charts) - 1) * theme().px(_GAP)
        if together == self._together:
            return
        self._together = together
        self.switch.setVisible(not together)
        for key, box in self._boxes.items():
            box.setVisible(together or key == self.switch.current)
            self._labels[key].setVisible(together)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Choose between all and one for the new width."""
        super().resizeEvent(event)
        self.fit()

    def minimumSizeHint(self) -> QSize:
        """Ask for the room of one matrix."""
        return QSize(theme().px(180), super().minimumSizeHint().height())

    # --- as a picture -------------------------------------------------------------------

    def _shown(self) -> list[str]:
        return [key for key in self.charts if self.together or key == self.switch.current]

    def _caption_height(self) -> int:
        return QFontMetrics(theme().font(0.9, semibold=True)).height() + theme().px(4)

    def _each(self, width: int) -> int:
        shown = len(self._shown())
        return (width - (shown - 1) * theme().px(_GAP)) // shown

    def picture_size(self, width: int) -> QSize:
        """Return the size of what is shown, drawn at a width."""
        sizes = [self.charts[key].picture_size(self._each(width)) for key in self._shown()]
        wide = sum(size.width() for size in sizes) + (len(sizes) - 1) * theme().px(_GAP)
        return QSize(wide, self._caption_height() + max(size.height() for size in sizes))

    def paint_picture(self, painter: QPainter, box: QRect) -> None:
        """Draw what is shown, each with its caption."""
        left = box.left()
        each = self._each(box.width())
        for key in self._shown():
            size = self.charts[key].picture_size(each)
            painter.setFont(theme().font(0.9, semibold=True))
            painter.setPen(theme().colour("text2"))
            caption = QRect(left, box.top(), size.width(), self._caption_height())
            painter.drawText(caption, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, self._captions[key])
            below = QRect(left, box.top() + self._caption_height(), size.width(), size.height())
            self.charts[key].paint_picture(painter, below)
            left += size.width() + theme().px(_GAP)
