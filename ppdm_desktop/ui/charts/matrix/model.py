"""The cells of a small matrix as items with their words, and what is asked of a view that draws them."""

from __future__ import annotations

import math
from typing import Any, Protocol

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QPainter

from ppdm_desktop.engine.arrays import Floats
from ppdm_desktop.engine.report.scene.model import Matrix, Scene
from ppdm_desktop.ui.look.tips import plain_tip

Index = QModelIndex | QPersistentModelIndex
_NONE = QModelIndex()


class MatrixModel(QAbstractTableModel):
    """Rows and columns of a matrix; a NaN cell is empty and cannot be chosen."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[str, ...] = ()
        self.columns: tuple[str, ...] = ()
        self.values: Floats = np.empty((0, 0))
        self.texts: tuple[tuple[str, ...], ...] = ()
        self._said: dict[tuple[int, int], str] = {}

    def set_scene(self, scene: Scene, matrix: Matrix) -> None:
        """Show a matrix of a scene."""
        self.beginResetModel()
        self.rows, self.columns = scene.y.names, scene.x.names
        self.values, self.texts = matrix.values, matrix.words
        places = ((row.at, row.words) for row in scene.rows)
        self._said = {(len(self.rows) - 1 - int(at[1]), int(at[0])): words for at, words in places if at is not None}
        self.endResetModel()

    def is_empty(self, row: int, column: int) -> bool:
        """Say whether a cell has no value."""
        return math.isnan(self.values[row, column])

    def words(self, row: int, column: int) -> str:
        """Return a cell in words, for tooltips and screen readers."""
        return self._said.get((row, column), "")

    def rowCount(self, parent: Index = _NONE) -> int:
        """Return the number of rows."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _NONE) -> int:
        """Return the number of columns."""
        return 0 if parent.isValid() else len(self.columns)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Let cells with a value be chosen."""
        if not index.isValid() or self.is_empty(index.row(), index.column()):
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a cell's text, and the whole of it in words."""
        if role == Qt.ItemDataRole.DisplayRole:
            return self.texts[index.row()][index.column()]
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            words = self.words(index.row(), index.column())
            return (plain_tip(words) if role == Qt.ItemDataRole.ToolTipRole else words) or None
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return names; in full as tooltip."""
        names = self.columns if orientation == Qt.Orientation.Horizontal else self.rows
        wanted = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole)
        if role not in wanted or section >= len(names):
            return None
        return plain_tip(names[section]) if role == Qt.ItemDataRole.ToolTipRole else names[section]


class MatrixLook(Protocol):
    """What the names and the cells of a matrix ask of the view they are drawn in.

    Attributes
    ----------
    matrix
        The cells.
    names_left, names_above
        Names as they are written at the two sides.
    upright
        Whether the names above stand upright.
    """

    matrix: MatrixModel
    names_left: list[str]
    names_above: list[str]
    upright: bool

    def paint_cell(self, painter: QPainter, box: QRect, row: int, column: int) -> None:
        """Draw a cell's ground and text, without a ring."""

    def currentIndex(self) -> QModelIndex:
        """Return the cell with the ring."""

    def hasFocus(self) -> bool:
        """Say whether keys move the ring now."""
