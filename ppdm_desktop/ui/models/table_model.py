"""Table model over columns stored as codes, whose cost depends on the visible rows only.

Sorting and filtering give an array of row indices; there is no proxy model, and row sizes are never requested for all
rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from ppdm_desktop.engine.arrays import Rows
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.wording.catalogue import _, language, numbers_of

Index = QModelIndex | QPersistentModelIndex
MOST_ROWS = 50_000_000
NO_PARENT = QModelIndex()
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
ROW_ROLE = Qt.ItemDataRole.UserRole + 1


class ColumnsModel(QAbstractTableModel):
    """Table model that shows a table's columns as plain text.

    Parameters
    ----------
    table
        The table; it is never changed.
    rows
        Indices into the table of the rows to show, in order; None for all.
    mark
        Function that returns a cell's prefix, such as ``≠``, for (row in the table, column); None for no prefixes.
    missing_text
        Text of an empty cell; "∅ missing" when None.
    """

    def __init__(
        self,
        table: Table | None = None,
        rows: Rows | None = None,
        *,
        mark: Callable[[int, int], str] | None = None,
        missing_text: str | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._missing_text = _("∅ missing") if missing_text is None else missing_text
        self._mark = mark
        self._columns: tuple[Column, ...] = ()
        self._numbers: Rows = np.empty(0, dtype=np.int64)
        self.rows: Rows = np.empty(0, dtype=np.int64)
        self.set_table(table, rows)

    # --- content ------------------------------------------------------------------------

    def set_table(self, table: Table | None, rows: Rows | None = None) -> None:
        """Show these rows (indices; None for all) of another table; None as table shows nothing."""
        self.beginResetModel()
        self._columns = table.columns if table is not None else ()
        self._numbers = table.row_numbers if table is not None else np.empty(0, dtype=np.int64)
        self._all = np.arange(len(self._numbers), dtype=np.int64)
        self.rows = self._all if rows is None else rows
        self.endResetModel()

    def set_rows(self, rows: Rows | None) -> None:
        """Show only the rows with these indices, in this order; None shows all rows in source order.

        Current cell and selection move with their rows; in rows no longer shown they are lost.
        """
        self.layoutAboutToBeChanged.emit()
        kept = self.persistentIndexList()
        behind = [int(self.rows[index.row()]) for index in kept]
        self.rows = self._all if rows is None else rows
        if kept:
            # Current cell and selection stay with their rows. Both lists must be of one length.
            places = np.full(len(self._all), -1, dtype=np.int64)
            places[self.rows] = np.arange(len(self.rows))
            moved = [
                self.index(int(places[row]), index.column()) if places[row] >= 0 else QModelIndex()
                for row, index in zip(behind, kept, strict=True)
            ]
            self.changePersistentIndexList(kept, moved)
        self.layoutChanged.emit()

    def highest_number(self) -> int:
        """Return the highest row number of the table, 1 if it is empty; the row header must be as wide as it."""
        return int(self._numbers.max(initial=1))

    def first_texts(self, view_column: int, most: int) -> set[str]:
        """Return the distinct displayed texts of a column in the first ``most`` rows, to estimate its width."""
        column, rows = self._columns[view_column], self.rows[:most]
        if self._mark is not None:
            return {
                self._mark(int(row), view_column) + self._format_cell(column, column.text_at(int(row))) for row in rows
            }
        return {self._format_code(column, code) for code in set(column.codes_at(rows).tolist())}

    def _format_code(self, column: Column, code: int) -> str:
        """Return the displayed text of a column's category code."""
        return self._format_cell(column, column.texts[code])

    def _format_cell(self, column: Column, text: str) -> str:
        """Return the displayed text of a cell: cut after 200 characters, or with the words for a missing value.

        An empty missing cell has these words only, one with a text such as "n/a" the text before them.
        """
        if text in column.missing_texts:
            return self._missing_text if not text else f"{text}  {self._missing_text}"
        return text[:200] + "…" if len(text) > 200 else text

    def row_at(self, view_row: int) -> int:
        """Return the index in the table of a displayed row."""
        return int(self.rows[view_row])

    def column_at(self, view_column: int) -> Column:
        """Return the table's column at a displayed position."""
        return self._columns[view_column]

    # --- Qt -----------------------------------------------------------------------------

    def rowCount(self, parent: Index = NO_PARENT) -> int:
        """Return the number of displayed rows, at most ``MOST_ROWS``; 0 if a parent cell is given, as Qt expects."""
        return 0 if parent.isValid() else min(len(self.rows), MOST_ROWS)

    def columnCount(self, parent: Index = NO_PARENT) -> int:
        """Return the number of columns; 0 if a parent cell is given, as Qt expects."""
        return 0 if parent.isValid() else len(self._columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a cell's text, its alignment (numbers right), or its row's index in the table for ``ROW_ROLE``.

        The text may have a mark in front. None for other roles.
        """
        if role == Qt.ItemDataRole.DisplayRole:
            column = self._columns[index.column()]
            row = self.rows[index.row()]
            text = self._format_cell(column, column.text_at(int(row)))
            return self._mark(int(row), index.column()) + text if self._mark is not None else text
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if self._columns[index.column()].kind == "numeric" else LEFT
        if role == ROW_ROLE:
            return int(self.rows[index.row()])
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return column names, and the row numbers of the original file as text; None for other roles."""
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if orientation == Qt.Orientation.Horizontal:
            return self._columns[section].name if section < len(self._columns) else None
        return (
            numbers_of(language()).place(int(self._numbers[self.rows[section]])) if section < len(self.rows) else None
        )

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort the displayed rows by the values of one column; missing values come last, ties in source order.

        A negative column puts the displayed rows into the order of the source.
        """
        if column < 0:
            self.set_rows(np.sort(self.rows))
            return
        self.set_rows(sort_rows(self._columns[column], self.rows, descending=order == Qt.SortOrder.DescendingOrder))


def sort_rows(column: Column, rows: Rows, *, descending: bool = False) -> Rows:
    """Return row indices sorted by a column's values; missing values come last, ties in source order.

    ``rows`` are the indices to sort, shape (rows,), in any order. With ``descending`` the largest value comes first,
    and missing values still come last. Values are compared in the order of the column's categories.
    """
    kept = np.sort(rows)
    keys = column.category_codes[kept].astype(np.int64)
    last = np.iinfo(np.int64).max
    keys = np.where(keys < 0, last, -keys if descending else keys)
    return kept[np.argsort(keys, kind="stable")]


def filter_rows_by_text(columns: Sequence[Column], text: str, rows: Rows) -> Rows:
    """Return, in their order, the row indices where any column's text contains ``text``, ignoring case.

    An empty text keeps all rows.
    """
    wanted = text.casefold()
    matches = np.zeros(len(rows), dtype=np.bool_)
    for column in columns:
        hits = np.array([wanted in text.casefold() for text in column.texts], dtype=np.bool_)
        if hits.any():
            matches |= hits[column.codes[rows]]
    return rows[matches]
