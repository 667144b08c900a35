"""A small table model for rows of texts: lists, rules, and the tables of charts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QObject, Qt
from PySide6.QtGui import QBrush, QIcon

from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.models.table_model import LEFT, NO_PARENT, RIGHT, Index


class RowsModel(QAbstractTableModel):
    """Table model whose rows are texts.

    Parameters
    ----------
    headers
        Column names.
    right
        Columns that are aligned right.
    """

    def __init__(self, headers: Sequence[str], right: Sequence[int] = (), parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._headers = list(headers)
        self._right = frozenset(right)
        self.rows: list[tuple[str, ...]] = []
        self._icons: list[QIcon | None] = []
        self._amber: frozenset[tuple[int, int]] = frozenset()
        self._controls: dict[tuple[int, int], Callable[[], str]] = {}

    def set_control(self, row: int, column: int, describe: Callable[[], str]) -> None:
        """Make screen readers say, for a cell covered by a control, what ``describe`` returns."""
        self._controls[(row, column)] = describe

    def set_rows(
        self,
        rows: Sequence[tuple[str, ...]],
        icons: Sequence[QIcon | None] | None = None,
        *,
        amber: Iterable[tuple[int, int]] = (),
    ) -> None:
        """Replace the rows; selection and scroll position are kept if the number of rows is the same.

        Otherwise what `set_control` set is forgotten.

        Parameters
        ----------
        rows
            The texts of each row.
        icons
            An icon or None for each row, shown in its first column; None for no icons.
        amber
            (row, column) of each cell whose text is amber.

        Raises
        ------
        ValueError
            When a row has more or fewer cells than the table has headings (a fault of the program).
        """
        new = list(rows)
        if any(len(row) != len(self._headers) for row in new):
            raise ValueError(f"a row does not fit the headings {self._headers}")
        before, self._amber = (self.rows, self._amber, self._icons), frozenset(amber)
        if len(new) != len(self.rows):
            self.beginResetModel()
            self._controls.clear()  # a view deletes its controls with the rows
            self.rows, self._icons = new, list(icons or [])
            self.endResetModel()
            return
        self.rows, self._icons = new, list(icons or [])
        if new and (self.rows, self._amber, self._icons) != before:
            self.dataChanged.emit(self.index(0, 0), self.index(len(new) - 1, len(self._headers) - 1))

    def set_headers(self, headers: Sequence[str]) -> None:
        """Rename the columns; their number must not change."""
        self._headers = list(headers)
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self._headers) - 1)

    def row_name(self, row: int) -> str:
        """Return the first text of a row, which names the row; "" for a row without cells."""
        return self.rows[row][0] if self.rows[row] else ""

    def rowCount(self, parent: Index = NO_PARENT) -> int:
        """Return the number of rows; 0 if a parent cell is given, as Qt expects."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = NO_PARENT) -> int:
        """Return the number of columns; 0 if a parent cell is given, as Qt expects."""
        return 0 if parent.isValid() else len(self._headers)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the text of a cell, its alignment, its amber colour, or a row's icon; None for other roles.

        Screen readers get the value of a control that covers the cell, and the row's name as description ("" in the
        first column).
        """
        if role == Qt.ItemDataRole.DisplayRole:
            return self.rows[index.row()][index.column()]
        if role == Qt.ItemDataRole.AccessibleTextRole and (index.row(), index.column()) in self._controls:
            return self._controls[(index.row(), index.column())]()
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return self.row_name(index.row()) if index.column() else ""
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if index.column() in self._right else LEFT
        if role == Qt.ItemDataRole.ForegroundRole and (index.row(), index.column()) in self._amber:
            return QBrush(theme().colour("amber"))
        if role == Qt.ItemDataRole.DecorationRole and index.column() == 0 and index.row() < len(self._icons):
            return self._icons[index.row()]
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the name of a column, or the alignment of its cells; None for rows and other roles."""
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self._headers):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._headers[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if section in self._right else LEFT
        return None
