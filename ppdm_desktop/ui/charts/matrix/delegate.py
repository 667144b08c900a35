"""How a small matrix is drawn: names at two sides, and the ring round the current cell."""

from __future__ import annotations

from PySide6.QtCore import QObject, QRect, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QHeaderView, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from ppdm_desktop.ui.charts.matrix.model import Index, MatrixLook
from ppdm_desktop.ui.look.theme import theme

NAME_FONT = 0.9


class NamesHeader(QHeaderView):
    """Names at one side, cut in their middle; above narrow columns they stand upright."""

    def __init__(self, orientation: Qt.Orientation, look: MatrixLook, parent: QWidget) -> None:
        super().__init__(orientation, parent)
        self._look = look
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setSectionsClickable(False)
        self.setHighlightSections(False)
        self.setMinimumSectionSize(1)

    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:  # noqa: N803 - Qt's own name
        """Draw one name."""
        look = self._look
        if self.orientation() == Qt.Orientation.Vertical:
            paint_name(painter, rect, look.names_left[logicalIndex], "row")
        else:
            paint_name(painter, rect, look.names_above[logicalIndex], "upright" if look.upright else "column")


class CellDelegate(QStyledItemDelegate):
    """Draws a cell in its band, and the ring round the current one."""

    def __init__(self, look: MatrixLook, parent: QObject) -> None:
        super().__init__(parent)
        self._look = look

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one cell."""
        look, box = self._look, QRect(option.rect)
        if look.matrix.is_empty(index.row(), index.column()):
            return
        look.paint_cell(painter, box, index.row(), index.column())
        current = look.currentIndex()
        if (index.row(), index.column()) != (current.row(), current.column()):
            return
        t = theme()
        painter.save()
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(t.colour("accent" if look.hasFocus() else "control"), 2))
        painter.drawRect(box.adjusted(1, 1, -2, -2))
        painter.setPen(QPen(t.colour("surface"), 1))
        painter.drawRect(box.adjusted(2, 2, -4, -4))
        painter.restore()


def paint_name(painter: QPainter, box: QRect, name: str, where: str, font: QFont | None = None) -> None:
    """Draw a name beside a ``row``, above a ``column``, or ``upright`` above a narrow one; small if no font is said."""
    t = theme()
    font = t.font(NAME_FONT) if font is None else font
    painter.save()
    painter.setFont(font)
    painter.setPen(t.colour("text2"))
    metrics = QFontMetrics(font)
    cut = Qt.TextElideMode.ElideMiddle  # long names often differ at their ends only
    if where == "upright":
        painter.translate(box.center().x() + 0.5, box.bottom() - t.px(4))
        painter.rotate(-90)
        room = box.height() - t.px(6)
        words = metrics.elidedText(name, cut, room)
        painter.drawText(QRect(0, -metrics.height() // 2, room, metrics.height()), Qt.AlignmentFlag.AlignVCenter, words)
    elif where == "row":
        words = metrics.elidedText(name, cut, box.width() - t.px(8))
        middle = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(box.adjusted(0, 0, -t.px(6), 0), middle, words)
    else:
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, metrics.elidedText(name, cut, box.width() - t.px(4)))
    painter.restore()
