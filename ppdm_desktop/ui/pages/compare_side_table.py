"""The table of candidates side by side: the figures' names stay in view while it scrolls sideways."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QHeaderView, QStyleOptionHeader, QWidget

from ppdm_desktop.ui.models.rows_model import RowsModel
from ppdm_desktop.ui.theme import theme
from ppdm_desktop.ui.widgets.form_table import FormTable
from ppdm_desktop.ui.widgets.numbers_header import NumbersHeader

Index = QModelIndex | QPersistentModelIndex
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_AROUND, _LEAST, _SHARE = 18, 150, 0.45
"""Pixels at 100 % beside a name and for the names at least; their share of the table at most."""


class NamedRows(RowsModel):
    """Rows whose first text is their name, shown at the left of the table."""

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return also the rows' names, whole in the tooltip."""
        if orientation == Qt.Orientation.Horizontal or not 0 <= section < len(self.rows):
            return super().headerData(section, orientation, role)
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return self.rows[section][0]
        return _LEFT if role == Qt.ItemDataRole.TextAlignmentRole else None


class _Names(NumbersHeader):
    """Names at the left, cut with dots where there is no room."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setSectionsClickable(False)
        self.setHighlightSections(False)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

    def initStyleOptionForIndex(self, option: QStyleOptionHeader, logicalIndex: int) -> None:  # noqa: N803 - Qt's own name
        """Cut the name."""
        super().initStyleOptionForIndex(option, logicalIndex)
        metrics = QFontMetrics(theme().font(semibold=True))
        room = max(self.width() - theme().px(_AROUND) + 1, 0)
        option.text = metrics.elidedText(option.text, Qt.TextElideMode.ElideRight, room)


class NamedTable(FormTable):
    """A form table that keeps its rows' names in view; the other columns share the width alike."""

    def __init__(self, model: NamedRows, *, name: str, words: str, most_rows: int) -> None:
        super().__init__(model, name=name, words=words, stretch=-1, most_rows=most_rows)
        self.setVerticalHeader(_Names(self))
        self.setColumnHidden(0, True)
        self.verticalHeader().show()
        self.fit()

    def fit(self) -> None:
        """Set heights and widths, and the room of the names."""
        self._needed: dict[int, int] = {}
        super().fit()
        current = self.currentIndex()
        if current.isValid() and current.column() == 0:
            self.selectionModel().setCurrentIndex(
                self.model().index(current.row(), 1), self.selectionModel().SelectionFlag.NoUpdate
            )

    def _share_width(self) -> None:
        """Give the names what they need up to a share of the width, and the rest to the columns shown."""
        model = self.model()
        columns = range(1, model.columnCount())
        if not self._needed:
            self._needed = {column: self.columnWidth(column) for column in columns}
        metrics = QFontMetrics(theme().font(semibold=True))
        names = [str(model.headerData(row, Qt.Orientation.Vertical) or "") for row in range(model.rowCount())]
        widest = max((metrics.horizontalAdvance(name) for name in names), default=0) + theme().px(_AROUND)
        wide = min(widest, max(round(self.width() * _SHARE), theme().px(_LEAST)))
        if wide > 0 and wide != self.verticalHeader().width():
            self.verticalHeader().setFixedWidth(wide)
            self.updateGeometries()
        shown = [column for column in columns if not self.isColumnHidden(column)]
        spare = self.width() - wide - 2 * self.frameWidth() - sum(self._needed[column] for column in shown)
        for column in shown:
            self.setColumnWidth(column, self._needed[column] + max(spare // len(shown), 0))
